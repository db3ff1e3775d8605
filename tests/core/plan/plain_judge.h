// The cost model once more, from its description alone: slow, and independent of core/plan (whose plain values it
// reads).
#pragma once

#include <vector>

#include "core/plan/problem.h"
#include "core/profile/cost_source.h"
#include "tests/core/plan/plain_links.h"
#include "tests/core/plan/reference_simulator.h"

namespace hearth::test {

struct PlainMember {
    int device = 0;
    int samples = 0;
};

struct PlainStage {
    int first = 0;  // layers [first, last)
    int last = 0;
    std::vector<PlainMember> members;  // ascending by device id, bytewise
    int inFlight = 1;
    bool recompute = false;
};

/// What a schedule asks of devices beyond the limits of their stages.
struct PlainSchedule {
    bool putsOffWeights = false;  // the weights' half of a backward pass, until nothing else can begin
    bool keepsClose = false;      // at most 2(P - p) - 1 forwards of stage p of P are ahead of its backwards
};

struct PlainCut {
    double forward = 0, backward = 0;
    bool half = false;
    int medium = -1;  // the first medium that any of its devices hangs on
};

/// Reads the problem once; needs neither of both afterwards.
class PlainJudge {
  public:
    PlainJudge(PlanningProblem problem, const CostSource &costs);

    const PlanningProblem &problem() const { return m_problem; }
    /// Devices in the bytewise order of their ids.
    const std::vector<int> &order() const { return m_order; }
    double forward(int device, int first, int last, int samples) const;
    double backward(int device, int first, int last, int samples, bool recompute) const;
    /// Of backward: what comes after the gradient has left.
    double weights(int device, int first, int last, int samples) const;
    /// Eq. 3 with gradients, buffers, workspace and two receive buffers; the runtime included.
    double memoryBytes(const PlainStage &stage, const PlainMember &member, int microBatches) const;
    bool fits(const PlainStage &stage, const PlainMember &member, int microBatches) const;
    /// What the copies of others' states take of a device, which lie where memoryBytes() leaves most.
    double copyBytes(const std::vector<PlainStage> &stages, int device, int microBatches) const;
    int minimumSamples(int first, int last) const;
    double stateBytes(int first, int last) const;

    ReferenceStep execution(const PlainStage &stage, int microBatches) const;  // Eq. 5 and 8
    PlainCut cut(const PlainStage &from, const PlainStage &to) const;          // §2.3, the better estimate
    double feedSeconds(const PlainStage &first, const PlainStage &last, int microBatches) const;
    /// What the busiest card carries of all cuts, between filling the pipeline up to it and draining it from there.
    double cardSeconds(const std::vector<PlainStage> &stages, int microBatches) const;
    /// What no round is shorter than: feeding and cards.
    double leastSeconds(const std::vector<PlainStage> &stages, int microBatches) const;
    /// Whether all that must talk can.
    bool reachable(const std::vector<PlainStage> &stages) const;
    /// The simulated round.
    double seconds(const std::vector<PlainStage> &stages, int microBatch, bool fillDrain = false) const;
    double seconds(std::vector<ReferenceStep> steps, const std::vector<PlainCut> &cuts, double least, int microBatches,
                   bool fillDrain) const;

    /// What overlapping sample intervals make two devices exchange.
    struct Piece {
        int from = 0, to = 0;  // devices
        int samples = 0;
    };
    std::vector<Piece> pieces(const std::vector<PlainMember> &from, const std::vector<PlainMember> &to) const;

    /// Links between devices, in bytes per second and seconds. A medium of -1 is none.
    double rate(int from, int to) const { return m_links.rate[std::size_t(from)][std::size_t(to)]; }
    double latency(int from, int to) const { return m_links.latency[std::size_t(from)][std::size_t(to)]; }
    double up(int device) const { return m_links.up[std::size_t(device)]; }
    double down(int device) const { return m_links.down[std::size_t(device)]; }
    /// One card for all that the device sends and receives; else each cut has one for it.
    bool ownCard(int device) const { return m_links.ownCard[std::size_t(device)]; }
    bool half(int device) const { return m_links.half[std::size_t(device)]; }
    int medium(int device) const { return m_links.medium[std::size_t(device)]; }
    double airRate(int medium) const { return m_links.airRate[std::size_t(medium)]; }
    /// Bytes of a sample from one device to another across the cut behind a stage: fewer over a link that is so slow
    /// that it takes twice as long for what packing saves as packing takes.
    double crossing(const PlainStage &before, bool isForward, int from, int to) const;

  private:
    double oneWay(const std::vector<Piece> &pieces, const PlainStage &before, bool isForward) const;
    double allReduceSeconds(const PlainStage &stage) const;

    PlanningProblem m_problem;
    std::vector<int> m_order;
    std::vector<std::vector<std::vector<LayerSeconds>>> m_seconds;  // [device][layer][samples]
    PlainLinks m_links;
};

}  // namespace hearth::test
