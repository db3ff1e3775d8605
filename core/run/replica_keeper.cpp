#include "core/run/replica_keeper.h"

#include <algorithm>

#include "core/base/number_text.h"
#include "core/base/sentence_list.h"
#include "core/plan/gradient_codec.h"
#include "core/plan/replay/layer_moves.h"
#include "core/run/deploy.h"
#include "core/run/fitting_plan.h"

namespace hearth {

ReplicaKeeper::ReplicaKeeper(const RunRequest &request, qint64 rounds, Membership &membership, CheckpointFolder &folder,
                             RunLog &log, const RunDeadlines &deadlines, QObject *parent)
    : QObject(parent),
      m_request(request),
      m_total(rounds),
      m_membership(membership),
      m_folder(folder),
      m_log(log),
      m_deadlines(deadlines) {}

StateLayers ReplicaKeeper::layers() const {
    return stateLayersOf(m_request.model, dtypeOf(m_request.job.precision), m_request.job.state());
}

void ReplicaKeeper::halt() {
    m_wantsCheckpoint |= m_collecting != nullptr;
    m_collecting.reset();
    m_isSettled = false;
}

void ReplicaKeeper::planCopies(const PlanningProblem &present, const Plan &plan) {
    m_lacksHolder = false;
    const CostModel model(present);
    m_replication = replicationFor(model, plan, m_request.safety.replication);
    m_facts = replicationFacts(model, plan, m_replication);
    const bool rounds = std::ranges::any_of(plan.stages, [&](const PlanStage &stage) {
        return GradientCodec::isUsed(*m_request.job.gradientCodec, stage.shares.size());
    });
    m_step = rounds ? GradientCodec::exactEvery : 1;
    chooseIntervals();
}

void ReplicaKeeper::chooseIntervals() {
    ReplicationRule rule;
    rule.step = m_step;
    rule.secondsBetweenLosses = m_losses.secondsBetween(m_log.seconds());
    m_intervals = replicationIntervals(m_facts, m_request.safety.replication, rule);
}

QString ReplicaKeeper::namesOf(const QStringList &devices) const {
    QStringList names;
    for (const QString &device : devices) {
        const DeviceInfo *known = m_membership.device(device);
        names << (known ? known->name : device);
    }
    return names.join(QLatin1String(", "));
}

bool ReplicaKeeper::tellCopies(bool areOthers) {
    const bool isWanted = areOthers && m_request.safety.replication != ReplicationMode::Off;
    const QStringList unprotected = isWanted ? m_replication.unprotected : QStringList();
    if (std::exchange(m_toldUnprotected, unprotected) != unprotected && !unprotected.isEmpty() &&
        !m_log.record(event::Warning{sentence("Nobody keeps a copy of what %1 computes.").arg(namesOf(unprotected)),
                                     sentence("No other device with room for it can be reached from there."),
                                     sentence("If it is lost, the run goes on from the newest version on the disk.")}))
        return false;
    const QStringList tight = m_replication.shortOfMemory;
    if (std::exchange(m_toldTight, tight) == tight || tight.isEmpty())
        return true;
    QList<Sentence> needs;
    for (const QString &device : tight) {
        const qint64 bytes = m_replication.snapshotBytes.value(device) + m_replication.holderBytes.value(device);
        needs << sentence("%1 up to %2").arg(namesOf({device}), countedBytes(bytes));
    }
    return m_log.record(
        event::Warning{sentence("The memory of %1 may not do for the versions that a run keeps.").arg(namesOf(tight)),
                       sentence("Beside its part of the plan, each takes at worst: %1.").arg(listed(needs, "; ")),
                       sentence("Add a device, or give these more memory.")});
}

void ReplicaKeeper::begin(quint32 term, const Plan &plan, qint64 completed) {
    m_term = term;
    m_book = StateBook(deploymentStages(plan), m_replication.backups, std::nullopt);
    m_next = completed + 1;  // whoever is new has no copies yet
    m_exact = completed;
    // What was on the disk may not count under this plan.
    if (const auto there = static_cast<qint64>(m_folder.version()); !m_folder.isWriting() && there < m_lastVersion) {
        m_lastVersion = there;
        m_wantsCheckpoint = true;
    }
}

void ReplicaKeeper::stored(const QString &holder, const StoredBackup &copy) {
    const auto whole = m_book.backedUp(holder, copy.firstLayer, copy.lastLayer, copy.version);
    if (whole && m_log.record(event::Replica{whole->holder, whole->stage, copy.version}))
        takeCompleted();
}

void ReplicaKeeper::proceed(const std::vector<WorkerSession *> &members, qint64 done, qint64 begun,
                            double roundSeconds) {
    m_roundSeconds = roundSeconds;
    takeCompleted();
    ask(members, done, begun);
}

void ReplicaKeeper::takeCompleted() {
    if (!m_book.takeCompleted())
        return;
    const QCborMap committed{{QStringLiteral("version"), static_cast<qint64>(*m_book.complete())}};
    for (WorkerSession *worker : m_membership.workers())
        worker->notify(QStringLiteral("commit"), committed);
    const SafetyOptions &wanted = m_request.safety;
    const qint64 rounds = static_cast<qint64>(*m_book.complete()) - m_lastVersion;
    const bool isDue = (wanted.checkpointSeconds > 0 && m_log.seconds() - m_lastCheckpoint >= checkpointPause()) ||
                       (wanted.checkpointRounds > 0 && rounds >= wanted.checkpointRounds);
    // On a full disk only one that a person wants, or that the run needs after a change, may take what is left.
    if ((m_wantsCheckpoint || (isDue && !m_log.isShortOfSpace())) && m_isSettled)
        collectCheckpoint();
}

/// A version that no round has begun to make, so that every worker hears of it before.
void ReplicaKeeper::ask(const std::vector<WorkerSession *> &members, qint64 done, qint64 begun) {
    if (m_request.makesNoRound() || m_collecting || !m_isSettled)
        return;
    if (const auto given = m_book.giveUpLate(static_cast<quint64>(done), static_cast<quint64>(interval()))) {
        m_next = done;
        tellLate(*given);
    }
    if (m_book.wanted() || done < m_next)
        return;
    const qint64 version = (std::max(begun, done) / m_step + 1) * m_step;
    if (version > m_total)
        return;
    m_book.ask(static_cast<quint64>(version));
    chooseIntervals();
    m_next = version + interval();
    if (m_request.safety.checkpointRounds > 0)
        m_next = std::min(m_next, std::max(version, m_lastVersion) + m_request.safety.checkpointRounds);
    const QCborMap wanted{{QStringLiteral("version"), version},
                          {QStringLiteral("spread_ms"), static_cast<qint64>(spread().count())}};
    for (WorkerSession *worker : members)
        worker->notify(QStringLiteral("keep"), wanted);
}

qint64 ReplicaKeeper::wholeAfter(const std::vector<WorkerSession *> &members, qint64 begun) {
    const qint64 version = isWhole(begun) ? begun : begun + 1;
    makeWhole(members, version);
    return version;
}

void ReplicaKeeper::makeWhole(const std::vector<WorkerSession *> &members, qint64 version) {
    if (isWhole(version))
        return;
    m_exact = version;
    for (WorkerSession *worker : members)
        worker->notify(QStringLiteral("exact"), {{QStringLiteral("version"), m_exact}});
}

/// Once: each further one waits longer before it is given up.
void ReplicaKeeper::tellLate(const StateBook::GivenUp &given) {
    if (given.lateHolders.isEmpty() || std::exchange(m_toldLate, true))
        return;
    m_log.warn({QStringLiteral("run.copies-late"),
                sentence("Copies of version %1 did not arrive in time.").arg(given.version),
                sentence("They were on their way to %1.").arg(namesOf(given.lateHolders)),
                sentence("The run tries again with a newer version and waits longer. Check the network to this device: "
                         "until copies arrive, a lost device costs more rounds.")});
}

/// A part of the time until the next version is wanted: what copies may cost in all that time they then cost few rounds
/// several times over, which is still not to be noticed in any of them.
std::chrono::milliseconds ReplicaKeeper::spread() const {
    constexpr double part = 0.5, mostSeconds = 20;
    const double seconds = part * interval() * m_roundSeconds;
    return std::chrono::milliseconds(static_cast<qint64>(1000 * std::min(seconds, mostSeconds)));
}

/// Small states are written more often: they are all that is left when everybody else is gone. A checkpoint crosses the
/// network like a copy and may cost as much: about 1 % of a small device.
double ReplicaKeeper::checkpointPause() const {
    constexpr double bytesPerSecond = 5e5, shortest = 5;
    double bytes = 0;
    for (const StateLayer &layer : layers())
        bytes += static_cast<double>(layer.bytes);
    return std::min(m_request.safety.checkpointSeconds, std::max(shortest, bytes / bytesPerSecond));
}

/// Of the version that is complete: nobody drops it before another one is asked for, and that waits for this.
void ReplicaKeeper::collectCheckpoint() {
    const quint64 version = *m_book.complete();
    const auto from = sourcesOf(layers(), version, m_book.holders(), m_request.dataDevice);
    if (!from || m_collecting || m_folder.isWriting())
        return;
    m_wantsCheckpoint = false;
    m_lastCheckpoint = m_log.seconds();
    m_lastVersion = static_cast<qint64>(version);
    m_collecting.reset(new StateCollector(layers(), version, m_term, m_deadlines));
    m_collecting->setSpread(spread());
    connect(m_collecting.get(), &StateCollector::failed, this, [this](const Error &error) {
        m_collecting.reset();
        m_log.warn(error, sentence("The next checkpoint is tried as usual."));
    });
    connect(m_collecting.get(), &StateCollector::finished, this, [this, version] {
        const LayerStates taken = m_collecting->takeStates();
        m_collecting.reset();
        m_folder.write(version, taken);
    });
    m_collecting->start(m_membership.workers(), *from);
}

}  // namespace hearth
