#include "core/train/room_for_layers.h"

#include <algorithm>

#include "core/profile/declared_facts.h"
#include "core/train/process_memory.h"

namespace hearth {

Result<void> checkLayers(const Model &model, std::vector<StagePlace> places, const TrainingSpec &training,
                         ComputeDevice &device) {
    const auto exists = [&](const StagePlace &place) {
        return place.firstLayer >= 0 && place.firstLayer < place.lastLayer &&
               place.lastLayer <= static_cast<int>(model.layers.size());
    };
    if (!std::ranges::all_of(places, exists))
        return {};  // the executor says so
    const DType type = dtypeOf(training.precision);
    const OptimizerState state = training.state();
    PlanningProblem bare;
    bare.optimizerStateFactor = state.copies;
    bare.asynchronous = training.asynchronous;
    bare.localSteps = LocalStepsFacts::of(training.localSteps, training.optimizer);
    bare.layers = declaredFacts(model, type);
    addSecondMoments(bare.layers, model, type, state);
    const MemoryModel memory(bare);
    double bytes = 0;
    for (StagePlace &place : places) {
        place.samples = 0;
        bytes += memory.stageBytes(place);
    }
    return checkRoom(device, static_cast<qint64>(std::min(bytes, 9e15)));
}

}  // namespace hearth
