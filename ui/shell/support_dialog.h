// Save support bundle: shows what goes in before anything is written.
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "core/agent/support_bundle.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace hearth {

class BackgroundTask;
class Questions;

/// Reads and writes in threads of their own; closing it while it reads gives up. GUI thread; `questions` must outlive
/// it.
class SupportDialog : public QDialog {
    Q_OBJECT
  public:
    SupportDialog(const SupportSources &sources, Questions &questions, QWidget *parent = nullptr);
    ~SupportDialog() override;
    /// Where the bundle is being written, the dialog is deleted only when that has ended.
    void done(int result) override;

  Q_SIGNALS:
    /// What became of a bundle that was still being written when the dialog was closed.
    void saved(const QString &path);
    void failed(const hearth::Error &error);

  private:
    void show(const std::vector<SupportFile> &files);
    void save();
    void endSaving(const QString &said);
    void setBusy(const QString &doing);

    Questions &m_questions;
    std::vector<SupportFile> m_files;
    QTreeWidget *m_list;
    QLabel *m_said;
    QProgressBar *m_progress;
    QPushButton *m_save;
    std::unique_ptr<BackgroundTask> m_collecting, m_saving;
};

}  // namespace hearth
