#include "core/agent/process_host.h"

#include <algorithm>

#include "core/run/files/event_file.h"
#include "core/wire/identity.h"

namespace hearth {

ProcessHost::ProcessHost(QString kind, ProcessSettings settings, QObject *parent)
    : QObject(parent), m_kind(std::move(kind)), m_settings(std::move(settings)) {}

ProcessHost::~ProcessHost() = default;

Error ProcessHost::error(const char *code, const Sentence &what, const Sentence &advice) const {
    return {m_kind + QLatin1Char('.') + QLatin1String(code), what, {}, advice};
}

Error ProcessHost::stoppedError() const {
    return error("stopped", sentence("It was stopped before it began."));
}

void ProcessHost::setPorts(quint16 first, quint16 last) {
    m_settings.firstPort = first;
    m_settings.lastPort = last;
}

void ProcessHost::takeStarts() {
    m_held = false;
    for (const auto &[run, start] : std::exchange(m_waiting, {})) {
        if (start.context)
            take(run, start);
    }
}

void ProcessHost::start(const QString &run, const QString &coordinator, const QString &owner, QObject *context,
                        Answer answer) {
    if (!isRunId(run)) {
        answer(tl::unexpected(error("bad-run", sentence("This is no name of a run."))));
        return;
    }
    if (const auto known = Fingerprint::fromHex(coordinator); !known || known->isNull()) {
        answer(tl::unexpected(error("no-coordinator", sentence("The key of the run's coordinator is missing."))));
        return;
    }
    m_waiting.emplace_back(run, Start{coordinator, owner, context, std::move(answer)});
    if (!m_held && !isBusy())
        Q_EMIT wanted();
    if (!m_held)
        takeStarts();
}

void ProcessHost::take(const QString &run, const Start &start) {
    if (const auto old = m_processes.find(run); old != m_processes.end()) {
        if (old->second.owner != start.owner) {
            start.answer(tl::unexpected(error("other-owner", sentence("This run belongs to another device."))));
            return;
        }
        // The newer start is from a coordinator that took the run up again.
        cancel(old->second.next, error("replaced", sentence("Another start for this run took the place.")));
        old->second.next = start;
        old->second.child->kill();
        return;
    }
    if (auto room = mustHaveRoom(start.owner); !room) {
        start.answer(tl::unexpected(room.error()));
        return;
    }
    const bool wasBusy = isBusy();
    if (!launch(run, start))
        return;
    Q_EMIT launched();
    if (!wasBusy)
        Q_EMIT busyChanged();
}

Result<void> ProcessHost::mustHaveRoom(const QString &owner) const {
    const Sentence advice = sentence("Stop one of them, or choose other devices with --devices.");
    if (m_processes.size() >= maximum) {
        return tl::unexpected(error(
            "too-many", sentence("%1 works for %2 runs already.").arg(m_settings.deviceName).arg(maximum), advice));
    }
    if (owner != localOwner() && countOf(owner) >= maximumOfOther) {
        return tl::unexpected(error(
            "too-many",
            sentence("%1 works for %2 runs of this device already.").arg(m_settings.deviceName).arg(maximumOfOther),
            advice));
    }
    return {};
}

void ProcessHost::begin(const QString &run, const Start &start, std::unique_ptr<ChildProcess> process,
                        const QString &program, const QStringList &arguments, Answer answer) {
    Process &entry = m_processes[run];
    entry.owner = start.owner;
    entry.child = std::move(process);
    ChildProcess *child = entry.child.get();
    connect(child, &ChildProcess::ended, this, [this, run, child](const Error &reason) { ended(run, child, reason); });
    child->start(program, arguments);
    QCborMap args;
    args[QStringLiteral("run")] = run;
    args[QStringLiteral("coordinator")] = start.coordinator;
    const auto left = std::max(std::chrono::milliseconds(1), std::chrono::milliseconds(start.deadline.remainingTime()));
    child->call(QStringLiteral("start"), args, left, start.context,
                [answer = std::move(answer), pid = child->pid()](Result<QCborMap> result) {
                    if (result)
                        (*result)[QStringLiteral("pid")] = pid;
                    answer(result);
                });
}

QStringList ProcessHost::argumentsFor(const QString &run) const {
    return {QStringLiteral("--run"),    run,
            QStringLiteral("--listen"), m_settings.listenHost,
            QStringLiteral("--ports"),  QStringLiteral("%1-%2").arg(m_settings.firstPort).arg(m_settings.lastPort)};
}

ChildProcess *ProcessHost::process(const QString &run) const {
    const auto at = m_processes.find(run);
    return at != m_processes.end() ? at->second.child.get() : nullptr;
}

void ProcessHost::ended(const QString &run, ChildProcess *child, const Error &reason) {
    const auto at = m_processes.find(run);
    if (at == m_processes.end() || at->second.child.get() != child)
        return;
    const bool requested = child->end() && child->end()->requested;
    const QString owner = at->second.owner;
    const std::optional<Start> next = std::move(at->second.next);
    at->second.child.release()->deleteLater();  // we are inside its signal
    m_processes.erase(at);
    if (next && next->context && launch(run, *next))
        return;
    tellExit(run, owner, reason, requested);
}

void ProcessHost::tellExit(const QString &run, const QString &owner, const Error &reason, bool requested) {
    Q_EMIT exited(run, owner, reason, requested);
    if (!isBusy())
        Q_EMIT busyChanged();
}

void ProcessHost::cancel(std::optional<Start> &start, const Error &reason) {
    const std::optional<Start> cancelled = std::exchange(start, std::nullopt);
    if (cancelled && cancelled->context)
        cancelled->answer(tl::unexpected(reason));
}

void ProcessHost::cancelWaiting(const std::function<bool(const QString &run, const Start &start)> &which) {
    std::erase_if(m_waiting, [&](const auto &waiting) {
        if (!which(waiting.first, waiting.second))
            return false;
        if (waiting.second.context)
            waiting.second.answer(tl::unexpected(stoppedError()));
        return true;
    });
}

int ProcessHost::countForeign() const {
    return static_cast<int>(m_processes.size() - countOf(localOwner()));
}

std::size_t ProcessHost::countOf(const QString &owner) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(m_processes, [&](const auto &each) { return each.second.owner == owner; }));
}

