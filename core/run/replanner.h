// Which plan would be better: what is known of the home, how its devices drift, and plans that are offered or wanted.
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "core/plan/replay/replay_table.h"
#include "core/run/capacity_drift.h"
#include "core/run/drift_patience.h"
#include "core/run/fitting_plan.h"
#include "core/run/learned_packing.h"
#include "core/run/membership.h"
#include "core/run/newcomers.h"
#include "core/run/operation.h"
#include "core/run/plan_run.h"
#include "core/run/recovery_choice.h"
#include "core/run/replan_choice.h"
#include "core/run/residual_watch.h"
#include "core/run/run_request.h"

namespace hearth {

/// A plan that is to be deployed at the next boundary between rounds.
struct PendingPlan {
    Plan plan;
    QString reason;  // event::Plan's
    Sentence why;
    double gain = 0;     // part of a round's time that it saves
    bool asked = false;  // by a person: it outlives other changes
};

/// Where the run stands when a plan is judged.
struct RunStanding {
    const Plan &inForce;
    qint64 completed = 0;
    bool hasBegun = false;     // there was a round, or could be
    bool isTraining = false;   // neither resting nor ending
    bool isChanging = false;   // from one plan to the next
    bool isWaiting = false;    // for a device, in such a change
    bool isMeasuring = false;  // in a rest of its own (MeasuringBreak)
};

/// The only one that knows the problem as it was measured. Looks for better plans in the background while training goes
/// on (FTPipeHD, re-partitioning), measures devices that join, and keeps an answer ready to the loss of each device
/// (Asteroid, pipeline replay). The coordinator's thread; what it is given outlives it. Devices are named by their ids.
class Replanner : public QObject {
    Q_OBJECT
  public:
    Replanner(const RunRequest &request, const Dataset &data, qint64 rounds, Membership &membership, RunLog &log,
              const RunDeadlines &deadlines, std::function<RunStanding()> standing, QObject *parent = nullptr);

    // What is known of the home.
    const std::optional<PlanningProblem> &problem() const { return m_problem; }
    /// Rounds under way are compared with its times from now on.
    void setProblem(PlanningProblem problem);
    /// Devices have measured nothing of the network, nor what it takes of memory.
    bool isGuess() const;
    /// Its workers end, and others are measured.
    void forgetProblem();
    /// What cuts may lose at present. False: it is what was known.
    bool setLevelLimits(const std::vector<LevelLimit> &limits) {
        return std::exchange(m_levelLimits, limits) != limits;
    }
    /// It was seen to bear no more.
    void remember(const MemoryTrouble &trouble);
    /// What a worker that is back may use, which is not always what the one before might. What its device was seen to
    /// bear stays the same part of it.
    void takeMemory(const WorkerSession &worker);
    /// This device has come, or is back: whether a plan may have it is the request's JoinPolicy.
    void welcome(const QString &device) { m_newcomers.add(device); }
    QSet<QString> absent() const { return m_membership.absentOf(*m_problem); }
    /// At the speeds and links of now, with what is known of packing, of all devices.
    PlanningProblem atPresent() const { return atSpeedsOf(m_drift); }
    /// Likewise, of those that are here and stay.
    PlanningProblem ofPresent() const;
    /// Likewise, at the speeds of when the change to the plan in force began: what is predicted of a plan must not move
    /// with the rounds that it is compared with.
    PlanningProblem asPlanned() const;
    LinkRate linkRates() const;
    /// All devices of that plan are here, and stay.
    bool isPossible(const Plan &wanted) const;
    /// Likewise, and devices came back with less memory than when the plan in force was made: too little for that plan.
    bool lacksMemory(const Plan &wanted) const;

    // A person's plan.
    const std::optional<Plan> &given() const { return m_given; }
    void setGiven(std::optional<Plan> given) { m_given = std::move(given); }
    /// For the next round; else it is refused with a warning. False: it was.
    bool takeUserPlan(const QJsonObject &json);
    /// False: none was offered under the plan in force, or it does not fit any more.
    bool acceptOffer();

