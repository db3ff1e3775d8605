// How training goes on after devices were lost: a plan for the survivors, what must move, and how long it takes
// (Asteroid, lightweight pipeline replay).
#pragma once

#include <optional>

#include "core/plan/planner.h"
#include "core/plan/replay/layer_moves.h"

namespace hearth {

enum class ReplayMethod {
    Lightweight,  // borders move between the stages that are left
    Heavy         // everything is gathered, planned anew and given out
};
/// "lightweight" | "heavy".
QString replayMethodName(ReplayMethod method);

struct ReplayRequest {
    QSet<QString> lost;  // any number at once
    /// Copies of states, beside those of their owners. Nothing: where states come from is found out elsewhere; then
    /// nobody's state is missed, and nothing moves.
    std::optional<StateHolders> copies;
    double detectSeconds = 0;   // until the loss was certain
    double rebuildSeconds = 0;  // of stages, connections and groups at the workers
    int lostRounds = 1;         // to be computed again
    bool climb = true;          // false: cuts in proportion to speed and the plan's in-flight rule, as published
    /// Where heavy rescheduling gathers. Empty: the data device, else the first device that is left.
    QString coordinator;
    PlannerOptions planning;  // limits of planning anew; `cancelled` ends everything early
};

struct RecoverySeconds {
    double detect = 0;
    double plan = 0;  // measured
    double move = 0;
    double rebuild = 0;
    double replay = 0;  // the lost rounds, under the new plan
    double total() const { return detect + plan + move + rebuild + replay; }
};

struct Replay {
    ReplayMethod method = ReplayMethod::Lightweight;
    Plan plan;  // with its prediction
    std::vector<LayerMove> moves;
    RecoverySeconds seconds;
};

/// All of these are pure functions of a plan that is valid for the model's problem; the model caches, so one thread at
/// a time. Common errors: "replay.data" (the device that holds the data is lost), "replay.no-source", "replay.device"
/// (an unknown one), "replay.pipelines", and "plan.invalid".

/// Drops the lost devices and stages that became empty, cuts in proportion to the speed of each group, repairs memory
/// towards the neighbor with most room, improves the cuts layer by layer by the closed form and then by the simulator
/// under the in-flight limits that suit best (at the end those that suit asynchronous training, where the job trains
/// so), and shares each group's samples exactly. Devices at rest stay there. More errors: "replay.memory" and
/// "replay.no-devices" and "plan.unreachable", where only a new plan can help.
Result<Replay> lightweightReplay(const CostModel &model, const Plan &plan, const ReplayRequest &request);

/// Gathers all layers at the coordinator's device, plans anew for all survivors, and gives the layers out; where that
/// device does not reach everybody they move straight. More errors: those of the planner, and "replay.unreachable".
Result<Replay> heavyRescheduling(const CostModel &model, const Plan &plan, const ReplayRequest &request,
                                 const QString &planner);

/// lightweightReplay(), or heavyRescheduling() where that has no answer for want of memory, devices or links.
Result<Replay> recover(const CostModel &model, const Plan &plan, const ReplayRequest &request, const QString &planner);

}  // namespace hearth
