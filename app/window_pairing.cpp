#include "app/window_pairing.h"

#include "core/agent/agent_client.h"

namespace hearth {

AgentPairing::AgentPairing(AgentClient &client, QObject *parent) : PairingControl(parent), m_client(client) {
    connect(&client, &AgentClient::pairingChanged, this, &AgentPairing::take);
    connect(&client, &AgentClient::closed, this, [this](const Error &reason) {
        if (!m_status.isOver() && m_status.phase != PairingPhase::WantsToPair)
            Q_EMIT failed(reason);
        take({});
    });
}

void AgentPairing::take(const PairingStatus &status) {
    if (status == m_status)
        return;
    m_status = status;
    Q_EMIT changed();
}

void AgentPairing::answered(const Result<PairingStatus> &result) {
    if (!result)
        Q_EMIT failed(result.error());
}

void AgentPairing::start(const QStringList &addresses, const QString &prefix) {
    m_client.startPairing(addresses, prefix, this, [this](const auto &result) { answered(result); });
}

void AgentPairing::accept(const QString &fingerprint) {
    m_client.acceptPairing(fingerprint, this, [this](const auto &result) { answered(result); });
}

void AgentPairing::confirm(bool match, const QString &code) {
    m_client.confirmPairing(match, code, this, [this](const auto &result) { answered(result); });
}

void AgentPairing::cancel() {
    // One that has ended meanwhile needs no cancelling.
    m_client.cancelPairing(this, [](const auto &) {});
}

void AgentPairing::ignore(const QString &key) {
    m_client.ignoreStranger(key, this, [this](const auto &result) { answered(result); });
}

void AgentPairing::unignore(const QString &key) {
    m_client.unignoreStranger(key, this, [this](const auto &result) { answered(result); });
}

void AgentPairing::forget(const QString &device) {
    m_client.forget(device, this, [this](const Result<QCborMap> &result) {
        if (!result)
            Q_EMIT failed(result.error());
    });
}

}  // namespace hearth
