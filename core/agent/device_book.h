// The devices of this home, as the agent of one of them sees them.
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <vector>

#include "core/home/device_info.h"
#include "core/wire/identity.h"

namespace hearth {

/// Each service of the agent reads it; whoever hears something new of a device puts it here. Main thread.
class DeviceBook : public QObject {
    Q_OBJECT
  public:
    DeviceBook(const Fingerprint &own, QString ownName) : m_own(own), m_ownName(std::move(ownName)) {}

    const Fingerprint &own() const { return m_own; }
    const QString &ownName() const { return m_ownName; }
    void setOwnName(const QString &name) { m_ownName = name; }
    /// What this device tells of itself; before all else.
    void setSelf(std::function<DeviceInfo()> self) { m_self = std::move(self); }
    DeviceInfo self() const { return m_self(); }

    /// This one first, then the others by name.
    std::vector<DeviceInfo> all() const;
    const std::map<QString, DeviceInfo> &others() const { return m_others; }
    /// Null where it is not of this home, or is this device.
    const DeviceInfo *find(const QString &id) const;
    QString nameOf(const Fingerprint &device) const;  // empty where it is not there
    /// Those that are known when the agent starts, without a word.
    void put(const DeviceInfo &device) { m_others[device.id] = device; }
    void update(const DeviceInfo &told);
    void tellSelf() { Q_EMIT changed(self()); }
    void remove(const QString &id);

  Q_SIGNALS:
    void changed(const hearth::DeviceInfo &device);
    /// It is no device of this home any more.
    void removed(const QString &id);

  private:
    Fingerprint m_own;
    QString m_ownName;
    std::function<DeviceInfo()> m_self;
    std::map<QString, DeviceInfo> m_others;  // by id
};

}  // namespace hearth
