#include "ui/home/pairing_dialog.h"

#include <QProgressBar>

#include "ui/base/dialog_parts.h"
#include "ui/base/pairing_control.h"
#include "ui/base/widgets.h"
#include "ui/home/first_measurement.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

// Read out across a room.
constexpr double digitsScale = 3;

/// The agent has not even begun: what is under way there, if anything, is somebody else's.
bool isRefusal(const Error &error) {
    return error.code == QLatin1String("pairing.active") || error.code == QLatin1String("pairing.wait") ||
           error.code == QLatin1String("pairing.no-address");
}

}  // namespace

PairingDialog::PairingDialog(PairingControl &control, FirstMeasurement *measuring, QWidget *parent)
    : QDialog(parent),
      m_control(control),
      m_title(makeLabel({}, "title")),
      m_text(makeLabel({}, "")),
      m_digits(makeLabel({}, "")),
      m_fingerprint(makeLabel({}, "mono")),
      m_time(makeLabel({}, "secondary")),
      m_allows(
          makeLabel(tr("Paired devices compute for each other and see the training data. Pair only your own devices."),
                    "secondary")),
      m_error(new ErrorPanel(ErrorPanel::In::Dialog)),
      m_progress(new QProgressBar),
      m_measuring(measuring) {
    setObjectName(QStringLiteral("pairingDialog"));
    setWindowTitle(tr("Pair a device"));
    setFixedWidth(72 * grid);
    for (const auto &[label, name] : {std::pair{m_title, "pairingTitle"},
                                      {m_text, "pairingText"},
                                      {m_digits, "pairingDigits"},
                                      {m_fingerprint, "pairingFingerprint"},
                                      {m_time, "pairingTime"},
                                      {m_allows, "pairingAllows"}}) {
        label->setObjectName(QLatin1String(name));
        label->setWordWrap(true);
    }
    m_digits->setAlignment(Qt::AlignCenter);
    m_digits->setWordWrap(false);
    m_fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_time->setAlignment(Qt::AlignCenter);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Waiting for the other device"));
    m_error->setObjectName(QStringLiteral("pairingError"));

    auto *layout = makeDialogLayout(this, grid * 3 / 2);
    for (QWidget *each : std::initializer_list<QWidget *>{m_title, m_text, m_progress, m_digits, m_time, m_fingerprint,
                                                          m_error, m_allows})
        layout->addWidget(each);
    if (m_measuring) {
        layout->addWidget(m_measuring);
        connect(m_measuring, &FirstMeasurement::changed, this, &PairingDialog::fitHeight);
    }
    layout->addStretch(1);
    layout->addWidget(makeButtons());

    m_second.setInterval(std::chrono::seconds(1));
    connect(&m_second, &QTimer::timeout, this, &PairingDialog::countDown);
    connect(&control, &PairingControl::changed, this, &PairingDialog::follow);
    connect(&control, &PairingControl::failed, this, &PairingDialog::showError);
    // Who waits here is being taken. All else belongs to an attempt before this one, or to somebody at a terminal.
    const PairingStatus before = control.status();
    m_hasBegun = before.phase == PairingPhase::WantsToPair;
    PairingStatus beginning = m_hasBegun ? before : PairingStatus();
    beginning.phase = PairingPhase::Connecting;
    present(beginning);
}

QWidget *PairingDialog::makeButtons() {
    m_close = makeButton(QStringLiteral("pairingClose"), tr("Cancel"), "");
    m_mismatch = makeButton(QStringLiteral("pairingMismatch"), tr("They don’t match"), "");
    m_match = makeButton(QStringLiteral("pairingMatch"), tr("They match"), "primary");
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_match, &QPushButton::clicked, this, [this] { m_control.confirm(true, m_status.code); });
    connect(m_mismatch, &QPushButton::clicked, this, [this] { m_control.confirm(false, m_status.code); });
    auto *row = new QWidget;
    auto *buttons = new QHBoxLayout(row);
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->addWidget(m_close);
    buttons->addStretch(1);
    buttons->addWidget(m_mismatch);
    buttons->addWidget(m_match);
    return row;
}

void PairingDialog::follow() {
    const PairingStatus status = m_control.status();
    if (m_isOver)
        return;
    // Another device that wants to pair is none of this attempt.
    if (status.phase == PairingPhase::WantsToPair)
        return;
    if (status.phase == PairingPhase::None) {
        // Before its beginning was told, it is the end of an attempt before this one.
        if (m_hasBegun)
            showError({QStringLiteral("pairing.gone"),
                       m_status.incoming ? tr("The other device has given up.") : tr("The pairing was cancelled."),
                       {},
                       tr("Start again when you like.")});
        return;
    }
    m_hasBegun = true;
    present(status);
}

