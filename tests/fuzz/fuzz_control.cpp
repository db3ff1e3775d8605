// Control messages after the frame: CBOR that is read into calls, notes, replies and errors, and what some of them
// carry.
#include <QCborArray>
#include <QCborParserError>
#include <QCborValue>
#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/error.h"
#include "core/plan/held_states.h"
#include "core/protocol/deployment.h"
#include "core/wire/channel.h"
#include "core/wire/rpc.h"

namespace {

/// A channel whose peer says what the fuzzer wants.
class FuzzChannel : public hearth::Channel {
  public:
    hearth::Fingerprint peer() const override { return {}; }
    QString peerName() const override { return {}; }
    bool isOpen() const override { return m_open; }
    void sendControl(const QCborMap &message) override { QCborValue(message).toCbor(); }
    void sendTensor(const hearth::TensorHeader &, hearth::Payload) override {}
    qint64 queuedBytes() const override { return 0; }
    quint64 bytesSent() const override { return 0; }
    quint64 bytesReceived() const override { return 0; }
    void close(const hearth::Error &reason) override {
        if (std::exchange(m_open, false))
            Q_EMIT closed(reason);
    }

  private:
    bool m_open = true;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    QCborParserError parse;
    const QByteArray bytes(reinterpret_cast<const char *>(data),
                           static_cast<qsizetype>(std::min<std::size_t>(size, 65536)));
    const QCborValue value = QCborValue::fromCbor(bytes, &parse);
    if (parse.error != QCborError::NoError || !value.isMap())
        return 0;
    FuzzChannel channel;
    hearth::Rpc rpc(&channel);
    rpc.handle(QStringLiteral("echo"), [](const QCborMap &args, const hearth::Reply &reply) { reply.ok(args); });
    rpc.handle(QStringLiteral("drop"), [](const QCborMap &, const hearth::Reply &) {});
    rpc.onNotify(QStringLiteral("note"), [](const QCborMap &args) { hearth::Error::fromCbor(args).toJson(); });
    Q_EMIT channel.controlReceived(value.toMap());
    const QCborMap args = value.toMap()[QLatin1String("a")].toMap();
    if (const auto deployment = hearth::Deployment::fromCbor(args))
        deployment->toCbor();
    if (const auto states = hearth::heldStatesFromCbor(args[QLatin1String("states")].toArray()))
        hearth::heldStatesToCbor(*states);
    return 0;
}
