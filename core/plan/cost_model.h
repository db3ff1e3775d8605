// What the steps of a plan take: execution, transfer, AllReduce (Asteroid, Eq. 5 and 8).
#pragma once

#include <QHash>
#include <algorithm>
#include <memory>
#include <vector>

#include "core/plan/cut_traffic.h"
#include "core/plan/latency.h"
#include "core/plan/link_table.h"
#include "core/plan/memory.h"
#include "core/plan/problem.h"
#include "core/profile/cost_source.h"

namespace hearth {

/// One device of a group: index in the problem, samples of each micro-batch.
struct MemberShare {
    int device = 0;
    int samples = 0;
};
using Group = std::vector<MemberShare>;  // ascending by device id, bytewise

/// The cuts of a stage; nothing crosses where there is none.
struct StageCuts {
    CutTraffic before = {}, after = {};
};

/// A problem with everything that planners ask of it again and again. Keeps a reference to the problem, and to costs
/// that it is given. Caches as it is asked, so one thread at a time.
class CostModel {
  public:
    /// What crosses a cut that has no codec.
    enum class Cuts {
        AsPlanned,  // its tensors as they are
        Least       // the fewest bytes that a level of the problem gives, and no time for encoding: no plan has less
    };
    explicit CostModel(const PlanningProblem &problem);
    /// With other costs than the problem's own, of the same devices and layers.
    CostModel(const PlanningProblem &problem, const CostSource &costs, Cuts cuts = Cuts::AsPlanned);
    ~CostModel();
    CostModel(const CostModel &) = delete;
    CostModel &operator=(const CostModel &) = delete;

    const PlanningProblem &problem() const { return m_problem; }
    const CostSource &costs() const { return *m_costs; }
    const MemoryModel &memory() const { return m_memory; }
    const LinkTable &links() const { return m_links; }
    int layerCount() const { return static_cast<int>(m_problem.layers.size()); }
    int deviceCount() const { return static_cast<int>(m_problem.devices.size()); }
    /// -1: unknown. In constant time, unlike PlanningProblem::indexOf().
    int indexOf(const QString &device) const { return m_index.value(device, -1); }
    /// Place of every device in the bytewise order of ids: sample intervals follow it.
    int rank(int device) const { return m_rank[static_cast<std::size_t>(device)]; }
    const std::vector<int> &devicesById() const { return m_order; }

    LayerSeconds stageSeconds(int device, int firstLayer, int lastLayer, int samples) const;
    /// Forward and backward of the whole model with the whole batch: how fast the device is.
    double wholeSeconds(int device) const;
    /// Sums over the layers before l, l = 0..L, at that many samples: three arrays of L + 1.
    struct Prefix {
        const double *forward;
        const double *backward;
        const double *weights;  // of backward, as LayerSeconds has it
        LayerSeconds between(int firstLayer, int lastLayer) const {
            return {forward[lastLayer] - forward[firstLayer], backward[lastLayer] - backward[firstLayer],
                    weights[lastLayer] - weights[firstLayer]};
        }
    };
    Prefix prefix(int device, int samples) const;

