// Control messages after the frame: CBOR that is read into calls, notes, replies and errors, and what some of them
// carry.
#include <QCborArray>
#include <QCborParserError>
#include <QCborValue>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "core/base/error.h"
#include "core/plan/held_states.h"
#include "core/profile/unit_seconds.h"
#include "core/protocol/deployment.h"
#include "core/protocol/memory_shortage.h"
#include "core/protocol/round_report.h"
#include "core/protocol/round_trace.h"
#include "core/protocol/transfer_progress.h"
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

/// What a worker says of its rounds: what is read can be told on, and is read again.
void takeNotes(const QCborMap &args) {
    using namespace hearth;
    if (const auto report = RoundReport::fromCbor(args); report && !RoundReport::fromCbor(report->toCbor()))
        std::abort();
    if (const auto trace = RoundTrace::fromCbor(args); trace && !RoundTrace::fromCbor(trace->toCbor()))
        std::abort();
    if (const auto shortage = MemoryShortage::fromCbor(args);
        shortage && MemoryShortage::fromCbor(shortage->toCbor()) != shortage)
        std::abort();
    const TransferProgress progress = TransferProgress::fromCbor(args);
    if (TransferProgress::fromCbor(progress.toCbor()).waiting != progress.waiting)
        std::abort();
    constexpr int layers = 8;
    if (const auto units = unitsFromCbor(args[QLatin1String("units")], layers);
        units && !unitsFromCbor(toCbor(*units), layers))
        std::abort();
}

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
    takeNotes(args);
    return 0;
}
