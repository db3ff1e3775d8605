// Good plans soon: what the search does before it proves, and where it cannot.
#pragma once

#include <random>

#include "core/plan/search/incumbent.h"
#include "core/plan/search/local_search.h"

namespace hearth {

/// Several methods that offer plans to one incumbent, each better than the last ones and dearer. One thread.
class QuickPlans {
  public:
    explicit QuickPlans(Incumbent &incumbent);

    /// All methods once, from the cheapest on. `proofSteps`: what the proof will cost; the dearer methods are only
    /// worth it where that is much.
    void run(quint64 proofSteps);
    /// Changes the best plan at random and improves the result. True while there is a point in going on.
    bool keepImproving();

  private:
    void offerOneStage();
    void searchOrders();
    void searchBeam(int width);
    void searchSubsets();
    bool improveOrder(quint64 steps);
    void climb(quint64 steps);
    void kick(int times, quint64 steps);
    void climbFrom(const std::vector<Placement> &starts);
    quint64 roundOfChanges() const;

    void searchCoarsely(const DeviceSets &sets, const std::vector<int> &cuts, const SearchSpace &space);
    void shiftBordersOfBest();
    std::vector<std::vector<int>> orders() const;
    std::vector<int> orderOfBest() const;
    std::vector<int> cutsAroundBest(int parts) const;
    LocalSearchOptions localOptions() const;
    LocalSearch::Found found() const { return {m_incumbent.best(), m_incumbent.seconds()}; }
    void take(const std::optional<LocalSearch::Found> &better);
    bool worthwhile(const SearchSpace &space) const;
    bool nearBest(const SearchSpace &space) const;

    Incumbent &m_incumbent;
    const CostModel &m_model;
    SearchClock &m_clock;
    std::mt19937 m_random;
    OptionMemory m_optionMemory;
};

}  // namespace hearth
