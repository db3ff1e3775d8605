#include "ui/home/install_dialog.h"

#include <QStackedWidget>

#include "ui/base/dialog_parts.h"
#include "ui/base/home_source.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/home/first_measurement.h"
#include "ui/home/install_form.h"
#include "ui/home/install_list.h"
#include "ui/home/install_question.h"
#include "ui/words/core_words.h"

namespace hearth {

namespace {

QString effectText(const InstallResult &result) {
    switch (result.effect) {
        case InstallEffect::NewDevice:
            break;
        case InstallEffect::NewVersion:
            return InstallDialog::tr("%1 has version %2 now.").arg(result.device, result.version);
        case InstallEffect::Nothing:
            return InstallDialog::tr("%1 had version %2 already. Nothing new was installed.")
                .arg(result.device, result.version);
    }
    return InstallDialog::tr("%1 is a device of this home now.").arg(result.device);
}

}  // namespace

InstallDialog::InstallDialog(HomeSource &home, Questions &questions, Measurements *measurements, QWidget *parent)
    : QDialog(parent),
      m_home(home),
      m_pages(new QStackedWidget),
      m_form(new InstallForm(home, questions)),
      m_list(new InstallList),
      m_question(new InstallQuestion),
      m_error(new ErrorPanel(ErrorPanel::In::Dialog)),
      m_said(makeLabel({}, "strong")),
      m_measuring(measurements ? new FirstMeasurement(home, *measurements) : nullptr),
      m_close(makeButton(QStringLiteral("installClose"), {}, "")),
      m_go(makeButton(QStringLiteral("installGo"), {}, "primary")) {
    setObjectName(QStringLiteral("installDialog"));
    setWindowTitle(tr("Install on a computer"));
    m_pages->addWidget(m_form);
    m_pages->addWidget(makeWork());
    auto *layout = makeDialogLayout(this);
    layout->addWidget(m_pages, 1);
    layout->addLayout(makeButtonRow({m_close, m_go}));
    resize(80 * grid, 72 * grid);

    connect(m_close, &QPushButton::clicked, this, &InstallDialog::reject);
    connect(m_go, &QPushButton::clicked, this, [this] {
        if (m_pages->currentIndex() == 0) {
            begin();
        } else {
            m_pages->setCurrentIndex(0);
            if (std::exchange(m_isDone, false))
                m_form->setHost({});
            showButtons();
            m_form->focusHost();
        }
    });
    connect(m_form, &InstallForm::changed, this, &InstallDialog::showButtons);
    connect(m_form, &InstallForm::wanted, this, &InstallDialog::begin);
    showButtons();
    m_form->focusHost();  // not the list above it
}

InstallDialog::~InstallDialog() {
    if (m_installation)
        m_installation->disconnect(this);
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
    if (m_measuring)
        layout->addWidget(m_measuring);
    return page;
}

void InstallDialog::say(const QString &text) {
    m_said->setText(text);
    m_said->setVisible(!text.isEmpty());
}

void InstallDialog::setHost(const QString &host) {
    m_form->setHost(host);
}

void InstallDialog::showButtons() {
    const bool isForm = m_pages->currentIndex() == 0;
    m_close->setText(m_installation ? tr("Cancel") : tr("Close"));
    m_close->setEnabled(!m_leaving);
    m_go->setText(isForm ? tr("Check") : m_isDone ? tr("Another computer …") : tr("Try again"));
    m_go->setVisible(!m_installation);
    m_go->setEnabled(!isForm || m_form->hasHost());
    // What comes next is the primary one.
    const bool isOver = !isForm && m_isDone;
    setRole(m_go, isOver ? "" : "primary");
    setRole(m_close, isOver ? "primary" : "");
}

void InstallDialog::begin() {
    auto request = m_form->request();
    if (!request)
        return;
    request->stateDir = m_home.stateDir();
    m_leftOver = {};
    m_installation = m_home.makeInstallation(*request, this);
    if (!m_installation) {
        m_form->say(tr("The demo home cannot take other devices."));
        return;
    }
    m_list->clear();
    m_question->clear();
    m_error->hide();
    if (m_measuring)
        m_measuring->forget();
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
        QStringList said{effectText(result)};
        for (const Sentence &note : result.notes)
            said << coreText(note);
        end(said.join(QLatin1Char('\n')), true);
        if (m_measuring && isVisible())
            m_measuring->begin(result.fingerprint, result.device);
    });
    connect(m_installation, &Installation::failed, this, &InstallDialog::fail);
    showButtons();
    m_installation->start();
}

void InstallDialog::end(const QString &said, bool isDone) {
    m_isDone = isDone;
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
        : isCancelled         ? tr("Cancelled. What was done there is undone.")
                              : QString(),
        false);
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
