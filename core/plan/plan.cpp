#include "core/plan/plan.h"

#include <QSet>
#include <algorithm>
#include <map>

#include "core/base/json_reader.h"
#include "core/plan/problem.h"

namespace hearth {
namespace {

tl::unexpected<Error> invalid(const QString &source, const QString &where, const Sentence &cause,
                              const Sentence &advice = {}) {
    return fail(QStringLiteral("plan.invalid"), sentence("%1: \"%2\" is not valid.").arg(source, where), cause, advice);
}

/// `returning`: whether a device may have another stage, too.
Result<void> checkShares(const PlanStage &stage, int microBatch, QSet<QString> &used, bool returning,
                         const QString &source, const QString &where) {
    const QString place = where + QStringLiteral("/shares");
    if (stage.shares.empty())
        return invalid(source, place, sentence("The stage has no device."));
    qint64 sum = 0;
    for (std::size_t i = 0; i < stage.shares.size(); ++i) {
        const Share &share = stage.shares[i];
        if (share.samples < 1) {
            return invalid(source, jsonPointer(place, share.device),
                           sentence("%1 has %2 samples.").arg(share.device).arg(share.samples),
                           sentence("Leave a device out that has nothing to do."));
        }
        if (used.contains(share.device) && !returning) {
            return invalid(source, jsonPointer(place, share.device), sentence("%1 is used twice.").arg(share.device),
                           sentence("A device has its place in one stage, or in several where every stage has one "
                                    "device alone."));
        }
        if (i > 0 && !idLess(stage.shares[i - 1].device, share.device))
            return invalid(source, place, sentence("The devices do not ascend by id."));
        used.insert(share.device);
        sum += share.samples;
    }
    if (sum != microBatch) {
        return invalid(source, place,
                       sentence("They sum to %1 {1|sample|samples}; a micro-batch has %2.").arg(sum).arg(microBatch));
    }
    return {};
}

bool isChain(const std::vector<PlanStage> &stages) {
    return std::ranges::all_of(stages, [](const PlanStage &stage) { return stage.shares.size() == 1; });
}

Result<void> checkStages(const std::vector<PlanStage> &stages, int microBatch, int layerCount, QSet<QString> &used,
                         const QString &source, const QString &prefix) {
    const bool returning = prefix.isEmpty() && isChain(stages);
    int next = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const PlanStage &stage = stages[i];
        const QString where = jsonPointer(prefix + QStringLiteral("/stages"), i);
        if (stage.firstLayer != next || stage.lastLayer <= stage.firstLayer) {
            return invalid(source, where + QStringLiteral("/layers"),
                           sentence("It is [%1, %2]; the stage must begin at layer %3 and hold one or more.")
                               .arg(stage.firstLayer)
                               .arg(stage.lastLayer)
                               .arg(next));
        }
        next = stage.lastLayer;
        if (auto ok = checkShares(stage, microBatch, used, returning, source, where); !ok)
            return ok;
        if (i > 0 && returning && stages[i - 1].shares.front().device == stage.shares.front().device) {
            return invalid(source, jsonPointer(where + QStringLiteral("/shares"), stage.shares.front().device),
                           sentence("The stage before it is of the same device."),
                           sentence("Make one stage of the two."));
        }
        if (stage.inFlight < 1)
            return invalid(source, where + QStringLiteral("/in_flight"), sentence("It must be 1 or more."));
        if (i + 1 == stages.size() && stage.codec != CutCodec{})
            return invalid(source, where + QStringLiteral("/codec"), sentence("No cut follows the last stage."));
    }
    if (stages.empty() || (layerCount > 0 && next != layerCount)) {
        return invalid(source, prefix + QStringLiteral("/stages"),
                       sentence("They hold %1 {1|layer|layers}; the model has %2.").arg(next).arg(layerCount));
    }
    return {};
}

/// Layers, devices and shares are those that the problem knows and allows.
Result<void> checkPlaces(const std::vector<PlanStage> &stages, const PlanningProblem &problem, const QString &source,
                         const QString &prefix) {
    const int layers = static_cast<int>(problem.layers.size());
    if (stages.back().lastLayer != layers) {
        return invalid(
            source, prefix + QStringLiteral("/stages"),
            sentence("They hold %1 {1|layer|layers}; the problem has %2.").arg(stages.back().lastLayer).arg(layers));
    }
    for (std::size_t i = 0; i < stages.size(); ++i) {
        int minimum = 1;
        for (int l = stages[i].firstLayer; l < stages[i].lastLayer; ++l)
            minimum = std::max(minimum, problem.layers[static_cast<std::size_t>(l)].minimumSamples);
        const QString where = jsonPointer(prefix + QStringLiteral("/stages"), i) + QStringLiteral("/shares");
        for (const Share &share : stages[i].shares) {
            if (problem.indexOf(share.device) < 0) {
                return invalid(source, jsonPointer(where, share.device),
                               sentence("There is no device \"%1\".").arg(share.device.left(80)),
                               didYouMean(share.device, problem.deviceIds()));
            }
            if (share.samples < minimum) {
                return invalid(source, jsonPointer(where, share.device),
                               sentence("%1 has %2 {2|sample|samples}; a layer of the stage needs %3.")
                                   .arg(share.device)
                                   .arg(share.samples)
                                   .arg(minimum));
            }
        }
    }
    return {};
}

/// Stages of one device do not sum gradients with each other.
Result<void> checkTies(const std::vector<PlanStage> &stages, const PlanningProblem &problem, const QString &source) {
    std::vector<std::size_t> stageOf;  // by layer
    for (std::size_t s = 0; s < stages.size(); ++s)
        stageOf.resize(static_cast<std::size_t>(stages[s].lastLayer), s);
    std::map<std::pair<int, int>, std::map<QString, std::size_t>> places;  // by tensor and device
    for (std::size_t l = 0; l < stageOf.size(); ++l) {
        for (const TiedBytes &tied : problem.layers[l].tied) {
            auto &own = places[{tied.layer, tied.tensor}];
            for (const std::size_t s : {stageOf[static_cast<std::size_t>(tied.layer)], stageOf[l]}) {
                const QString &device = stages[s].shares.front().device;
                if (tied.isTrainable && own.emplace(device, s).first->second != s) {
                    return invalid(source, jsonPointer(QStringLiteral("/stages"), s),
                                   sentence("%1 has another stage with the same tied weights.").arg(device),
                                   sentence("Give these layers to different devices, or to one stage."));
                }
            }
        }
    }
    return {};
}

}  // namespace

