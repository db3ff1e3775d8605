#include "core/plan/presets.h"

#include <algorithm>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

/// FLOP/s that a Jetson Nano reaches in training: an epoch of MobileNetV2 (88 million multiply-adds on CIFAR-10, 50 000
/// samples, backward twice forward) takes it 22 minutes.
constexpr double nanoFlops = 88e6 * 2 * 3 * 50'000 / (22 * 60);
/// Samples' worth of time that a kernel takes whatever the batch.
constexpr double fixedSamples = 4;
constexpr double backwardOverForward = 2;
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

const DevicePreset &presetOf(const QString &kind) {
    const auto &all = devicePresets();
    return *std::find_if(all.begin(), all.end(), [&](const DevicePreset &each) { return each.kind == kind; });
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

QStringList environmentNames() {
    QStringList names;
    for (const Environment &environment : environments())
        names << environment.name;
    return names;
}

std::vector<LayerFacts> analyticFacts(const Model &model) {
    std::vector<LayerFacts> rows;
    constexpr DType type = DType::Float32;
    for (const Layer &layer : model.layers) {
        LayerFacts facts;
        facts.name = layer.name;
        facts.outputBytes = layer.shape.outputBytes(type);
        facts.gradientBytes = facts.outputBytes;
        facts.parameterBytes = layer.shape.parameterBytes(type);
        facts.trainableBytes = facts.parameterBytes;
        facts.bufferBytes = layer.shape.bufferBytes(type);
        facts.minimumSamples = layer.shape.minimumSamples;
        for (const auto *ops : {&layer.main, &layer.shortcut, &layer.after}) {
            for (const Op &op : *ops) {
                const qint64 in = elementCount(op.inputShape) * byteSize(type);
                const qint64 out = elementCount(op.outputShape) * byteSize(type);
                facts.savedBytes += in;
                facts.workspaceBytes = std::max(facts.workspaceBytes, in + out);
            }
        }
        rows.push_back(std::move(facts));
    }
    return rows;
}

TimeTable syntheticTimes(const Model &model, double flopsPerSecond, int largestBatch) {
    TimeTable table;
    for (int size = 1; size < largestBatch; size *= 2)
        table.batch.push_back(size);
    table.batch.push_back(largestBatch);
    for (const Layer &layer : model.layers) {
        const double perSample = static_cast<double>(layer.shape.flops) / flopsPerSecond;
        std::vector<double> forward, backward;
        for (const int size : table.batch) {
            forward.push_back(perSample * (fixedSamples + size));
            backward.push_back(backwardOverForward * forward.back());
        }
        table.forward.push_back(std::move(forward));
        table.backward.push_back(std::move(backward));
    }
    return table;
}

Result<PlanningProblem> environmentProblem(const QString &environment, const Model &model,
                                           const EnvironmentOptions &options) {
    const auto &all = environments();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Environment &each) {
        return each.name.compare(environment, Qt::CaseInsensitive) == 0;
    });
    if (found == all.end()) {
        return fail(QStringLiteral("environment.unknown"),
                    QStringLiteral("There is no environment \"%1\".").arg(environment.left(60)), QString(),
                    QStringLiteral("Valid are: %1.").arg(environmentNames().join(QStringLiteral(", "))));
    }
    PlanningProblem problem;
    problem.modelName = model.name;
    problem.modelSha256 = QString::fromLatin1(model.sha256());
    problem.batch = options.batch;
    problem.optimizerStateFactor = options.optimizerStateFactor;
    problem.inputBytes = elementCount(model.inputShape);
    problem.labelBytes = 8;
    problem.layers = analyticFacts(model);
    problem.links.fallback = LinkProfile::Link{options.linkMbitPerSecond * bytesPerMbit, latencySeconds, Duplex::Full};
    for (const auto &[kind, count] : found->devices) {
        const DevicePreset &preset = presetOf(kind);
        const TimeTable times = syntheticTimes(model, nanoFlops * preset.relativeSpeed, options.batch);
        for (int i = 0; i < count; ++i) {
            problem.devices.push_back({QStringLiteral("%1-%2").arg(kind).arg(i), preset.memoryBytes, runtimeBytes});
            problem.times.push_back(times);
        }
    }
    if (auto ok = problem.validate(); !ok)
        return tl::unexpected(ok.error());
    return problem;
}

}  // namespace hearth
