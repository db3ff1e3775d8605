// Good plans soon: what the search does before it proves, and where it cannot.
#pragma once

#include <optional>
#include <random>

#include "core/plan/search/annealing.h"
#include "core/plan/search/incumbent.h"
#include "core/plan/search/local_search.h"
#include "core/plan/search/row_search.h"

namespace hearth {

/// One stage, a few orders of devices, all rows of groups where devices are few enough (row_search.h), annealing
/// (annealing.h), all into one incumbent. One thread.
///
/// What each part is for. In parentheses, how much longer rounds are without it, on average over 18 problems of 8 to 64
/// devices in 0.1 to 5 s, where it adds most:
///   rows         proves, and finds the best row, with up to sixteen devices (12 %)
///   annealing    all homes that are larger (91 %), and compete() where it should begin (81 %)
///   fit          borders by the bound instead of by estimates (10 %); the estimate spares most of them (4 %)
///   reinsertion  several devices at once, when it is cold (0.6 %)
///   polish       shares, limits and the schedule of the best plan beyond what spaces hold (1.6 %)
///   climb        single changes that annealing left out (1 %)
///   orders       a first plan where memory is tight; soon left, since annealing makes more of the time
class QuickPlans {
  public:
    explicit QuickPlans(Incumbent &incumbent);

    /// `proofSteps`: what the proof will cost, where there is one; a dear one is prepared for longer.
    void run(std::optional<quint64> proofSteps);
    /// Anneals until the time is nearly over, or where nobody knows when that is, for longer than the last time. True
    /// while there is a point in going on.
    bool keepImproving();

  private:
    bool fewSets() const;
    void offerOneStage();
    void searchOrders();
    void searchRows(int mostMembers);
    bool searchRows(const RowSearch::Task &task, double mostEnd);
    void annealUntil(double part);
    void anneal();
    Annealing::Found compete(double end);
    void climb();
    double stepsLeft() const;
    Annealing::Better taking();

    void searchCoarsely(const DeviceSets &sets, const std::vector<int> &cuts, const SearchSpace &space);
    std::vector<std::vector<int>> orders() const;
    LocalSearchOptions localOptions() const;

    Incumbent &m_incumbent;
    const CostModel &m_model;
    SearchClock &m_clock;
    const std::vector<int> m_types;  // by device
    std::mt19937 m_random;
    OptionMemory m_optionMemory;
    Annealing m_annealing;
    RowSearch m_rows;
    quint64 m_annealingSteps = 0;  // of the next round
    bool m_rowsSearched = false;   // better than from chance
    bool m_last = false;           // nothing is to come but annealing
};

}  // namespace hearth
