#include "ui/shell/tray_menu.h"

#include <utility>

#include "ui/base/home_source.h"
#include "ui/base/measure_control.h"
#include "ui/base/widgets.h"
#include "ui/home/device_card.h"
#include "ui/home/device_look.h"
#include "ui/home/device_pause.h"
#include "ui/home/measurements.h"
#include "ui/run/run_model.h"
#include "ui/train/run_texts.h"
#include "ui/words/format.h"

namespace hearth {

TrayMenu::TrayMenu(HomeSource &home, const RunModel &run)
    : m_home(home),
      m_run(run),
      m_state(addAction(QString())),
      m_pauses(addMenu(tr("Pause training on this computer"))),
      m_resume(addNamed(*this, "trayResume", tr("Resume training on this computer"))),
      m_line(addSeparator()) {
    setObjectName(QStringLiteral("trayMenu"));
    m_state->setObjectName(QStringLiteral("trayState"));
    m_state->setEnabled(false);
    const QString name = QStringLiteral("trayPause");
    m_pauses->menuAction()->setObjectName(name);
    addPauses(*m_pauses, name, [this](std::optional<qint64> until) { pause(until); });
    connect(m_resume, &QAction::triggered, this, &TrayMenu::resume);
    connect(addNamed(*this, "trayShow", tr("Show Hearth")), &QAction::triggered, this, &TrayMenu::windowWanted);
    connect(addNamed(*this, "trayClose", tr("Close Hearth")), &QAction::triggered, this, &TrayMenu::quitWanted);

    connect(&home, &HomeSource::devicesChanged, this, &TrayMenu::refresh);
    connect(&home, &HomeSource::waitingChanged, this, &TrayMenu::refresh);
    connect(&home, &HomeSource::demoChanged, this, &TrayMenu::refresh);
    connect(&home.measuring(), &MeasureControl::changed, this, &TrayMenu::refresh);
    connect(&run, &RunModel::planChanged, this, &TrayMenu::refresh);
    connect(&run, &RunModel::devicesChanged, this, &TrayMenu::refresh);
    connect(&run, &RunModel::stateChanged, this, &TrayMenu::refresh);
    connect(&run, &RunModel::cleared, this, &TrayMenu::refresh);
    // The home tells what failed, and not at whose wish.
    connect(&home, &HomeSource::failed, this, [this](const Error &error) {
        if (std::exchange(m_asked, std::nullopt).has_value())
            Q_EMIT failed(error);
    });
    refresh();
}

bool TrayMenu::isAgentThere() const {
    return m_own && (m_own->state != DeviceState::Lost || !m_home.waitingFor().isEmpty());
}

void TrayMenu::refresh() {
    m_own = m_home.isDemo() ? std::nullopt : m_home.ownDevice();
    for (QAction *action : {m_state, m_line})
        action->setVisible(m_own.has_value());
    const bool isPaused = m_own && m_own->limits.paused;
    m_pauses->menuAction()->setVisible(m_own && !isPaused);
    m_resume->setVisible(isPaused);
    m_words = m_own ? wordsOf(*m_own) : QString();
    m_state->setText(withAmpersands(m_words));
    if (m_own) {
        if (m_asked == isPaused)
            m_asked.reset();
        m_pauses->setEnabled(takesLimits(*m_own));
        m_resume->setEnabled(takesLimits(*m_own));
    }
    Q_EMIT changed();
}

QString TrayMenu::wordsOf(const DeviceInfo &own) const {
    if (const QString waiting = m_home.waitingFor(); !waiting.isEmpty())
        return waiting;
    const DeviceActivity activity = activityOf(own, m_run);
    if (activity.measuring || measuringProgress(m_home.measuring().status(), own, m_run))
        return tr("This computer · %1").arg(measuringLook().word);
    const QString word = stateWord(own, lookOf(own, activity.fate.health).word, m_run);
    const bool worksForRun = own.state == DeviceState::Training && m_run.isLive() && !activity.stages.empty();
    return worksForRun ? tr("This computer · %1 · %2").arg(word, runText(m_run)) : tr("This computer · %1").arg(word);
}

void TrayMenu::pause(std::optional<qint64> until) {
    if (!m_own || !takesLimits(*m_own))
        return;
    m_asked = true;
    pauseDevice(m_home, *m_own, until);
}

void TrayMenu::resume() {
    if (!m_own)
        return;
    m_asked = false;
    resumeDevice(m_home, *m_own);
}

}  // namespace hearth
