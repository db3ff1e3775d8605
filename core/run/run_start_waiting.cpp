// How a run begins: devices that rest, and those that are taken out of it meanwhile.
#include <algorithm>

#include "core/run/run_start.h"

namespace hearth {

std::vector<DeviceInfo> RunStart::wanted() const {
    std::vector<DeviceInfo> devices = m_run.membership.devices();
    const std::optional<Plan> &plan = m_replanner.given();
    std::erase_if(devices, [&](const DeviceInfo &device) {
        return isSentAway(device) || (plan && !usesDevice(*plan, device.id));
    });
    return devices;
}

bool RunStart::isSentAway(const DeviceInfo &device) const {
    return m_run.membership.leaving().isSentAway(device.id);
}

bool RunStart::lacksDevices() const {
    const std::optional<Plan> &plan = m_replanner.given();
    const auto isMissed = [&](const DeviceInfo &device) { return isSentAway(device) && usesDevice(*plan, device.id); };
    return wanted().empty() || (plan && std::ranges::any_of(m_run.membership.devices(), isMissed));
}

bool RunStart::mustHaveDevices() {
    if (!lacksDevices())
        return true;
    Q_EMIT failed({QStringLiteral("run.device-left"), sentence("The run cannot begin."),
                   sentence("Devices that it needs were taken out of it."),
                   sentence("Start the run again without them.")});
    return false;
}

bool RunStart::canBegin() const {
    const std::vector<DeviceInfo> devices = wanted();
    const auto takes = [](const DeviceInfo &device) { return takesWork(device.state); };
    return m_replanner.given() ? std::ranges::all_of(devices, takes) : std::ranges::any_of(devices, takes);
}

void RunStart::await() {
    m_awaits = true;
    if (canBegin() || tellRest())
        Q_EMIT awaited();
    lookAgain();
}

bool RunStart::tellRest() const {
    const Sentence causes = restCauses(m_run.membership.devices());
    const Error rest =
        m_replanner.given()
            ? Error{QStringLiteral("run.plan-rests"), sentence("Devices that the run's plan needs rest."), causes,
                    sentence("The run waits, and begins as soon as all of them take work.")}
            : Error{QStringLiteral("run.all-rest"), sentence("All devices of the run rest."), causes,
                    sentence("The run waits, and begins as soon as one of them takes work.")};
    return m_run.log.warn(rest);
}

void RunStart::lookAgain() {
    if (m_awaits && mayBegin() && !m_gathering.isActive())
        m_gathering.start(m_run.deadlines.returns);
}

void RunStart::setPaused(bool paused) {
    m_isPaused = paused && mayAwait();
    lookAgain();
}

void RunStart::meet(const QString &device) {
    if (m_awaits)
        lookAgain();
    else
        m_missed << device;
}

void RunStart::beginAgain() {
    stop();
    m_replanner.forgetProblem();
    m_run.membership.stopAll();
    // Some may have been taken out of the run since it began.
    if (mustHaveDevices())
        await();
}

void RunStart::expectOthers() {
    if (!mayAwait() || (m_run.request.anyDevice && !m_run.request.takesNewcomers()))
        return;
    Membership &members = m_run.membership;
    for (const DeviceInfo &device : members.devices()) {
        if (members.wasAsked(device.id))
            continue;
        members.markStarted(device.id);
        if (!isDraining(device.state))
            members.expect(device.id);
    }
}

}  // namespace hearth