    /// Eq. 8: the slowest member each way (+ forward once more in backward with recompute). The group's gradient leaves
    /// when its slowest member has it.
    StepTimes execution(int firstLayer, int lastLayer, const Group &group, bool recompute = false,
                        const StageCuts &cuts = {}, int updates = 1) const;
    /// One member's part of that, without AllReduce.
    LayerSeconds memberSeconds(int firstLayer, int lastLayer, const MemberShare &member, bool recompute,
                               const StageCuts &cuts) const;
    /// What a stage with this codec behind it, and that one in front of it, encodes and decodes.
    StageCuts cutsOf(int firstLayer, int lastLayer, const CutCodec &before, const CutCodec &after) const;
    /// What crosses the cut before `layer`, 1..L. All that is computed about cuts reads it here.
    const CutTraffic &traffic(int layer, bool recomputes = false) const {
        return (recomputes ? m_recomputed : m_traffic)[static_cast<std::size_t>(layer - 1)];
    }
    CutTraffic traffic(int layer, const CutCodec &codec, bool recomputes = false) const {
        return codec == CutCodec{}
                   ? traffic(layer, recomputes)
                   : CutTraffic(m_problem.layers[static_cast<std::size_t>(layer - 1)], codec, recomputes);
    }
    /// Bytes of one sample from one device to another.
    double sent(const CutTraffic::Way &way, int from, int to) const {
        return way.over(m_links.bytesPerSecond(from, to));
    }
    /// Between whichever devices: no less.
    double leastSent(const CutTraffic::Way &way) const { return way.over(m_links.slowest()); }
    /// All pairs of devices send as many: what leastSent() says.
    bool cutsAreAlike() const { return m_cutsAreAlike; }
    /// What a device's card takes for what it sends, or receives, of a sample: no less.
    double sendingSeconds(const CutTraffic::Way &out, int device) const {
        const double bytes = out.over(m_links.slowestFrom(device));
        return bytes > 0 ? bytes / m_links.up(device) : 0;
    }
    double receivingSeconds(const CutTraffic::Way &in, int device) const {
        const double bytes = in.over(m_links.slowestTo(device));
        return bytes > 0 ? bytes / m_links.down(device) : 0;
    }
    /// Seconds in which a device encodes, or decodes, one sample of a cut. They are its stage's: whatever thread does
    /// it takes them of the same processor.
    double encodeSeconds(int device, const CutTraffic::Way &way) const { return rates(device, way).encode; }
    double decodeSeconds(int device, const CutTraffic::Way &way) const { return rates(device, way).decode; }
    /// The busiest card, pair or medium of the cut before `layer` (§2.3, better estimate), behind a stage that
    /// `recomputes` or does not. Infinite when unreachable.
    StepTimes transfer(int layer, const Group &from, const Group &to, const CutCodec &codec = {},
                       bool recomputes = false) const;
    /// The same without a codec where LinkTable::uniform(): only the largest share of both groups counts.
    StepTimes uniformTransfer(int layer, int largestShare) const;
    /// Media that the transfer uses: transfers with one in common take turns. -1: none.
    int mediumOf(const Group &from, const Group &to) const;
    /// Of one sum, of which a round has one for each of its `updates`. Eq. 5: ring of the slowest link, or where
    /// gradients are rounded what they cost (GradientCodec). Infinite when unreachable. Without tied tensors that other
    /// layers have, too (tied_sums.h).
    double allReduceSeconds(int firstLayer, int lastLayer, const Group &group, int updates = 1) const;
    /// The ring for so many bytes.
    double sumSeconds(double bytes, const Group &group) const;
    /// What every member of a group of so many sends for it, the mean of sums that round and those that do not.
    double allReduceBytes(int firstLayer, int lastLayer, std::size_t members, int updates = 1) const;

  private:
    CostModel(const PlanningProblem &problem, std::shared_ptr<const CostSource> costs, Cuts cuts);
    CodecSeconds rates(int device, const CutTraffic::Way &way) const;
    double exchangeSeconds(double bytesPerMember, int hops, const Group &group) const;
    double oneWay(const Group &from, const Group &to, const CutTraffic::Way &way, bool *half) const;
    const PlanningProblem &m_problem;
    std::shared_ptr<const CostSource> m_costs;
    MemoryModel m_memory;
    LinkTable m_links;
    bool m_cutsAreAlike = true;
    /// Without a codec, by layer in front of the cut; behind stages that compute their activations again.
    std::vector<CutTraffic> m_traffic, m_recomputed;
    std::vector<int> m_order, m_rank;
    QHash<QString, int> m_index;
    mutable std::vector<std::vector<std::unique_ptr<double[]>>> m_prefix;  // [device][samples]: forward, then backward
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
