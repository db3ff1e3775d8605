// A member's part in the AllReduce of gradients. Internal to core/train.
#pragma once

#include <functional>
#include <vector>

#include "core/protocol/deployment.h"
#include "core/protocol/round_report.h"
#include "core/train/stage_executor.h"
#include "core/train/stage_module.h"
#include "core/train/stage_times.h"
#include "core/train/sum_state.h"

namespace hearth {

/// Sums what this stage's group has of a round's gradients, and what it shares with other stages (tied tensors), over a
/// trusted fabric where one is in use, else by GroupSum. Of a round that is over nothing is kept but what members owe
/// (GradientCodec). Where a round is several updates, each of them is a round here and to the group. The compute
/// thread; what it is given outlives it.
class GradientSums {
  public:
    using Round = std::vector<RoundSum>;  // by group
    using Send = std::function<void(const QString &device, const TensorHeader &header, Payload payload)>;

    GradientSums(const Deployment &deployment, const Model &model, const QString &self, int place, StageModule &module,
                 const StageOutputs &out, RoundReport &report, StageTimes &times, Send send);

    /// Of a round of which nothing is known.
    Round newRound() const { return Round(m_groups.size()); }
    /// What `round`, the current one, needs before its gradients are there.
    void prepare(Round &sums, quint32 round);
    /// In the last backward pass: what is final is summed while the rest is computed. `sums` stays where it is.
    void watch(Round &sums, quint32 round);
    /// The gradients are whole.
    void begin(Round &sums);
    /// Does what can be done; true when the module's gradients are the sums.
    bool areDone(Round &sums, quint32 round);
    /// Who came last waits for nobody: all that is missing is on its way.
    bool awaitMembers(const Round &sums) const;
    /// No round is under way any more.
    void abandon() { m_fetches.clear(); }
    /// The round has been applied.
    void end(const Round &sums);

    /// `sumsOf` makes the state of a round where there is none. Error "worker.bad-frame".
    Result<void> deliver(const QString &from, const TensorFrame &frame, quint32 current,
                         const std::function<Round &(quint32 round)> &sumsOf);
    /// StageExecutor's.
    void sumExactly(quint32 round) { m_exactRound = round; }
    bool areOwed() const { return m_areOwed; }

  private:
    void addGroup(int number, const std::vector<int> &stages, qint64 first, qint64 end, const QString &fabric);
    RoundSum &sumOf(Round &sums, const SumGroup &group) const {
        return sums[static_cast<std::size_t>(&group - m_groups.data())];
    }
    SumGroup *groupOf(quint16 slot);
    GroupSum &builtinSum(RoundSum &sum, const SumGroup &group, quint32 round);
    void start(RoundSum &sum, const SumGroup &group, quint32 round);
    bool isExact(quint32 number) const;
    bool isDone(SumGroup &group, RoundSum &sum, quint32 round);
    /// Gradients as the group sums them, in the host's memory, and the sums back on the device. What is fetched is
    /// ready for the group once it is there.
    void fetch(SumGroup &group, GroupSum &sum, qint64 first, qint64 end);
    void awaitFetched();
    void store(qint64 first, qint64 end);

    // The trusted fabric (gradient_sums_fabric.cpp).
    void openFabric(SumGroup &group, RoundSum &sum, quint32 round);
    static bool usesFabric(const SumGroup &group, const RoundSum &sum) {
        return group.fabricInUse && !sum.fabric.failed;
    }
    bool isFabricDone(SumGroup &group, RoundSum &sum, quint32 round);
    void takeFabricOutcome(SumGroup &group, RoundSum &sum, quint32 round);
    void giveUpFabric(SumGroup &group);
    void failFabric(SumGroup &group, RoundSum &sum, quint32 round, const Error &error);
    void sendFabricEntries(const SumGroup &group, quint32 round);
    void sendToGroup(const SumGroup &group, FabricSlot what, quint32 round, const QByteArray &bytes);
    Result<void> deliverFabric(SumGroup &group, int member, const TensorFrame &frame, quint32 current,
                               const std::function<Round &(quint32 round)> &sumsOf);

    const Deployment &m_deployment;
    StageModule &m_module;
    const StageOutputs &m_out;
    RoundReport &m_report;
    StageTimes &m_times;
    Send m_send;
    QString m_self;
    int m_place;
    quint32 m_updatesPerRound;
    at::Tensor m_gradients;  // in the host's memory: the module's own where they lie there, else with a group
    at::Tensor m_owed;       // there, too: what rounding took from this member's; undefined: nothing is rounded
    struct Fetch {
        GroupSum *sum;
        qint64 first, end;  // of its elements
        std::shared_ptr<const Mark> there;
    };
    std::vector<Fetch> m_fetches;    // under way
    bool m_areOwed = false;          // some member's, after the last round
    quint32 m_exactRound = 0;        // by sumExactly()
    std::vector<SumGroup> m_groups;  // none where nobody else has this stage's tensors
};

}  // namespace hearth
