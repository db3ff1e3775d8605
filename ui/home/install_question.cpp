#include "ui/home/install_question.h"

#include <QLineEdit>

#include "ui/base/dialog_parts.h"
#include "ui/base/widgets.h"
#include "ui/home/install_words.h"
#include "ui/words/core_words.h"

namespace hearth {

InstallQuestion::InstallQuestion(QWidget *parent)
    : QFrame(parent),
      m_text(makeLabel({}, "")),
      m_detail(makeLabel({}, "mono")),
      m_password(new QLineEdit),
      m_yes(makeButton(QStringLiteral("installYes"), {}, "primary")),
      m_no(makeButton(QStringLiteral("installNo"), {}, "")) {
    setObjectName(QStringLiteral("installQuestion"));
    setProperty("role", QStringLiteral("card"));
    m_text->setObjectName(QStringLiteral("installAsked"));
    m_detail->setObjectName(QStringLiteral("installDetail"));
    for (QLabel *label : {m_text, m_detail}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setFocusPolicy(Qt::NoFocus);
    }
    m_password->setObjectName(QStringLiteral("installPassword"));
    m_password->setAccessibleName(tr("Password"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->setSpacing(grid);
    layout->addWidget(m_text);
    layout->addWidget(m_detail);
    layout->addWidget(m_password);
    layout->addLayout(makeButtonRow({m_no, m_yes}));
    connect(m_yes, &QPushButton::clicked, this, &InstallQuestion::accept);
    connect(m_no, &QPushButton::clicked, this, &InstallQuestion::refuse);
    connect(m_password, &QLineEdit::returnPressed, this, &InstallQuestion::accept);
    hide();
}

void InstallQuestion::open(const QString &text, const QString &detail, const QString &yes, const QString &no) {
    m_text->setText(text);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    m_password->setVisible(m_forPassword);
    m_yes->setText(yes);
    m_no->setText(no);
    show();
    (m_forPassword ? static_cast<QWidget *>(m_password) : m_no)->setFocus();
}

void InstallQuestion::clear() {
    m_password->clear();
    hide();
}

void InstallQuestion::askHostKey(const SshHostKey &key) {
    m_forPassword = false;
    open(tr("This is the first connection to this computer. Compare its key with the one that it prints itself:\n"
            "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub"),
         key.kind + QLatin1Char('\n') + key.fingerprint, tr("Keys are the same"), tr("Keys differ: cancel"));
}

void InstallQuestion::askPassword(PasswordKind kind, const QString &prompt, int attempt) {
    m_forPassword = true;
    open(passwordQuestion(kind, prompt, attempt), {}, tr("Resume"), tr("Skip"));
}

void InstallQuestion::askConsent(const QList<Sentence> &changes) {
    m_forPassword = false;
    QStringList lines;
    for (const Sentence &each : changes)
        lines << QStringLiteral("• ") + coreText(each);
    open(tr("What will change on the device:") + QLatin1Char('\n') + lines.join(QLatin1Char('\n')), {}, tr("Install"),
         tr("Do not install"));
}

void InstallQuestion::accept() {
    if (!m_forPassword) {
        clear();
        Q_EMIT answered(true);
        return;
    }
    QString typed = m_password->text();
    clear();
    Secret password(typed.toUtf8());
    typed.fill(QChar(0));
    Q_EMIT passwordGiven(password);
}

void InstallQuestion::refuse() {
    clear();
    if (!m_forPassword) {
        Q_EMIT answered(false);
        return;
    }
    Secret none;
    Q_EMIT passwordGiven(none);
}

}  // namespace hearth
