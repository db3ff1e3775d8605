#include "core/home/run_host.h"

#include <QCborArray>
#include <QLoggingCategory>
#include <limits>

#include "core/home/programs.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(log, "hearth.home.run")

QString eventsOf(const QString &folder) {
    return folder + QStringLiteral("/events.jsonl");
}

}  // namespace

RunHost::RunHost(const QString &id, const QString &folder, QObject *parent)
    : QObject(parent),
      m_folder(folder),
      m_reader(eventsOf(folder), 1),
      m_process(QStringLiteral("The coordinator of run %1").arg(id)) {
    m_info.id = id;
    m_info.live = true;
    m_info.loss = std::numeric_limits<double>::quiet_NaN();
    connect(&m_process, &ChildProcess::ended, this, &RunHost::finish);
}

RunHost::~RunHost() = default;

void RunHost::start(const QCborMap &request, const std::vector<DeviceInfo> &devices, QObject *context, Answer answer) {
    const auto program = findProgram(QStringLiteral("hearth-coordinator"));
    if (!program) {
        answer(tl::unexpected(program.error()));
        return;
    }
    m_process.start(*program, {QStringLiteral("--run"), m_folder});
    Rpc *rpc = m_process.rpc();
    rpc->handle(QStringLiteral("worker.start"), [this](const QCborMap &args, const Reply &reply) {
        Q_EMIT workerWanted(args[QStringLiteral("device")].toString(), reply);
    });
    rpc->handle(QStringLiteral("worker.stop"), [this](const QCborMap &args, const Reply &reply) {
        Q_EMIT workerUnwanted(args[QStringLiteral("device")].toString());
        reply.ok();
    });
    rpc->onNotify(QStringLiteral("worker.stop"),
                  [this](const QCborMap &args) { Q_EMIT workerUnwanted(args[QStringLiteral("device")].toString()); });
    rpc->onNotify(QStringLiteral("event"), [this](const QCborMap &) { follow(); });

    QCborArray list;
    for (const DeviceInfo &device : devices)
        list.append(device.toCbor());
    QCborMap args;
    args[QStringLiteral("run")] = id();
    args[QStringLiteral("dir")] = m_folder;
    args[QStringLiteral("request")] = request;
    args[QStringLiteral("devices")] = list;
    m_process.call(QStringLiteral("start"), args, startDeadline, context, [this, answer](Result<QCborMap> result) {
        if (result) {
            m_accepted = true;
            m_coordinator = (*result)[QStringLiteral("fingerprint")].toString();
        } else {
            m_process.stop();
        }
        answer(result);
    });
}

void RunHost::command(const QCborMap &command) {
    if (m_process.isRunning())
        m_process.rpc()->notify(QStringLiteral("command"), command);
}

void RunHost::tellWorkerExited(const QString &device, const Error &reason) {
    QCborMap args;
    args[QStringLiteral("device")] = device;
    args[QStringLiteral("error")] = reason.toCbor();
    if (m_process.isRunning())
        m_process.rpc()->notify(QStringLiteral("worker.exited"), args);
}

void RunHost::tellDeviceChanged(const DeviceInfo &device) {
    if (m_process.isRunning())
        m_process.rpc()->notify(QStringLiteral("device.changed"), device.toCbor());
}

void RunHost::stop() {
    m_process.stop();
}

bool RunHost::waitForEnd(std::chrono::milliseconds deadline) {
    return m_process.waitForEnd(deadline);
}

void RunHost::follow() {
    constexpr qint64 chunk = 256 << 10;
    const QString before = m_info.state;
    for (QByteArrayList lines = m_reader.next(chunk); !lines.isEmpty(); lines = m_reader.next(chunk)) {
        for (const QByteArray &line : lines)
            applyEvent(m_info, line);
    }
    Q_EMIT grew();
    if (m_info.state != before)
        Q_EMIT stateChanged(m_info.state);
}

void RunHost::finish(const Error &reason) {
    follow();
    // One that never took the run has told its error to the caller, and there is no run to close.
    if (m_accepted && !isFinalState(m_info.state)) {
        const auto closed = m_interrupting ? closeRun(m_folder, std::nullopt, QStringLiteral("interrupted"))
                                           : closeRun(m_folder, reason, QStringLiteral("failed"));
        if (!closed)
            qCWarning(log, "%s", qUtf8Printable(closed.error().toString()));
        follow();
        if (!closed && !isFinalState(m_info.state)) {
            m_info.state = QStringLiteral("failed");
            Q_EMIT stateChanged(m_info.state);
        }
    }
    m_info.live = false;
    Q_EMIT ended();
}

}  // namespace hearth
