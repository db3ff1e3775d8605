#include "core/plan/search/polish.h"

#include <algorithm>

#include "core/plan/seconds.h"

namespace hearth {
namespace {

class Polish {
  public:
    Polish(const CostModel &model, SearchClock &clock, Placement &best, double seconds)
        : m_model(model), m_clock(clock), m_judge(model, false), m_best(best), m_seconds(seconds) {}

    double run() {
        Placement filled = m_best;
        filled.schedule = Schedule::FillDrain;
        consider(std::move(filled));
        while (!m_clock.over() && (moveSamples() || changeLimits())) {
        }
        trimLimits();
        return m_seconds;
    }

  private:
    bool consider(Placement placement) {
        m_clock.spendOnPlan(static_cast<int>(placement.stages.size()), m_model.problem().batch / placement.microBatch);
        if (m_clock.over() || !m_judge.fits(placement))
            return false;
        const double seconds = m_judge.judge(placement, m_seconds * worthwhile);
        if (!(seconds < m_seconds * worthwhile))
            return false;
        m_best = std::move(placement);
        m_seconds = seconds;
        return true;
    }

    bool moveSamples() {
        for (std::size_t s = 0; s < m_best.stages.size(); ++s) {
            const StagePlacement &stage = m_best.stages[s];
            const int least = std::max(1, m_model.memory().minimumSamples(stage.firstLayer, stage.lastLayer));
            for (std::size_t from = 0; from < stage.group.size(); ++from) {
                for (std::size_t to = 0; to < stage.group.size(); ++to) {
                    if (from == to || stage.group[from].samples <= least)
                        continue;
                    Placement next = m_best;
                    --next.stages[s].group[from].samples;
                    ++next.stages[s].group[to].samples;
                    if (consider(std::move(next)))
                        return true;
                }
            }
        }
        return false;
    }

    bool changeLimits() {
        const int microBatches = m_model.problem().batch / m_best.microBatch;
        for (std::size_t s = 0; s < m_best.stages.size(); ++s) {
            for (const int by : {-1, 1}) {
                Placement next = m_best;
                int &limit = next.stages[s].inFlight;
                limit += by;
                if (limit >= 1 && limit <= microBatches && m_best.schedule.hasLimits() && consider(std::move(next)))
                    return true;
            }
        }
        return false;
    }

    /// The search looks at a few limits, of which the largest is all micro-batches.
    void trimLimits() {
        if (!m_best.schedule.putsOffWeights())
            return;
        const int least = static_cast<int>(m_best.stages.size()) + 1;
        for (std::size_t s = 0; s < m_best.stages.size(); ++s) {
            for (int low = std::min(least, m_best.stages[s].inFlight); low < m_best.stages[s].inFlight;) {
                Placement next = m_best;
                const int middle = (low + m_best.stages[s].inFlight) / 2;
                next.stages[s].inFlight = middle;
                m_clock.spendOnPlan(static_cast<int>(next.stages.size()), m_model.problem().batch / next.microBatch);
                if (m_clock.over())
                    return;
                if (m_judge.judge(next, m_seconds / worthwhile) <= m_seconds)
                    m_best = std::move(next);
                else
                    low = middle + 1;
            }
        }
    }

    const CostModel &m_model;
    SearchClock &m_clock;
    PlacementJudge m_judge;
    Placement &m_best;
    double m_seconds;
};

}  // namespace

double polish(const CostModel &model, SearchClock &clock, Placement &placement, double seconds) {
    return Polish(model, clock, placement, seconds).run();
}

}  // namespace hearth
