#include "ui/home/device_table_model.h"

#include "ui/base/home_source.h"
#include "ui/base/icons.h"
#include "ui/home/device_card.h"
#include "ui/home/device_look.h"
#include "ui/home/measurements.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

DeviceTableModel::DeviceTableModel(const HomeSource &home, const RunModel &run, const Measurements &measurements,
                                   QObject *parent)
    : QAbstractTableModel(parent), m_home(home), m_run(run), m_measurements(measurements), m_devices(home.devices()) {
    connect(&measurements, &Measurements::changed, this, &DeviceTableModel::refresh);
    connect(&home, &HomeSource::devicesChanged, this, &DeviceTableModel::reload);
    connect(&run, &RunModel::roundAdded, this, &DeviceTableModel::refresh);
    connect(&run, &RunModel::devicesChanged, this, &DeviceTableModel::refresh);
    connect(&run, &RunModel::stateChanged, this, &DeviceTableModel::refresh);
    connect(&run, &RunModel::planChanged, this, &DeviceTableModel::refresh);
    connect(&run, &RunModel::cleared, this, &DeviceTableModel::refresh);
}

void DeviceTableModel::reload() {
    std::vector<DeviceInfo> devices = m_home.devices();
    if (devices.size() != m_devices.size()) {
        beginResetModel();
        m_devices = std::move(devices);
        endResetModel();
        return;
    }
    m_devices = std::move(devices);
    refresh();
}

void DeviceTableModel::refresh() {
    if (!m_devices.empty()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

int DeviceTableModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_devices.size());
}

int DeviceTableModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DeviceTableModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const DeviceInfo &device = m_devices[static_cast<std::size_t>(index.row())];
    const bool numeric = index.column() == Threads || index.column() == Memory || index.column() == Speed;
    switch (role) {
        case Qt::DisplayRole:
            return text(device, index.column());
        case Qt::DecorationRole:
            if (index.column() == State) {
                const DeviceLook look =
                    m_measurements.progressOf(device) ? measuringLook() : lookOf(device, healthOf(device.id));
                return icon(look.iconName, ThemeManager::instance().theme().*look.colour);
            }
            return {};
        case Qt::ToolTipRole:
            return index.column() == State ? stateTip(device, m_run) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (numeric ? Qt::AlignRight : Qt::AlignLeft)));
        case SortRole:
            return sortValue(device, index.column());
        case IdRole:
            return device.id;
        default:
            return {};
    }
}

QVariant DeviceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole) {
        const bool numeric = section == Threads || section == Memory || section == Speed;
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (numeric ? Qt::AlignRight : Qt::AlignLeft)));
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case Name:
            return tr("Name");
        case State:
            return tr("State");
        case Address:
            return tr("Address");
        case Threads:
            return tr("Threads");
        case Memory:
            return tr("Memory");
        case Speed:
            return tr("Speed");
        case Work:
            return tr("Work");
        default:
            return {};
    }
}

Health DeviceTableModel::healthOf(const QString &device) const {
    return m_run.isLive() ? m_run.devices().fate(device).health : Health::Well;
}

QString DeviceTableModel::text(const DeviceInfo &device, int column) const {
    switch (column) {
        case Name:
            return device.self ? tr("%1 (this computer)").arg(device.name) : device.name;
        case State:
            if (const auto progress = m_measurements.progressOf(device)) {
                const auto [done, all] = *progress;
                const QString word = measuringLook().word;
                return all > 0 ? tr("%1: %2 of %3").arg(word, formatCount(done), formatCount(all)) : word;
            }
            return lookOf(device, healthOf(device.id)).word;
        case Address:
            return device.address;
        case Threads:
            return formatCount(device.threads);
        case Memory:
            return formatBytes(device.memoryBytes);
        case Speed: {
            // One kind of figure in all rows: they are there to be compared.
            if (!m_measurements.found().devices.empty()) {
                const QString measured = m_measurements.speedText(device.id);
                return measured.isEmpty() ? QStringLiteral("–") : measured;
            }
            const double speed = m_run.devices().measuredSpeed(device.id);
            return speed > 0 ? tr("%1 GFLOP/s").arg(formatNumber(speed / 1e9)) : QStringLiteral("–");
        }
        case Work: {
            return stagesText(m_run.devices().stagesOf(device.id));
        }
        default:
            return {};
    }
}

QVariant DeviceTableModel::sortValue(const DeviceInfo &device, int column) const {
    switch (column) {
        case Threads:
            return device.threads;
        case Memory:
            return device.memoryBytes;
        case Speed: {
            const MeasuredDevice *measured = m_measurements.found().device(device.id);
            if (!m_measurements.found().devices.empty())
                return measured ? measured->samplesPerSecond : 0.0;
            return m_run.devices().measuredSpeed(device.id);
        }
        default:
            return text(device, column);
    }
}

}  // namespace hearth
