#include "core/agent/agent_client.h"

#include <QCborArray>
#include <QLocalSocket>
#include <QTimer>

#include "core/home/state_dir.h"
#include "core/wire/stream_channel.h"

namespace hearth {
namespace {

// So long the agent may be silent while a coordinator starts and reads the data.
constexpr std::chrono::milliseconds runStartDeadline{40000};
// The first list after the agent's start reads what long runs have written.
constexpr std::chrono::milliseconds runsDeadline{120000};
// The agent gives up after 8 s itself.
constexpr std::chrono::milliseconds diagnosisDeadline{15000};

Error notThere(const QString &stateDir, const Sentence &cause) {
    return {QStringLiteral("agent.not-running"), sentence("No agent answers for the state folder %1.").arg(stateDir),
            cause,
            sentence("Start hearth-agent, or, for the system's service, \"sudo systemctl start hearth-agent\": its "
                     "state folder is /var/lib/hearth (--state).")};
}

Error notThere(const QString &stateDir, const QLocalSocket &socket) {
    switch (socket.error()) {
        case QLocalSocket::ServerNotFoundError:
        case QLocalSocket::ConnectionRefusedError:
            return notThere(stateDir, Sentence());
        case QLocalSocket::SocketAccessError: {
            Error error = notThere(stateDir, sentence("It belongs to another user, and you may not use it."));
            error.advice = sentence(
                "Join the group of the system's service (sudo adduser NAME hearth) and log in "
                "again, or choose a state folder of your own with --state.");
            return error;
        }
        default:
            return notThere(stateDir, Sentence(socket.errorString() + QLatin1Char('.')));
    }
}

AgentClient::Answer<QCborMap> asNearby(AgentClient::Answer<Nearby> answer) {
    return [answer = std::move(answer)](const Result<QCborMap> &result) { answer(result.map(&Nearby::fromCbor)); };
}

}  // namespace

AgentClient::AgentClient(QObject *parent) : QObject(parent) {}

AgentClient::~AgentClient() {
    m_rpc.reset();
    if (m_channel)
        m_channel->disconnect(this);
    delete m_connecting;
}

void AgentClient::open(const QString &stateDir) {
    leave();
    // A local socket connects within the call; nobody expects an answer before open() has returned.
    QTimer::singleShot(0, this, [this, stateDir, attempt = m_attempt] {
        if (attempt == m_attempt)
            connectNow(stateDir);
    });
}

void AgentClient::connectNow(const QString &stateDir) {
    const auto name = LocalSocketName::of(stateDir);
    if (!name) {
        Q_EMIT closed(notThere(stateDir, name.error().cause));
        return;
    }
    m_connecting = new QLocalSocket(this);
    connect(m_connecting, &QLocalSocket::connected, this, [this] {
        auto *socket = std::exchange(m_connecting, nullptr);
        socket->disconnect(this);
        socket->setParent(nullptr);
        attachSocket(std::unique_ptr<QLocalSocket>(socket));
        Q_EMIT ready();
    });
    connect(m_connecting, &QLocalSocket::errorOccurred, this, [this, stateDir] {
        auto *socket = std::exchange(m_connecting, nullptr);
        socket->disconnect(this);
        socket->deleteLater();
        Q_EMIT closed(notThere(stateDir, *socket));
    });
    m_connecting->connectToServer(name->path());
}

void AgentClient::attachSocket(std::unique_ptr<QLocalSocket> socket) {
    m_channel = std::make_unique<StreamChannel>(std::move(socket), Fingerprint{}, QStringLiteral("the agent"));
    m_rpc = std::make_unique<Rpc>(m_channel.get());
    connect(m_channel.get(), &Channel::closed, this, &AgentClient::closed);
    m_rpc->onNotify(QStringLiteral("device.changed"), [this](const QCborMap &args) {
        if (const auto device = DeviceInfo::fromCbor(args))
            Q_EMIT deviceChanged(*device);
    });
    m_rpc->onNotify(QStringLiteral("nearby.changed"),
                    [this](const QCborMap &args) { Q_EMIT nearbyChanged(Nearby::fromCbor(args)); });
    m_rpc->onNotify(QStringLiteral("diagnose.finding"),
                    [this](const QCborMap &args) { Q_EMIT finding(Finding::fromCbor(args)); });
    m_rpc->onNotify(QStringLiteral("device.removed"),
                    [this](const QCborMap &args) { Q_EMIT deviceRemoved(args[QStringLiteral("id")].toString()); });
    m_rpc->onNotify(QStringLiteral("pair.changed"),
                    [this](const QCborMap &args) { Q_EMIT pairingChanged(PairingStatus::fromCbor(args)); });
    m_rpc->onNotify(QStringLiteral("pair.refused"),
                    [this](const QCborMap &args) { Q_EMIT pairingRefused(PairingStatus::fromCbor(args)); });
    m_rpc->onNotify(QStringLiteral("run.changed"), [this](const QCborMap &args) {
        Q_EMIT runChanged(args[QStringLiteral("id")].toString(), args[QStringLiteral("state")].toString());
    });
    m_rpc->onNotify(QStringLiteral("run.event"), [this](const QCborMap &args) {
        Q_EMIT runEvent(args[QStringLiteral("id")].toString(), args[QStringLiteral("line")].toByteArray());
    });
    m_rpc->onNotify(QStringLiteral("run.end"),
                    [this](const QCborMap &args) { Q_EMIT runEnded(args[QStringLiteral("id")].toString()); });
}

bool AgentClient::isOpen() const {
    return m_channel && m_channel->isOpen();
}

void AgentClient::leave() {
    ++m_attempt;
    m_rpc.reset();
    if (m_channel) {
        m_channel->disconnect(this);
        m_channel->close({QStringLiteral("app.left"), sentence("The app left."), {}, {}});
        m_channel.release()->deleteLater();
    }
    if (m_connecting != nullptr) {
        m_connecting->disconnect(this);
        std::exchange(m_connecting, nullptr)->deleteLater();
    }
}

void AgentClient::call(const QString &op, const QCborMap &arguments, std::chrono::milliseconds deadline,
                       QObject *context, Answer<QCborMap> answer, Rpc::Bounds bounds) {
    if (!isOpen()) {
        QTimer::singleShot(0, context, [answer] {
            answer(fail(QStringLiteral("agent.not-connected"), sentence("There is no connection to the agent.")));
        });
        return;
    }
    m_rpc->call(op, arguments, deadline, context, std::move(answer), bounds);
}

void AgentClient::devices(QObject *context, Answer<std::vector<DeviceInfo>> answer) {
    call(QStringLiteral("devices"), {}, Rpc::shortDeadline, context, [answer](const Result<QCborMap> &result) {
        if (!result) {
            answer(tl::unexpected(result.error()));
            return;
        }
        std::vector<DeviceInfo> list;
        for (const QCborValue &each : (*result)[QStringLiteral("devices")].toArray()) {
            if (const auto device = DeviceInfo::fromCbor(each.toMap()))
                list.push_back(*device);
        }
        answer(list);
    });
}

void AgentClient::nearby(QObject *context, Answer<Nearby> answer) {
    call(QStringLiteral("nearby"), {}, Rpc::shortDeadline, context, asNearby(std::move(answer)));
}

void AgentClient::computers(QObject *context, Answer<Nearby> answer) {
    call(QStringLiteral("computers"), {}, Rpc::shortDeadline, context, asNearby(std::move(answer)));
}

void AgentClient::diagnose(QObject *context, Answer<std::vector<Finding>> answer) {
    call(QStringLiteral("diagnose"), {}, diagnosisDeadline, context, [answer](const Result<QCborMap> &result) {
        if (!result) {
            answer(tl::unexpected(result.error()));
            return;
        }
        std::vector<Finding> list;
        for (const QCborValue &each : (*result)[QStringLiteral("findings")].toArray())
            list.push_back(Finding::fromCbor(each.toMap()));
        answer(list);
    });
}

void AgentClient::setLimits(const QString &device, const DeviceLimits &limits, QObject *context, Answer<void> answer) {
    QCborMap args;
    args[QStringLiteral("device")] = device;
    args[QStringLiteral("limits")] = QCborMap::fromJsonObject(limits.toJson());
    call(QStringLiteral("limits.set"), args, Rpc::shortDeadline, context,
         [answer, isTimed = limits.pausedUntil.has_value()](const Result<QCborMap> &result) {
             if (isTimed && !result && result.error().code == QLatin1String("json.unknown-key")) {
                 answer(fail(QStringLiteral("limits.older-version"), sentence("The device was not paused."),
                             sentence("An agent there or here is older, and knows no pause that ends by itself."),
                             sentence("Pause it until you resume it, or update the older of the two.")));
                 return;
             }
             answer(result.map([](const QCborMap &) {}));
         });
}

void AgentClient::rename(const QString &device, const QString &name, QObject *context, Answer<void> answer) {
    call(QStringLiteral("device.rename"), {{QStringLiteral("device"), device}, {QStringLiteral("name"), name}},
         Rpc::shortDeadline, context,
         [answer](const Result<QCborMap> &result) { answer(result.map([](const QCborMap &) {})); });
}

void AgentClient::subscribe() {
    call(QStringLiteral("subscribe"), {}, Rpc::shortDeadline, this, [](const Result<QCborMap> &) {});
}

void AgentClient::runs(QObject *context, Answer<std::vector<RunInfo>> answer) {
    call(QStringLiteral("runs"), {}, runsDeadline, context, [answer](const Result<QCborMap> &result) {
        if (!result) {
            answer(tl::unexpected(result.error()));
            return;
        }
        std::vector<RunInfo> list;
        for (const QCborValue &each : (*result)[QStringLiteral("runs")].toArray())
            list.push_back(RunInfo::fromCbor(each.toMap()));
        answer(list);
    });
}

void AgentClient::startRun(const RunOrder &order, QObject *context, Answer<QString> answer) {
    call(
        QStringLiteral("run.start"), order.toCbor(), runStartDeadline, context,
        [answer](const Result<QCborMap> &result) {
            if (result)
                answer((*result)[QStringLiteral("id")].toString());
            else
                answer(tl::unexpected(result.error()));
        },
        Rpc::Bounds::Silence);
}

void AgentClient::attach(const QString &run, quint64 fromSeq, QObject *context, Answer<QCborMap> answer) {
    QCborMap args;
    args[QStringLiteral("id")] = run;
    args[QStringLiteral("from")] = static_cast<qint64>(fromSeq);
    call(QStringLiteral("run.attach"), args, Rpc::shortDeadline, context, std::move(answer));
}

void AgentClient::command(const QString &run, const QString &command, const QCborMap &arguments, QObject *context,
                          Answer<QCborMap> answer) {
    QCborMap args = arguments;
    args[QStringLiteral("id")] = run;
    args[QStringLiteral("command")] = command;
    call(QStringLiteral("run.command"), args, Rpc::shortDeadline, context, std::move(answer));
}

}  // namespace hearth
