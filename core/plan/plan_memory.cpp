#include "core/plan/plan_memory.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/plan/asynchronous_round.h"

namespace hearth {
namespace {

/// Without copies of others' states.
QMap<QString, double> ownBytes(const CostModel &model, const MemoryModel &memory, const Plan &plan) {
    QMap<QString, double> bytes;
    for (const Plan &pipeline : plan.sideBySide()) {
        const auto &how = model.problem().asynchronous;
        const std::vector<int> delays = how ? delaysOf(pipeline, *how) : std::vector<int>(pipeline.stages.size());
        for (std::size_t s = 0; s < pipeline.stages.size(); ++s) {
            const PlanStage &stage = pipeline.stages[s];
            const int inFlight = pipeline.schedule.mostInFlight(stage.inFlight, pipeline.microBatches());
            for (const Share &share : stage.shares) {
                const StagePlace place{stage.firstLayer, stage.lastLayer, share.samples,
                                       inFlight,         stage.recompute, delays[s]};
                // What programs take counts once for all stages of a device.
                double &own = bytes[share.device];
                own += own > 0 ? memory.stageBytes(place) : memory.deviceBytes(model.indexOf(share.device), place);
            }
        }
    }
    return bytes;
}

std::vector<QString> copyHolders(const CostModel &model, const Plan &plan, const QMap<QString, double> &own) {
    const auto left = [&](const Share &share) {
        return model.memory().availableBytes(model.indexOf(share.device)) - own.value(share.device);
    };
    const std::size_t count = plan.stages.size();
    std::vector<QString> holders(count);
    for (std::size_t s = 0; s < count; ++s) {
        if (plan.stages[s].shares.size() > 1 || count == 1)
            continue;
        // The next one of another device: of an interleaved plan the last and the first may be of the same.
        const QString &owner = plan.stages[s].shares.front().device;
        const std::vector<Share> *next = nullptr;
        for (std::size_t k = 1; k < count && !next; ++k) {
            const auto &shares = plan.stages[(s + k) % count].shares;
            next = shares.front().device == owner ? nullptr : &shares;
        }
        holders[s] = std::max_element(next->begin(), next->end(), [&](const Share &a, const Share &b) {
                         return left(a) < left(b);
                     })->device;
    }
    return holders;
}

/// With so many copies of others' states.
void judgeWith(const CostModel &model, const MemoryModel &memory, int copies, const Plan &plan,
               Prediction *prediction) {
    QMap<QString, double> bytes = ownBytes(model, memory, plan);
    if (copies > 0 && plan.pipelines.empty()) {
        const std::vector<QString> holders = copyHolders(model, plan, bytes);
        for (std::size_t s = 0; s < holders.size(); ++s) {
            if (!holders[s].isEmpty()) {
                const PlanStage &stage = plan.stages[s];
                bytes[holders[s]] += copies * memory.stateBytes(stage.firstLayer, stage.lastLayer);
            }
        }
    }
    prediction->fits = true;
    prediction->violations.clear();
    prediction->memoryBytes.clear();
    for (const PlanStage *stage : plan.allStages()) {
        for (const Share &share : stage->shares) {
            if (prediction->memoryBytes.contains(share.device))
                continue;
            const auto needed =
                static_cast<qint64>(std::min(std::ceil(bytes.value(share.device)), Prediction::mostBytes));
            prediction->memoryBytes[share.device] = needed;
            const int device = model.indexOf(share.device);
            if (bytes.value(share.device) <= memory.availableBytes(device))
                continue;
            prediction->fits = false;
            prediction->violations.push_back({share.device, needed, model.problem().devices[at(device)].memoryBytes});
        }
    }
}

}  // namespace

std::vector<QString> copyHolders(const CostModel &model, const Plan &plan) {
    return copyHolders(model, plan, ownBytes(model, model.memory(), plan));
}

void judgeMemory(const CostModel &model, const Plan &plan, Prediction *prediction) {
    judgeWith(model, model.memory(), model.problem().keptCopies, plan, prediction);
}

void judgeMemoryAsRun(const CostModel &model, const Plan &plan, Prediction *prediction) {
    const PlanningProblem &problem = model.problem();
    judgeMemory(model, plan, prediction);
    if (!prediction->fits && problem.keptCopies > 0)
        judgeWith(model, model.memory(), 0, plan, prediction);
    if (!prediction->fits && problem.keptStates > 0)
        judgeWith(model, MemoryModel(problem, 0), 0, plan, prediction);
}

bool fitsWholly(const CostModel &model, const Plan &plan) {
    Prediction memory;
    judgeMemory(model, plan, &memory);
    return memory.fits;
}

}  // namespace hearth
