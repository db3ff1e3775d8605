#include "core/train/layer_profiler.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>

#include "core/train/memory.h"
#include "core/train/stage_state.h"
#include "core/train/threads.h"

namespace hearth {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// What one sample of the median lasts at least. Longer than a turn that the scheduler gives to a thread: where devices
/// share processors (a demo home), runs of a fraction of a millisecond would mostly fall between two of the others'
/// turns and promise a speed that no round has.
constexpr double blockSeconds = 0.01;

struct Point {
    double forward = 0, backward = 0;
    qint64 saved = 0, workspace = 0;  // of the whole batch
};

/// One layer as the executor would run it.
class LayerRun {
  public:
    LayerRun(const Model &model, int layer, DType dtype)
        : m_module(model, layer, layer + 1, dtype),
          m_first(layer == 0),
          m_last(layer + 1 == static_cast<int>(model.layers.size())) {
        m_module.initialise(model, 1);
    }

    Point measure(int samples, const ProfileRequest &request) {
        const auto sizes = batchSizes(samples, m_module.inputShape());
        const at::MemoryFormat format = computeFormat(m_module.dtype());
        const auto options = at::TensorOptions().dtype(scalarType(m_module.dtype()));
        at::Tensor x = at::empty_strided(sizes, stridesFor(sizes, format), options);
        // Both signs and no pattern: a constant would let rectifiers and pools take unusual paths.
        x.normal_(0, 1, makeCpuGenerator(1));
        m_labels = at::zeros({m_last ? samples : 0}, at::kLong);
        m_outputGradient.reset();
        Point point;
        std::vector<double> forward, backward;  // per block of runs
        Point block;
        int runs = 0;
        const Clock::time_point start = Clock::now();
        for (int i = 0;; ++i) {
            const bool warm = i >= request.warmUps || (i >= 1 && secondsSince(start) > request.secondsPerPoint);
            const Point once = run(x, i);
            point.saved = std::max(point.saved, once.saved);
            point.workspace = std::max(point.workspace, once.workspace);
            if (!warm)
                continue;
            block.forward += once.forward;
            block.backward += once.backward;
            ++runs;
            if (block.forward + block.backward < blockSeconds)
                continue;
            forward.push_back(block.forward / runs);
            backward.push_back(block.backward / runs);
            block = {};
            runs = 0;
            const bool enough = forward.size() >= 5 && i + 1 >= request.warmUps + request.repeats;
            const bool slow = forward.size() >= 3 && secondsSince(start) > request.secondsPerPoint;
            if (enough || slow)
                break;
        }
        point.forward = median(forward);
        point.backward = median(backward);
        return point;
    }

  private:
    Point run(const at::Tensor &values, int salt) {
        const at::Tensor x = values.detach().set_requires_grad(!m_first);
        Point point;
        const qint64 before = tensorMemory().held;
        resetTensorPeak();
        Clock::time_point start = Clock::now();
        at::Tensor y = m_module.forward(x, {true, true, static_cast<std::uint64_t>(salt)});
        if (m_last)
            y = at::nll_loss(at::log_softmax(y, 1), m_labels, {}, at::Reduction::Sum);
        point.forward = secondsSince(start);
        const qint64 after = tensorMemory().held;
        point.saved = std::max<qint64>(0, after - before);
        const bool trains = y.requires_grad();
        if (!m_outputGradient.defined())
            m_outputGradient = at::ones_like(y.detach());
        if (trains) {
            start = Clock::now();
            torch::autograd::backward({std::exchange(y, {})}, {m_outputGradient});
            point.backward = secondsSince(start);
        }
        point.workspace = std::max<qint64>(0, tensorMemory().peak - after);
        return point;
    }

    StageModule m_module;
    bool m_first, m_last;
    at::Tensor m_labels, m_outputGradient;
};

LayerFacts factsOf(const Layer &layer, DType dtype) {
    LayerFacts facts;
    facts.name = layer.name;
    facts.outputBytes = facts.gradientBytes = layer.shape.outputBytes(dtype);
    facts.trainableBytes = layer.shape.parameterBytes(dtype);
    facts.bufferBytes = layer.shape.bufferBytes(dtype);
    facts.parameterBytes = facts.trainableBytes;
    facts.minimumSamples = layer.shape.minimumSamples;
    return facts;
}

}  // namespace

Result<ModelProfile> profileLayers(const ProfileRequest &request, const ProfileProgress &progress) {
    const DType dtype = dtypeOf(request.precision);
    ModelProfile profile;
    profile.model = request.model.name;
    profile.modelSha256 = QString::fromLatin1(request.model.sha256());
    profile.library = computeLibrary();
    profile.precision = precisionName(request.precision);
    profile.threads = request.threads;
    profile.times.batch = request.batches;
    const auto layers = static_cast<int>(request.model.layers.size());
    const int total = layers * static_cast<int>(request.batches.size());
    int done = 0;
    std::optional<Error> refused;
    for (int l = 0; l < layers; ++l) {
        const Layer &layer = request.model.layers[static_cast<std::size_t>(l)];
        LayerFacts facts = factsOf(layer, dtype);
        std::vector<double> forward, backward;
        auto &batches = profile.times.batch;
        const auto measured = guarded([&]() -> Result<void> {
            LayerRun run(request.model, l, dtype);
            for (std::size_t b = 0; b < batches.size(); ++b) {
                // A batch that the layer cannot train on costs what the smallest one does that it can.
                const int samples = std::max(batches[b], layer.shape.minimumSamples);
                const auto measuredPoint = guarded([&]() -> Result<Point> { return run.measure(samples, request); });
                if (!measuredPoint && measuredPoint.error().code == QLatin1String("worker.out-of-memory") && b > 0) {
                    refused = measuredPoint.error();
                    batches.resize(b);
                    break;
                }
                if (!measuredPoint)
                    return tl::unexpected(measuredPoint.error());
                forward.push_back(measuredPoint->forward);
                backward.push_back(measuredPoint->backward);
                // Of the largest batch: fixed parts weigh least there.
                facts.savedBytes = (measuredPoint->saved + samples - 1) / samples;
                facts.workspaceBytes = (measuredPoint->workspace + samples - 1) / samples;
                if (!progress(std::min(++done, total), total))
                    return fail(QStringLiteral("worker.cancelled"), QStringLiteral("The profile was given up."));
            }
            return {};
        });
        if (!measured)
            return tl::unexpected(measured.error());
        profile.layers.push_back(facts);
        profile.times.forward.push_back(std::move(forward));
        profile.times.backward.push_back(std::move(backward));
    }
    for (auto *table : {&profile.times.forward, &profile.times.backward}) {
        for (auto &row : *table)
            row.resize(profile.times.batch.size());
    }
    malloc_trim(0);  // large batches were tried: the run should not carry their memory
    return profile;
}

}  // namespace hearth
