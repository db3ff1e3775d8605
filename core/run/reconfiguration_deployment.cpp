// A chosen plan becomes the one in force: states move, stages are built, the first round is done.
#include <algorithm>

#include "core/plan/explain/resting.h"
#include "core/plan/gradient_codec.h"
#include "core/run/fabric_choice.h"
#include "core/run/plan_run.h"
#include "core/run/reconfiguration.h"

namespace hearth {
namespace {

/// Deployments that fail for one cause after the other before the run gives up.
constexpr int mostAttempts = 6;

/// Nothing where every group rounds its gradients, as was asked, or none should.
std::optional<Error> largestExact(const Deployment &deployment) {
    std::size_t largest = 0;
    for (const Deployment::Stage &stage : deployment.stages)
        largest = std::max(largest, stage.members.size());
    if (deployment.gradientCodec == &noCodec() || largest <= GradientCodec::mostMembers)
        return std::nullopt;
    return Error{QStringLiteral("run.gradients-exact"),
                 sentence("A group of %1 devices does not round its gradients.").arg(largest),
                 sentence("Every member sends its own to all others: among more than %1 that is more than an exact sum "
                          "takes.")
                     .arg(GradientCodec::mostMembers),
                 sentence("Choose a plan with smaller groups if the links are slow.")};
}

}  // namespace

bool Reconfiguration::beginFirst(const QString &reason) {
    m_change = {};
    m_change.cause.reason = reason;
    m_change.from = {m_folder.version(), true};
    m_change.since = m_change.planned = m_run.log.seconds();
    m_step = Step::Planning;
    return announce();
}

bool Reconfiguration::announce() {
    const auto save = [this](const char *name, const QJsonObject &json) {
        auto saved = m_run.directory.saveJson(QString::fromLatin1(name).arg(m_current.term()), json);
        if (!saved)
            Q_EMIT failed(saved.error());
        return saved.has_value();
    };
    const bool isDisturbed = m_change.cause.isDisturbed;
    const Plan &plan = m_current.plan();
    // What it is judged by, with the drift and the newcomers that are known by now; after a loss nobody waits for that.
    if (!isDisturbed && !save("problem-%1.json", asJudged(m_replanner.atPresent(), plan).toJson()))
        return false;
    const QJsonObject json = plan.toJson();
    if (!save("plan-%1.json", json))
        return false;
    m_announced = m_current.term();
    event::Plan told{m_current.term(), static_cast<qint64>(m_change.from.version) + 1, json, m_change.cause.reason,
                     m_change.cause.why};
    // After a loss nobody waits for that either.
    if (!isDisturbed || m_current.term() == 1) {
        const PlanningProblem present = m_replanner.ofPresent();
        told.resting = costOfWork(CostModel(present), plan);
    }
    return m_run.log.record(told);
}

/// Nothing where the plan cannot be deployed as things are: another step has begun then, or the run has failed.
std::optional<Deployment> Reconfiguration::prepare() {
    if (isLost(m_change.from))
        return std::nullopt;
    const quint64 version = m_change.from.version;
    const Membership &members = m_run.membership;
    const auto key = [&](const QString &device) { return members.session(device)->address().fingerprint.toHex(); };
    const RunRequest &request = m_run.request;
    Deployment wanted = deploymentOf(m_current.plan(), members.workers());
    wanted.run = request.id;
    wanted.term = m_current.term();
    wanted.firstRound = static_cast<quint32>(version) + 1;
    m_guard.fill(wanted);
    wanted.coordinator = m_run.connector.fingerprint().toHex();
    wanted.model = request.model.toJson();
    wanted.training = request.job.training(std::max<qint64>(m_run.total, 1));
    wanted.gradientCodec = request.job.gradientCodec;
    wanted.input = m_run.inputs.input;
    wanted.sampleTypes = m_run.inputs.sampleTypes;
    wanted.trace = m_current.isTraced();
    wanted.weightsStreamed = !m_run.inputs.weights.empty();
    wanted.fabricDeadlineMs = static_cast<int>(m_run.deadlines.fabric.count());
    // The initial weights are nobody's state: every owner makes or gets them anew.
    if (!(m_change.from.fromDisk && version == 0)) {
        const auto here = m_here.empty() ? std::nullopt : std::optional(m_hereVersion);
        const auto moves = movesFor(m_replicas.layers(), version, deploymentStages(m_current.plan()), m_change.held,
                                    here, m_replanner.linkRates());
        if (!moves) {
            // Two that do not reach each other are both reached from here.
            if (!here && moves.error().code == QLatin1String("recovery.unreachable")) {
                m_change.cause.plan = m_current.plan();
                gather();
            } else {
                awaitDevices(moves.error());
            }
            return std::nullopt;
        }
        wanted.statesHeld = true;
        wanted.weightsStreamed = false;
        m_change.movedBytes = moves->bytes;
        for (const Deployment::Move &move : moves->moves)
            wanted.moves.push_back({move.layer, move.from.isEmpty() ? QString() : key(move.from), key(move.to)});
    }
    wanted.frozen = frozenIn(m_run.inputs.frozen, members.workers(), m_change.frozen);
    m_replicas.planCopies(m_replanner.ofPresent(), m_current.plan());
    for (Deployment::Backup backup : m_replicas.replication().backups) {
        backup.from = key(backup.from);
        backup.to = key(backup.to);
        wanted.backups.push_back(std::move(backup));
    }
    wanted.snapshotEvery = m_replicas.snapshotEvery();
    return wanted;
}

void Reconfiguration::deploy() {
    auto wanted = prepare();
    if (!wanted)
        return;
    m_step = Step::Deploying;
    if (auto valid = wanted->validate(); !valid) {
        Q_EMIT failed(valid.error());
        return;
    }
    if (!m_run.request.job.isSameAnywhere())
        m_current.origins().begin(m_current.term(), m_change.from.version);
    m_folder.setCourse(m_current.term(), m_current.origins());
    // The first plan was announced when it was made: it could be wanted for itself alone.
    if (m_announced != m_current.term() && !announce())
        return;
    if (auto saved = m_current.save(); !saved) {
        Q_EMIT failed(saved.error());
        return;
    }
    const auto here = static_cast<qsizetype>(m_run.membership.workers().size()) - m_replanner.absent().size();
    if (!m_replicas.tellCopies(here > 1))
        return;
    if (const auto exact = largestExact(*wanted); exact && !m_run.log.warn(*exact))
        return;
    for (const Error &warning : chooseFabrics(*wanted, m_run.request.fabric)) {
        if (!m_run.log.warn(warning))
            return;
    }
    m_current.setDeployment(std::move(*wanted));
    Q_EMIT deploys();
    startDeploying();
}

void Reconfiguration::startDeploying() {
    const bool isFresh = !m_current.deployment().statesHeld;
    std::vector<WorkerSession *> workers = m_run.membership.workers();
    // Without states only those with layers, or copies of layers, are needed.
    if (isFresh)
        std::erase_if(workers, [this](const WorkerSession *each) {
            return !m_current.hasLayers(*each) && !m_current.keepsCopies(*each);
        });
    m_deploying.reset(new Deploy(m_current.deployment(), m_run.deadlines));
    connect(m_deploying.get(), &Deploy::failed, this, &Reconfiguration::deployFailed);
    connect(m_deploying.get(), &Deploy::finished, this, [this] {
        m_change.deployed = m_run.log.seconds();
        m_change.move = std::clamp(m_deploying->moveSeconds(), 0.0, m_change.deployed - m_change.planned);
        m_deploying.reset();
        m_here.clear();
        releaseDrained();
        if (!m_run.log.isOpen())
            return;
        m_step = Step::FirstRound;
        Q_EMIT deployed(static_cast<qint64>(m_change.from.version));
    });
    m_deploying->start(workers, isFresh ? m_run.inputs.weights : std::vector<std::vector<NamedTensor>>(), m_here,
                       {m_run.inputs.frozen, m_replanner.linkRates(), m_run.request.dataDevice});
}

void Reconfiguration::releaseDrained() {
    Membership &members = m_run.membership;
    for (const QString &device : QSet<QString>(members.leaving().all())) {
        const WorkerSession *session = members.session(device);
        // Who asked to go while this plan was deployed goes with the next one.
        if (session && (m_current.hasLayers(*session) || m_current.keepsCopies(*session)))
            continue;
        members.leaving().end(device);
        if (!session)
            continue;
        members.remove(device, Departure::Released);
        if (!m_run.log.record(event::Left{device}))
            return;
    }
}

void Reconfiguration::deployFailed(const QString &device, const Error &error) {
    m_deploying.reset();
    const bool lacksMemory = isMemoryError(error);
    // What a plan takes by measurements cannot be helped. By a description it may take more than one thought.
    const bool isFirst = !m_rounds.hasBegun() && !m_change.cause.isDisturbed;
    if (++m_change.attempts >= mostAttempts || (lacksMemory && isFirst && !m_replanner.isGuess())) {
        Q_EMIT failed(error);
        return;
    }
    // A pending plan that cannot be deployed is dropped.
    if (m_change.cause.plan)
        m_change.cause.reason = QStringLiteral("replay");
    if (lacksMemory) {
        m_replanner.remember(m_current.shortageOf(*m_run.membership.session(device)));
    } else if (error.code != QLatin1String("worker.peer-unreachable")) {
        Q_EMIT refused(device, error);
        return;
    } else {
        const QStringList keys = m_run.membership.session(device)->takeUnreached();
        QStringList names;
        for (const WorkerSession *peer : m_run.membership.workers()) {
            if (!keys.contains(peer->address().fingerprint.toHex()))
                continue;
            m_run.membership.brokenLinks().add(device, peer->id());
            names << peer->device().name;
        }
        // The worker knows the others by their keys alone.
        Error told = error;
        if (!names.isEmpty())
            told.cause = sentence("No connection to %1.").arg(names.join(QStringLiteral(", ")));
        if (!m_run.log.warn(told, sentence("Check the network between the two. The run goes on with a plan that does "
                                           "not need this connection.")))
            return;
    }
    m_change.isHeavy = true;
    m_change.cause.plan.reset();
    // A run that is resumed has rounds behind it before its first one.
    m_change.cause.roundsBefore = std::max(roundsBefore(), static_cast<qint64>(m_change.from.version));
    Q_EMIT disturbed();
    if (m_run.log.isOpen())
        halt();
}

std::optional<Reconfigured> Reconfiguration::finish() {
    if (!isUnderWay())
        return std::nullopt;
    m_step = Step::None;
    m_replicas.settled();
    const double now = m_run.log.seconds();
    const Change &change = m_change;
    Reconfigured done;
    done.reason = change.cause.reason;
    done.isDisturbed = change.cause.isDisturbed;
    done.term = m_current.term();
    done.fromVersion = change.from.version;
    done.detect = change.detect + change.waited;
    done.halt = std::max(0.0, change.halted - change.gather - change.since - done.detect);
    done.plan = change.planned - change.halted;
    done.move = change.move + change.gather;
    done.rebuild = std::max(0.0, change.deployed - change.planned - change.move);
    done.replay = now - change.deployed;
    done.total = now - change.since;
    done.replayedRounds = std::max<qint64>(0, roundsBefore() - static_cast<qint64>(change.from.version));
    done.movedBytes = change.movedBytes;
    done.method = change.method;
    m_tidy.soon();
    return done;
}

}  // namespace hearth
