// A step of a run that others work for, and that must not wait for them for ever.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>

#include "core/base/error.h"

namespace hearth {

/// Ends once: in a signal of its own, or in failed(). The coordinator's thread.
class QuietStep : public QObject {
    Q_OBJECT
  public:
    /// `quiet`: so long nothing may come, from each m_quiet.start() on; then tooQuiet() is asked.
    explicit QuietStep(std::chrono::milliseconds quiet, QObject *parent = nullptr);

  Q_SIGNALS:
    void failed(const hearth::Error &error);

  protected:
    virtual void tooQuiet() = 0;
    void giveUp(const Error &error);
    /// False where it had ended before.
    bool close();
    bool isOver() const { return m_over; }

    QTimer m_quiet;

  private:
    bool m_over = false;
};

}  // namespace hearth
