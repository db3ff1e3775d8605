// What a stranger sends before anybody trusts it: single messages, and sequences of them into both roles of a session.
#include <QByteArray>
#include <QtEndian>
#include <cstdint>
#include <cstdlib>

#include "core/pairing/pairing_session.h"

using namespace hearth;

namespace {

/// Nobody may be trusted whom no person has confirmed.
void run(PairingRole role, const QByteArrayList &messages) {
    PairingSession::Time now{};
    Fingerprint own, other;
    own.bytes.fill(1);
    other.bytes.fill(2);
    const bool isInitiator = role == PairingRole::Initiator;
    PairingSession session(role, {isInitiator ? own : other, isInitiator ? other : own},
                           {QStringLiteral("own"), 47600, QByteArray(pairingNonceBytes, 'n')}, now);
    session.start();
    for (const QByteArray &message : messages) {
        now += std::chrono::milliseconds(100);
        const auto todo = session.receive(message, now);
        session.accept(now);
        if (todo.store || todo.unstore || session.state() == PairingSession::State::Paired)
            std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto bytes = QByteArray::fromRawData(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    if (const auto message = decodePairingMessage(bytes)) {
        const auto again = decodePairingMessage(encodePairingMessage(*message));
        if (!again || !(*again == *message))
            std::abort();
    }
    // As on the wire: a length, and so many bytes.
    QByteArrayList messages;
    for (qsizetype at = 0; at + 2 <= bytes.size() && messages.size() < 16;) {
        const auto length = static_cast<qsizetype>(qFromBigEndian<quint16>(bytes.constData() + at));
        messages << bytes.mid(at + 2, length);
        at += 2 + length;
    }
    run(PairingRole::Initiator, messages);
    run(PairingRole::Responder, messages);
    return 0;
}
