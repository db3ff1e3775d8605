// Devices that announce themselves, are not of this home and not ignored, as an item model.
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "core/discovery/nearby.h"

namespace hearth {

class HomeSource;

/// One row per key, in order of appearance; rows come, go and change one by one. What is announced is anybody's word:
/// show it as plain text. GUI thread; `home` outlives it.
class NearbyList : public QAbstractListModel {
    Q_OBJECT
  public:
    enum Role { PrefixRole = Qt::UserRole, NoteRole };

    explicit NearbyList(const HomeSource &home, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    /// The name; with `PrefixRole` the digits of the key, with `NoteRole` since when it is there, or what is odd about
    /// it, as a phrase.
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool isOdd(int row) const;

  private:
    void reload();
    void take(const NearbyDevice &device, int row);
    int find(const QString &prefix) const;
    QString note(const NearbyDevice &device) const;

    const HomeSource &m_home;
    std::vector<NearbyDevice> m_devices;
};

}  // namespace hearth
