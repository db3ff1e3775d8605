// A stranger who speaks the protocol of pairing, and breaks its rules as a test wants.
#pragma once

#include <QSignalSpy>
#include <QTest>
#include <memory>
#include <optional>

#include "core/pairing/pairing_message.h"
#include "core/pairing/pairing_session.h"
#include "core/wire/stranger_dial.h"
#include "tests/core/agent/pairing_home.h"

namespace hearth {

/// One connection from a key of its own to an agent.
class Attacker {
  public:
    explicit Attacker(const Agent &victim, std::optional<Identity> identity = std::nullopt)
        : m_identity(identity ? *identity : *Identity::generate(QStringLiteral("mallory"))),
          m_keys{m_identity.fingerprint(), victim.fingerprint()} {
        const auto target = targetOf(victim);
        dialStranger(m_identity, target.host, target.port, std::chrono::seconds(30), &m_context, [this](auto result) {
            m_settled = true;
            if (!result)
                return;
            m_link = std::move(*result);
            QObject::connect(m_link.get(), &StrangerLink::received, &m_context,
                             [this](const QByteArray &message) { m_received << message; });
            QObject::connect(m_link.get(), &StrangerLink::closed, &m_context, [this] { m_closed = true; });
        });
        m_connected = QTest::qWaitFor([this] { return m_settled; }, patience) && m_link;
    }

    bool isConnected() const { return m_connected; }
    const Identity &identity() const { return m_identity; }
    const PairingKeys &keys() const { return m_keys; }
    QByteArray nonce() const { return QByteArray(pairingNonceBytes, 'm'); }
    const QByteArrayList &received() const { return m_received; }
    bool isClosed() const { return m_closed; }

    void send(const PairingMessage &message) { m_link->send(encodePairingMessage(message)); }
    void sendRaw(const QByteArray &message) { m_link->send(message); }
    void hello(const QString &name = QStringLiteral("mallory")) {
        send(PairingHello{name, 47600, pairingCommitment(m_keys, nonce())});
    }
    void leave() { m_link->close(); }
    /// Whether a message of this kind has come, or comes.
    template <class Kind>
    bool gets() {
        return QTest::qWaitFor([this] { return has<Kind>() || m_closed; }, patience) && has<Kind>();
    }
    template <class Kind>
    bool has() const {
        for (const QByteArray &each : m_received) {
            const auto message = decodePairingMessage(each);
            if (message && std::holds_alternative<Kind>(*message))
                return true;
        }
        return false;
    }
    bool isThrownOut() const {
        return QTest::qWaitFor([this] { return m_closed; }, patience);
    }

  private:
    Identity m_identity;
    PairingKeys m_keys;
    QObject m_context;
    std::unique_ptr<StrangerLink> m_link;
    QByteArrayList m_received;
    bool m_settled = false;
    bool m_connected = false;
    bool m_closed = false;
};

/// Without pauses: for tests that count other things.
inline PairingLimits withoutPauses() {
    PairingLimits limits = unhurriedLimits();
    limits.backoff = limits.strangers = {std::chrono::milliseconds(0), std::chrono::milliseconds(0)};
    return limits;
}

}  // namespace hearth
