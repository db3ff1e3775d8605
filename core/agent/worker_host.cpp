#include "core/agent/worker_host.h"

#include <algorithm>
#include <utility>

#include "core/agent/programs.h"
#include "core/run/files/event_file.h"

namespace hearth {
namespace {

// Plans know within so much what a worker takes.
constexpr double tolerance = 1.15;

Error stoppedError() {
    return {QStringLiteral("worker.stopped"), sentence("The worker was stopped before it began."), {}, {}};
}

Error onProcessorInstead(const QString &device, const Error &reason) {
    return {QStringLiteral("worker.card-failed"),
            sentence("%1 computes on its processor in this run, not on its graphics card.").arg(device),
            Sentence::joined({reason.what, reason.cause}),
            sentence("Check the card's driver there. The next run tries the card again.")};
}

}  // namespace

WorkerHost::WorkerHost(WorkerSettings settings, QObject *parent) : QObject(parent), m_settings(std::move(settings)) {}

WorkerHost::~WorkerHost() = default;

void WorkerHost::takeStarts() {
    m_held = false;
    for (const auto &[run, next] : std::exchange(m_waiting, {})) {
        if (next.context)
            begin(run, next);
    }
}

std::vector<qint64> WorkerHost::cardPids() const {
    std::vector<qint64> pids;
    for (const auto &[run, worker] : m_workers) {
        if (worker.starting)
            pids.push_back(worker.process->pid());
    }
    return pids;
}

void WorkerHost::tellCard(const CardLoad &load) {
    for (const auto &[run, worker] : m_workers) {
        if (worker.starting && worker.process->isRunning())
            worker.process->rpc()->notify(QStringLiteral("card"), QCborMap::fromJsonObject(load.toJson()));
    }
}

void WorkerHost::setCardTrouble(const Sentence &trouble) {
    if (trouble == m_cardTrouble)
        return;
    m_cardTrouble = trouble;
    Q_EMIT cardTroubleChanged();
}

void WorkerHost::setPorts(quint16 first, quint16 last) {
    m_settings.firstPort = first;
    m_settings.lastPort = last;
}

void WorkerHost::start(const QString &run, const QString &coordinator, const QString &owner, QObject *context,
                       Answer answer) {
    if (!isRunId(run)) {
        answer(fail(QStringLiteral("worker.bad-run"), sentence("This is no name of a run.")));
        return;
    }
    if (const auto known = Fingerprint::fromHex(coordinator); !known || known->isNull()) {
        answer(fail(QStringLiteral("worker.no-coordinator"), sentence("A worker needs a coordinator's key.")));
        return;
    }
    m_waiting.emplace_back(run, Next{coordinator, owner, context, std::move(answer)});
    if (!m_held && !isBusy())
        Q_EMIT wanted();
    if (!m_held)
        takeStarts();
}

void WorkerHost::begin(const QString &run, const Next &next) {
    if (const auto old = m_workers.find(run); old != m_workers.end()) {
        if (old->second.owner != next.owner) {
            next.answer(fail(QStringLiteral("worker.other-owner"),
                             sentence("The worker of this run belongs to another device.")));
            return;
        }
        // The newer start is from a coordinator that took the run up again.
        cancel(old->second.next,
               {QStringLiteral("worker.replaced"), sentence("Another start of this worker took the place."), {}, {}});
        old->second.next = next;
        old->second.process->kill();
        return;
    }
    if (m_workers.size() >= maximumWorkers) {
        next.answer(fail(QStringLiteral("worker.too-many"),
                         sentence("%1 works for %2 runs already.").arg(m_settings.deviceName).arg(maximumWorkers),
                         QString(), sentence("Stop one of them, or choose other devices with --devices.")));
        return;
    }
    if (next.owner != localOwner() && countOf(next.owner) >= maximumOfOther) {
        next.answer(fail(
            QStringLiteral("worker.too-many"),
            sentence("%1 works for %2 runs of this device already.").arg(m_settings.deviceName).arg(maximumOfOther),
            QString(), sentence("Stop one of them, or choose other devices with --devices.")));
        return;
    }
    const bool wasBusy = isBusy();
    if (launch(run, next) && !wasBusy)
        Q_EMIT busyChanged();
}

bool WorkerHost::launch(const QString &run, const Next &next, const std::optional<Error> &cardFailed) {
    const WorkerShare &share = m_settings.share;
    const bool onCard = share.card && !cardFailed;
    const auto program = onCard ? Result<QString>(share.card->program) : findProgram(QStringLiteral("hearth-worker"));
    if (!program) {
        next.answer(tl::unexpected(program.error()));
        return false;
    }
    Worker &worker = m_workers[run];
    worker.owner = next.owner;
    const auto starting = onCard ? std::make_shared<Starting>(Starting{next}) : nullptr;
    worker.starting = starting;
    worker.process = std::make_unique<ChildProcess>(sentence("The worker on %1").arg(m_settings.deviceName));
    ChildProcess *process = worker.process.get();
    connect(process, &ChildProcess::ended, this,
            [this, run, process](const Error &reason) { workerEnded(run, process, reason); });
    const bool own = next.owner == localOwner();
    const qint64 memory = own ? share.memoryBytes : share.memoryForOthers;
    if (share.enforceMemory)
        process->limitMemory(static_cast<qint64>(tolerance * static_cast<double>(memory)));
    // Threads that wait for one another leave the processor to others; the libraries read this before main(). The
    // second is OpenBLAS's own, as a power of two of clock ticks.
    process->setDefault(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("passive"));
    process->setDefault(QStringLiteral("OPENBLAS_THREAD_TIMEOUT"), QStringLiteral("4"));
    const bool trusts = m_settings.trustsFabric || own;
    QStringList arguments{
        QStringLiteral("--run"),     run,
        QStringLiteral("--threads"), QString::number(share.threads),
        QStringLiteral("--memory"),  QString::number(onCard ? share.cardBytes : memory),
        QStringLiteral("--listen"),  m_settings.listenHost,
        QStringLiteral("--ports"),   QStringLiteral("%1-%2").arg(m_settings.firstPort).arg(m_settings.lastPort)};
    if (trusts)
        arguments << QStringLiteral("--trusted-fabric");
    if (onCard)
        arguments << QStringLiteral("--card") << QString::number(share.card->index);
    process->start(*program, arguments);
    QCborMap args;
    args[QStringLiteral("run")] = run;
    args[QStringLiteral("coordinator")] = next.coordinator;
    const auto left = std::max(std::chrono::milliseconds(1), std::chrono::milliseconds(next.deadline.remainingTime()));
    process->call(QStringLiteral("start"), args, left, next.context,
                  [this, answer = next.answer, pid = process->pid(), starting, cardFailed](Result<QCborMap> result) {
                      if (starting && std::exchange(starting->over, true))
                          return;
                      if (result) {
                          (*result)[QStringLiteral("pid")] = pid;
                          if (starting)
                              setCardTrouble({});
                          if (cardFailed)
                              (*result)[QStringLiteral("warning")] = cardFailed->toCbor();
                      }
                      answer(result);
                  });
    return true;
}

void WorkerHost::workerEnded(const QString &run, ChildProcess *process, const Error &reason) {
    const auto at = m_workers.find(run);
    if (at == m_workers.end() || at->second.process.get() != process)
        return;
    const bool requested = process->end() && process->end()->requested;
    const QString owner = at->second.owner;
    const std::optional<Next> next = std::move(at->second.next);
    const std::shared_ptr<Starting> starting = at->second.starting;
    at->second.process.release()->deleteLater();  // we are inside its signal
    m_workers.erase(at);
    if (next && next->context && launch(run, *next))
        return;
    if (!next && starting && !starting->over && !requested && starting->next.context) {
        starting->over = true;
        const Error failed = onProcessorInstead(m_settings.deviceName, reason);
        setCardTrouble(failed.cause);
        if (launch(run, starting->next, failed))
            return;
    }
    Q_EMIT exited(run, owner, reason, requested);
    if (!isBusy())
        Q_EMIT busyChanged();
}

void WorkerHost::cancel(std::optional<Next> &next, const Error &reason) {
    const std::optional<Next> cancelled = std::exchange(next, std::nullopt);
    if (cancelled && cancelled->context)
        cancelled->answer(tl::unexpected(reason));
}

void WorkerHost::cancelWaiting(const std::function<bool(const QString &run, const Next &next)> &which) {
    std::erase_if(m_waiting, [&](const auto &waiting) {
        if (!which(waiting.first, waiting.second))
            return false;
        if (waiting.second.context)
            waiting.second.answer(tl::unexpected(stoppedError()));
        return true;
    });
}

int WorkerHost::countForeign() const {
    return static_cast<int>(m_workers.size() - countOf(localOwner()));
}

std::size_t WorkerHost::countOf(const QString &owner) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(m_workers, [&](const auto &each) { return each.second.owner == owner; }));
}

