// "Why can't I see my device?": what was looked at, what was found, and what helps, as it comes.
#pragma once

#include <QDialog>
#include <QList>

#include "core/discovery/finding.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace hearth {

class HomeSource;

/// Begins to look when it is made. GUI thread; `home` outlives it.
class AssistantDialog : public QDialog {
    Q_OBJECT
  public:
    explicit AssistantDialog(HomeSource &home, QWidget *parent = nullptr);
    /// What "Copy details" puts on the clipboard.
    QString details() const;

  private:
    class Row;
    void look();
    void take(const Finding &finding);
    void end(const QString &said);
    QString summary() const;
    /// Brings what most needs to be read into sight.
    void showWorst();

    HomeSource &m_home;
    bool m_isLooking = false;
    QLabel *m_said;
    QPushButton *m_again;
    QScrollArea *m_scroll;
    QVBoxLayout *m_layout;
    QList<Row *> m_rows;
};

}  // namespace hearth
