// The data of this computer that have a name: checked again, or removed from the list.
#pragma once

#include <QDialog>
#include <memory>
#include <utility>

#include "core/base/error.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace hearth {

class BackgroundTask;
class Dataset;
class LeftOutList;
class LookProgress;
class Questions;

/// Looks at data in another thread; closing gives up, and what was known of them stays: the dialog is hidden, and
/// deletes itself once that thread has ended. GUI thread; `questions` outlives it.
class KnownDataDialog : public QDialog {
    Q_OBJECT
  public:
    /// `selected` is one of the names, or the first one is.
    KnownDataDialog(Questions &questions, const QString &selected, QWidget *parent = nullptr);
    ~KnownDataDialog() override;
    void done(int result) override;
    /// The name that was checked last, and what was read of it; null: none was.
    const std::pair<QString, std::shared_ptr<const Dataset>> &checked() const { return m_checked; }

  Q_SIGNALS:
    /// One was checked again, or removed from the list.
    void changed();

  private:
    QString chosen() const;
    void check();
    void take(const QString &name, const std::shared_ptr<const Dataset> &set);
    void endLooking();
    void remove();
    void tell(const QString &text, bool wrong);
    void refresh();

    Questions &m_questions;
    QListWidget *m_names;
    QLabel *m_told;
    LookProgress *m_progress;
    LeftOutList *m_leftOut;
    QPushButton *m_check, *m_remove;
    std::pair<QString, std::shared_ptr<const Dataset>> m_checked;
    std::unique_ptr<BackgroundTask> m_looking;
};

}  // namespace hearth
