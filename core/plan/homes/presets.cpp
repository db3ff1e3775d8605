#include "core/plan/homes/presets.h"

#include <algorithm>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr double backwardOverForward = 2;
/// On a Jetson Nano; other kinds are faster in this, too.
constexpr double launchSeconds = 1e-4;
constexpr int epochMicroBatch = 32;
constexpr int otherBatch = 128;
/// What LibTorch with CUDA takes before the first tensor.
constexpr qint64 runtimeBytes = 150'000'000;
constexpr double latencySeconds = 0.0003;
constexpr double bytesPerMbit = 125'000;

struct Environment {
    QString name;
    std::vector<std::pair<QString, int>> devices;  // kind, count
};

const std::vector<Environment> &environments() {
    static const QString nano = QStringLiteral("nano"), tx2 = QStringLiteral("tx2"), nx = QStringLiteral("nx");
    static const std::vector<Environment> all{{QStringLiteral("A"), {{nano, 5}}},
                                              {QStringLiteral("B"), {{nx, 3}, {tx2, 2}}},
                                              {QStringLiteral("C"), {{nx, 1}, {tx2, 2}, {nano, 3}}},
                                              {QStringLiteral("D"), {{tx2, 1}, {nano, 3}}}};
    return all;
}

Result<const Environment *> findEnvironment(const QString &name) {
    for (const Environment &each : environments()) {
        if (each.name.compare(name, Qt::CaseInsensitive) == 0)
            return &each;
    }
    return fail(QStringLiteral("environment.unknown"), sentence("There is no environment \"%1\".").arg(name.left(60)),
                QString(), sentence("Valid are: %1.").arg(environmentNames().join(QStringLiteral(", "))));
}

const DevicePreset &presetOf(const QString &kind) {
    const auto &all = devicePresets();
    return *std::find_if(all.begin(), all.end(), [&](const DevicePreset &each) { return each.kind == kind; });
}

/// That of the network, whatever its dimensions ("bert-small:head=…").
const WorkloadPreset *workloadPreset(const QString &name) {
    const auto &all = workloadPresets();
    const QString family = name.section(QLatin1Char(':'), 0, 0);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const WorkloadPreset &each) { return each.name == family; });
    return found == all.end() ? nullptr : &*found;
}

/// Work per second on a Nano from the printed epoch of that very network.
double anchoredRate(const WorkloadPreset &preset, const Workload &workload) {
    const double speed = presetOf(preset.device).relativeSpeed;
    const double sampleSeconds = preset.epochSeconds / preset.epochSamples * speed / (1 + backwardOverForward);
    return workload.work() / (sampleSeconds - workload.kernels() * launchSeconds / epochMicroBatch);
}

/// Geometric mean over the networks with a printed epoch.
double meanFlops() {
    double logarithms = 0;
    int count = 0;
    for (const WorkloadPreset &preset : workloadPresets()) {
        if (preset.device.isEmpty())
            continue;
        const auto workload = loadWorkload(preset.name);
        Q_ASSERT(workload);
        logarithms += std::log(anchoredRate(preset, *workload) * workload->flops() / workload->work());
        ++count;
    }
    return std::exp(logarithms / count);
}

Result<void> checkOptions(const EnvironmentOptions &options) {
    const double most = ProfileLimits::bytesPerSecond / bytesPerMbit;
    if (!(options.linkMbitPerSecond > 0 && options.linkMbitPerSecond <= most)) {
        return fail(QStringLiteral("environment.link"), sentence("The links of an environment need a rate."),
                    sentence("%1 Mbit/s is none.").arg(options.linkMbitPerSecond),
                    sentence("Give more than 0 and at most %1.").arg(most));
    }
    return {};
}

Result<void> checkHome(const Result<const Environment *> &environment, const EnvironmentOptions &options) {
    if (!environment)
        return tl::unexpected(environment.error());
    return checkOptions(options);
}

/// Calls `each(device, preset)` for the devices of a home in its order.
template <class Each>
void forEachDevice(const Environment &environment, Each each) {
    for (const auto &[kind, count] : environment.devices) {
        const DevicePreset &preset = presetOf(kind);
        for (int i = 0; i < count; ++i) {
            each(PlanningProblem::Device{QStringLiteral("%1-%2").arg(kind).arg(i), preset.memoryBytes, runtimeBytes},
                 preset);
        }
    }
}

LinkProfile::Link linkOf(const EnvironmentOptions &options) {
    return {options.linkMbitPerSecond * bytesPerMbit, latencySeconds, options.duplex};
}

}  // namespace

