// Pairing over the local agent, for the window.
#pragma once

#include "ui/base/pairing_control.h"

namespace hearth {

class AgentClient;

/// Over a client that is opened elsewhere (WindowHomes); `client` must outlive it. GUI thread.
class AgentPairing : public PairingControl {
    Q_OBJECT
  public:
    explicit AgentPairing(AgentClient &client, QObject *parent = nullptr);

    PairingStatus status() const override { return m_status; }
    void start(const QStringList &addresses, const QString &prefix) override;
    void accept(const QString &fingerprint) override;
    void confirm(bool match, const QString &code) override;
    void cancel() override;
    void ignore(const QString &key) override;
    void unignore(const QString &key) override;
    void forget(const QString &device) override;

  private:
    void take(const PairingStatus &status);
    void answered(const Result<PairingStatus> &result);

    AgentClient &m_client;
    PairingStatus m_status;
};

}  // namespace hearth
