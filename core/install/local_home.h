// The home that a device joins, as an installation sees it: a seam for tests.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "core/home/device_info.h"
#include "core/home/trust_store.h"

namespace hearth {

/// One thread; calls block.
class LocalHome {
  public:
    virtual ~LocalHome() = default;
    /// This device, to be trusted by the other.
    virtual Result<IdentityFile> identity() = 0;
    virtual Result<void> trust(const IdentityFile &device) = 0;
    /// What this home calls a device that it trusts; nullopt where it does not.
    virtual Result<std::optional<QString>> trustedName(const Fingerprint &device) = 0;
    /// Out of the home, for all of its devices.
    virtual Result<void> forget(const Fingerprint &device) = 0;
    /// Takes a trust() back: only here, other devices keep theirs.
    virtual Result<void> distrust(const Fingerprint &device) = 0;
    /// Waits until the device is linked. `isCancelled` is asked several times a second.
    virtual Result<void> awaitDevice(const Fingerprint &device, std::chrono::milliseconds deadline,
                                     const std::function<bool()> &isCancelled) = 0;
};

/// Over the agent of a state folder, which runs already.
class AgentHome : public LocalHome {
  public:
    explicit AgentHome(QString stateDir) : m_stateDir(std::move(stateDir)) {}
    Result<IdentityFile> identity() override;
    Result<void> trust(const IdentityFile &device) override;
    Result<std::optional<QString>> trustedName(const Fingerprint &device) override;
    Result<void> forget(const Fingerprint &device) override;
    Result<void> distrust(const Fingerprint &device) override;
    Result<void> awaitDevice(const Fingerprint &device, std::chrono::milliseconds deadline,
                             const std::function<bool()> &isCancelled) override;

  private:
    Result<QCborMap> ask(const QString &op, const QCborMap &arguments = {}) const;
    QString m_stateDir;
};

}  // namespace hearth
