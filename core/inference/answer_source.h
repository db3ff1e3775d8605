// Whoever computes what a trained network answers.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// One thread with an event loop, the main one.
class AnswerSource : public QObject {
    Q_OBJECT
  public:
    using Done = std::function<void(std::vector<double>)>;
    using QObject::QObject;

    /// `samples`: by input of the network, its values of all samples. `done` gets what the last layer gives of each, in
    /// order, or of outputs {rows, …} this row alone: those of all do not fit a message where they are words. Nothing
    /// is computed before the first question.
    virtual void ask(const QByteArray &samples, std::optional<qint64> row, Done done) = 0;
    bool hasFailed() const { return m_hasFailed; }

  Q_SIGNALS:
    /// What it does while questions wait: a state of a run (event::State), "paused" or "training" where it answers.
    /// Empty: it waits for its program.
    void prepares(const QString &state);
    /// Once; nothing is answered any more.
    void failed(const hearth::Error &error);

  protected:
    void fail(const Error &error);

  private:
    bool m_hasFailed = false;
};

}  // namespace hearth
