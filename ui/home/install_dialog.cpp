#include "ui/home/install_dialog.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QStackedWidget>

#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/home/install_list.h"
#include "ui/home/install_question.h"
#include "ui/words/core_words.h"
#include "ui/words/error_words.h"

namespace hearth {

InstallDialog::InstallDialog(HomeSource &home, Questions &questions, QWidget *parent)
    : QDialog(parent),
      m_home(home),
      m_questions(questions),
      m_pages(new QStackedWidget),
      m_host(new QLineEdit),
      m_key(new QLineEdit),
      m_package(new QLineEdit),
      m_forUser(new QCheckBox(tr("For this user only, without the rights of an administrator"))),
      m_wrong(makeLabel({}, "small")),
      m_list(new InstallList),
      m_question(new InstallQuestion),
      m_error(new ErrorPanel),
      m_said(makeLabel({}, "strong")),
      m_close(makeButton(QStringLiteral("installClose"), {}, "")),
      m_go(makeButton(QStringLiteral("installGo"), {}, "primary")) {
    setObjectName(QStringLiteral("installDialog"));
    setWindowTitle(tr("Install on a computer"));
    m_pages->addWidget(makeForm());
    m_pages->addWidget(makeWork());
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_go);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * grid, 3 * grid, 3 * grid, 2 * grid);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_pages, 1);
    layout->addLayout(buttons);
    resize(80 * grid, 72 * grid);

    connect(m_close, &QPushButton::clicked, this, &InstallDialog::reject);
    connect(m_go, &QPushButton::clicked, this, [this] {
        if (m_pages->currentIndex() == 0) {
            begin();
        } else {
            m_pages->setCurrentIndex(0);
            showButtons();
            m_host->setFocus();
        }
    });
    connect(m_host, &QLineEdit::textChanged, this, &InstallDialog::showButtons);
    showButtons();
}

InstallDialog::~InstallDialog() {
    if (m_installation)
        m_installation->disconnect(this);
}

QWidget *InstallDialog::makeForm() {
    auto *intro =
        makeLabel(tr("Hearth comes onto another computer by SSH: you need to be able to log in there. It looks at "
                     "the computer first, says what it would change, and asks."),
                  "");
    intro->setWordWrap(true);
    const auto line = [this](QLineEdit *edit, const char *name, const QString &label, const QString &hint) {
        edit->setObjectName(QString::fromLatin1(name));
        edit->setAccessibleName(label);
        edit->setPlaceholderText(hint);
        connect(edit, &QLineEdit::returnPressed, this, &InstallDialog::begin);
        return makeLabel(label, "secondary");
    };
    const auto file = [this](QLineEdit *edit, const char *name, const QString &title, const QString &filter) {
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
    };
    auto *fields = new QFormLayout;
    fields->setHorizontalSpacing(2 * grid);
    fields->setVerticalSpacing(grid);
    fields->addRow(line(m_host, "installHost", tr("Log in at"), tr("anna@nano-1 or anna@192.168.1.7:22")), m_host);
    fields->addRow(line(m_key, "installKey", tr("Private key"), tr("those that SSH uses anyway")),
                   file(m_key, "installChooseKey", tr("Choose a private key"), tr("All files (*)")));
    fields->addRow(line(m_package, "installPackage", tr("Package"), tr("the one that fits")),
                   file(m_package, "installChoosePackage", tr("Choose a package of hearth-agent"),
                        tr("Packages (*.deb);;All files (*)")));
    m_forUser->setObjectName(QStringLiteral("installForUser"));
    m_wrong->setObjectName(QStringLiteral("installWrong"));
    m_wrong->setWordWrap(true);
    auto *note = makeLabel(tr("A password is asked for when it is needed, and kept nowhere."), "secondary");
    note->setWordWrap(true);
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * grid);
    layout->addWidget(intro);
    layout->addLayout(fields);
    layout->addWidget(m_forUser);
    layout->addWidget(note);
    layout->addWidget(m_wrong);
    layout->addStretch(1);
    return page;
}