void ProcessHost::stop(const QString &run, const QString &owner) {
    cancelWaiting([&](const QString &waiting, const Start &start) { return waiting == run && start.owner == owner; });
    const auto at = m_processes.find(run);
    if (at == m_processes.end() || at->second.owner != owner)
        return;
    cancel(at->second.next, stoppedError());
    at->second.child->stop();
}

void ProcessHost::stopAllOf(const QString &owner) {
    cancelWaiting([&](const QString &, const Start &start) { return start.owner == owner; });
    for (auto &[run, process] : m_processes) {
        if (process.owner != owner)
            continue;
        cancel(process.next, stoppedError());
        // Without the grace of a polite end: who asked for it has no say here any more.
        process.child->kill();
    }
}

void ProcessHost::stopAll() {
    cancelWaiting([](const QString &, const Start &) { return true; });
    for (auto &[run, process] : m_processes) {
        cancel(process.next, stoppedError());
        process.child->stop();
    }
}

void ProcessHost::waitForEnd(std::chrono::milliseconds deadline) {
    const QDeadlineTimer timer(deadline);
    // Each wait handles the end of that child, which takes it out of the map.
    while (!m_processes.empty()) {
        ChildProcess *child = m_processes.begin()->second.child.get();
        const auto left = std::max(std::chrono::milliseconds(1), std::chrono::milliseconds(timer.remainingTime()));
        if (!child->waitForEnd(left)) {
            child->kill();
            child->waitForEnd(std::chrono::milliseconds(500));
        }
        if (!m_processes.empty() && m_processes.begin()->second.child.get() == child)
            m_processes.erase(m_processes.begin());
    }
}

}  // namespace hearth
