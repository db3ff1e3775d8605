// Fingerprints that the agent remembers in a file of its state folder: whose trust is on trial.
#pragma once

#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/wire/identity.h"

namespace hearth {

/// Read once; every change is saved whole or not at all, with mode 0600. When it is full the oldest entry goes: whoever
/// makes keys without end must not fill a disk. One thread.
class DeviceList {
  public:
    static constexpr std::size_t maximumDevices = 256;

    /// `path` need not exist; `format` stands in the file. One that is no such list, that others may write, or that is
    /// a link is an error.
    static Result<DeviceList> load(const QString &path, const QString &format);

    bool contains(const Fingerprint &device) const;
    Result<void> add(const Fingerprint &device);
    Result<void> remove(const Fingerprint &device);
    const std::vector<Fingerprint> &devices() const { return m_devices; }

  private:
    DeviceList(QString path, QString format) : m_path(std::move(path)), m_format(std::move(format)) {}
    Result<void> save(std::vector<Fingerprint> devices);

    QString m_path;
    QString m_format;
    std::vector<Fingerprint> m_devices;  // oldest first
};

}  // namespace hearth
