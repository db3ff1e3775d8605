// The devices of the home as a table.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/home/device_info.h"

namespace hearth {

class HomeSource;
class Measurements;
class RunModel;
enum class Health;

/// One row per device in the home's order. `SortRole` gives numbers for numeric columns, `IdRole` the device's id.
class DeviceTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Name, State, Address, Threads, Memory, Speed, Work, ColumnCount };
    enum Role { SortRole = Qt::UserRole, IdRole };

    DeviceTableModel(const HomeSource &home, const RunModel &run, const Measurements &measurements,
                     QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    void reload();
    void refresh();
    Health healthOf(const QString &device) const;
    QString text(const DeviceInfo &device, int column) const;
    QVariant sortValue(const DeviceInfo &device, int column) const;

    const HomeSource &m_home;
    const RunModel &m_run;
    const Measurements &m_measurements;
    std::vector<DeviceInfo> m_devices;
};

}  // namespace hearth
