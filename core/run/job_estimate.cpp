#include "core/run/job_estimate.h"

#include <algorithm>

#include "core/model/training_memory.h"
#include "core/plan/planner.h"
#include "core/profile/declared_facts.h"
#include "core/profile/profile_store.h"

namespace hearth {

namespace {
// More than any device has: the answer is what it takes, not whether it fits.
constexpr qint64 enoughMemory = qint64{1} << 50;

QString folderOfProfiles(const QString &stateDir) {
    return stateDir + QStringLiteral("/profiles");
}
}  // namespace

std::vector<ModelProfile> storedProfiles(const QString &stateDir) {
    std::vector<ModelProfile> profiles;
    for (StoredProfile &stored : ProfileStore(folderOfProfiles(stateDir)).profiles())
        profiles.push_back(std::move(stored.profile));
    return profiles;
}

std::optional<qint64> storedRuntimeBytes(const QString &stateDir, const QString &device) {
    const auto stored = ProfileStore(folderOfProfiles(stateDir)).loadDevice(device);
    return stored ? std::optional(stored->runtimeBytes) : std::nullopt;
}

std::optional<JobEstimate> estimateAlone(const Job &job, const Model &model, const DeviceInfo &device,
                                         qint64 runtimeBytes, const std::vector<ModelProfile> &profiles) {
    const QString sha256 = QString::fromLatin1(model.sha256());
    const auto measured = std::find_if(profiles.begin(), profiles.end(), [&](const ModelProfile &profile) {
        return profile.device == device.id && profile.modelSha256 == sha256 &&
               profile.precision == precisionName(job.precision) && profile.threads == device.threads;
    });
    if (measured == profiles.end())
        return std::nullopt;
    DeviceProfile alone;
    alone.device = device.id;
    alone.threads = device.threads;
    alone.memoryBytes = enoughMemory;
    alone.runtimeBytes = runtimeBytes;
    JobFacts facts;
    facts.batch = job.batch;
    facts.microBatch = job.microBatch;
    facts.optimizerStateFactor = job.optimizer.state().copies;
    auto problem = makeProblem({alone}, {*measured}, {}, facts);
    if (!problem)
        return std::nullopt;
    addSecondMoments(problem->layers, model, dtypeOf(job.precision), job.optimizer.state());
    const auto plan = makePlan(QStringLiteral("single"), *problem);
    if (!plan || !plan->prediction)
        return std::nullopt;
    return JobEstimate{plan->prediction->roundSeconds, plan->prediction->memoryBytes.value(device.id)};
}

qint64 leastBytes(const Model &model, const Job &job, qint64 runtimeBytes) {
    const qint64 element = byteSize(dtypeOf(job.precision));
    const OptimizerState state = job.optimizer.state();
    return runtimeBytes +
           element * (model.parameterCount() + model.elements(TensorRole::Trainable) * (1 + state.copies) +
                      (state.isFactored ? factoredMoments(model) : 0));
}

}  // namespace hearth
