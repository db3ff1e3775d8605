#include "core/agent/device_book.h"

#include <QDateTime>
#include <algorithm>

namespace hearth {

std::vector<DeviceInfo> DeviceBook::all() const {
    std::vector<DeviceInfo> list{self()};
    for (const auto &[id, device] : m_others)
        list.push_back(device);
    std::stable_sort(list.begin() + 1, list.end(),
                     [](const DeviceInfo &a, const DeviceInfo &b) { return a.name < b.name; });
    return list;
}

const DeviceInfo *DeviceBook::find(const QString &id) const {
    const auto at = m_others.find(id);
    return at == m_others.end() ? nullptr : &at->second;
}

QString DeviceBook::nameOf(const Fingerprint &device) const {
    const DeviceInfo *known = find(device.toHex());
    return known ? known->name : QString();
}

void DeviceBook::update(const DeviceInfo &told) {
    DeviceInfo &known = m_others[told.id];
    DeviceInfo device = told;
    // As seen from here: the clock there may be another.
    device.since = known.state == device.state ? known.since : QDateTime::currentMSecsSinceEpoch();
    if (known == device)
        return;
    known = device;
    Q_EMIT changed(device);
}

void DeviceBook::remove(const QString &id) {
    if (m_others.erase(id) > 0)
        Q_EMIT removed(id);
}

}  // namespace hearth
