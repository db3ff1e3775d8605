// What packing leaves of what crosses the cuts of a run: its data are not the noise that a profile is measured on.
#pragma once

#include <QtGlobal>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/protocol/round_report.h"

namespace hearth {

/// Believes what `looked` rounds in a row say that are near each other, and later ones once they are further than that
/// from what it believes: an odd round is passed over. By layer in front of the cut, codec and way, each apart. Rounds
/// in which nobody tried to pack say nothing of a cut. What is learned changes predictions and plans alone, never what
/// is sent. One thread at a time.
class LearnedPacking {
  public:
    static constexpr std::size_t looked = 3;
    static constexpr double near = 1.1;        // within a tenth, ...
    static constexpr double leastNews = 0.02;  // ... or by less than this part of the bytes

    /// From now on rounds follow this plan. What was learned before stays known.
    void planned(const Plan &plan);
    /// The reports of all devices of a round. True: something was learned.
    bool take(const std::vector<CutPacking> &round);
    /// Nothing was learned so far.
    bool isEmpty() const { return m_parts.empty(); }

    /// The problem with what was learned. Cuts of which nothing was differ from what was measured of them as much as
    /// the others do in the mean; codecs and ways of which nothing was learned at all stay as they were measured.
    PlanningProblem corrected(PlanningProblem problem) const;

  private:
    using Way = std::tuple<int, quint8, CutWay>;  // layer in front of the cut, Codec::number

    std::vector<int> m_layers;                   // of the plan: in front of each cut
    std::map<Way, std::deque<double>> m_newest;  // parts that the last rounds left
    std::map<Way, double> m_parts;               // that are believed
};

}  // namespace hearth
