#include "core/train/room_for_layers.h"

#include <algorithm>

#include "core/plan/memory.h"
#include "core/profile/declared_facts.h"
#include "core/train/process_memory.h"

namespace hearth {

Result<void> checkLayers(const Model &model, int firstLayer, int lastLayer, Precision precision,
                         const OptimizerState &optimizer, ComputeDevice &device) {
    if (firstLayer < 0 || firstLayer >= lastLayer || lastLayer > static_cast<int>(model.layers.size()))
        return {};  // the executor says so
    PlanningProblem bare;
    bare.optimizerStateFactor = optimizer.copies;
    bare.layers = declaredFacts(model, dtypeOf(precision));
    addSecondMoments(bare.layers, model, dtypeOf(precision), optimizer);
    const double bytes = MemoryModel(bare).stageBytes({.firstLayer = firstLayer, .lastLayer = lastLayer});
    return checkRoom(device, static_cast<qint64>(std::min(bytes, 9e15)));
}

}  // namespace hearth
