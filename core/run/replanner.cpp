#include "core/run/replanner.h"

#include <algorithm>
#include <cmath>

#include "core/plan/cut_levels.h"
#include "core/plan/evaluate.h"
#include "core/plan/plan_memory.h"
#include "core/plan/replay/layer_moves.h"
#include "core/plan/replay/survivors.h"
#include "core/run/codec_raises.h"
#include "core/run/joined_device.h"
#include "core/run/learned_times.h"
#include "core/run/plan_refusal.h"
#include "core/run/replan_choice.h"

namespace hearth {
namespace {

/// Somebody waits for the answer.
constexpr double answerSeconds = 2;

/// The change promises shorter rounds by what is known of devices alone.
bool isPromise(const QString &reason) {
    return reason == QLatin1String("drift") || reason == QLatin1String("measured");
}

/// The first rounds of a run are written by other codecs than the plan's.
bool beginsGently(const Plan &plan) {
    const CodecRaises nothing;
    return nothing.codecsAt(plan, 1) != nothing.codecsAt(plan, gentleRounds + 1);
}

}  // namespace

Replanner::Replanner(const RunRequest &request, const Dataset &data, qint64 rounds, Membership &membership, RunLog &log,
                     const RunDeadlines &deadlines, std::function<RunStanding()> standing, QObject *parent)
    : QObject(parent),
      m_request(request),
      m_total(rounds),
      m_membership(membership),
      m_log(log),
      m_standing(std::move(standing)),
      m_newcomers(request, data, membership, log, deadlines),
      m_residuals(request.profiles),
      m_answers(request.planner) {
    connect(&m_newcomers, &Newcomers::measured, this, &Replanner::takeMeasured);
}

void Replanner::setProblem(PlanningProblem problem) {
    const auto before = std::exchange(m_problem, std::move(problem));
    m_isUnconfirmed = true;
    if (!before || !m_standing().hasBegun)
        return;
    for (std::size_t d = 0; d < m_problem->devices.size(); ++d) {
        const QString &device = m_problem->devices[d].id;
        const int index = before->indexOf(device);
        if (index >= 0 && before->times[static_cast<std::size_t>(index)] != m_problem->times[d])
            m_drift.forget(device);
    }
    m_drift.planned(*m_problem, m_standing().inForce);
    m_driftAsPlanned = m_drift;
    prepareAnswers();
}

bool Replanner::isGuess() const {
    return m_problem && std::ranges::any_of(m_problem->times, &TimeTable::isGuess);
}

void Replanner::forgetProblem() {
    stop();
    m_problem.reset();
}

void Replanner::remember(const MemoryTrouble &trouble) {
    const int index = m_problem->indexOf(trouble.device);
    if (index < 0)
        return;
    const qint64 usable = trouble.usableBytes();
    m_problem->devices[static_cast<std::size_t>(index)].memoryBytes = usable;
    if (trouble.limitBytes > 0)
        m_borne[trouble.device] = static_cast<double>(usable) / static_cast<double>(trouble.limitBytes);
}

void Replanner::takeMemory(const WorkerSession &worker) {
    const int index = m_problem ? m_problem->indexOf(worker.id()) : -1;
    if (index < 0)
        return;
    PlanningProblem::Device &device = m_problem->devices[static_cast<std::size_t>(index)];
    const WorkerHello &hello = worker.hello();
    const auto borne = m_borne.find(worker.id());
    const double part = borne == m_borne.end() ? 1 : borne->second;
    const auto memory = static_cast<qint64>(std::llround(static_cast<double>(hello.memoryBytes) * part));
    if (device.memoryBytes == memory && device.runtimeBytes == hello.runtimeBytes)
        return;
    m_hasLessMemory |= memory - hello.runtimeBytes < device.memoryBytes - device.runtimeBytes;
    device.memoryBytes = memory;
    device.runtimeBytes = hello.runtimeBytes;
    m_answersWithout.reset();
}

PlanningProblem Replanner::atSpeedsOf(const CapacityDrift &drift) const {
    PlanningProblem present = m_packing.corrected(drift.corrected(*m_problem));
    present.levelLimits = m_levelLimits;
    // This device serves the data also where it has no worker; then no plan can save the transfers.
    if (absent().contains(present.dataDevice))
        present.dataDevice.clear();
    const BrokenLinks &broken = std::as_const(m_membership).brokenLinks();
    for (LinkProfile::Pair &pair : present.links.pairs) {
        if (broken.contains(pair.from, pair.to))
            pair.bytesPerSecond = 0;
    }
    if (servesApart(present.links, present.dataDevice))
        present.dataDevice.clear();
    return present;
}

PlanningProblem Replanner::ofPresent() const {
    return problemWithout(atPresent(), absent());
}

PlanningProblem Replanner::asPlanned() const {
    return problemWithout(atSpeedsOf(m_driftAsPlanned), absent());
}

LinkRate Replanner::linkRates() const {
    std::map<std::pair<QString, QString>, double> rates;
    const PlanningProblem present = atPresent();
    for (const LinkProfile::Pair &pair : present.links.pairs)
        rates[{pair.from, pair.to}] = pair.bytesPerSecond;
    const double otherwise = present.links.fallback ? present.links.fallback->bytesPerSecond : 0;
    return [rates = std::move(rates), otherwise](const QString &from, const QString &to) {
        const auto known = rates.find({from, to});
        return known == rates.end() ? otherwise : known->second;
    };
}

bool Replanner::isPossible(const Plan &wanted) const {
    return std::ranges::none_of(absent(), [&](const QString &device) { return usesDevice(wanted, device); });
}

bool Replanner::lacksMemory(const Plan &wanted) const {
    if (!m_hasLessMemory || !isPossible(wanted))
        return false;
    const PlanningProblem present = ofPresent();
    Prediction memory;
    judgeMemoryAsRun(CostModel(present), wanted, &memory);
    return !memory.fits;
}

/// With what is predicted of it at the speeds of now. An error where it does not fit.
Result<Plan> Replanner::judgedNow(Plan plan) const {
    auto judged = evaluate(ofPresent(), plan);
    if (!judged)
        return tl::unexpected(judged.error());
    plan.prediction = std::move(*judged);
    if (auto fits = checkFits(plan, m_membership.devices()); !fits)
        return tl::unexpected(fits.error());
    return plan;
}

bool Replanner::takeUserPlan(const QJsonObject &json) {
    auto wanted = readGivenPlan(json, m_request.job, m_request.model, m_membership.devices());
    if (wanted)
        wanted = judgedNow(std::move(*wanted));
    if (!wanted) {
        m_log.record(planRefused(wanted.error()));
        return false;
    }
    m_given = *wanted;
    m_pending = PendingPlan{std::move(*wanted), QStringLiteral("user"), {}, 0, true};
    return true;
}

bool Replanner::acceptOffer() {
    auto offered = std::exchange(m_offered, std::nullopt);
    if (!offered)
        return false;
    // Speeds and memory may be others by now; a device that has gone is told of when the plan's turn comes.
    if (isPossible(offered->plan)) {
        auto judged = judgedNow(std::move(offered->plan));
        if (!judged)
            return false;
        offered->plan = std::move(*judged);
    }
    offered->asked = true;
    m_pending = std::move(offered);
    return true;
}

void Replanner::changeBegins() {
    if (m_pending && !m_pending->asked)
        m_pending.reset();
    m_newcomers.stop();
    m_driftAsPlanned = m_drift;  // no round tells of drift before the change has ended
}

void Replanner::switching(const PendingPlan &plan) {
    if (!isPromise(plan.reason))
        return;
    const RunStanding standing = m_standing();
    const bool isGentle =
        standing.completed < gentleRounds && (beginsGently(standing.inForce) || beginsGently(plan.plan));
    // What a person gave is no promise. Nor do gentle rounds show what a plan promises for all others.
    const auto verdict = m_given || isGentle ? DriftPatience::Verdict::None : DriftPatience::Verdict::Due;
    m_patience.switched(m_log.seconds(), plan.gain, standing.inForce, plan.plan, m_drift.factors(), verdict);
}

void Replanner::changeEnded(const QString &reason, double rebuildSeconds) {
    const RunStanding standing = m_standing();
    m_rebuildSeconds = rebuildSeconds;
    m_lastSwitch = standing.completed;
    m_hasLessMemory = false;
    m_offered.reset();  // it was better than another plan
    m_newcomers.taken(standing.inForce);
    m_drift.planned(*m_problem, standing.inForce);
    m_packing.planned(standing.inForce);
    if (!isPromise(reason))
        m_patience.planChanged();
    prepareAnswers();
}

void Replanner::prepareAnswers() {
    // Who is about to go is still part of the plan.
    m_answersWithout = absent() - m_membership.leaving().all();
    const Plan &plan = m_standing().inForce;
    ReplayRequest asked;
    asked.planning.secondsLimit = answerSeconds;
    m_answers.update(problemWithout(atPresent(), *m_answersWithout), plan, asked);
}

std::optional<Replay> Replanner::answerTo(const QString &lost) const {
    // The table is of the plan in force and of all other devices.
    if (!m_answersWithout || absent() != *m_answersWithout + QSet<QString>{lost})
        return std::nullopt;
    const auto answer = m_answers.answer(lost);
    return answer && *answer && (*answer)->plan.prediction->fits ? std::optional(**answer) : std::nullopt;
}

void Replanner::followDrift(const event::Round &round, bool restsSoon) {
    m_drift.take(round.devices);
    if (m_drift.forgive(round.roundS))
        considerLater(QStringLiteral("drift"));
    m_residuals.take(round, m_drift);
    // What a newcomer's links are measured with is no part of a plan.
    if (!m_newcomers.isMeasuring())
        m_patience.roundTook(round.roundS);
    // Measured comes before predicted.
    goBack();
    if (m_lookAgain && !m_standing().isChanging && !m_pending && round.round >= m_lookAgain->second)
        consider(std::exchange(m_lookAgain, std::nullopt)->first);
    // Plans on predictions are looked at again once rounds tell, those on measurements where not all are off alike.
    if (m_isUnconfirmed && m_drift.isCalibrated() && mayConsider() && !m_patience.isJudging()) {
        // A run that rests soon looks for one once devices have measured.
        if (restsSoon)
            return;
        m_isUnconfirmed = false;
        const bool isPredicted = std::ranges::any_of(m_problem->times, &TimeTable::isPredicted);
        if (isPredicted)
            learnTimes({m_request, *m_problem, m_standing().inForce, m_membership, m_drift}, m_log);
        if (isPredicted || m_drift.isUneven())
            return consider(QStringLiteral("drift"));
    }
    if (m_drift.drifted() && mayConsider() && m_patience.mayLook(m_log.seconds()))
        consider(QStringLiteral("drift"));
}

void Replanner::consider(const QString &reason) {
    const RunStanding standing = m_standing();
    if (!standing.hasBegun || m_total - standing.completed < 2)
        return;
    if (standing.isChanging) {
        considerLater(reason);
        return;
    }
    if (m_given) {
        takeGivenAgain(reason);
        return;
    }
    if (m_request.safety.keepsPlan)
        return;
    m_considering.reset(new PlanTask(PlanTask::Manner::Background));
    const CapacityFactors factors = m_drift.factors();
    connect(m_considering.get(), &PlanTask::finished, this, [this, reason, factors](const Plan &plan) {
        m_considering.reset();
        m_drift.acknowledge(factors);
        takeConsidered(plan, reason);
    });
    connect(m_considering.get(), &PlanTask::failed, this, [this, factors](const Error &) {
        // The plan in force is one: nothing is lost by having no better one.
        m_considering.reset();
        m_drift.acknowledge(factors);
    });
    m_considering->start(ofPresent(), m_request.planner, std::nullopt, !m_request.trace.isEmpty());
}

/// Once a round is done, or with this one.
void Replanner::considerLater(const QString &reason) {
    if (!m_lookAgain)
        m_lookAgain = {reason, 0};
}

/// A person's plan is left only for a loss, and comes back with the devices that it needs.
void Replanner::takeGivenAgain(const QString &reason) {
    if (!isPossible(*m_given) || m_standing().inForce.isSame(*m_given) || m_pending)
        return;
    auto again = judgedNow(*m_given);
    if (!again)
        return;
    m_pending = PendingPlan{std::move(*again), reason, sentence("All devices of the given plan are here."), 0};
    Q_EMIT found();
}

/// To the plan before the last change, where rounds have shown that it was the better one.
void Replanner::goBack() {
    const RunStanding standing = m_standing();
    if (!mayConsider() || !standing.isTraining || !m_membership.leaving().isEmpty())
        return;
    auto regret = m_patience.takeRegret(m_drift.factors());
    if (!regret || !isPossible(regret->plan))
        return;
    auto before = judgedNow(std::move(regret->plan));
    if (!before)
        return;
    const PlanningProblem present = ofPresent();
    auto facts = factsOf(CostModel(present), *before);
    if (!facts)
        return;
    facts->currentSeconds = facts->waitSeconds = regret->secondsNow;
    facts->betterSeconds = regret->secondsThen;
    facts->roundsSinceSwitch = ReplanRule().restRounds;  // rounds have told, and no rest makes that surer
    const ReplanDecision decision = decideReplan(*facts);
    if (!decision.switches)
        return;
    m_pending = PendingPlan{std::move(*before), QStringLiteral("return"), decision.reason, decision.gain};
    Q_EMIT found();
}

void Replanner::takeConsidered(const Plan &plan, const QString &reason) {
    if (!plan.prediction || !plan.prediction->fits)
        return;
    const RunStanding standing = m_standing();
    if (standing.isChanging || m_pending || !standing.isTraining || !m_membership.leaving().isEmpty() ||
        !isPossible(plan)) {
        considerLater(reason);
        return;
    }
    if (propose(plan, reason) || !isPromise(reason))
        return;
    // No other plan pays; samples that go from one member of a group to another cost next to nothing.
    const PlanningProblem present = ofPresent();
    const CostModel model(present);
    constexpr int mostSamples = 4;
    if (const auto nudged = nudgedShares(model, standing.inForce, mostSamples))
        propose(*nudged, reason);
}

/// What a change to that plan costs; nothing where states cannot move.
std::optional<ReplanFacts> Replanner::factsOf(const CostModel &model, const Plan &wanted) const {
    const RunStanding standing = m_standing();
    const auto moves = movesBetween(model, standing.inForce, wanted, {}, {});
    if (!moves)
        return std::nullopt;
    ReplanFacts facts;
    facts.roundsLeft = m_total - standing.completed;
    facts.moveSeconds = moveSeconds(model, *moves);
    facts.rebuildSeconds = m_rebuildSeconds;
    facts.roundsSinceSwitch = standing.completed - m_lastSwitch;
    return facts;
}

/// True: the plan pays, and is pending or offered.
bool Replanner::propose(const Plan &plan, const QString &reason) {
    // Whoever asks: what is predicted of it is what it did not keep.
    if (m_patience.disappointed(m_log.seconds(), plan, m_drift.factors()))
        return false;
    const RunStanding standing = m_standing();
    const PlanningProblem present = ofPresent();
    const CostModel model(present);
    // At the speeds of now both: the search took its time.
    const auto current = evaluate(model, limitedLevels(present, standing.inForce));
    const auto wanted = evaluate(model, limitedLevels(present, plan));
    if (!current || !wanted)
        return false;
    auto facts = factsOf(model, plan);
    if (!facts)
        return false;
    facts->currentSeconds = facts->waitSeconds = current->roundSeconds;
    facts->betterSeconds = wanted->roundSeconds;
    const ReplanDecision decision = decideReplan(*facts);
    if (!decision.switches) {
        // Too soon after the last change is no reason for ever.
        if (facts->roundsSinceSwitch < ReplanRule().restRounds)
            m_lookAgain = {reason, m_lastSwitch + ReplanRule().restRounds};
        return false;
    }
    PendingPlan better{plan, reason, decision.reason, decision.gain};
    if (m_request.safety.join != JoinPolicy::Take && m_newcomers.areIn(plan)) {
        if (m_request.safety.join == JoinPolicy::Ignore)
            return false;
        m_offered = std::move(better);
        m_log.record(
            event::Warning{sentence("A better plan is possible now."), decision.reason,
                           sentence("Take it with \"hearth accept-plan %1\", or go on without.").arg(m_request.id)});
        return true;
    }
    m_pending = std::move(better);
    Q_EMIT found();
    return true;
}

void Replanner::measureNext() {
    m_newcomers.stop();
    const RunStanding standing = m_standing();
    // During a change workers are halted and built anew: its end is the time. So it is while others measure themselves.
    if (!m_problem || !standing.hasBegun || standing.isMeasuring || (standing.isChanging && !standing.isWaiting))
        return;
    m_newcomers.measureNext(*m_problem);
}

void Replanner::takeMeasured(const QString &device, const PlanningProblem &all) {
    if (joinProblem(*m_problem, all, device))
        m_isUnconfirmed |= m_problem->times.back().isPredicted();
    Q_EMIT measured();
}

void Replanner::stop() {
    m_considering.reset();
    m_newcomers.stop();
}

}  // namespace hearth
