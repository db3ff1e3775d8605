#include "core/plan/cut_levels.h"

#include <algorithm>

namespace hearth {
namespace {

/// One choice of levels under way.
class Levels {
  public:
    Levels(const CostModel &model, Placement &placement) : m_model(model), m_placement(placement) {
        m_all.push_back(&noCodec());
        m_all.insert(m_all.end(), model.problem().levels.begin(), model.problem().levels.end());
        for (std::size_t s = 0; s + 1 < placement.stages.size(); ++s) {
            StagePlacement &stage = placement.stages[s];
            const Codec &lossiest = *m_all.back();
            const CutCodec most = limited({&lossiest, &lossiest}, stage.lastLayer, model.problem().levelLimits);
            m_ways.push_back({&stage.codec.forward, most.forward});
            m_ways.push_back({&stage.codec.backward, most.backward});
        }
    }

    void choose() {
        setAll(&noCodec());
        const double exact = seconds();
        setAll(m_all.back());
        makeShortest();
        if (m_seconds > exact * (1 - leastGain))
            setAll(&noCodec());
        else
            relax();
    }

  private:
    struct Way {
        const Codec **codec;
        const Codec *most;  // it may lose

        bool allows(const Codec *level) const { return &lessLossy(*level, *most) == level; }
    };

    void setAll(const Codec *level) {
        for (const Way &way : m_ways)
            *way.codec = &lessLossy(*level, *way.most);
    }

    double seconds() {
        const PlanSteps steps = stepsOf(m_model, m_placement);
        return simulatedSeconds(m_simulator, steps, m_model.problem().batch / m_placement.microBatch,
                                m_placement.schedule);
    }

    /// Encoding takes time, too: the level with the fewest bytes is not always the quickest.
    void makeShortest() {
        m_seconds = seconds();
        for (const Way &way : m_ways) {
            const Codec *best = *way.codec;
            for (const Codec *level : m_all) {
                if (!way.allows(level))
                    continue;
                *way.codec = level;
                if (const double own = seconds(); own < m_seconds) {
                    m_seconds = own;
                    best = level;
                }
            }
            *way.codec = best;
        }
    }

    void relax() {
        const double limit = m_seconds * (1 + relaxedPart);
        for (const Way &way : m_ways) {
            const Codec *shortest = *way.codec;
            for (const Codec *level : m_all) {
                *way.codec = level;
                if (level == shortest || seconds() <= limit)
                    break;
            }
        }
    }

    const CostModel &m_model;
    Placement &m_placement;
    Simulator m_simulator;
    std::vector<const Codec *> m_all;  // the least lossy first
    std::vector<Way> m_ways;
    double m_seconds = 0;
};

}  // namespace

void chooseLevels(const CostModel &model, Placement &placement) {
    if (!model.problem().levels.empty())
        Levels(model, placement).choose();
}

void chooseLevels(const CostModel &model, Plan &plan) {
    if (model.problem().levels.empty() || !plan.pipelines.empty())
        return;
    Placement placement = placementOf(model.problem(), plan);
    chooseLevels(model, placement);
    for (std::size_t s = 0; s < plan.stages.size(); ++s)
        plan.stages[s].codec = placement.stages[s].codec;
}

Plan limitedLevels(const PlanningProblem &problem, Plan plan) {
    for (std::size_t s = 0; s + 1 < plan.stages.size(); ++s)
        plan.stages[s].codec = limited(plan.stages[s].codec, plan.stages[s].lastLayer, problem.levelLimits);
    return plan;
}

bool isLossy(const Plan &plan) {
    return std::ranges::any_of(plan.allStages(), [](const PlanStage *stage) { return stage->codec != CutCodec(); });
}

bool isLossy(const Placement &placement) {
    return std::ranges::any_of(placement.stages, [](const StagePlacement &stage) { return stage.codec != CutCodec(); });
}

}  // namespace hearth