    // The plan that comes next.
    bool hasPending() const { return m_pending.has_value(); }
    std::optional<PendingPlan> takePending() { return std::exchange(m_pending, std::nullopt); }
    /// A change begins: only what a person asked for is wanted still. Nobody is measured meanwhile.
    void changeBegins();
    /// This one is what the change is for.
    void switching(const PendingPlan &plan);
    /// From the next round on the plan in force is written by other codecs.
    void codecsChange() { m_patience.planChanged(); }
    /// A change to the plan in force has ended, after these rounds.
    void changeEnded(const QString &reason, double rebuildSeconds);
    /// One round more is known of how fast everybody is. `restsSoon`: to measure what is only guessed (MeasuringBreak).
    void followDrift(const event::Round &round, bool restsSoon = false);
    /// Likewise of what packing leaves of what crossed its cuts. True: rounds may take other times than was predicted.
    /// Answers to losses stay prepared: this changes how good they are, not whether they can be used.
    bool followPacking(const std::vector<CutPacking> &round) { return m_packing.take(round); }
    /// Something of that is known, which the plan in force may have been made without.
    bool knowsPacking() const { return !m_packing.isEmpty(); }
    /// Rounds have told how long everybody takes, and nothing that would change that is on its way.
    bool isSettled() const { return m_drift.isCalibrated() && !m_newcomers.isMeasuring() && mayConsider(); }
    /// Looks for a better plan; later, where now is no time for it.
    void consider(const QString &reason);
    /// What was prepared for the loss of this device alone, where nobody else has gone meanwhile, and it fits.
    std::optional<Replay> answerTo(const QString &lost) const;
    /// Whoever is here and not measured yet, or whose links to others here are not, one at a time; what was under way
    /// is begun anew.
    void measureNext();
    void stop();

  Q_SIGNALS:
    /// There is a pending plan.
    void found();
    /// The problem knows one device more, or links between two that it knew.
    void measured();

  private:
    /// No plan is looked for, or waits, or is being taken.
    bool mayConsider() const { return !m_considering && !m_pending && !m_standing().isChanging; }
    PlanningProblem atSpeedsOf(const CapacityDrift &drift) const;
    void considerLater(const QString &reason);
    void takeConsidered(const Plan &plan, const QString &reason);
    Result<Plan> judgedNow(Plan plan) const;
    std::optional<ReplanFacts> factsOf(const CostModel &model, const Plan &wanted) const;
    bool propose(const Plan &plan, const QString &reason);
    void takeGivenAgain(const QString &reason);
    void goBack();
    void prepareAnswers();
    void takeMeasured(const QString &device, const PlanningProblem &all);

    const RunRequest &m_request;
    const qint64 m_total;
    Membership &m_membership;
    RunLog &m_log;
    std::function<RunStanding()> m_standing;
    std::optional<PlanningProblem> m_problem;
    std::vector<LevelLimit> m_levelLimits;
    std::optional<Plan> m_given;
    std::optional<PendingPlan> m_pending, m_offered;
    std::optional<std::pair<QString, qint64>> m_lookAgain;  // why, and from which round on
    Operation<PlanTask> m_considering;
    Newcomers m_newcomers;
    CapacityDrift m_drift, m_driftAsPlanned;  // of now, and of asPlanned()
    LearnedPacking m_packing;
    ResidualWatch m_residuals;
    DriftPatience m_patience;
    ReplayTable m_answers;
    bool m_isUnconfirmed = false;  // by rounds: the times of the problem
    /// Devices that were absent when the answers were asked for. Nothing: there are none of what is known now.
    std::optional<QSet<QString>> m_answersWithout;
    std::map<QString, double> m_borne;  // by device: the part of its limit that it was seen to bear
    bool m_hasLessMemory = false;       // a device that came back, than when the plan in force was made
    double m_rebuildSeconds = 0.3;      // of the last change
    qint64 m_lastSwitch = 0;            // rounds that were done when the plan in force began
};

}  // namespace hearth
