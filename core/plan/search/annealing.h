// Simulated annealing over rows of groups: for homes too large to be searched exactly, and before the proof elsewhere.
#pragma once

#include <functional>
#include <map>
#include <random>

#include "core/plan/search/border_fit.h"
#include "core/plan/search/placement_judge.h"
#include "core/plan/search/reinsertion.h"
#include "core/plan/search/search.h"

namespace hearth {

/// Changes a plan at random, again and again; a change stands when the new round is shorter, or not too much longer by
/// a limit that is drawn before the change is looked at. So most are turned down by bounds alone. One thread.
class Annealing {
  public:
    /// `types`: as deviceTypes() has them. References must outlive it.
    Annealing(const CostModel &model, const std::vector<int> &types, SearchClock &clock, std::mt19937 &random,
              const SearchSettings &settings);

    struct Found {
        Placement placement;
        double seconds = std::numeric_limits<double>::infinity();
    };
    /// How much longer a round may get, as a part of it: from the beginning to the end.
    struct Heat {
        double first = 0.02;
        double last = 0.0005;
    };
    /// The best plan on the way; at least as good as the start, whose simulated round must be given. `better` is told
    /// of every plan that is better than all before; `done` says how far the run has come, 0 to 1 (its end).
    using Better = std::function<void(const Found &)>;
    using Done = std::function<double()>;
    Found run(const Found &start, const Done &done, const Heat &heat, const Better &better);
    /// Every device a stage of its own, in random order; nothing where that does not fit.
    std::optional<Found> inSingleFile(int microBatch);
    const std::vector<int> &microBatches() const { return m_microBatches; }

  private:
    struct State {
        int microBatch = 1;
        StageRow row;
        double seconds = 0;
    };
    enum class Change { None, Borders, Groups };

    bool changeOne(const State &state, State &next, double limit);
    Change change(State &next);
    bool swapDevices(State &next);
    bool moveStage(State &next);
    bool moveDevice(State &next);
    bool addStage(State &next);
    bool mergeStages(State &next);
    bool splitStage(State &next);
    bool changeMicroBatch(State &next);
    bool shiftBorder(State &next);
    bool reinsert(const State &state, State &next, double limit);
    std::vector<int> idleDevices() const;
    void shuffle(std::vector<int> &devices);

    /// Shorter than the limit by simulation; writes the round and the plan.
    bool accept(State &next, Change change, double limit);
    double fit(GroupCosts &costs, StageRow &row, double limit);
    State stateOf(const Found &found);
    void locate(const State &state);
    void replace(State &state, int stage, int device, int other);
    bool without(State &state, int stage, int device);
    GroupCosts &costs(int microBatch);
    void forget(State &state);
    int below(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }
    double unit() { return (static_cast<double>(m_random()) + 0.5) / 4294967296.0; }

    const CostModel &m_model;
    SearchClock &m_clock;
    std::mt19937 &m_random;
    SearchSettings m_settings;
    PlacementJudge m_judge;
    BorderFit m_fit;
    GroupNumbers m_numbers;
    std::map<int, GroupCosts> m_costs;  // by micro-batch
    const std::vector<int> &m_types;    // by device
    Reinsertion m_reinsertion;
    quint64 m_reinsertionSteps = 0;
    std::vector<int> m_microBatches;
    /// What few rows stay below; of rows with groups, and of single devices alone.
    double m_boundOverEstimate[2] = {0.95, 1};
    std::vector<int> m_stageOf;  // by device; -1: idle
    Placement m_placement;       // of the state that was accepted last
};

}  // namespace hearth
