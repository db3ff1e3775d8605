// The executor's states of layers: put in before the first round, read between rounds.
#include <algorithm>

#include "core/train/stage_state.h"

namespace hearth {

qint64 StageExecutor::stateBytes(int layer) const {
    return d->layouts[static_cast<std::size_t>(layer - firstLayer())].bytes;
}

bool StageExecutor::awaitsState(int layer) const {
    return layer >= firstLayer() && layer < lastLayer() && !d->statesAwaited.empty() &&
           d->statesAwaited[static_cast<std::size_t>(layer - firstLayer())];
}

Result<void> StageExecutor::loadState(int layer, std::span<const std::byte> state) {
    if (!awaitsState(layer) || static_cast<qint64>(state.size()) != stateBytes(layer))
        return fail(QStringLiteral("worker.bad-weights"), sentence("The weights that arrived do not fit the model."),
                    sentence("A state of %1 bytes for layer %2.").arg(state.size()).arg(layer));
    return guarded([&]() -> Result<void> {
        const auto index = static_cast<std::size_t>(layer - firstLayer());
        d->module.loadState(layer, d->layouts[index], d->optimizerState, state.data());
        d->statesAwaited[index] = false;
        --d->weightsAwaited;
        return {};
    });
}

qint64 StageExecutor::frozenBytes(int layer) const {
    return d->frozenLayouts[static_cast<std::size_t>(layer - firstLayer())].bytes;
}

bool StageExecutor::awaitsFrozen(int layer) const {
    return layer >= firstLayer() && layer < lastLayer() &&
           d->frozenAwaited[static_cast<std::size_t>(layer - firstLayer())];
}

Result<void> StageExecutor::loadFrozen(int layer, std::span<const std::byte> values) {
    if (!awaitsFrozen(layer) || static_cast<qint64>(values.size()) != frozenBytes(layer))
        return fail(QStringLiteral("worker.bad-weights"), sentence("The weights that arrived do not fit the model."),
                    sentence("%1 bytes for the frozen tensors of layer %2.").arg(values.size()).arg(layer));
    return guarded([&]() -> Result<void> {
        const auto index = static_cast<std::size_t>(layer - firstLayer());
        d->module.loadState(layer, d->frozenLayouts[index], d->optimizerState, values.data());
        d->frozenAwaited[index] = false;
        --d->weightsAwaited;
        return {};
    });
}

Result<void> StageExecutor::readFrozen(int layer, std::span<std::byte> to) const {
    return guarded([&]() -> Result<void> {
        d->module.readState(layer, d->frozenLayouts[static_cast<std::size_t>(layer - firstLayer())], d->optimizerState,
                            to.data());
        return {};
    });
}

void StageExecutor::abandonRound() {
    const auto current = d->rounds.find(d->currentRound);
    if (current != d->rounds.end() && current->second.forwards > 0) {
        const at::NoGradGuard guard;
        d->module.statistics().copy_(d->statisticsBefore(d->currentRound));
        if (d->local)
            d->local->abandon();
    }
    d->beginning.restore(d->module.parameters(), d->optimizerState);
    d->module.dropBackward();
    d->sums.abandon();
    d->times.drop();
    d->weights.releaseAll();
    d->rounds.clear();
    d->evaluation.reset();
}

Result<void> StageExecutor::readStates(const std::vector<LayerBytes> &wanted) const {
    return guarded([&]() -> Result<void> {
        // A later round may have begun, whose passes move them.
        const ExchangedValues statistics =
            isIdle() || wanted.empty() ? ExchangedValues()
                                       : ExchangedValues(d->module.statistics(), d->statisticsBefore(d->currentRound));
        for (const auto &[layer, to] : wanted) {
            d->module.readState(layer, d->layouts[static_cast<std::size_t>(layer - firstLayer())], d->optimizerState,
                                to.data());
        }
        return {};
    });
}

}  // namespace hearth
