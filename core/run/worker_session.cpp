#include "core/run/worker_session.h"

#include <QCborArray>
#include <algorithm>
#include <limits>

#include "core/base/cbor.h"
#include "core/wire/state_chunks.h"
#include "core/wire/stream_channel.h"

namespace hearth {
namespace {

/// The silence before counts; this only bounds a call whose bytes never end.
constexpr std::chrono::hours longestTransfer{12};
/// At most, of its frame, its operation's name and the record of TLS.
constexpr qint64 noteOverhead = 128;

}  // namespace

Error namedFor(const DeviceInfo &device, Error error) {
    const QString name = device.name.isEmpty() ? device.id.left(8) : device.name;
    if (!error.what.contains(name))
        error.what = sentence("On %1: %2").arg(name, error.what);
    return error;
}

WorkerSession::WorkerSession(DeviceInfo device, WorkerAddress address, std::unique_ptr<Channel> channel,
                             std::chrono::milliseconds exitReason, QObject *parent)
    : QObject(parent), m_device(std::move(device)), m_address(std::move(address)), m_channel(std::move(channel)) {
    m_rpc = std::make_unique<Rpc>(m_channel.get());
    setTensorLimit(stateChunkBytes);
    m_exitReasonDue.setSingleShot(true);
    m_exitReasonDue.setInterval(exitReason);
    connect(&m_exitReasonDue, &QTimer::timeout, this, &WorkerSession::loseNow);
    connect(m_channel.get(), &Channel::tensorReceived, this, &WorkerSession::tensorReceived);
    connect(m_channel.get(), &Channel::closed, this, [this](const Error &reason) {
        if (m_lost)
            return;
        if (m_reason) {
            loseNow();
            return;
        }
        m_reason = reason;
        m_exitReasonDue.start();
    });
    registerNotes();
}

WorkerSession::~WorkerSession() {
    m_lost = true;  // closing here is our own doing
    m_rpc.reset();
    disconnect(m_channel.get(), nullptr, this, nullptr);
    // A session may end inside a signal of its channel.
    m_channel.release()->deleteLater();
}

QString WorkerSession::knownPlaceOf(const WorkerSession &other) const {
    const QString known = other.address().placeForOthers();
    // This device's worker is there only where it listens everywhere, and is dialled elsewhere than others find it.
    const bool isAnywhere = other.device().self && other.address().address != known;
    const QString own = isAnywhere ? ownHost(*m_channel) : QString();
    return own.isEmpty() ? known : own;
}

void WorkerSession::setTensorLimit(quint64 bytes) {
    if (auto *stream = qobject_cast<StreamChannel *>(m_channel.get()))
        stream->setFrameLimits({Channel::maximumControlBytes, bytes});
}

void WorkerSession::registerNotes() {
    m_rpc->onNotify(QStringLiteral("profile.progress"), [this](const QCborMap &args) {
        constexpr qint64 most = std::numeric_limits<int>::max();
        Q_EMIT profileProgress(static_cast<int>(std::clamp<qint64>(integerOf(args[QStringLiteral("done")]), 0, most)));
    });
    m_rpc->onNotify(QStringLiteral("round.done"), [this](const QCborMap &args) {
        const auto report = RoundReport::fromCbor(args);
        if (report)
            Q_EMIT roundDone(*report);
        else
            m_channel->close(report.error());
    });
    m_rpc->onNotify(QStringLiteral("round.trace"), [this](const QCborMap &args) {
        const auto trace = RoundTrace::fromCbor(args);
        if (trace)
            Q_EMIT roundTraced(*trace);
        else
            m_channel->close(trace.error());
    });
    m_rpc->onNotify(QStringLiteral("evaluation.done"), [this](const QCborMap &args) {
        auto tally = EvaluationTally::fromCbor(args);
        auto judged = JudgedSample::fromCbor(args[QStringLiteral("judged")].toArray());
        if (!tally || !judged) {
            m_channel->close(tally ? judged.error() : tally.error());
            return;
        }
        Q_EMIT evaluationDone({static_cast<quint64>(integerOf(args[QStringLiteral("version")])),
                               integerOf(args[QStringLiteral("micro_batch")], -1),
                               integerOf(args[QStringLiteral("samples")]), std::move(*tally), std::move(*judged),
                               integerOf(args[QStringLiteral("first")]),
                               numbersOfBytes(args[QStringLiteral("outputs")].toByteArray())});
    });
    m_rpc->onNotify(QStringLiteral("peer.lost"), [this](const QCborMap &args) {
        Q_EMIT peerLost(args[QStringLiteral("device")].toString(),
                        Error::fromCbor(args[QStringLiteral("error")].toMap()),
                        integerOf(args[QStringLiteral("term")], -1));
    });
    m_rpc->onNotify(QStringLiteral("backup.stored"), [this](const QCborMap &args) {
        const QCborArray layers = args[QStringLiteral("layers")].toArray();
        Q_EMIT backupStored({static_cast<int>(integerOf(layers.at(0), -1)),
                             static_cast<int>(integerOf(layers.at(1), -1)),
                             static_cast<quint64>(integerOf(args[QStringLiteral("version")], -1))});
    });
    m_rpc->onNotify(QStringLiteral("frozen.wanted"), [this](const QCborMap &args) {
        const qint64 term = integerOf(args[QStringLiteral("term")], -1);
        for (const QCborValue &layer : args[QStringLiteral("layers")].toArray())
            Q_EMIT frozenWanted(static_cast<quint32>(term), static_cast<int>(integerOf(layer, -1)));
    });
    m_rpc->onNotify(QStringLiteral("fabric.failed"),
                    [this](const QCborMap &args) { Q_EMIT fabricFailed(Error::fromCbor(args)); });
    m_rpc->onNotify(QStringLiteral("transfers"), [this](const QCborMap &args) {
        m_noteBytes += QCborValue(args).toCbor().size() + noteOverhead;
        const TransferProgress progress = TransferProgress::fromCbor(args);
        m_waiting = progress.waiting;
        if (progress.movedBytes > 0)
            Q_EMIT progressed();
    });
    m_rpc->onNotify(QStringLiteral("computed"), [this](const QCborMap &args) {
        m_noteBytes += QCborValue(args).toCbor().size() + noteOverhead;
        if (integerOf(args[QStringLiteral("steps")]) > 0)
            Q_EMIT computed();
    });
    m_rpc->onNotify(QStringLiteral("memory.short"),
                    [this](const QCborMap &args) { m_shortage = MemoryShortage::fromCbor(args); });
    m_rpc->onNotify(QStringLiteral("peers.unreached"), [this](const QCborMap &args) {
        m_unreached.clear();
        for (const QCborValue &each : args[QStringLiteral("fingerprints")].toArray())
            m_unreached << each.toString();
    });
    m_rpc->onNotify(QStringLiteral("failed"), [this](const QCborMap &args) { setExitReason(Error::fromCbor(args)); });
}

void WorkerSession::call(const QString &op, const QCborMap &args, std::chrono::milliseconds deadline, QObject *context,
                         std::function<void(Result<QCborMap>)> done) {
    m_rpc->call(op, args, deadline, context, [this, done = std::move(done)](Result<QCborMap> result) {
        if (!result && !m_channel->isOpen())
            return;
        done(result ? std::move(result) : tl::unexpected(namedFor(m_device, result.error())));
    });
}

void WorkerSession::callWhileMoving(const QString &op, const QCborMap &args, std::chrono::milliseconds quiet,
                                    QObject *context, std::function<void(Result<QCborMap>)> done) {
    auto *silence = new QTimer(context);
    silence->setSingleShot(true);
    silence->start(quiet);
    // Notes that tell that nothing moves would count as movement, if there are enough of them.
    const auto moved = [this] {
        return static_cast<qint64>(m_channel->bytesSent() + m_channel->bytesReceived()) - m_noteBytes;
    };
    connect(this, &WorkerSession::progressed, silence, [silence] { silence->start(); });
    connect(this, &QObject::destroyed, silence, &QTimer::stop);
    connect(silence, &QTimer::timeout, this, [this, silence, op, quiet, done, moved, before = moved()]() mutable {
        if (!m_channel->isOpen())
            return;  // lost() tells
        if (moved() - before >= static_cast<qint64>(leastProgress)) {
            before = moved();
            silence->start();
            return;
        }
        silence->deleteLater();
        done(tl::unexpected(
            namedFor(m_device,
                     {QStringLiteral("rpc.deadline"), sentence("%1 did not answer in time.").arg(m_channel->peerName()),
                      sentence("Of \"%1\" nothing moved for %2 seconds.")
                          .arg(op)
                          .arg(std::chrono::duration<double>(quiet).count()),
                      sentence("Look at that device: it may be asleep, or busy with something else.")})));
    });
    // Of a call that was given up for silence there is no second answer: its context is gone.
    call(op, args, longestTransfer, silence, [silence, done](const Result<QCborMap> &result) {
        silence->deleteLater();
        silence->disconnect();
        done(result);
    });
}

void WorkerSession::setExitReason(const Error &error) {
    if (m_lost)
        return;
    m_reason = error;
    loseNow();
}

void WorkerSession::loseNow() {
    if (m_lost)
        return;
    m_lost = true;
    m_exitReasonDue.stop();
    Q_EMIT lost(namedFor(m_device, *m_reason));
}

}  // namespace hearth
