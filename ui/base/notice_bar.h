// A line above a page's content: something a person should know, or a long action that can be cancelled.
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace hearth {

/// Hidden until it has something to say. GUI thread.
class NoticeBar : public QFrame {
    Q_OBJECT
  public:
    NoticeBar(const QString &objectName, const QString &button, QWidget *parent = nullptr);
    /// Behind the first, a button that leaves the question unanswered.
    void addClose(const QString &button);
    /// Whether the first button is there, and why it cannot be pressed now; empty: it can.
    void offerAnswer(bool isOffered, const QString &whyNot);
    void say(const QString &text);
    QString text() const;

  Q_SIGNALS:
    /// The button was pressed, or the one that closes; the bar is hidden already.
    void answered();
    void closed();

  private:
    QLabel *m_text;
    QPushButton *m_answer;
};

}  // namespace hearth
