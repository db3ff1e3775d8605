#include "ui/home/install_form.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "core/home/plain_name.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/home/computer_look.h"
#include "ui/home/computer_picker.h"
#include "ui/words/core_words.h"

namespace hearth {
namespace {

constexpr int highestPort = 65535;

QFormLayout *makeFields() {
    auto *fields = new QFormLayout;
    fields->setHorizontalSpacing(2 * grid);
    fields->setVerticalSpacing(grid);
    return fields;
}

}  // namespace

InstallForm::InstallForm(HomeSource &home, Questions &questions, QWidget *parent)
    : QWidget(parent),
      m_questions(questions),
      m_found(new ComputerPicker(home)),
      m_host(new QLineEdit),
      m_key(new QLineEdit),
      m_name(new QLineEdit),
      m_port(new QLineEdit),
      m_package(new QLineEdit),
      m_forUser(new QCheckBox(tr("For this user only, without the rights of an administrator"))),
      m_fold(makeButton(QStringLiteral("installAdvanced"), {}, "link")),
      m_advanced(makeAdvanced()),
      m_wrong(makeLabel({}, "wrong")) {
    auto *intro =
        makeLabel(tr("Install Hearth over SSH on a computer that you can log in to. Hearth checks the computer first, "
                     "shows what it would change, and asks."),
                  "");
    intro->setWordWrap(true);
    auto *fields = makeFields();
    fields->addRow(line(m_host, "installHost", tr("Log in at"), tr("anna@nano-1 or anna@192.168.1.7:22")), m_host);
    fields->addRow(line(m_key, "installKey", tr("Private key"), tr("those that SSH uses by default")),
                   file(m_key, "installChooseKey", tr("Choose a private key"), tr("All files (*)")));
    m_forUser->setObjectName(QStringLiteral("installForUser"));
    m_fold->setCheckable(true);
    connect(m_fold, &QPushButton::toggled, this, &InstallForm::unfold);
    m_wrong->setObjectName(QStringLiteral("installWrong"));
    m_wrong->setWordWrap(true);
    auto *note = makeLabel(tr("Hearth asks for a password when it needs one, and does not store it."), "secondary");
    note->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * grid);
    layout->addWidget(intro);
    layout->addWidget(m_found);
    layout->addLayout(fields);
    layout->addWidget(m_forUser);
    layout->addWidget(note);
    layout->addWidget(m_fold, 0, Qt::AlignLeft);
    layout->addWidget(m_advanced);
    layout->addWidget(m_wrong);
    layout->addStretch(1);
    connect(m_host, &QLineEdit::textChanged, this, &InstallForm::changed);
    connect(m_found, &ComputerPicker::chosen, this, &InstallForm::takeComputer);
    new ComputerLook(home, this);
    unfold(false);
}

QWidget *InstallForm::makeAdvanced() {
    auto *page = new QWidget;
    auto *fields = makeFields();
    fields->setContentsMargins(0, 0, 0, 0);
    m_name->setMaxLength(maximumDeviceName);
    fields->addRow(line(m_name, "installName", tr("Name in the home"), tr("the one that the computer has")), m_name);
    fields->addRow(
        line(m_port, "installPort", tr("Port of the agent"), tr("47600, or that of an earlier installation")), m_port);
    fields->addRow(line(m_package, "installPackage", tr("Package"), tr("the one that fits")),
                   file(m_package, "installChoosePackage", tr("Choose a package of hearth-agent"),
                        tr("Packages (*.deb *.tar.gz);;All files (*)")));
    page->setLayout(fields);
    return page;
}

void InstallForm::unfold(bool open) {
    // A small screen has no room for both.
    m_found->setVisible(!open);
    // The fields of both parts stand in line.
    int widest = 0;
    for (const QLabel *label : std::as_const(m_labels))
        widest = std::max(widest, label->sizeHint().width());
    for (QLabel *label : std::as_const(m_labels))
        label->setMinimumWidth(widest);
    m_advanced->setVisible(open);
    m_fold->setText(open ? tr("Less") : tr("Advanced …"));
}

QLabel *InstallForm::line(QLineEdit *edit, const char *name, const QString &label, const QString &hint) {
    edit->setObjectName(QString::fromLatin1(name));
    edit->setAccessibleName(label);
    edit->setPlaceholderText(hint);
    connect(edit, &QLineEdit::returnPressed, this, &InstallForm::wanted);
    m_labels << makeLabel(label, "secondary");
    return m_labels.last();
}

QLayout *InstallForm::file(QLineEdit *edit, const char *name, const QString &title, const QString &filter) {
    auto *choose = makeButton(QString::fromLatin1(name), tr("Choose …"), "");
    choose->setAccessibleName(title);
    connect(choose, &QPushButton::clicked, this, [this, edit, title, filter] {
        if (const QString path = m_questions.askOpenFile(this, title, filter); !path.isEmpty())
            edit->setText(path);
    });
    auto *row = new QHBoxLayout;
    row->setSpacing(grid);
    row->addWidget(edit, 1);
    row->addWidget(choose);
    return row;
}

void InstallForm::setHost(const QString &host) {
    m_host->setText(host);
    m_host->setCursorPosition(0);
}

void InstallForm::takeComputer(const QString &place) {
    const QString typed = m_host->text().trimmed();
    const qsizetype at = typed.indexOf(QLatin1Char('@'));
    const QString user = at > 0 ? typed.left(at) : qEnvironmentVariable("USER");
    setHost(user.isEmpty() ? place : user + QLatin1Char('@') + place);
}

bool InstallForm::hasHost() const {
    return !m_host->text().trimmed().isEmpty();
}

void InstallForm::say(const QString &wrong) {
    m_wrong->setText(wrong);
}

void InstallForm::focusHost() {
    m_host->setFocus();
}

std::optional<InstallRequest> InstallForm::request() {
    InstallRequest request;
    const auto target = SshTarget::parse(m_host->text().trimmed());
    if (!target) {
        say(errorText(target.error()));
        m_host->setFocus();
        return std::nullopt;
    }
    const QString port = m_port->text().trimmed();
    const quint16 number = port.toUShort();
    if (number == 0 && !port.isEmpty()) {
        say(tr("The port of the agent is a number from 1 to %1.").arg(highestPort));
        m_fold->setChecked(true);
        m_port->setFocus();
        return std::nullopt;
    }
    say({});
    request.target = *target;
    request.target.keyFile = m_key->text().trimmed();
    request.options.agentPort = number;
    request.options.deviceName = m_name->text().trimmed();
    request.options.packagePath = m_package->text().trimmed();
    request.options.forThisUser = m_forUser->isChecked();
    return request;
}

}  // namespace hearth