void WorkerHost::stop(const QString &run, const QString &owner) {
    cancelWaiting([&](const QString &waiting, const Next &next) { return waiting == run && next.owner == owner; });
    const auto at = m_workers.find(run);
    if (at == m_workers.end() || at->second.owner != owner)
        return;
    cancel(at->second.next, stoppedError());
    at->second.process->stop();
}

void WorkerHost::stopAllOf(const QString &owner) {
    cancelWaiting([&](const QString &, const Next &next) { return next.owner == owner; });
    for (auto &[run, worker] : m_workers) {
        if (worker.owner != owner)
            continue;
        cancel(worker.next, stoppedError());
        // Without the grace of a polite end: who asked for it has no say here any more.
        worker.process->kill();
    }
}

void WorkerHost::stopAll() {
    cancelWaiting([](const QString &, const Next &) { return true; });
    for (auto &[run, worker] : m_workers) {
        cancel(worker.next, stoppedError());
        worker.process->stop();
    }
}

void WorkerHost::waitForEnd(std::chrono::milliseconds deadline) {
    const QDeadlineTimer timer(deadline);
    // Each wait handles the end of that child, which takes it out of the map.
    while (!m_workers.empty()) {
        ChildProcess *process = m_workers.begin()->second.process.get();
        const auto left = std::max(std::chrono::milliseconds(1), std::chrono::milliseconds(timer.remainingTime()));
        if (!process->waitForEnd(left)) {
            process->kill();
            process->waitForEnd(std::chrono::milliseconds(500));
        }
        if (!m_workers.empty() && m_workers.begin()->second.process.get() == process)
            m_workers.erase(m_workers.begin());
    }
}

}  // namespace hearth
