#include "worker_program.h"

#include "core/base/priority.h"
#include "core/wire/tls_dial.h"

namespace hearth {

WorkerProgram::WorkerProgram(WorkerProgramOptions options, QObject *parent)
    : QObject(parent), m_options(std::move(options)), m_rpc(&m_agent) {
    connect(&m_agent, &Channel::closed, this, &WorkerProgram::agentGone);
    m_rpc.handle(QStringLiteral("start"), [this](const QCborMap &args, const Reply &reply) { start(args, reply); });
    m_rpc.onNotify(QStringLiteral("card"), [this](const QCborMap &args) {
        if (m_service)
            m_service->setCardLoad(CardLoad::fromJson(args.toJsonObject()));
    });
}

WorkerProgram::~WorkerProgram() = default;

void WorkerProgram::start(const QCborMap &args, const Reply &reply) {
    if (m_service)
        return reply.fail({QStringLiteral("worker.started"), sentence("This worker was started before."), {}, {}});
    if (args[QLatin1String("run")].toString() != m_options.worker.run)
        return reply.fail({QStringLiteral("worker.other-run"), sentence("This worker serves another run."), {}, {}});
    const auto coordinator = Fingerprint::fromHex(args[QLatin1String("coordinator")].toString());
    if (!coordinator)
        return reply.fail(coordinator.error());
    auto identity = Identity::generate(QStringLiteral("hearth-worker"));
    if (!identity)
        return reply.fail(identity.error());
    m_identity = std::move(*identity);
    m_listener = std::make_unique<TlsListener>(
        m_identity, [this](const Fingerprint &peer) { return m_service && m_service->authorises(peer); });
    const auto port = m_listener->listen(m_options.listen, m_options.ports.first, m_options.ports.last);
    if (!port)
        return reply.fail(port.error());
    const std::vector<int> threads = threadsOfProcess();
    auto heartbeat =
        Heartbeat::start(m_identity, *coordinator, m_options.listen, m_options.ports.first, m_options.ports.last);
    if (!heartbeat)
        return reply.fail(heartbeat.error());
    m_heartbeat = std::move(*heartbeat);
    // These, and all from here on: a heart that beats late would be a lost device.
    lowerPriority(threads, trainingNice);
    m_service = std::make_unique<WorkerService>(m_options.worker, m_identity.fingerprint(), *this);
    m_service->setCoordinator(*coordinator);
    m_service->setHeartbeatPort(m_heartbeat->port());
    connect(m_listener.get(), &TlsListener::channelReady, m_service.get(),
            [this](Channel *channel) { m_service->adopt(std::unique_ptr<Channel>(channel)); });
    connect(m_service.get(), &WorkerService::finished, this, &WorkerProgram::finished);
    reply.ok({{QLatin1String("fingerprint"), m_identity.fingerprint().toHex()}, {QLatin1String("port"), *port}});
}

void WorkerProgram::connectTo(const Fingerprint &peer, const QString &address, quint16 port, QObject *context,
                              Connected done) {
    dialTls(m_identity, address, port, peer, defaultDialDeadline, context, std::move(done));
}

}  // namespace hearth
