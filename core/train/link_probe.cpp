// The measuring half of PeerLinks: round trips, then one burst.
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QTimer>

#include "core/base/median.h"
#include "core/train/peer_links.h"
#include "core/wire/tls_dial.h"

namespace hearth {

struct PeerLinks::Probe {
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Rpc> rpc;
    qint64 bytes = 0;
    QDeadlineTimer begin;  // of the burst, at the earliest
    std::function<void(Result<LinkRate>)> done;
    QElapsedTimer timer;
    std::vector<qint64> roundTrips;  // ns

    ~Probe() {
        if (rpc)
            rpc.release()->deleteLater();
        if (channel)
            channel.release()->deleteLater();
    }
    void finish(const Result<LinkRate> &result) {
        channel->close({QStringLiteral("worker.probe-done"), sentence("The measurement is over."), {}, {}});
        done(result);
    }
};

namespace {

constexpr int pings = 7;

}  // namespace

void PeerLinks::probe(const Fingerprint &peer, const QString &address, quint16 port, qint64 bytes,
                      std::chrono::milliseconds wait, std::function<void(Result<LinkRate>)> done) {
    auto probe = std::make_shared<Probe>();
    probe->bytes = std::clamp<qint64>(bytes, 1, qint64{64} << 20);
    probe->begin = QDeadlineTimer(wait, Qt::PreciseTimer);
    probe->done = std::move(done);
    probe->timer.start();
    m_connector.connectTo(peer, address, port, this, [this, probe](Result<std::unique_ptr<Channel>> opened) {
        if (!opened) {
            // Whoever asks learns neither by words nor by time what else is at that address.
            qCInfo(linkLog).noquote() << opened.error().toString();
            const std::chrono::milliseconds left =
                defaultDialDeadline - std::chrono::milliseconds(probe->timer.elapsed());
            QTimer::singleShot(std::max(left, std::chrono::milliseconds(0)), this,
                               [probe] { probe->done(tl::unexpected(unreachable(sentence("No connection.")))); });
            return;
        }
        probe->channel = std::move(*opened);
        probe->rpc = std::make_unique<Rpc>(probe->channel.get());
        const QCborMap hello{{QLatin1String("run"), m_run}, {QLatin1String("purpose"), QLatin1String("probe")}};
        probe->rpc->call(QStringLiteral("peer.hello"), hello, Rpc::shortDeadline, this,
                         [this, probe](const Result<QCborMap> &answer) {
                             if (!answer)
                                 return probe->finish(tl::unexpected(answer.error()));
                             probePing(probe);
                         });
    });
}

void PeerLinks::probePing(const std::shared_ptr<Probe> &probe) {
    if (probe->roundTrips.size() == pings) {
        const std::chrono::milliseconds left(probe->begin.remainingTime());
        QTimer::singleShot(left, Qt::PreciseTimer, this, [this, probe] { probeBurst(probe); });
        return;
    }
    probe->timer.start();
    probe->rpc->call(QStringLiteral("peer.ping"), {}, Rpc::shortDeadline, this,
                     [this, probe](const Result<QCborMap> &answer) {
                         if (!answer)
                             return probe->finish(tl::unexpected(answer.error()));
                         m_handOver([this, probe] {
                             probe->roundTrips.push_back(probe->timer.nsecsElapsed());
                             probePing(probe);
                         });
                     });
}

void PeerLinks::probeBurst(const std::shared_ptr<Probe> &probe) {
    const double roundTrip = static_cast<double>(medianOf(probe->roundTrips)) * 1e-9;
    probe->timer.start();
    // The call goes first: control messages never wait behind tensors.
    probe->rpc->call(QStringLiteral("peer.burst"), {{QLatin1String("bytes"), probe->bytes}}, burstDeadline, this,
                     [probe, roundTrip](const Result<QCborMap> &answer) {
                         if (!answer)
                             return probe->finish(tl::unexpected(answer.error()));
                         const double whole = static_cast<double>(probe->timer.nsecsElapsed()) * 1e-9;
                         // On a busy machine the round trip may be most of it: a rate must not come from the rest.
                         const double seconds = whole - std::min(roundTrip / 2, whole / 2);
                         LinkRate rate;
                         rate.latencySeconds = roundTrip / 2;
                         rate.bytesPerSecond = static_cast<double>(probe->bytes) / std::max(seconds, 1e-6);
                         probe->finish(rate);
                     });
    const std::shared_ptr<Buffer> noise = Buffer::allocate(std::min(burstFrame, probe->bytes));
    for (qsizetype i = 0; i < noise->size(); ++i)
        noise->data()[i] = static_cast<std::byte>(i * 131 >> 3);
    for (qint64 sent = 0; sent < probe->bytes; sent += burstFrame) {
        TensorHeader header;
        header.kind = TensorKind::Replica;
        header.dtype = DType::UInt8;
        Payload payload = Payload::of(noise);
        payload.size = std::min(burstFrame, probe->bytes - sent);
        header.dims = {static_cast<quint32>(payload.size)};
        probe->channel->sendTensor(header, std::move(payload));
    }
}

}  // namespace hearth
