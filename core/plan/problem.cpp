#include "core/plan/problem.h"

#include <algorithm>
#include <utility>

#include "core/plan/problem_checks.h"

namespace hearth {

bool idLess(const QString &a, const QString &b) {
    return a.toUtf8() < b.toUtf8();
}

int PlanningProblem::indexOf(const QString &device) const {
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].id == device)
            return static_cast<int>(i);
    }
    return -1;
}

bool PlanningProblem::keepLess() {
    if (keptCopies > 0)
        return std::exchange(keptCopies, 0) > 0;
    return std::exchange(keptStates, 0) > 0;
}

std::shared_ptr<const CostSource> PlanningProblem::costs() const {
    return std::make_shared<MeasuredCosts>(times);
}

QStringList PlanningProblem::deviceIds() const {
    QStringList ids;
    for (const Device &device : devices)
        ids << device.id;
    return ids;
}

std::vector<int> microBatchChoices(const PlanningProblem &problem) {
    if (problem.microBatch)
        return {*problem.microBatch};
    std::vector<int> choices;
    for (int size = problem.batch; size >= 1; --size) {
        if (problem.batch % size == 0)
            choices.push_back(size);
    }
    return choices;
}

Result<PlanningProblem> makeProblem(const std::vector<DeviceProfile> &devices,
                                    const std::vector<ModelProfile> &profiles, const LinkProfile &links,
                                    const JobFacts &job) {
    if (devices.empty() || devices.size() != profiles.size()) {
        return fail(QStringLiteral("problem.profiles"), sentence("The devices could not be put together."),
                    sentence("There {1|is|are} %1 {1|device|devices} and %2 {2|profile|profiles}.")
                        .arg(devices.size())
                        .arg(profiles.size()));
    }
    PlanningProblem problem;
    problem.modelName = profiles.front().model;
    problem.modelSha256 = profiles.front().modelSha256;
    problem.batch = job.batch;
    problem.microBatch = job.microBatch;
    problem.optimizerStateFactor = job.optimizerStateFactor;
    problem.localSteps = job.localSteps;
    problem.inputBytes = job.inputBytes;
    problem.labelBytes = job.labelBytes;
    problem.dataDevice = job.dataDevice;
    problem.levels = job.levels;
    problem.gradientCodec = job.gradientCodec;
    problem.asynchronous = job.asynchronous;
    problem.links = links;
    problem.layers = profiles.front().layers;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const ModelProfile &profile = profiles[i];
        if (profile.modelSha256 != problem.modelSha256 || profile.layers.size() != problem.layers.size()) {
            return fail(QStringLiteral("problem.profiles"),
                        sentence("The profile of device %1 is of another model.").arg(devices[i].device), QString(),
                        sentence("Profile the device again."));
        }
        problem.devices.push_back(
            {devices[i].device, devices[i].memoryBytes, devices[i].runtimeBytes, devices[i].codecs});
        problem.times.push_back(profile.times);
        for (std::size_t l = 0; l < problem.layers.size(); ++l)
            problem.layers[l].raiseTo(profile.layers[l]);
    }
    if (auto ok = fillTimes(problem, QStringLiteral("the planning problem")); !ok)
        return tl::unexpected(ok.error());
    if (auto ok = problem.validate(); !ok)
        return tl::unexpected(ok.error());
    return problem;
}

std::vector<ModelProfile> profilesOf(const PlanningProblem &problem, const QByteArray &modelSha256) {
    std::vector<ModelProfile> profiles;
    profiles.reserve(problem.devices.size());
    for (std::size_t d = 0; d < problem.devices.size(); ++d) {
        ModelProfile &profile = profiles.emplace_back();
        profile.device = problem.devices[d].id;
        profile.modelSha256 = QString::fromLatin1(modelSha256);
        profile.layers = problem.layers;
        profile.times = problem.times[d];
    }
    return profiles;
}

}  // namespace hearth
