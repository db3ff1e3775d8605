#include "ui/shell/demo_start.h"

#include <algorithm>

#include "ui/base/home_source.h"

namespace hearth {

DemoStart::DemoStart(HomeSource &home, QObject *parent) : QObject(parent), m_home(home) {
    connect(&home, &HomeSource::devicesChanged, this, &DemoStart::look);
    connect(&home, &HomeSource::waitingChanged, this, &DemoStart::look);
    // Whoever goes back to the own home, in whatever way, waits for no demo.
    connect(&home, &HomeSource::demoChanged, this, [this] {
        if (m_underWay && !m_home.isDemo())
            setUnderWay(false);
    });
    connect(&home, &HomeSource::failed, this, &DemoStart::giveUp);
}

void DemoStart::begin() {
    if (m_underWay)
        return;
    setUnderWay(true);
    if (!m_home.isDemo())
        m_home.enterDemo();
    look();
}

void DemoStart::cancel() {
    if (m_underWay)
        m_home.leaveDemo();
}

void DemoStart::look() {
    if (!m_underWay || !m_home.isDemo() || !m_home.waitingFor().isEmpty())
        return;
    const std::vector<DeviceInfo> devices = m_home.devices();
    if (std::none_of(devices.begin(), devices.end(), [](const DeviceInfo &one) { return takesWork(one.state); }))
        return;
    setUnderWay(false);
    Q_EMIT ready();
}

void DemoStart::giveUp() {
    // The error is told by whoever listens to the home, too.
    cancel();
}

void DemoStart::setUnderWay(bool underWay) {
    m_underWay = underWay;
    Q_EMIT changed();
}

}  // namespace hearth
