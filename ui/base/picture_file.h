// A picture that is written as a PNG file beside the GUI thread: encoding takes longer than a frame.
#pragma once

#include <QImage>
#include <QObject>
#include <functional>

#include "core/base/background_task.h"

namespace hearth {

/// One at a time. GUI thread; when it is destroyed a picture under way is waited for, and nothing is told any more.
class PictureFile : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    /// `saved` or `failed` follows. Nothing happens while another one is being written.
    void save(const QImage &picture, const QString &path);
    bool isSaving() const { return m_task && m_task->isRunning(); }

  Q_SIGNALS:
    void saved(const QString &path);
    void failed(const hearth::Error &error);

  private:
    std::unique_ptr<BackgroundTask> m_task;
};

}  // namespace hearth
