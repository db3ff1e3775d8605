// The devices that this one trusts: trust.json in the agent's state folder.
#pragma once

#include <QStringList>
#include <vector>

#include "core/base/error.h"
#include "core/wire/identity.h"

namespace hearth {

struct TrustedDevice {
    Fingerprint fingerprint;
    QString name;
    QStringList addresses;  // "host:port", last known first; hints only, they authorise nothing
};

/// What `hearth-agent init` prints and `trust FILE` reads ("hearth-identity/1").
struct IdentityFile {
    QString name;
    Fingerprint fingerprint;
    QStringList addresses;

    QJsonObject toJson() const;
    /// Strict; `source` names the file in errors.
    static Result<IdentityFile> fromJson(const QJsonObject &object, const QString &source);
};

/// Read once at start; every change is saved before it counts (whole file replaced, mode 0600). A file that others may
/// write, or that cannot be read wholly, is an error and never treated as empty: forgetting whom one trusts, or
/// trusting by accident, must not follow from a damaged disk. One thread.
class TrustStore {
  public:
    static constexpr int formatVersion = 1;
    static constexpr int maximumDevices = 1024;

    /// `path` need not exist yet.
    static Result<TrustStore> load(const QString &path);

    bool trusts(const Fingerprint &fingerprint) const;
    const TrustedDevice *find(const Fingerprint &fingerprint) const;
    /// What it is called here, or what it calls itself where it is not known.
    QString nameOf(const Fingerprint &fingerprint, const QString &ownName) const;
    /// Where else than at `address` it may be, last known first.
    QStringList addressesBeside(const Fingerprint &fingerprint, const QString &address) const;
    const std::vector<TrustedDevice> &devices() const { return m_devices; }

    /// Adds, or replaces name and addresses of one already known; what load() would refuse is an error. On error
    /// nothing has changed, here or on disk.
    Result<void> add(const TrustedDevice &device);
    Result<void> remove(const Fingerprint &fingerprint);
    /// As this home calls it from now on; the name is checked (device_name.h). Nothing for a device that is not
    /// trusted.
    Result<void> rename(const Fingerprint &fingerprint, const QString &name);

  private:
    explicit TrustStore(QString path) : m_path(std::move(path)) {}
    Result<void> save(const std::vector<TrustedDevice> &devices) const;

    QString m_path;
    std::vector<TrustedDevice> m_devices;
};

}  // namespace hearth
