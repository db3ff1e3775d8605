// Channels to workers over the home network.
#pragma once

#include "core/run/links.h"
#include "core/wire/identity.h"

namespace hearth {

/// Dials with the run's own identity, which exists in memory only.
class TlsConnector : public WorkerConnector {
  public:
    explicit TlsConnector(Identity identity) : m_identity(std::move(identity)) {}
    void connectTo(const WorkerAddress &worker, std::chrono::milliseconds deadline, QObject *context,
                   ConnectedFn done) override;
    Fingerprint fingerprint() const override { return m_identity.fingerprint(); }
    std::unique_ptr<HeartMonitor> heartMonitor() override;

  private:
    Identity m_identity;
};

}  // namespace hearth
