// The data of this computer that have a name: looked at again, or taken off the list.
#pragma once

#include <QDialog>
#include <memory>

#include "core/base/error.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace hearth {

class BackgroundTask;
class Dataset;
class LeftOutList;
class LookProgress;

/// Looks at data in another thread; closing gives up, and what was known of them stays. GUI thread.
class KnownDataDialog : public QDialog {
    Q_OBJECT
  public:
    /// `selected` is one of the names, or the first one is.
    explicit KnownDataDialog(const QString &selected, QWidget *parent = nullptr);
    ~KnownDataDialog() override;

  Q_SIGNALS:
    /// One was looked at again, or is off the list.
    void changed();

  private:
    QString chosen() const;
    void check();
    void take(const QString &name, const Dataset &set);
    void remove();
    void tell(const QString &text, bool wrong);
    void refresh();

    QListWidget *m_names;
    QLabel *m_told;
    LookProgress *m_progress;
    LeftOutList *m_leftOut;
    QPushButton *m_check, *m_remove;
    std::unique_ptr<BackgroundTask> m_looking;
};

}  // namespace hearth
