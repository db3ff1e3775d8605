#include "ui/shell/agent_notice.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/agent/programs.h"
#include "core/install/agent_package.h"
#include "core/run/files/state_words.h"
#include "ui/base/home_source.h"
#include "ui/base/run_controller.h"

namespace hearth {

AgentNotice::AgentNotice(HomeSource &home, const RunController &controller)
    : NoticeBar(QStringLiteral("agentNotice"), tr("Restart agent")), m_home(home) {
    addClose(tr("Close"));
    connect(this, &NoticeBar::answered, &home, &HomeSource::restartAgent);
    connect(this, &NoticeBar::closed, this, [this] { m_closed = olderVersion(); });
    connect(&home, &HomeSource::demoChanged, this, &AgentNotice::refresh);
    connect(&home, &HomeSource::devicesChanged, this, &AgentNotice::refresh);
    connect(&home, &HomeSource::waitingChanged, this, &AgentNotice::refresh);
    connect(&controller, &RunController::runsChanged, this, &AgentNotice::takeRuns);
    refresh();
}

void AgentNotice::takeRuns(const std::vector<RunInfo> &runs) {
    m_leads = std::ranges::any_of(runs, [](const RunInfo &run) { return run.live && !isFinalState(run.state); });
    refresh();
}

QString AgentNotice::olderVersion() const {
    if (m_home.isDemo() || !m_home.waitingFor().isEmpty())
        return {};
    const std::optional<DeviceInfo> own = m_home.ownDevice();
    if (!own || own->state == DeviceState::Lost || own->state == DeviceState::Leaving || own->version.isEmpty() ||
        !isOlderVersion(own->version, QCoreApplication::applicationVersion()))
        return {};
    return own->version;
}

bool AgentNotice::isBusy() const {
    return m_leads || m_home.ownDevice().value_or(DeviceInfo()).state == DeviceState::Training;
}

QString AgentNotice::textFor(const QString &version, AgentRestart restart) const {
    const QString older = tr("The agent on this computer is still version %1, Hearth is %2.")
                              .arg(version, QCoreApplication::applicationVersion());
    switch (restart) {
        case AgentRestart::SystemService:
            return tr("%1 To use the new one, restart the service when nothing trains: "
                      "“sudo systemctl restart hearth-agent”.")
                .arg(older);
        case AgentRestart::ByHand:
            return tr("%1 It was started by hand. To use the new one, end it when nothing trains, by "
                      "“hearth-agent leave%2”, and start it again.")
                .arg(older, stateOption(m_home.stateDir()));
        case AgentRestart::Possible:
            break;
    }
    return tr("%1 Restart it to use the new one.").arg(older);
}

void AgentNotice::refresh() {
    const QString version = olderVersion();
    if (version.isEmpty() || version == m_closed) {
        hide();
        return;
    }
    // It is read from /proc, and devices change often.
    const AgentRestart restart = m_home.agentRestart();
    offerAnswer(restart == AgentRestart::Possible,
                isBusy() ? tr("Something trains here, or is led from here: restart it when that is over.") : QString());
    say(textFor(version, restart));
}

}  // namespace hearth