void PlanStage::sortShares() {
    std::sort(shares.begin(), shares.end(), [](const Share &a, const Share &b) { return idLess(a.device, b.device); });
}

std::vector<const PlanStage *> Plan::allStages() const {
    std::vector<const PlanStage *> all;
    const auto append = [&all](const std::vector<PlanStage> &own) {
        for (const PlanStage &stage : own)
            all.push_back(&stage);
    };
    append(stages);
    for (const Pipeline &pipeline : pipelines)
        append(pipeline.stages);
    return all;
}

std::size_t Plan::deviceCount() const {
    QSet<QString> devices;
    for (const PlanStage *stage : allStages()) {
        for (const Share &share : stage->shares)
            devices.insert(share.device);
    }
    return static_cast<std::size_t>(devices.size());
}

bool Plan::isInterleaved() const {
    return pipelines.empty() && isChain(stages) && deviceCount() < stages.size();
}

bool Plan::isSame(const Plan &other) const {
    return stages == other.stages && pipelines == other.pipelines && microBatch == other.microBatch &&
           schedule == other.schedule;
}

std::vector<Plan> Plan::sideBySide() const {
    Plan frame = *this;
    frame.prediction.reset();
    if (pipelines.empty())
        return {frame};
    frame.pipelines.clear();
    std::vector<Plan> plans;
    for (const Pipeline &pipeline : pipelines) {
        frame.batch = pipeline.samples;
        frame.stages = pipeline.stages;
        plans.push_back(frame);
    }
    return plans;
}

