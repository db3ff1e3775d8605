#include "core/agent/run_host.h"

#include <QCborArray>
#include <QLoggingCategory>
#include <QPointer>
#include <limits>

#include "core/agent/programs.h"
#include "core/run/files/state_words.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(runLog, "hearth.home.run")

/// The devices may have to measure themselves first, and to be given a network of gigabytes.
constexpr std::chrono::minutes answerDeadline{60};

QCborMap named(const QString &device) {
    return {{QStringLiteral("device"), device}};
}

/// They may have to wait for a coordinator.
QCborMap placesOfAHome(const QCborMap &told) {
    QCborMap places;
    for (const auto &[device, host] : told) {
        if (places.size() < mostPlacesSeen)
            places[device.toString()] = host.toString();
    }
    return places;
}

/// What a device can say as often as it likes makes no heap: the newest is enough. Each command of a person counts.
bool isOutdatedBy(const QString &note, const QCborMap &args, const std::pair<QString, QCborMap> &waiting) {
    if (note == QLatin1String("command") || waiting.first != note)
        return false;
    const QString device = note == QLatin1String("device.changed") ? QStringLiteral("id") : QStringLiteral("device");
    return waiting.second[device] == args[device];
}

tl::unexpected<Error> stoppedBefore(const QString &run) {
    return fail(QStringLiteral("run.stopped"), sentence("The run %1 was stopped before it began.").arg(run));
}

}  // namespace

QString onlyOf(const QCborMap &request) {
    return request[QStringLiteral("options")].toMap()[QStringLiteral("only")].toString();
}

RunHost::RunHost(const QString &id, const QString &folder, Devices devices, QObject *parent)
    : QObject(parent),
      m_folder(folder),
      m_devices(std::move(devices)),
      m_reader(std::make_unique<EventReader>(eventsPath(folder), 1)) {
    m_info.id = id;
    m_info.live = true;
    m_info.loss = std::numeric_limits<double>::quiet_NaN();
    m_restart.setSingleShot(true);
    m_restart.setInterval(0);
    connect(&m_restart, &QTimer::timeout, this, &RunHost::restart);
}

RunHost::~RunHost() = default;

void RunHost::start(const RunStart &start, QObject *context, Answer answer) {
    m_start = start;
    if (start.resumed) {
        m_info = *start.resumed;
        m_info.live = true;
        m_reader = std::make_unique<EventReader>(eventsPath(m_folder), m_info.lastSeq + 1);
    } else {
        m_info.only = onlyOf(start.request);  // also before its first event says so
    }
    launch(false, context, [self = QPointer(this), answer = std::move(answer)](const Result<QCborMap> &result) {
        if (self && result)
            self->m_accepted = true;
        else if (self && self->m_process)
            self->m_process->stop();
        if (self && !result && self->m_stopping && !self->m_interrupting)
            answer(stoppedBefore(self->id()));
        else
            answer(result);
    });
}

void RunHost::launch(bool again, QObject *context, Answer answer) {
    m_process.reset();
    const auto program = findProgram(QStringLiteral("hearth-coordinator"));
    if (!program) {
        answer(tl::unexpected(program.error()));
        return;
    }
    m_process = std::make_unique<ChildProcess>(sentence("The coordinator of run %1").arg(id()));
    connect(m_process.get(), &ChildProcess::ended, this, &RunHost::processEnded);
    m_process->start(*program, {QStringLiteral("--run"), m_folder});
    serve(m_process->rpc());

    QCborArray list;
    for (const DeviceInfo &device : m_devices())
        list.append(device.toCbor());
    QCborMap args;
    args[QStringLiteral("run")] = id();
    args[QStringLiteral("dir")] = m_folder;
    args[QStringLiteral("request")] = m_start.request;
    args[QStringLiteral("devices")] = list;
    args[QStringLiteral("again")] = again;
    args[QStringLiteral("resume")] = m_start.resumed.has_value();
    m_process->call(
        QStringLiteral("start"), args, startDeadline, context,
        [this, answer = std::move(answer)](const Result<QCborMap> &result) {
            if (result) {
                m_coordinator = (*result)[QStringLiteral("fingerprint")].toString();
                m_listening = true;
                for (const auto &[note, content] : std::exchange(m_waiting, {}))
                    tell(note, content);
                for (const auto &[question, reply] : std::exchange(m_questions, {}))
                    ask(question, reply);
            }
            answer(result);
        },
        Rpc::Bounds::Silence);
}

void RunHost::serve(Rpc *rpc) {
    rpc->handle(QStringLiteral("worker.start"), [this](const QCborMap &args, const Reply &reply) {
        Q_EMIT workerWanted(args[QStringLiteral("device")].toString(), reply);
    });
    rpc->onNotify(QStringLiteral("worker.stop"),
                  [this](const QCborMap &args) { Q_EMIT workerUnwanted(args[QStringLiteral("device")].toString()); });
    rpc->handle(QStringLiteral("holder.start"), [this](const QCborMap &args, const Reply &reply) {
        Q_EMIT holderWanted(args[QStringLiteral("device")].toString(), reply);
    });
    rpc->onNotify(QStringLiteral("holder.stop"),
                  [this](const QCborMap &args) { Q_EMIT holderUnwanted(args[QStringLiteral("device")].toString()); });
    rpc->onNotify(QStringLiteral("event"), [this](const QCborMap &) { follow(); });
}

