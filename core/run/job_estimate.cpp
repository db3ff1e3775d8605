#include "core/run/job_estimate.h"

#include <algorithm>

#include "core/model/training_memory.h"
#include "core/plan/planner.h"
#include "core/predict/home_prediction.h"
#include "core/profile/declared_facts.h"
#include "core/run/measuring_pace.h"

namespace hearth {

namespace {
// More than any device has: the answer is what it takes, not whether it fits.
constexpr qint64 enoughMemory = qint64{1} << 50;

QString folderOfProfiles(const QString &stateDir) {
    return stateDir + QStringLiteral("/profiles");
}

/// Null where none is as wanted.
template <class Wanted>
const ModelProfile *newestOf(const std::vector<StoredProfile> &profiles, const Wanted &isWanted) {
    const StoredProfile *newest = nullptr;
    for (const StoredProfile &each : profiles) {
        if (isWanted(each.profile) && (!newest || each.measured > newest->measured))
            newest = &each;
    }
    return newest ? &newest->profile : nullptr;
}
}  // namespace

StoredTimes storedTimes(const QString &stateDir, Precision precision) {
    const QString folder = folderOfProfiles(stateDir);
    std::vector<StoredProfile> profiles = ProfileStore(folder).profiles();
    Knowledge knowledge = homeKnowledge(folder, precisionName(precision), profiles, builtinModelOf);
    return {std::move(profiles), std::move(knowledge)};
}

std::optional<qint64> storedRuntimeBytes(const QString &stateDir, const QString &device) {
    const auto stored = ProfileStore(folderOfProfiles(stateDir)).loadDevice(device);
    return stored ? std::optional(stored->runtimeBytes) : std::nullopt;
}

std::optional<JobEstimate> estimateAlone(const Job &job, const Model &model, const DeviceInfo &device,
                                         qint64 runtimeBytes, const StoredTimes &stored) {
    const QString sha256 = QString::fromLatin1(model.sha256()), precision = precisionName(job.precision);
    // It computes as it did last: not on its processor any more once it has used a card.
    const ModelProfile *last = newestOf(stored.profiles, [&](const ModelProfile &profile) {
        return profile.device == device.id && profile.precision == precision && profile.threads == device.threads;
    });
    if (!last)
        return std::nullopt;
    const ModelProfile *measured = newestOf(stored.profiles, [&](const ModelProfile &profile) {
        return profile.device == device.id && profile.modelSha256 == sha256 && profile.precision == precision &&
               profile.threads == device.threads && profile.computeDevice == last->computeDevice;
    });
    const auto predicted = [&] {
        ProfileKey key = ProfileKey::of(*last);
        key.modelSha256 = sha256;
        return unmeasuredProfile(model, key, profiledBatches(job), stored.profiles, stored.knowledge);
    };
    const auto profile = measured ? std::optional(*measured) : predicted();
    if (!profile)
        return std::nullopt;
    DeviceProfile alone;
    alone.device = device.id;
    alone.threads = device.threads;
    alone.memoryBytes = enoughMemory;
    alone.runtimeBytes = runtimeBytes;
    JobFacts facts;
    facts.batch = job.roundSamples();
    facts.microBatch = job.fixedMicroBatch();
    facts.optimizerStateFactor = job.state().copies;
    facts.localSteps = LocalStepsFacts::of(job.localSteps, job.optimizer);
    auto problem = makeProblem({alone}, {*profile}, {}, facts);
    if (!problem)
        return std::nullopt;
    addSecondMoments(problem->layers, model, dtypeOf(job.precision), job.optimizer.state());
    const auto plan = makePlan(QStringLiteral("single"), *problem);
    if (!plan || !plan->prediction)
        return std::nullopt;
    JobEstimate estimate{plan->prediction->roundSeconds, std::nullopt, plan->prediction->relativeError.value_or(0)};
    if (measured)
        estimate.memoryBytes = plan->prediction->memoryBytes.value(device.id);
    return estimate.relativeError <= mostEstimateError ? std::optional(estimate) : std::nullopt;
}

qint64 leastBytes(const Model &model, const Job &job, qint64 runtimeBytes) {
    const qint64 element = byteSize(dtypeOf(job.precision));
    const OptimizerState state = job.state();
    return runtimeBytes +
           element * (model.parameterCount() + model.elements(TensorRole::Trainable) * (1 + state.copies) +
                      (state.isFactored ? factoredMoments(model) : 0));
}

}  // namespace hearth
