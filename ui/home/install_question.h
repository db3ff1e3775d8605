// What an installation wants to know of a person: is this the right host, a password, may it begin.
#pragma once

#include <QFrame>

#include "core/install/install_dialogue.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace hearth {

/// Hidden while nothing is asked. GUI thread.
class InstallQuestion : public QFrame {
    Q_OBJECT
  public:
    explicit InstallQuestion(QWidget *parent = nullptr);
    void askHostKey(const SshHostKey &key);
    void askPassword(PasswordKind kind, const QString &prompt, int attempt);
    void askConsent(const QList<Sentence> &changes);
    void clear();

  Q_SIGNALS:
    void answered(bool yes);
    /// Moved out by the receiver; the line that it was typed in is empty again.
    void passwordGiven(hearth::Secret &password);

  private:
    void open(const QString &text, const QString &detail, const QString &yes, const QString &no);
    void accept();
    void refuse();

    QLabel *m_text;
    QLabel *m_detail;
    QLineEdit *m_password;
    QPushButton *m_yes;
    QPushButton *m_no;
    bool m_forPassword = false;
};

}  // namespace hearth
