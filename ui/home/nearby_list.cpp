#include "ui/home/nearby_list.h"

#include <algorithm>

#include "core/home/announcement.h"
#include "ui/base/home_source.h"
#include "ui/words/moment.h"

namespace hearth {

NearbyList::NearbyList(const HomeSource &home, QObject *parent) : QAbstractListModel(parent), m_home(home) {
    connect(&home, &HomeSource::nearbyChanged, this, &NearbyList::reload);
    connect(&home, &HomeSource::demoChanged, this, &NearbyList::reload);
    reload();
}

int NearbyList::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_devices.size());
}

QVariant NearbyList::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const NearbyDevice &device = m_devices[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return device.name.isEmpty() ? tr("Device without a name") : device.name;
        case PrefixRole:
            return device.prefix;
        case NoteRole:
            return note(device);
        default:
            return {};
    }
}

bool NearbyList::isOdd(int row) const {
    const NearbyDevice &device = m_devices[static_cast<std::size_t>(row)];
    return device.state == NearbyState::Clone || device.version != Announcement::currentVersion;
}

QString NearbyList::note(const NearbyDevice &device) const {
    if (device.state == NearbyState::Clone) {
        return device.hosts.size() > 1
                   ? tr("Several computers say they are this one: %1").arg(device.hosts.join(QStringLiteral(", ")))
                   : tr("It says it is this computer: %1").arg(device.hosts.value(0));
    }
    if (device.version != Announcement::currentVersion)
        return tr("It runs another version of Hearth");
    return tr("since %1").arg(formatMoment(QDateTime::fromMSecsSinceEpoch(device.since)));
}

int NearbyList::find(const QString &prefix) const {
    const auto at = std::ranges::find(m_devices, prefix, &NearbyDevice::prefix);
    return at == m_devices.end() ? -1 : static_cast<int>(at - m_devices.begin());
}

void NearbyList::reload() {
    std::vector<NearbyDevice> now;
    if (!m_home.isDemo())
        now = m_home.nearby().devices;
    std::erase_if(now, [](const NearbyDevice &device) {
        return device.state == NearbyState::Paired || device.state == NearbyState::Ignored;
    });
    for (int row = rowCount() - 1; row >= 0; --row) {
        const QString &prefix = m_devices[static_cast<std::size_t>(row)].prefix;
        if (std::ranges::find(now, prefix, &NearbyDevice::prefix) != now.end())
            continue;
        beginRemoveRows({}, row, row);
        m_devices.erase(m_devices.begin() + row);
        endRemoveRows();
    }
    for (int row = 0; row < static_cast<int>(now.size()); ++row)
        take(now[static_cast<std::size_t>(row)], row);
}

void NearbyList::take(const NearbyDevice &device, int row) {
    const auto place = m_devices.begin() + row;
    const int known = find(device.prefix);
    if (known < 0) {
        beginInsertRows({}, row, row);
        m_devices.insert(place, device);
        endInsertRows();
        return;
    }
    if (known != row) {
        beginMoveRows({}, known, known, {}, row);
        std::rotate(place, m_devices.begin() + known, m_devices.begin() + known + 1);
        endMoveRows();
    }
    if (m_devices[static_cast<std::size_t>(row)] == device)
        return;
    m_devices[static_cast<std::size_t>(row)] = device;
    Q_EMIT dataChanged(index(row), index(row));
}

}  // namespace hearth
