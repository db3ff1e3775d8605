#include "core/train/room_for_layers.h"

#include <algorithm>

#include "core/profile/declared_facts.h"
#include "core/train/process_memory.h"

namespace hearth {

Result<void> checkLayers(const Model &model, StagePlace place, const TrainingSpec &training, ComputeDevice &device) {
    if (place.firstLayer < 0 || place.firstLayer >= place.lastLayer ||
        place.lastLayer > static_cast<int>(model.layers.size()))
        return {};  // the executor says so
    const DType type = dtypeOf(training.precision);
    const OptimizerState state = training.state();
    PlanningProblem bare;
    bare.optimizerStateFactor = state.copies;
    bare.asynchronous = training.asynchronous;
    bare.localSteps = LocalStepsFacts::of(training.localSteps, training.optimizer);
    bare.layers = declaredFacts(model, type);
    addSecondMoments(bare.layers, model, type, state);
    place.samples = 0;
    return checkRoom(device, static_cast<qint64>(std::min(MemoryModel(bare).stageBytes(place), 9e15)));
}

}  // namespace hearth
