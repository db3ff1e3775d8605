// The executor's work in asynchronous training: rounds overlap, and every pass sees the weights that the rule says.
#include <utility>

#include "core/train/stage_state.h"

namespace hearth {

/// While it lives the executor works on a later round than the one whose gradients are next.
class StageExecutor::Private::LaterRound {
  public:
    LaterRound(Private &stage, quint32 round) : m_stage(stage), m_before(stage.currentRound) { turn(round); }
    ~LaterRound() { turn(m_before); }
    Q_DISABLE_COPY_MOVE(LaterRound)

  private:
    void turn(quint32 round) {
        if (round == m_stage.currentRound)
            return;
        const quint32 later = std::max(round, m_stage.currentRound);
        std::swap(m_stage.report, m_stage.rounds.at(later).report);
        m_stage.currentRound = round;
        m_stage.times.setRound(round);
    }

    Private &m_stage;
    const quint32 m_before;
};

/// A ready backward pass comes before a ready forward pass, as in 1F1B; but nothing is there that ends a round: forward
/// passes go on with the next one. There is one buffer of gradients, so a backward pass waits until the sum of the
/// update before has been applied.
Result<bool> StageExecutor::Private::stepAsynchronously() {
    if (isIdle() && evaluateNext())
        return true;
    const auto found = rounds.find(currentRound);
    if (found == rounds.end()) {
        times.beginWait(Activity::WaitForward);
        return false;
    }
    RoundState &state = found->second;
    GradientSums::Round &sum = sumsOf(updateNumber());
    sums.prepare(sum, updateNumber());
    if (!state.summing && state.weightGradients < state.inputGradients) {
        backwardWeights(state.weightGradients);
        return true;
    }
    const int perUpdate = deployment.microBatches / updatesPerRound;
    const int updated = static_cast<int>(weights.current() - firstUpdateOf(currentRound));
    const bool isWhole = state.weightGradients == (updated + 1) * perUpdate;
    Activity waitsFor = Activity::WaitBackward;
    if (state.summing) {
        if (sums.areDone(sum, updateNumber())) {
            update();
            return true;
        }
        waitsFor = sums.awaitMembers(sum) ? Activity::WaitAllReduce : Activity::AllReduce;
    } else if (isWhole && checkDone(state)) {
        state.summing = true;
        sums.begin(sum);
        return true;
    } else if (!isWhole && hasGradient(state)) {
        if (state.inputGradients == updated * perUpdate)
            module.zeroGradients();
        backwardInput(state.inputGradients);
        return true;
    }
    if (forwardNext(state))
        return true;
    const bool mayGoOn = state.forwards < deployment.microBatches && state.forwards - state.weightGradients < limit();
    times.beginWait(!state.summing && mayGoOn ? Activity::WaitForward : waitsFor);
    return false;
}

bool StageExecutor::Private::hasGradient(const RoundState &state) const {
    return state.inputGradients < state.forwards &&
           (isLast() || state.microBatches[static_cast<std::size_t>(state.inputGradients)].gradient.complete());
}

/// False: its input, its version of the weights or room for it in flight is not there.
bool StageExecutor::Private::forwardNext(const RoundState &current) {
    quint32 round = currentRound;
    int inFlight = current.forwards - current.weightGradients;
    if (current.forwards == deployment.microBatches)
        ++round;
    const auto found = rounds.find(round);
    if (found == rounds.end())
        return false;
    const RoundState &state = found->second;
    if (round != currentRound)
        inFlight += state.forwards;
    const int index = state.forwards;
    if (index == deployment.microBatches || inFlight >= limit() || !weights.has(versionOf(round, index)))
        return false;
    const MicroBatchState &micro = state.microBatches[static_cast<std::size_t>(index)];
    if (!hasInput(round, index, micro) || (isLast() && !(micro.labels.complete() && state.normaliser > 0)))
        return false;
    const LaterRound at(*this, round);
    forward(index);
    return true;
}

}  // namespace hearth
