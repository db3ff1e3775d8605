// Times of the steps of a plan and the closed form of a round's latency (algorithms.md §2.3 and §2.4).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/plan/memory.h"
#include "core/plan/problem.h"
#include "core/profile/cost_source.h"

namespace hearth {

/// Times of one step for one micro-batch. Steps alternate: execution of a stage, transfer over the cut after it.
struct StepTimes {
    double forward = 0;
    double backward = 0;
    /// What one micro-batch takes of the step's resource: forward + backward, or their maximum where both directions of
    /// a transfer run at once.
    double occupied = 0;
    double allReduce = 0;

    static StepTimes execution(double forward, double backward, double allReduce = 0) {
        return {forward, backward, forward + backward, allReduce};
    }
    static StepTimes transfer(double forward, double backward, Duplex duplex) {
        return {forward, backward, duplex == Duplex::Full ? std::max(forward, backward) : forward + backward, 0};
    }
};

/// The state of the closed form for a suffix of steps: latency = a + g.
struct SuffixLatency {
    double a = 0;
    double g = 0;
    double latency() const { return a + g; }
    static SuffixLatency last(const StepTimes &step, int microBatches);
    SuffixLatency prepended(const StepTimes &step, int microBatches) const;
};

struct RoundLatency {
    double seconds = 0;
    int dominantStep = 0;
};

/// Closed form over all steps; with full duplex transfers in the duplex-aware form.
RoundLatency closedFormLatency(const std::vector<StepTimes> &steps, int microBatches);
/// Eq. 4–6 as the slides have them: a transfer is always charged forward + backward.
RoundLatency asteroidLatency(const std::vector<StepTimes> &steps, int microBatches);
/// A lower bound of any execution of these steps (§4.1, with its tail term).
double strictLowerBound(const std::vector<StepTimes> &steps, int microBatches);

/// One device of a group: index in the problem, samples of each micro-batch.
struct MemberShare {
    int device = 0;
    int samples = 0;
};
using Group = std::vector<MemberShare>;  // ascending by device id, bytewise

/// Links of a problem as matrices. Immutable.
class LinkTable {
  public:
    explicit LinkTable(const PlanningProblem &problem);
    /// 0: unreachable. Network cards and media are already taken into account.
    double bytesPerSecond(int from, int to) const { return m_rate[index(from, to)]; }
    double latency(int from, int to) const { return m_latency[index(from, to)]; }
    double up(int device) const { return m_up[static_cast<std::size_t>(device)]; }
    double down(int device) const { return m_down[static_cast<std::size_t>(device)]; }
    bool halfDuplex(int from, int to) const;
    int medium(int device) const { return m_medium[static_cast<std::size_t>(device)]; }  // -1: none
    double mediumRate(int medium) const { return m_mediumRate[static_cast<std::size_t>(medium)]; }
    int mediumCount() const { return static_cast<int>(m_mediumRate.size()); }
    /// All pairs alike, no network cards, no media: a transfer is then bound by the largest share alone.
    bool uniform() const { return m_uniform; }

  private:
    std::size_t index(int from, int to) const {
        return static_cast<std::size_t>(from) * m_up.size() + static_cast<std::size_t>(to);
    }
    std::vector<double> m_rate, m_latency, m_up, m_down, m_mediumRate;
    std::vector<bool> m_half;
    std::vector<int> m_medium;
    bool m_uniform = false;
};

/// A problem with everything that planners ask of it again and again. Keeps references: problem and costs must outlive
/// it. Caches as it is asked, so one thread at a time.
class CostModel {
  public:
    CostModel(const PlanningProblem &problem, const CostSource &costs);
    ~CostModel();
    CostModel(const CostModel &) = delete;
    CostModel &operator=(const CostModel &) = delete;

    const PlanningProblem &problem() const { return m_problem; }
    const MemoryModel &memory() const { return m_memory; }
    const LinkTable &links() const { return m_links; }
    int layerCount() const { return static_cast<int>(m_problem.layers.size()); }
    int deviceCount() const { return static_cast<int>(m_problem.devices.size()); }
    /// Place of every device in the bytewise order of ids: sample intervals follow it.
    int rank(int device) const { return m_rank[static_cast<std::size_t>(device)]; }

    LayerSeconds stageSeconds(int device, int firstLayer, int lastLayer, int samples) const;
    /// Sums over the layers before l, l = 0..L, at that many samples: two arrays of L + 1.
    struct Prefix {
        const double *forward;
        const double *backward;
    };
    Prefix prefix(int device, int samples) const;

    /// Eq. 8: the slowest member each way (+ forward once more in backward with recompute).
    StepTimes execution(int firstLayer, int lastLayer, const Group &group, bool recompute = false) const;
    /// The busiest card, pair or medium of the cut before `layer` (§2.3, better estimate). Infinite when unreachable.
    StepTimes transfer(int layer, const Group &from, const Group &to) const;
    /// Eq. 5: ring of the slowest link. Infinite when unreachable.
    double allReduceSeconds(int firstLayer, int lastLayer, const Group &group) const;

  private:
    double oneWay(const Group &from, const Group &to, double bytesPerSample) const;
    const PlanningProblem &m_problem;
    const CostSource &m_costs;
    MemoryModel m_memory;
    LinkTable m_links;
    std::vector<int> m_rank;
    mutable std::vector<std::unique_ptr<double[]>> m_prefix;  // [device][samples]: forward then backward sums
};

/// Bytes from member i of `from` to member j of `to`: the overlap of their sample intervals.
struct Overlap {
    int from = 0;  // index in the group
    int to = 0;
    int firstSample = 0;
    int samples = 0;
};
std::vector<Overlap> overlaps(const Group &from, const Group &to);

}  // namespace hearth