void PairingDialog::present(const PairingStatus &status) {
    m_status = status;
    const bool compares = status.phase == PairingPhase::Compare;
    const bool hasDigits = compares || status.phase == PairingPhase::WaitingForOther;
    m_isOver = status.phase == PairingPhase::Paired || status.phase == PairingPhase::Failed;
    m_digits->setVisible(hasDigits);
    m_fingerprint->setVisible(compares);
    m_allows->setVisible(compares);
    m_match->setVisible(compares);
    m_mismatch->setVisible(compares);
    m_error->hide();
    m_progress->setVisible(!compares && !m_isOver);
    m_close->setText(m_isOver ? tr("Close") : tr("Cancel"));
    const QString name = status.name.isEmpty() ? tr("the other device") : status.name;
    switch (status.phase) {
        case PairingPhase::Compare:
            m_title->setText(tr("Do both devices show these digits?"));
            m_text->setText(tr("%1 shows six digits, too. Compare them, and answer on both devices.").arg(name));
            break;
        case PairingPhase::WaitingForOther:
            m_title->setText(tr("Confirmed here"));
            m_text->setText(tr("Waiting until somebody confirms the digits on %1 …").arg(name));
            break;
        case PairingPhase::Asking:
            m_title->setText(tr("Asking %1").arg(name));
            m_text->setText(
                tr("Accept on that device: on Home in its window, or with “hearth-agent pair” in its "
                   "terminal."));
            break;
        case PairingPhase::Paired:
            m_title->setText(tr("%1 is paired").arg(name));
            m_text->setText(tr("It belongs to this home now, and takes part in the next training."));
            break;
        case PairingPhase::Failed:
            m_title->setText(tr("Not paired"));
            m_text->clear();
            if (status.error)
                m_error->showError(*status.error);
            break;
        default:
            m_title->setText(tr("Connecting"));
            m_text->setText(tr("Connecting to %1 …").arg(name));
    }
    m_text->setVisible(!m_text->text().isEmpty());
    showDigits(status.code);
    m_fingerprint->setText(fingerprintLines(status.fingerprint, 32));
    // No caption stands before it.
    m_fingerprint->setAccessibleName(
        QStringLiteral("%1: %2").arg(tr("Fingerprint of the other device"), formatFingerprint(status.fingerprint)));
    m_until = QDeadlineTimer(std::chrono::seconds(status.secondsLeft));
    if (status.secondsLeft > 0 && !m_isOver)
        m_second.start();
    else
        m_second.stop();
    countDown();
    // Two that measured each other at once would find each other at work.
    if (m_measuring && status.phase == PairingPhase::Paired && !status.incoming)
        m_measuring->begin(status.fingerprint, name);
    fitHeight();
    if (m_isOver)
        m_close->setFocus();
}

void PairingDialog::fitHeight() {
    // Wrapped lines are as high as the width makes them; nothing may be cut off.
    layout()->activate();
    setFixedHeight(layout()->totalHeightForWidth(width()));
}

void PairingDialog::showDigits(const QString &code) {
    // Read out one by one.
    QString spoken;
    for (const QChar digit : code)
        spoken += digit + QLatin1Char(' ');
    m_digits->setAccessibleName(tr("Digits: %1").arg(spoken.trimmed()));
    m_digits->setStyleSheet(
        QStringLiteral("font-size: %1pt; font-weight: 600").arg(titleFont().pointSizeF() * digitsScale));
    m_digits->ensurePolished();
    m_digits->setMinimumHeight(m_digits->fontMetrics().height());
    m_digits->setText(code.isEmpty() ? QString() : code.left(3) + QChar(0x2002) + code.mid(3));
}

void PairingDialog::showError(const Error &error) {
    if (m_isOver)
        return;
    m_isRefused = isRefusal(error);
    PairingStatus failed = m_status;
    failed.phase = PairingPhase::Failed;
    failed.code.clear();
    failed.secondsLeft = 0;
    failed.error = error;
    present(failed);
}

void PairingDialog::countDown() {
    const auto left = static_cast<int>((m_until.remainingTime() + 999) / 1000);
    m_time->setVisible(m_second.isActive() && m_status.phase != PairingPhase::Connecting);
    m_time->setText(tr("%n second(s) left", nullptr, left));
}

void PairingDialog::done(int result) {
    m_second.stop();
    // Its result has been read, or is not wanted any more.
    disconnect(&m_control, nullptr, this, nullptr);
    const PairingPhase phase = m_control.status().phase;
    if (!m_isRefused && phase != PairingPhase::None && phase != PairingPhase::WantsToPair)
        m_control.cancel();
    QDialog::done(result);
}

}  // namespace hearth
