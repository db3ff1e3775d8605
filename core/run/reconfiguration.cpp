// From the cause of a change to the plan that is chosen; reconfiguration_deployment.cpp brings it into force.
#include "core/run/reconfiguration.h"

#include <algorithm>

#include "core/base/number_text.h"
#include "core/run/plan_run.h"

namespace hearth {
namespace {

/// Cheaper than a gap in what is known of the run.
constexpr qint64 fewRounds = 10;
/// Somebody waits for the answer.
constexpr double replanSeconds = 2;

}  // namespace

event::Recovered Reconfigured::toEvent() const {
    event::Recovered told;
    told.term = term;
    told.fromVersion = fromVersion;
    told.detectS = detect;
    told.planS = plan;
    told.moveS = move;
    told.rebuildS = rebuild + halt;
    told.replayS = replay;
    told.seconds = total;
    told.replayedRounds = replayedRounds;
    told.movedBytes = movedBytes;
    told.method = method;
    return told;
}

Reconfiguration::Reconfiguration(const RunContext &run, PlanInForce &current, const RoundLoop &rounds,
                                 ReplicaKeeper &replicas, CheckpointFolder &folder, Replanner &replanner,
                                 const CodecGuard &guard, QObject *parent)
    : QObject(parent),
      m_run(run),
      m_current(current),
      m_rounds(rounds),
      m_replicas(replicas),
      m_folder(folder),
      m_replanner(replanner),
      m_guard(guard),
      // Whoever resumes a run does not know what it began with.
      m_weightsDropped(run.inputs.areWeightsPast || run.request.resume) {
    m_awaited.setSingleShot(true);
    connect(&m_awaited, &QTimer::timeout, this, &Reconfiguration::goOnFromDisk);
    connect(&run.membership, &Membership::statesGone, this, [this] {
        if (isAwaitingStates() && !m_run.membership.awaitsStates())
            goOnFromDisk();
    });
    connect(&folder, &CheckpointFolder::written, this, [this] {
        m_weightsDropped |= !m_run.inputs.weights.empty();
        m_run.inputs.weights.clear();  // version 0 is of no use any more
    });
}

void Reconfiguration::readCheckpoint(const std::function<void()> &then) {
    m_folder.read([this, then](const LayerStates &found) {
        m_here = found;
        m_hereVersion = m_folder.version();
        then();
    });
}

void Reconfiguration::begin(ChangeCause cause) {
    m_change = {};
    m_change.since = m_run.log.seconds() - cause.silentSeconds;
    m_change.detect = cause.silentSeconds;
    m_change.cause = std::move(cause);
    m_step = Step::Halting;
}

void Reconfiguration::recover(double silentSeconds) {
    if (!isUnderWay() || !m_change.cause.isDisturbed) {
        m_replicas.noteLoss();
        // A run that is resumed has rounds behind it before its first one.
        const qint64 before = m_rounds.hasBegun() ? m_rounds.completed()
                              : isUnderWay()      ? static_cast<qint64>(m_change.from.version)
                                                  : 0;
        begin({.reason = QStringLiteral("replay"),
               .isDisturbed = true,
               .silentSeconds = silentSeconds,
               .roundsBefore = before});
    }
    m_change.cause.plan.reset();
    halt();
}

void Reconfiguration::drop() {
    m_awaited.stop();
    if (m_change.waitsSince)
        m_change.waited += m_run.log.seconds() - *std::exchange(m_change.waitsSince, std::nullopt);
    m_deploying.reset();
    m_halting.reset();
    m_replaying.reset();
    m_collecting.reset();
}

void Reconfiguration::halt() {
    drop();
    m_replanner.changeBegins();
    m_step = Step::Halting;
    if (auto durable = m_current.beginTerm(); !durable) {
        Q_EMIT failed(durable.error());
        return;
    }
    const auto workers = m_run.membership.workers();
    if (workers.empty()) {
        awaitDevices({QStringLiteral("run.nobody"), sentence("No device is left that can train."),
                      sentence("All of them were lost."), sentence("The run goes on as soon as one of them is back.")});
        return;
    }
    m_halting.reset(new HaltWorkers(m_current.term(), m_run.deadlines, m_current.origins()));
    connect(m_halting.get(), &HaltWorkers::refused, this, &Reconfiguration::refused);
    connect(m_halting.get(), &HaltWorkers::finished, this, &Reconfiguration::takeStates);
    m_halting->start(workers);
}

void Reconfiguration::takeStates() {
    m_change.halted = m_run.log.seconds();
    m_change.gather = 0;
    m_change.movedBytes = 0;
    m_change.held = m_halting->held();
    m_change.frozen = m_halting->frozen();
    m_halting.reset();
    const qint64 before = roundsBefore();
    if (before == 0) {
        m_change.from = {0, true};
        choosePlan();
        return;
    }
    const StateLayers layers = m_replicas.layers();
    // A round that some have applied and not all have reported is repeated: its report would never be whole.
    HeldByDevice reported = m_change.held;
    for (auto &theirs : reported)
        std::erase_if(theirs, [&](const HeldState &each) { return static_cast<qint64>(each.version) > before; });
    auto found = newestCompleteVersion(layers, reported, std::nullopt, m_replicas.holders());
    if (!found) {
        found = newestCompleteVersion(layers, m_change.held, std::nullopt, m_replicas.holders());
        // Whoever died, the coordinator for one, took along what there was to know of these rounds: a few are done
        // again.
        const qint64 again = before - static_cast<qint64>(m_folder.version());
        if (found && again <= fewRounds && hasDisk()) {
            m_change.missing = Error{
                QStringLiteral("run.unreported"),
                sentence("Round %1 was done and not written down.").arg(countText(static_cast<qint64>(found->version))),
                sentence("Who had to tell of it was gone before."),
                {}};
            goOnFromDisk();
            return;
        }
    }
    if (found) {
        m_change.from = *found;
        if (m_run.request.safety.heavy && m_change.cause.isDisturbed)
            gather();
        else
            choosePlan();
        return;
    }
    // Who came back meanwhile may hold what is missing; it was not asked yet.
    if (std::ranges::any_of(m_run.membership.workers(),
                            [&](const auto *each) { return !m_change.held.contains(each->id()); })) {
        halt();
        return;
    }
    if (!awaitStates(found.error()))
        goOnFromDisk();
}

bool Reconfiguration::awaitStates(const Error &missing) {
    const bool told = std::exchange(m_change.missing, missing).has_value();
    if (!m_change.cause.isDisturbed || !m_run.membership.awaitsStates() || m_rounds.meanSeconds() <= 0)
        return false;
    // Worth as long a wait as it takes to do the rounds since the disk's version again: however long the silence turns
    // out to be, that is at most twice what it had to cost.
    const auto again = static_cast<double>(roundsBefore() - static_cast<qint64>(m_folder.version()));
    const double worth = again * m_rounds.meanSeconds();
    const double left = m_change.since + m_change.detect + worth - m_run.log.seconds();
    if (left <= 0)
        return false;
    if (!told && !m_run.log.warn(missing, sentence("The run waits up to %1 s for who is silent; then it goes on from "
                                                   "version %2.")
                                              .arg(Sentence::quantity(left, 1))
                                              .arg(m_folder.version())))
        return true;
    m_change.waitsSince = m_run.log.seconds();
    m_step = Step::AwaitingStates;
    m_awaited.start(std::chrono::milliseconds(static_cast<qint64>(left * 1000) + 1));
    return true;
}

void Reconfiguration::goOnFromDisk() {
    drop();
    m_step = Step::Gathering;
    m_change.method = QStringLiteral("disk");
    // Where nothing was ever complete there is nothing to regret.
    if (m_change.cause.isDisturbed && roundsBefore() > 0 && hasDisk() &&
        !m_run.log.warn(*m_change.missing,
                        m_folder.version() > 0
                            ? sentence("The run goes on from version %1 on the disk.").arg(m_folder.version())
                            : sentence("The run begins again with its initial weights.")))
        return;
    const double begun = m_run.log.seconds();
    m_change.halted = begun;  // waiting for states was no planning
    readCheckpoint([this, begun] {
        m_change.gather = m_run.log.seconds() - begun;
        m_change.halted += m_change.gather;
        m_change.from = {m_folder.version(), true};
        if (!isLost(m_change.from))
            choosePlan();
    });
}

/// Weights of the seed must not take the place of others.
bool Reconfiguration::isLost(const RecoveryVersion &from) {
    if (!from.fromDisk || from.version > 0 || !m_weightsDropped)
        return false;
    Q_EMIT failed({QStringLiteral("run.no-checkpoint"), sentence("The run cannot go on."),
                   sentence("None of its checkpoints is whole."), sentence("Start it anew.")});
    return true;
}

/// Heavy rescheduling: all layers come to this device, a new plan is made from nothing, and they go out again.
void Reconfiguration::gather() {
    const quint64 version = m_change.from.version;
    const auto from = sourcesOf(m_replicas.layers(), version, m_change.held, m_run.request.dataDevice);
    if (!from) {
        choosePlan();
        return;
    }
    m_step = Step::Gathering;
    const double begun = m_run.log.seconds();
    m_collecting.reset(new StateCollector(m_replicas.layers(), version, m_current.term(), m_run.deadlines));
    connect(m_collecting.get(), &StateCollector::failed, this, [this](const Error &error) {
        m_collecting.reset();
        m_change.missing = error;
        goOnFromDisk();
    });
    connect(m_collecting.get(), &StateCollector::finished, this, [this, version, begun] {
        m_here = m_collecting->takeStates();
        m_hereVersion = version;
        m_collecting.reset();
        m_change.gather = m_run.log.seconds() - begun;
        m_change.halted += m_change.gather;  // what follows is planning
        m_change.held.clear();
        m_change.isHeavy = true;
        choosePlan();
    });
    m_collecting->start(m_run.membership.workers(), *from);
}

void Reconfiguration::choosePlan() {
    m_step = Step::Planning;
    const Plan &inForce = m_current.plan();
    ChangeCause &cause = m_change.cause;
    if (cause.plan && m_replanner.isPossible(*cause.plan)) {
        use(*cause.plan);
        return;
    }
    // One of its devices asked to go meanwhile: what follows is for those who stay, and promises nothing.
    if (cause.plan && !cause.isDisturbed) {
        cause.reason = QStringLiteral("leave");
        cause.why = {};
    }
    cause.plan.reset();
    if (m_replanner.lacksMemory(inForce))
        needNewPlan();
    if (m_replanner.isPossible(inForce) && !m_change.isHeavy) {
        use(inForce);
        return;
    }
    const QSet<QString> absent = m_replanner.absent();
    QSet<QString> lost = absent;
    lost.removeIf([&](const QString &device) { return !usesDevice(inForce, device); });
    if (lost.size() == 1 && !m_change.isHeavy) {
        if (const auto answer = m_replanner.answerTo(*lost.cbegin())) {
            takeReplay(*answer);
            return;
        }
    }
    ReplayRequest asked;
    asked.lost = absent;
    asked.coordinator = m_run.membership.session(m_run.request.dataDevice) ? m_run.request.dataDevice : QString();
    asked.planning.secondsLimit = replanSeconds;
    m_replaying.reset(new ReplayTask);
    connect(m_replaying.get(), &ReplayTask::finished, this, [this](const Replay &replay) {
        m_replaying.reset();
        takeReplay(replay);
    });
    connect(m_replaying.get(), &ReplayTask::failed, this, [this](const Error &error) {
        m_replaying.reset();
        doWithoutReplay(error);
    });
    m_replaying->start(m_replanner.atPresent(), inForce, asked, m_run.request.planner, m_change.isHeavy);
}

void Reconfiguration::takeReplay(const Replay &replay) {
    if (!m_replanner.isPossible(replay.plan)) {
        choosePlan();  // a device asked to go meanwhile
        return;
    }
    // Some planners know nothing of memory.
    if (const auto fits = checkFits(replay.plan, m_run.membership.devices()); !fits) {
        doWithoutReplay(fits.error());
        return;
    }
    if (m_change.method != QLatin1String("disk"))
        m_change.method = replayMethodName(replay.method);
    use(replay.plan);
}

/// Who goes of its own accord is gone soon; whoever a person wants to do without is still here.
void Reconfiguration::doWithoutReplay(const Error &error) {
    const QStringList names = m_run.membership.keepSentAway();
    if (names.isEmpty()) {
        awaitDevices(error);
        return;
    }
    const Error told{error.code, sentence("The run cannot do without %1.").arg(names.join(QLatin1String(", "))),
                     Sentence::joined({error.what, error.cause}),
                     sentence("Add another device first; until then it stays.")};
    if (m_run.log.warn(told))
        choosePlan();
}

void Reconfiguration::use(const Plan &plan) {
    m_current.setPlan(plan);
    m_change.planned = m_run.log.seconds();
    deploy();
}

std::optional<Error> Reconfiguration::whyAllRest() const {
    const auto &problem = m_replanner.problem();
    const auto isLost = [this](const PlanningProblem::Device &each) {
        const DeviceInfo *known = m_run.membership.device(each.id);
        return !known || known->state != DeviceState::Resting;
    };
    if (!problem || std::ranges::any_of(problem->devices, isLost))
        return std::nullopt;
    return Error{QStringLiteral("run.all-rest"), sentence("All devices of the run rest."),
                 restCauses(m_run.membership.devices()),
                 sentence("The run waits, and goes on as soon as one of them takes work again.")};
}

void Reconfiguration::awaitDevices(const Error &why) {
    m_step = Step::AwaitingDevices;
    const std::optional<Error> rest = whyAllRest();
    const Error told = rest.value_or(why);
    m_run.log.warn(told, told.advice.isEmpty() ? sentence("The run waits until a device is back.") : told.advice);
    m_replanner.measureNext();
    if (m_run.log.isOpen())
        Q_EMIT awaited(rest.has_value());
}

}  // namespace hearth
