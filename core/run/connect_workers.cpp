#include "core/run/connect_workers.h"

#include <algorithm>

#include "core/base/cbor.h"
#include "core/plan/problem.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

Result<WorkerHello> readHello(const QCborMap &map) {
    const auto whole = [&map](const char *key) { return integerOf(map[QLatin1String(key)], -1); };
    WorkerHello hello;
    hello.version = map[QStringLiteral("version")].toString().left(ProfileLimits::idLength);
    hello.library = map[QStringLiteral("library")].toString().left(ProfileLimits::idLength);
    hello.computeDevice =
        map[QStringLiteral("compute_device")].toString(QStringLiteral("cpu")).left(ProfileLimits::idLength);
    const qint64 threads = whole("threads");
    const qint64 port = integerOf(map[QStringLiteral("heartbeat_port")]);
    hello.memoryBytes = whole("memory_bytes");
    hello.runtimeBytes = whole("runtime_bytes");
    if (hello.library.isEmpty() || threads < 1 || threads > ProfileLimits::threads || hello.memoryBytes < 0 ||
        hello.memoryBytes > ProfileLimits::bytes || hello.runtimeBytes < 0 ||
        hello.runtimeBytes > ProfileLimits::bytes || port < 0 || port > 65535) {
        return fail(QStringLiteral("run.bad-hello"), sentence("The worker says nothing sensible about itself."),
                    sentence("Its greeting lacks library, threads or memory."),
                    sentence("Install the same version of Hearth on every device."));
    }
    hello.threads = static_cast<int>(threads);
    hello.heartbeatPort = static_cast<quint16>(port);
    return hello;
}

}  // namespace

ConnectWorkers::ConnectWorkers(QString run, AgentLink &agent, WorkerConnector &connector, const RunDeadlines &deadlines,
                               QObject *parent)
    : QObject(parent), m_run(std::move(run)), m_agent(agent), m_connector(connector), m_deadlines(deadlines) {}

void ConnectWorkers::start(const std::vector<DeviceInfo> &devices) {
    for (const DeviceInfo &device : devices)
        m_missing.insert(device.id);
    for (const DeviceInfo &device : devices) {
        m_agent.startWorker(device.id, m_deadlines.workerStart, this, [this, device](Result<WorkerAddress> started) {
            if (!started) {
                giveUp(device, namedFor(device, started.error()));
                return;
            }
            Q_EMIT workerStarted(device.id, *started);
            if (!m_over)
                dial(device, *started);
        });
    }
}

void ConnectWorkers::reconnect(const std::vector<std::pair<DeviceInfo, WorkerAddress>> &workers) {
    m_tolerant = true;
    if (workers.empty())
        QMetaObject::invokeMethod(
            this, [this] { settled({}); }, Qt::QueuedConnection);
    for (const auto &[device, address] : workers)
        m_missing.insert(device.id);
    for (const auto &[device, address] : workers)
        dial(device, address);
}

void ConnectWorkers::dial(const DeviceInfo &device, const WorkerAddress &address) {
    m_connector.connectTo(
        address, m_deadlines.connect, this, [this, device, address](Result<std::unique_ptr<Channel>> channel) {
            if (m_over)
                return;
            if (!channel) {
                giveUp(device, namedFor(device, channel.error()));
                return;
            }
            m_sessions.push_back(
                std::make_unique<WorkerSession>(device, address, std::move(*channel), m_deadlines.exitReason));
            greet(*m_sessions.back());
        });
}

void ConnectWorkers::greet(WorkerSession &session) {
    connect(&session, &WorkerSession::lost, this, [this, device = session.device()](const Error &error) {
        if (m_tolerant) {
            giveUp(device, error);
        } else if (!m_over) {
            m_over = true;
            Q_EMIT lost(device.id, error);
        }
    });
    const QCborMap args{{QStringLiteral("run"), m_run}};
    session.call(QStringLiteral("hello"), args, m_deadlines.hello, this, [this, &session](Result<QCborMap> reply) {
        const auto hello = reply.and_then(readHello);
        if (!hello) {
            giveUp(session.device(), namedFor(session.device(), hello.error()));
            return;
        }
        session.setHello(*hello);
        settled(session.id());
    });
}

void ConnectWorkers::settled(const QString &device) {
    m_missing.remove(device);
    if (!m_missing.isEmpty() || m_over)
        return;
    m_over = true;
    for (const auto &each : m_sessions)
        disconnect(each.get(), nullptr, this, nullptr);
    Q_EMIT finished();
}

void ConnectWorkers::giveUp(const DeviceInfo &device, const Error &error) {
    if (m_over)
        return;
    if (m_tolerant) {
        const auto its = std::ranges::find(m_sessions, device.id, [](const auto &each) { return each->id(); });
        if (its != m_sessions.end()) {
            its->release()->deleteLater();  // this may be in one of its signals
            m_sessions.erase(its);
        }
        Q_EMIT leftOut(device.id, error);
        settled(device.id);
        return;
    }
    m_over = true;
    Q_EMIT failed(error);
}

std::vector<std::unique_ptr<WorkerSession>> ConnectWorkers::takeSessions() {
    std::sort(m_sessions.begin(), m_sessions.end(),
              [](const auto &a, const auto &b) { return idLess(a->id(), b->id()); });
    return std::move(m_sessions);
}

}  // namespace hearth