QWidget *InstallDialog::makeWork() {
    m_said->setObjectName(QStringLiteral("installSaid"));
    m_said->setWordWrap(true);
    say({});
    m_error->hide();
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_question);
    layout->addWidget(m_error);
    layout->addWidget(m_said);
    return page;
}

void InstallDialog::say(const QString &text) {
    m_said->setText(text);
    m_said->setVisible(!text.isEmpty());
}

void InstallDialog::setHost(const QString &host) {
    m_host->setText(host);
}

void InstallDialog::showButtons() {
    const bool isForm = m_pages->currentIndex() == 0;
    m_close->setText(m_installation ? tr("Cancel") : tr("Close"));
    m_close->setEnabled(!m_leaving);
    m_go->setText(isForm ? tr("Look at it") : tr("Once more"));
    m_go->setVisible(!m_installation);
    m_go->setEnabled(!isForm || !m_host->text().trimmed().isEmpty());
}

void InstallDialog::begin() {
    InstallRequest request;
    const auto target = SshTarget::parse(m_host->text().trimmed());
    if (!target) {
        m_wrong->setText(coreText(target.error()).toString());
        m_host->setFocus();
        return;
    }
    m_wrong->clear();
    request.target = *target;
    request.target.keyFile = m_key->text().trimmed();
    request.options.packagePath = m_package->text().trimmed();
    request.options.forThisUser = m_forUser->isChecked();
    request.stateDir = m_home.stateDir();
    m_leftOver.clear();
    m_installation = m_home.makeInstallation(request, this);
    if (!m_installation) {
        m_wrong->setText(tr("Devices cannot be installed from here: a demo home is whole as it is."));
        return;
    }
    m_list->clear();
    m_question->clear();
    m_error->hide();
    say({});
    m_pages->setCurrentIndex(1);
    connect(m_installation, &Installation::progressed, m_list, &InstallList::show);
    connect(m_installation, &Installation::progressed, this, [this](const InstallProgress &progress) {
        if (progress.step == InstallStep::Undo && progress.state == InstallProgress::State::Failed)
            m_leftOver = progress.text;
    });
    connect(m_installation, &Installation::hostKeyShown, m_question, &InstallQuestion::askHostKey);
    connect(m_installation, &Installation::passwordWanted, m_question, &InstallQuestion::askPassword);
    connect(m_installation, &Installation::consentWanted, m_question, &InstallQuestion::askConsent);
    connect(m_question, &InstallQuestion::answered, m_installation, qOverload<bool>(&Installation::answer));
    connect(m_question, &InstallQuestion::passwordGiven, m_installation,
            [this](Secret &password) { m_installation->answer(std::move(password)); });
    connect(m_installation, &Installation::finished, this, [this](const InstallResult &result) {
        // It may have been done before it heard that it should end.
        m_leaving = false;
        QStringList said{result.isUpdate ? tr("%1 has the new version now.").arg(result.device)
                                         : tr("%1 is a device of this home now.").arg(result.device)};
        for (const QString &note : result.notes)
            said << coreText(note);
        end(said.join(QLatin1Char('\n')));
    });
    connect(m_installation, &Installation::failed, this, &InstallDialog::fail);
    showButtons();
    m_installation->start();
}

void InstallDialog::end(const QString &said) {
    m_question->clear();
    m_installation->deleteLater();
    m_installation = nullptr;
    say(said);
    if (std::exchange(m_leaving, false)) {
        QDialog::reject();
        return;
    }
    showButtons();
    m_close->setFocus();
}

void InstallDialog::fail(const Error &reason) {
    const bool isCancelled = reason.code == cancelledError().code;
    if (!isCancelled)
        m_error->showError(coreText(reason));
    // What stays on somebody's computer has to be read before this closes.
    m_leaving = m_leaving && isCancelled && m_leftOver.isEmpty();
    end(!m_leftOver.isEmpty() ? coreText(m_leftOver)
        : isCancelled         ? tr("Cancelled; nothing of it is left there.")
                              : QString());
}

void InstallDialog::reject() {
    if (!m_installation) {
        QDialog::reject();
        return;
    }
    m_leaving = true;
    m_question->clear();
    say(tr("Undoing what was done …"));
    showButtons();
    m_installation->cancel();
}

}  // namespace hearth