void RunHost::tell(const QString &note, const QCborMap &args) {
    if (m_listening && m_process->isRunning()) {
        m_process->rpc()->notify(note, args);
        return;
    }
    std::erase_if(m_waiting, [&](const auto &waiting) { return isOutdatedBy(note, args, waiting); });
    m_waiting.emplace_back(note, args);
}

void RunHost::command(const QCborMap &command) {
    tell(QStringLiteral("command"), command);
}

void RunHost::ask(const QCborMap &question, const Reply &reply) {
    if (!m_listening) {
        m_questions.emplace_back(question, reply);
        return;
    }
    m_process->call(QStringLiteral("ask"), question, answerDeadline, this,
                    [this, question, reply, process = QPointer(m_process.get())](const Result<QCborMap> &answer) {
                        const bool hasDied = !process || process->end();
                        if (answer)
                            reply.ok(*answer);
                        else if (hasDied && m_info.live)
                            ask(question, reply);
                        else
                            reply.fail(answer.error());
                    });
}

void RunHost::tellExited(const QString &kind, const QString &device, const Error &reason) {
    QCborMap args = named(device);
    args[QStringLiteral("error")] = reason.toCbor();
    tell(kind + QStringLiteral(".exited"), args);
}

void RunHost::tellDeviceChanged(const DeviceInfo &device) {
    tell(QStringLiteral("device.changed"), device.toCbor());
}

void RunHost::tellDeviceRemoved(const QString &device) {
    tell(QStringLiteral("device.removed"), named(device));
}

void RunHost::tellPlacesSeen(const QString &device, const QCborMap &places) {
    QCborMap args = named(device);
    args[QStringLiteral("sees")] = placesOfAHome(places);
    tell(QStringLiteral("worker.sees"), args);
}

void RunHost::stop() {
    m_stopping = true;
    if (m_restart.isActive()) {
        m_restart.stop();
        finish(m_lastEnd);
    } else if (m_process) {
        m_process->stop();
    }
}

bool RunHost::waitForEnd(std::chrono::milliseconds deadline) {
    return !m_process || m_process->waitForEnd(deadline);
}

void RunHost::follow() {
    constexpr qint64 chunk = 256 << 10;
    const QString before = m_info.state;
    for (QByteArrayList lines = m_reader->next(chunk); !lines.isEmpty(); lines = m_reader->next(chunk)) {
        for (const QByteArray &line : lines)
            applyEvent(m_info, line);
    }
    Q_EMIT grew();
    if (m_info.state != before)
        Q_EMIT stateChanged(m_info.state);
}

void RunHost::processEnded(const Error &reason) {
    m_listening = false;
    follow();
    m_lastEnd = reason;
    const bool gaveUp = m_stopping || m_refusal || m_process->ownReason();
    if (m_accepted && !isFinalState(m_info.state) && !gaveUp && mayRestart())
        m_restart.start();
    else
        finish(reason);
}

bool RunHost::mayRestart() {
    const auto now = std::chrono::steady_clock::now();
    while (!m_restarts.empty() && now - m_restarts.front() > m_restartWindow)
        m_restarts.pop_front();
    return m_restarts.size() < maximumRestarts;
}

void RunHost::restart() {
    m_restarts.push_back(std::chrono::steady_clock::now());
    qCWarning(runLog, "The coordinator of run %s is started again: %s", qUtf8Printable(id()),
              qUtf8Printable(m_lastEnd.toString()));
    launch(true, this, [this](const Result<QCborMap> &result) {
        if (result || (m_process && m_process->end()))
            return;  // one that died while it started is counted with its end
        refused(result.error());
    });
}

void RunHost::refused(const Error &reason) {
    m_refusal = reason;
    if (m_process)
        m_process->stop();
    else
        finish(reason);
}

void RunHost::finish(const Error &end) {
    const Error reason = m_refusal.value_or(end);
    // One that never took the run has told its error to the caller, and there is no run to close.
    if (m_accepted && !isFinalState(m_info.state)) {
        // It may have been stopped in the moment in which its coordinator took it.
        const auto closed = m_interrupting ? closeRun(m_folder, std::nullopt, QStringLiteral("interrupted"))
                            : m_stopping   ? closeRun(m_folder, std::nullopt, QStringLiteral("stopped"))
                                           : closeRun(m_folder, reason, QStringLiteral("failed"));
        if (!closed)
            qCWarning(runLog, "%s", qUtf8Printable(closed.error().toString()));
        follow();
        if (!closed && !isFinalState(m_info.state)) {
            m_info.state = QStringLiteral("failed");
            Q_EMIT stateChanged(m_info.state);
        }
    }
    // The workers of this run end now; the key they knew has no use any more.
    if (m_accepted)
        QFile::remove(m_folder + QStringLiteral("/coordinator.pem"));
    m_info.live = false;
    for (const auto &[question, reply] : std::exchange(m_questions, {}))
        reply.fail(reason);
    if (m_accepted)
        Q_EMIT ended();
}

}  // namespace hearth