const std::vector<DevicePreset> &devicePresets() {
    static const std::vector<DevicePreset> presets{
        {QStringLiteral("nano"), QStringLiteral("Jetson Nano"), 2'500'000'000, 1.0},
        {QStringLiteral("tx2"), QStringLiteral("Jetson TX2"), 6'500'000'000, 2.4},
        {QStringLiteral("nx"), QStringLiteral("Jetson Xavier NX"), 6'500'000'000, 3.6},
        {QStringLiteral("a100"), QStringLiteral("A100"), 38'000'000'000, 150.0}};
    return presets;
}

const std::vector<WorkloadPreset> &workloadPresets() {
    static const QString nano = QStringLiteral("nano"), tx2 = QStringLiteral("tx2");
    static const std::vector<WorkloadPreset> presets{{QStringLiteral("efficientnet-b1"), nano, 26.7 * 60, 50'000, 512},
                                                     {QStringLiteral("mobilenetv2-cifar"), nano, 22 * 60, 50'000, 512},
                                                     {QStringLiteral("resnet50"), tx2, 1.14 * 3600, 38'400, 64},
                                                     {QStringLiteral("bert-small"), QString(), 0, 0, 256}};
    return presets;
}

QStringList environmentNames() {
    QStringList names;
    for (const Environment &environment : environments())
        names << environment.name;
    return names;
}

double nanoRate(const Workload &workload) {
    const WorkloadPreset *own = workloadPreset(workload.name);
    if (own && own->name == workload.name && !own->device.isEmpty())
        return anchoredRate(*own, workload);
    static const double flops = meanFlops();
    return workload.work() * flops / workload.flops();
}

/// What the backward pass of a layer takes, of what its forward pass does: a part for the gradient of what it took, and
/// a part for those of its weights, as far as they are trained.
double backwardPart(const std::vector<WorkloadLayer> &layers, std::size_t index) {
    const LayerFacts &facts = layers[index].facts;
    if (facts.trainableBytes == 0 && facts.gradientBytes == 0)  // nothing is trained up to here
        return 0;
    if (facts.trainableBytes == facts.parameterBytes)
        return backwardOverForward;
    const bool passesOn = index > 0 && layers[index - 1].facts.gradientBytes > 0;
    const double trained = static_cast<double>(facts.trainableBytes) / static_cast<double>(facts.parameterBytes);
    return (passesOn ? 1 : 0) + (backwardOverForward - 1) * trained;
}

/// Of that, what is for the gradients of its weights.
double weightsPart(const LayerFacts &facts) {
    if (facts.trainableBytes == 0)
        return 0;
    return (backwardOverForward - 1) * static_cast<double>(facts.trainableBytes) /
           static_cast<double>(facts.parameterBytes);
}

TimeTable syntheticTimes(const Workload &workload, double relativeSpeed, int largestBatch) {
    TimeTable table;
    for (int size = 1; size < largestBatch; size *= 2)
        table.batch.push_back(size);
    table.batch.push_back(largestBatch);
    const double rate = nanoRate(workload);
    for (std::size_t l = 0; l < workload.layers.size(); ++l) {
        const WorkloadLayer &layer = workload.layers[l];
        const double part = backwardPart(workload.layers, l), ofWeights = weightsPart(layer.facts);
        std::vector<double> forward, backward, weights;
        for (const int size : table.batch) {
            forward.push_back((layer.kernels * launchSeconds + size * layer.work / rate) / relativeSpeed);
            backward.push_back(part * forward.back());
            weights.push_back(ofWeights * forward.back());
        }
        table.forward.push_back(std::move(forward));
        table.backward.push_back(std::move(backward));
        table.weights.push_back(std::move(weights));
    }
    return table;
}

Result<PlanningProblem> environmentProblem(const QString &environment, const Workload &workload,
                                           const EnvironmentOptions &options) {
    const auto found = findEnvironment(environment);
    if (auto ok = checkHome(found, options); !ok)
        return tl::unexpected(ok.error());
    const WorkloadPreset *preset = workloadPreset(workload.name);
    PlanningProblem problem;
    problem.modelName = workload.name;
    problem.modelSha256 = workload.modelSha256;
    problem.batch = options.batch != 0 ? options.batch : preset ? preset->batch : otherBatch;
    problem.optimizerStateFactor = options.optimizerStateFactor;
    problem.inputBytes = workload.inputBytes;
    problem.labelBytes = workload.labelBytes;
    for (const WorkloadLayer &layer : workload.layers)
        problem.layers.push_back(layer.facts);
    problem.links.fallback = linkOf(options);
    forEachDevice(**found, [&](const PlanningProblem::Device &device, const DevicePreset &kind) {
        problem.devices.push_back(device);
        problem.times.push_back(syntheticTimes(workload, kind.relativeSpeed, std::max(1, problem.batch)));
    });
    if (auto ok = problem.validate(QStringLiteral("environment %1").arg((*found)->name)); !ok)
        return tl::unexpected(ok.error());
    return problem;
}

Result<PlanningProblem> environmentProblem(const QString &environment, const Model &model,
                                           const EnvironmentOptions &options) {
    return environmentProblem(environment, workloadOf(model), options);
}

Result<PlanningProblem> environmentProblem(const QString &environment, const PipedreamProfile &profile,
                                           const ProfiledOn &measured, const EnvironmentOptions &options) {
    const auto found = findEnvironment(environment);
    if (auto ok = checkHome(found, options); !ok)
        return tl::unexpected(ok.error());
    QStringList kinds;
    for (const DevicePreset &preset : devicePresets())
        kinds << preset.kind;
    if (!kinds.contains(measured.kind)) {
        return fail(QStringLiteral("environment.kind"),
                    sentence("There is no kind of device \"%1\".").arg(measured.kind.left(60)), QString(),
                    didYouMean(measured.kind, kinds));
    }
    ProfileHome home;
    home.profiledBatch = measured.batch;
    home.job.batch = options.batch != 0 ? options.batch : otherBatch;
    home.job.optimizerStateFactor = static_cast<int>(options.optimizerStateFactor);
    home.links.fallback = linkOf(options);
    forEachDevice(**found, [&](const PlanningProblem::Device &device, const DevicePreset &kind) {
        home.devices.push_back({device, kind.relativeSpeed / presetOf(measured.kind).relativeSpeed});
    });
    return problemFromProfile(profile, home);
}

}  // namespace hearth
