#include "core/train/worker_service.h"

#include <QCborArray>
#include <QCborValue>
#include <QCoreApplication>
#include <QLoggingCategory>
#include <algorithm>

#include "core/base/cbor.h"
#include "core/protocol/transfer_progress.h"
#include "core/train/memory.h"
#include "core/train/process_memory.h"
#include "core/train/round_recorder.h"
#include "core/train/threads.h"
#include "core/wire/stream_channel.h"

namespace hearth {

Q_LOGGING_CATEGORY(trainLog, "hearth.train", QtInfoMsg)

WorkerService::WorkerService(WorkerOptions options, const Fingerprint &self, PeerConnector &connector, QObject *parent)
    : QObject(parent),
      m_options(std::move(options)),
      m_self(self),
      m_links(m_options.run, self.toHex(), connector),
      m_sender([this](const QString &device) { return device.isEmpty() ? m_line.channel() : m_links.channel(device); },
               [this] { return m_compute->inRound.load(); }),
      m_exchange(self.toHex(), m_links, m_sender, frozenDoors()),
      m_compute(std::make_shared<WorkerCompute>(m_options.threads)) {
    installTensorMemory();
    m_compute->states = std::make_unique<WorkerStates>(self.toHex(), [this](const QString &from, int firstLayer,
                                                                            int lastLayer, quint64 version) {
        later([this, from, firstLayer, lastLayer, version] {
            m_line.note(QStringLiteral("backup.stored"), {{QLatin1String("from"), from},
                                                          {QLatin1String("layers"), QCborArray{firstLayer, lastLayer}},
                                                          {QLatin1String("version"), static_cast<qint64>(version)}});
        });
    });
    m_compute->frozen = std::make_unique<FrozenStore>();
    connect(&m_exchange, &FrozenExchange::failed, this, [this](quint32 term, const Error &error) {
        if (m_deploying && term == m_term)
            deployProgress(
                m_deploying->serial, [](Deploying &) {}, tl::unexpected(error));
    });
    connect(&m_links, &PeerLinks::tensorReceived, this, &WorkerService::deliver);
    connect(&m_links, &PeerLinks::lost, this, [this](const QString &device, const Error &reason) {
        const qint64 term = m_links.isNeeded(device) ? qint64{m_deployedTerm} : 0;
        m_line.note(QStringLiteral("peer.lost"), {{QLatin1String("device"), device},
                                                  {QLatin1String("error"), reason.toCbor()},
                                                  {QLatin1String("term"), term}});
    });
    m_links.setHandOver([this](std::function<void()> back) {
        m_thread->post([this, back = std::move(back)]() mutable { later(std::move(back)); });
    });
    m_orphan.setSingleShot(true);
    connect(&m_orphan, &QTimer::timeout, this, [this] {
        finish(0, {QStringLiteral("worker.orphan"), sentence("The coordinator did not come back."), {}, {}});
    });
    m_orphan.start(m_options.orphanTimeout);
    connect(&m_progress, &QTimer::timeout, this, [this] {
        // Neither end would notice while the kernels hold all that waits.
        m_links.endWhere(
            m_options.hasLostAddress,
            {QStringLiteral("worker.address-lost"), sentence("The address of one of its ends is gone."), {}, {}});
        m_links.endWhere(
            [this](const Channel &channel) { return m_options.unconfirmedFor(channel) >= longestUnconfirmed; },
            {QStringLiteral("worker.link-silent"), sentence("One of its ends confirms nothing that is sent."), {}, {}});
        tellProgress();
    });
    m_progress.start(progressInterval);
    m_thread = std::make_unique<ComputeThread>(m_options.threads);
    m_decoding.emplace();
    m_profiles.emplace(m_options, m_self.toHex(), *m_thread, m_compute, m_mailbox, m_line);
    m_stage.emplace(*m_thread, m_compute, m_mailbox, m_line, m_sender, [this] { return m_term; });
    // By value: the destructor takes the pointer away while the thread still runs.
    m_thread->post([this, thread = m_thread.get(), compute = m_compute] {
        thread->setBackgroundWork([this, compute] { return computeStep(*compute); });
        m_options.device->enterThread();
        warmUpComputeThread(*m_options.device);
        m_options.device->measureRuntime();
        limitMemory(*m_options.device, m_options.memoryBytes);
    });
}

WorkerService::~WorkerService() {
    m_profiles->end();
    m_decoding.reset();  // hands over to the thread
    // Tensors end on the thread that made them; `later` must find this object until that thread has ended.
    m_thread->post([compute = m_compute] { compute->stages.reset(); });
    m_thread.reset();
    m_sender.drop([](StateSender::Purpose) { return true; });
    if (m_line.channel() != nullptr)
        m_line.channel()->disconnect(this);
}

bool WorkerService::authorises(const Fingerprint &peer) const {
    return !peer.isNull() && !m_finished && (peer == m_coordinatorKey || m_links.isMember(peer));
}

void WorkerService::adopt(std::unique_ptr<Channel> channel) {
    if (channel->peer() == m_coordinatorKey)
        adoptCoordinator(std::move(channel));
    else
        m_links.adopt(std::move(channel));
}

void WorkerService::adoptCoordinator(std::unique_ptr<Channel> channel) {
    if (Channel *former = m_line.channel()) {
        former->disconnect(this);
        former->close({QStringLiteral("worker.replaced"), sentence("A newer connection took its place."), {}, {}});
        m_deploying.reset();
        m_line.drop();
    }
    m_orphan.stop();
    qCDebug(trainLog).noquote() << "the coordinator comes from" << channel->peerName();
    // What kept the coordinator away, as another address of its device, may have cut the connections to other workers
    // as well, and neither end would notice: the next deployment makes them anew.
    m_links.closeAll({QStringLiteral("worker.replaced"), sentence("A newer connection took its place."), {}, {}});
    m_line.open(std::move(channel));
    setTensorLimit(m_tensorLimit);
    Rpc &calls = m_line.calls();
    connect(m_line.channel(), &Channel::closed, this, &WorkerService::coordinatorClosed);
    connect(m_line.channel(), &Channel::tensorReceived, this,
            [this](const TensorFrame &frame) { deliver(QString(), frame); });
    const auto handle = [&calls](const char *op, auto *who, auto handler) {
        calls.handle(QLatin1String(op),
                     [who, handler](const QCborMap &args, const Reply &reply) { (who->*handler)(args, reply); });
    };
    handle("hello", this, &WorkerService::hello);
    handle("expect", this, &WorkerService::expectPeers);
    handle("profile", &*m_profiles, &ProfileCalls::whole);
    handle("profile.units", &*m_profiles, &ProfileCalls::units);
    handle("link.probe", this, &WorkerService::probeLink);
    handle("deploy", this, &WorkerService::deploy);
    handle("halt", this, &WorkerService::halt);
    handle("state.get", &*m_stage, &StageCalls::sendStates);
    handle("weights.get", &*m_stage, &StageCalls::sendWeights);
    handle("evaluate", &*m_stage, &StageCalls::evaluate);
    handle("codecs", &*m_stage, &StageCalls::codecs);
    calls.onNotify(QStringLiteral("profile.end"), [this](const QCborMap &) { m_profiles->end(); });
    calls.onNotify(QStringLiteral("keep"), [this](const QCborMap &args) { m_stage->keep(args); });
    calls.onNotify(QStringLiteral("exact"), [this](const QCborMap &args) { m_stage->sumExactly(args); });
    calls.onNotify(QStringLiteral("commit"), [this](const QCborMap &args) { m_stage->commit(args); });
    // Answered at once: what counts is how little time passes between question and answer.
    calls.handle(QStringLiteral("clock"), [](const QCborMap &, const Reply &reply) {
        reply.ok({{QLatin1String("ns"), RoundRecorder::now()}});
    });
    calls.onNotify(QStringLiteral("trace.end"), [this](const QCborMap &) { endTrace(); });
    calls.handle(QStringLiteral("leave"), [this](const QCborMap &, const Reply &reply) {
        reply.ok();
        finish(0, {QStringLiteral("worker.left"), sentence("The worker left as it was asked to."), {}, {}});
    });
}

void WorkerService::coordinatorClosed(const Error &reason) {
    if (!m_finished)
        qCInfo(trainLog).noquote() << "The coordinator is gone:" << reason.toString();
    m_profiles->end();
    m_deploying.reset();
    m_exchange.drop();
    m_line.drop();
    if (m_finished)
        m_farewell.start(0);
    else
        m_orphan.start(m_options.orphanTimeout);
}

void WorkerService::tellProgress() {
    if (m_line.channel() == nullptr)
        return;
    // A round of many steps may report nothing and move no byte for minutes.
    const quint64 steps = m_compute->steps;
    if (const quint64 done = steps - std::exchange(m_toldSteps, steps); done > 0)
        m_line.note(QStringLiteral("computed"), {{QLatin1String("steps"), static_cast<qint64>(done)}});
    const quint64 moved = m_links.movedBytes() + m_line.channel()->bytesReceived();
    TransferProgress progress{0, m_links.waitingBytes()};
    if (moved < m_told)
        m_told = moved;  // a channel was closed
    if (moved - m_told >= leastProgress)
        progress.movedBytes = static_cast<qint64>(moved - std::exchange(m_told, moved));
    else if (progress.waiting.isEmpty())
        return;
    m_line.note(QStringLiteral("transfers"), progress.toCbor());
}

void WorkerService::hello(const QCborMap &args, const Reply &reply) {
    if (args[QLatin1String("run")].toString() != m_options.run)
        return reply.fail({QStringLiteral("worker.other-run"), sentence("This worker serves another run."), {}, {}});
    m_thread->post([this, ticket = m_line.keep(reply)] {  // after the warm-up, which measures the runtime
        later([this, ticket] {
            m_line.answer(ticket, QCborMap{{QLatin1String("version"), QCoreApplication::applicationVersion()},
                                           {QLatin1String("library"), computeLibrary()},
                                           {QLatin1String("compute_device"), m_options.device->name()},
                                           {QLatin1String("threads"), m_options.threads},
                                           {QLatin1String("memory_bytes"), m_options.memoryBytes},
                                           {QLatin1String("heartbeat_port"), m_heartbeatPort},
                                           {QLatin1String("runtime_bytes"), m_options.device->runtimeBytes()}});
        });
    });
}

void WorkerService::expectPeers(const QCborMap &args, const Reply &reply) {
    QSet<Fingerprint> expected;
    for (const QCborValue &value : args[QLatin1String("fingerprints")].toArray()) {
        const auto fingerprint = Fingerprint::fromHex(value.toString());
        if (!fingerprint)
            return reply.fail(fingerprint.error());
        expected.insert(*fingerprint);
    }
    m_links.setMembers(expected);
    reply.ok();
}

void WorkerService::probeLink(const QCborMap &args, const Reply &reply) {
    const auto fingerprint = Fingerprint::fromHex(args[QLatin1String("fingerprint")].toString());
    if (!fingerprint)
        return reply.fail(fingerprint.error());
    if (!m_links.isMember(*fingerprint))
        return reply.fail(badRequest(sentence("A link is measured to a member of the run.")));
    constexpr qint64 mostWaitMs = 5000;
    const std::chrono::milliseconds wait(std::clamp<qint64>(integerOf(args[QLatin1String("wait_ms")]), 0, mostWaitMs));
    m_links.probe(*fingerprint, args[QLatin1String("address")].toString(),
                  static_cast<quint16>(integerOf(args[QLatin1String("port")])),
                  integerOf(args[QLatin1String("bytes")], 8 << 20), wait, [reply](const Result<LinkRate> &rate) {
                      if (!rate)
                          return reply.fail(rate.error());
                      reply.ok({{QLatin1String("bytes_per_s"), rate->bytesPerSecond},
                                {QLatin1String("latency_s"), rate->latencySeconds}});
                  });
}

void WorkerService::setTensorLimit(quint64 bytes) {
    m_tensorLimit = bytes;
    m_links.setTensorLimit(bytes);
    if (auto *stream = qobject_cast<StreamChannel *>(m_line.channel()))
        stream->setFrameLimits({Channel::maximumControlBytes, bytes});
}

void WorkerService::tellShortage(const Error &error) {
    if (error.code != QLatin1String("worker.out-of-memory"))
        return;
    if (const auto shortage = lastMemoryShortage())
        m_line.note(QStringLiteral("memory.short"), shortage->toCbor());
}

void WorkerService::failWorker(const Error &error) {
    if (m_finished)
        return;
    tellShortage(error);
    qCWarning(trainLog).noquote() << error.toString();
    if (m_deploying) {
        m_deploying->reply.fail(error);
        m_deploying.reset();
    }
    m_line.note(QStringLiteral("failed"), error.toCbor());
    finish(failedStatus, error);
}

void WorkerService::finish(int status, const Error &reason) {
    if (m_finished)
        return;
    m_finished = true;
    m_profiles->end();
    m_orphan.stop();
    m_links.closeAll(reason);
    // Our last message must arrive: closing now, with unread tensors of the coordinator in the socket, would make the
    // network throw it away. So the coordinator hangs up first, or the farewell is over.
    m_status = status;
    m_farewell.setSingleShot(true);
    connect(&m_farewell, &QTimer::timeout, this, [this] { Q_EMIT finished(m_status); });
    m_farewell.start(m_line.channel() != nullptr ? farewell : std::chrono::milliseconds(0));
}

void WorkerService::observeGradients(std::function<void(quint32, const std::vector<NamedTensor> &)> observer) {
    m_thread->post([compute = m_compute, observer = std::move(observer)] { compute->gradientObserver = observer; });
}

}  // namespace hearth
