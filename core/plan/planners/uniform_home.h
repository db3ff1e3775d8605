// A home as planners for uniform clusters see it: every device the mean of all, every link the mean of those that work.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "core/plan/cost_model.h"
#include "core/plan/in_flight.h"
#include "core/plan/planner.h"

namespace hearth {

/// Keeps a reference to the model. One thread at a time.
class UniformHome {
  public:
    explicit UniformHome(const CostModel &model);

    /// The mean device's seconds over the layers before l, l = 0..L.
    struct Sums {
        std::vector<double> forward, backward;
        double seconds(int first, int last) const {
            const auto f = static_cast<std::size_t>(first), l = static_cast<std::size_t>(last);
            return forward[l] - forward[f] + backward[l] - backward[f];
        }
    };
    const Sums &sums(int samples);

    double bytesPerSecond() const { return m_rate; }  // 0: nobody reaches anybody
    double memoryBytes() const { return m_memory; }   // the workers' own start-up taken off
    /// Eq. 5 of Asteroid at the mean rate, without latency as these planners have it. Infinite without links.
    double allReduceSeconds(int firstLayer, int lastLayer, int members) const;
    /// What crosses the cut before a layer.
    double outputBytes(int layer, double samples) const;
    double gradientBytes(int layer, double samples) const;
    double secondsOf(double bytes) const;
    /// Devices that a micro-batch can be shared by so that each has the samples that those layers need.
    int mostMembers(int firstLayer, int lastLayer, int microBatch) const {
        return microBatch / std::max(1, m_model.memory().minimumSamples(firstLayer, lastLayer));
    }

  private:
    const CostModel &m_model;
    std::map<int, Sums> m_sums;
    double m_rate = 0;
    double m_memory = 0;
};

/// `count` devices of the problem's order from `first` on, shares even; the first ones take what does not divide.
Group evenGroup(int first, int count, int microBatch);
/// The slowest member's share of an even group.
inline int evenShare(int count, int microBatch) {
    return (microBatch + count - 1) / count;
}

/// Sizes of groups worth trying among n devices, ascending: all of them up to 16, and beyond that ever wider apart, so
/// that searches over layers × devices × sizes stay within seconds for any home.
std::vector<int> groupSizes(int devices);

/// A stage of a search over uniform devices.
struct UniformStage {
    int firstLayer = 0;
    int lastLayer = 0;
    int members = 0;
};
/// What such a search found for one micro-batch size. Without stages: nothing.
struct UniformAnswer {
    double seconds = std::numeric_limits<double>::infinity();  // of the round, as the planner itself has it
    std::vector<UniformStage> stages;
};
/// Those stages as a plan of 1F1B: groups filled in the order of the devices, shares even.
Plan uniformPlan(const PlanningProblem &problem, const QString &planner, int microBatch,
                 const std::vector<UniformStage> &stages, InFlightRule rule);
/// The plan of the micro-batch size whose answer has the fewest seconds: for planners whose own objective is the round.
/// Nothing when no size has an answer.
std::optional<Plan> bestUniformPlan(const PlanningProblem &problem, const QString &planner, InFlightRule rule,
                                    const PlannerOptions &options,
                                    const std::function<UniformAnswer(int microBatch)> &solve);

}  // namespace hearth