Result<void> Plan::validate(const QString &source) const {
    if (batch < 1 || microBatch < 1 || batch % microBatch != 0) {
        return invalid(source, QStringLiteral("/micro_batch"),
                       sentence("%1 does not divide the batch of %2.").arg(microBatch).arg(batch));
    }
    QSet<QString> used;
    if (pipelines.empty())
        return checkStages(stages, microBatch, layerCount, used, source, QString());
    if (!stages.empty())
        return invalid(source, QStringLiteral("/pipelines"), sentence("A plan has stages or pipelines, not both."));
    qint64 sum = 0;
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
        const Pipeline &pipeline = pipelines[i];
        const QString prefix = jsonPointer(QStringLiteral("/pipelines"), i);
        if (pipeline.samples < 1)
            return invalid(source, prefix + QStringLiteral("/samples"), sentence("It must be 1 or more."));
        if (pipeline.samples % microBatch != 0) {
            return invalid(source, prefix + QStringLiteral("/samples"),
                           sentence("%1 {1|sample is|samples are} no whole number of micro-batches of %2.")
                               .arg(pipeline.samples)
                               .arg(microBatch));
        }
        if (auto ok = checkStages(pipeline.stages, microBatch, layerCount, used, source, prefix); !ok)
            return ok;
        sum += pipeline.samples;
    }
    if (sum != batch) {
        return invalid(source, QStringLiteral("/pipelines"),
                       sentence("They take %1 {1|sample|samples} of a batch of %2.").arg(sum).arg(batch));
    }
    return {};
}

Result<void> Plan::validateFor(const PlanningProblem &problem, const QString &source) const {
    if (auto ok = validate(source); !ok)
        return ok;
    if (!modelSha256.isEmpty() && !problem.modelSha256.isEmpty() && modelSha256 != problem.modelSha256) {
        return invalid(source, QStringLiteral("/model/sha256"),
                       sentence("The plan was made for another model than %1.").arg(problem.modelName));
    }
    if (batch != problem.batch) {
        return invalid(source, QStringLiteral("/batch"),
                       sentence("It is %1; the problem's is %2.").arg(batch).arg(problem.batch));
    }
    if (problem.microBatch && microBatch != *problem.microBatch) {
        return invalid(source, QStringLiteral("/micro_batch"),
                       sentence("It is %1; the problem fixes it at %2.").arg(microBatch).arg(*problem.microBatch));
    }
    if (problem.localSteps.any() && (stages.size() != 1 || schedule != Schedule::OneForwardOneBackward)) {
        return invalid(
            source, QStringLiteral("/stages"),
            sentence("The devices average their weights every %1 steps: each holds the whole network, in one "
                     "stage, and computes micro-batch by micro-batch.")
                .arg(problem.localSteps.every),
            sentence("Make one stage of them, with the schedule \"1f1b\", or leave \"local_steps\" out of "
                     "the job."));
    }
    if (isInterleaved()) {
        if (auto ok = checkTies(stages, problem, source); !ok)
            return ok;
    }
    if (problem.asynchronous && isInterleaved()) {
        return invalid(source, QStringLiteral("/stages"),
                       sentence("A device has several stages, and the job trains asynchronously."),
                       sentence("Give each device one stage, or train synchronously."));
    }
    if (pipelines.empty())
        return checkPlaces(stages, problem, source, QString());
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
        const QString prefix = jsonPointer(QStringLiteral("/pipelines"), i);
        if (auto ok = checkPlaces(pipelines[i].stages, problem, source, prefix); !ok)
            return ok;
    }
    return {};
}

}  // namespace hearth
