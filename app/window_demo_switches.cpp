#include "app/window_demo_switches.h"

#include <algorithm>

#include "core/agent/process_brake.h"

namespace hearth {

namespace {

std::optional<DeviceInfo> find(const HomeSource &home, const QString &id) {
    const std::vector<DeviceInfo> devices = home.devices();
    const auto found = std::ranges::find(devices, id, &DeviceInfo::id);
    return found == devices.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

ProcessSwitches::ProcessSwitches(const HomeSource &home, QObject *parent) : DemoSwitches(parent), m_home(home) {}

ProcessSwitches::~ProcessSwitches() = default;

DemoSwitches::Condition ProcessSwitches::condition(const QString &device) const {
    const auto brake = m_brakes.find(device);
    if (brake == m_brakes.end())
        return Condition::Normal;
    switch (brake->second->state()) {
        case ProcessBrake::State::Frozen:
            return Condition::Unplugged;
        case ProcessBrake::State::Slowed:
            return Condition::Slowed;
        case ProcessBrake::State::Released:
            break;
    }
    return Condition::Normal;
}

QString ProcessSwitches::whyNotUnplug(const QString &device) const {
    const auto info = find(m_home, device);
    if (info && info->self)
        return tr("%1 leads the run and serves the data: the run cannot continue without it.").arg(info->name);
    return {};
}

void ProcessSwitches::setCondition(const QString &device, Condition condition) {
    const auto info = find(m_home, device);
    if (!info)
        return;
    auto &brake = m_brakes[device];
    // An agent that was started anew is another process.
    if (!brake || !brake->isValid())
        brake = std::make_unique<ProcessBrake>(info->agentPid);
    bool done = true;
    switch (condition) {
        case Condition::Unplugged:
            done = brake->freeze();
            break;
        case Condition::Slowed:
            done = brake->slowDown(QStringLiteral("hearth-worker"));
            break;
        case Condition::Normal:
            brake->release();
            break;
    }
    if (!done) {
        Q_EMIT failed({QStringLiteral("demo.no-process"), tr("%1 cannot be switched.").arg(info->name),
                       tr("Its agent does not run any more."), tr("Start the demo again.")});
    }
    Q_EMIT changed();
}

void ProcessSwitches::release() {
    m_brakes.clear();
    Q_EMIT changed();
}

}  // namespace hearth
