#include "core/train/layer_profiler.h"

#include <algorithm>
#include <chrono>

#include "core/base/heap.h"
#include "core/model/alike_layers.h"
#include "core/model/id_limits.h"
#include "core/profile/declared_facts.h"
#include "core/train/memory.h"
#include "core/train/stage_state.h"
#include "core/train/threads.h"

namespace hearth {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

class Stopwatch {
  public:
    explicit Stopwatch(ComputeDevice &device) : m_device(device) {}
    double device() const { return m_device.clock() - m_began; }
    double clock() const { return secondsSince(m_clock); }

  private:
    ComputeDevice &m_device;
    Clock::time_point m_clock = Clock::now();
    double m_began = m_device.clock();
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// What one sample of a median lasts at least: several periods of a processor quota and turns of the scheduler, so that
/// whoever shares the processors is in it.
constexpr double blockSeconds = 0.03;

/// One unit alone: repeats, and how long they go on at least, for the same reason.
constexpr int leastProbes = 5, leastSlowProbes = 1;
constexpr double probeSeconds = 0.06, slowProbeSeconds = 0.1;

/// Layers that touch this much leave nothing of the ones before in a processor's caches.
constexpr qint64 cacheBytes = 16 << 20;

struct Point {
    double forward = 0, backward = 0;  // seconds of the device; in the end, seconds
    double weights = 0;                // of backward: the half that waits until the gradient has left
    qint64 saved = 0, workspace = 0;   // of the whole batch
};

/// What a layer's passes read and write.
qint64 touchedBytes(const Layer &layer, int samples, DType dtype) {
    qint64 bytes = layer.shape.parameterBytes(dtype) + layer.shape.trainableBytes(dtype);
    for (const Op &op : layer.ops)
        bytes += samples * op.kept() * byteSize(dtype);
    return bytes;
}

/// By layer, for batches of `samples`: the one by which its times are known. Of layers that are alike the first one is
/// measured; all of them where one could find in the caches what the one before has left there. The first and the last
/// layer have more to do, or less.
std::vector<int> measuredFor(const Model &model, int samples, DType dtype) {
    const int count = static_cast<int>(model.layers.size());
    std::vector<int> by(model.layers.size());
    std::vector<int> measured;
    for (int l = 0; l < count; ++l) {
        const Layer &layer = model.layers[static_cast<std::size_t>(l)];
        by[static_cast<std::size_t>(l)] = l;
        if (l == 0 || l + 1 == count)
            continue;
        const auto like = std::ranges::find_if(
            measured, [&](int other) { return areAlike(model.layers[static_cast<std::size_t>(other)], layer); });
        if (like == measured.end())
            measured.push_back(l);
        else if (touchedBytes(layer, samples, dtype) >= cacheBytes)
            by[static_cast<std::size_t>(l)] = *like;
    }
    return by;
}

/// Layers as the executor would run them: forward through all, backward through all, so that each finds the
/// caches as training leaves them.
class LayerChain {
  public:
    LayerChain(const ProfileRequest &request, std::vector<int> layers, ComputeDevice &device)
        : m_model(request.model),
          m_facts(*LossFacts::byName(request.loss)),
          m_loss(Loss::make(trainingFor(request.loss))),
          m_indices(std::move(layers)),
          m_dtype(dtypeOf(request.precision)),
          m_device(device) {
        for (const int l : m_indices) {
            m_layers.push_back(std::make_unique<StageModule>(m_model, l, l + 1, request.precision, device));
            m_layers.back()->initialise(m_model, 1);
        }
    }

    const std::vector<int> &indices() const { return m_indices; }

    /// One point per layer; empty if `wanted` says that nobody waits for them.
    std::vector<Point> measure(int samples, const ProfileRequest &request, const std::function<bool()> &wanted) {
        prepare(samples);
        std::vector<Point> points(m_layers.size());
        std::vector<std::vector<double>> forward(m_layers.size()), backward(m_layers.size()), weights(m_layers.size());
        std::vector<double> blocks;  // seconds of a pass, each the mean of a block
        double block = 0;
        int passesOfBlock = 0;
        const Clock::time_point start = Clock::now();
        for (int i = 0;; ++i) {
            const bool slow = secondsSince(start) > request.secondsPerBatch;
            double seconds = 0;
            const std::vector<Point> once = pass(i, seconds);
            if (!wanted())
                return {};
            if (i < (slow ? 1 : request.warmUps))
                continue;
            for (std::size_t l = 0; l < once.size(); ++l) {
                forward[l].push_back(once[l].forward);
                backward[l].push_back(once[l].backward);
                weights[l].push_back(once[l].weights);
                points[l].saved = std::max(points[l].saved, once[l].saved);
                points[l].workspace = std::max(points[l].workspace, once[l].workspace);
            }
            block += seconds;
            ++passesOfBlock;
            if (block < blockSeconds)
                continue;
            blocks.push_back(block / passesOfBlock);
            block = 0;
            passesOfBlock = 0;
            if (blocks.size() >= (slow ? 3 : 5) && (slow || i + 1 >= request.warmUps + request.repeats))
                break;
        }
        // The device's clock says how the work divides among layers, whole blocks how long it takes. By the clock a
        // layer would seem to cost nothing but its own time where it mostly ends before a processor quota does, and
        // whole periods more where it mostly does not.
        double sum = 0;
        for (std::size_t l = 0; l < points.size(); ++l) {
            points[l].forward = median(forward[l]);
            points[l].backward = median(backward[l]);
            points[l].weights = std::min(median(weights[l]), points[l].backward);
            sum += points[l].forward + points[l].backward;
        }
        const double whole = median(blocks) / sum;
        for (Point &point : points) {
            point.forward *= whole;
            point.backward *= whole;
            point.weights *= whole;
        }
        return points;
    }

    /// The one layer of this chain, as profileUnits() says; nothing if `wanted` says that nobody waits for it.
    std::optional<Point> probe(int samples, const std::function<bool()> &wanted) {
        prepare(samples);
        qint64 others = 0;
        for (std::size_t l = 0; l < m_model.layers.size(); ++l) {
            if (l != index(0))
                others += touchedBytes(m_model.layers[l], samples, m_dtype);
        }
        m_between.assign(static_cast<std::size_t>(std::min(others, 2 * cacheBytes)), 0);
        std::vector<double> forward, backward, weights;
        Clock::time_point start = Clock::now();
        std::optional<Stopwatch> all;
        for (int i = 0;; ++i) {
            double seconds = 0;
            const Point once = pass(i, seconds).front();
            if (!wanted())
                return std::nullopt;
            if (i == 0) {  // warms up
                start = Clock::now();
                all.emplace(m_device);
                continue;
            }
            forward.push_back(once.forward);
            backward.push_back(once.backward);
            weights.push_back(once.weights);
            const double passed = secondsSince(start);
            const int least = passed > slowProbeSeconds ? leastSlowProbes : leastProbes;
            if (i >= least && passed >= probeSeconds)
                break;
        }
        // Whoever shares the processor, or a quota, is in what all of it took.
        const double shared = std::max(1.0, all->clock() / std::max(all->device(), 1e-9));
        Point point;
        point.forward = shared * median(forward);
        point.backward = shared * median(backward);
        point.weights = std::min(shared * median(weights), point.backward);
        return point;
    }

  private:
    using Weights = StageModule::WeightGradients;

    /// What other layers would have left in the caches; the tensors come back as the layer before has just made them.
    void passOver(Tensors &fresh) {
        constexpr std::size_t line = 64;
        for (std::size_t i = 0; i < m_between.size(); i += line)
            m_between[i] = static_cast<char>(m_between[i] + 1);
        for (at::Tensor &tensor : fresh)
            tensor = tensor.clone();
    }

    std::size_t index(std::size_t i) const { return static_cast<std::size_t>(m_indices[i]); }
    const Layer &layer(std::size_t i) const { return m_model.layers[index(i)]; }
    bool isLast(std::size_t i) const { return index(i) + 1 == m_model.layers.size(); }
    /// A batch that a layer cannot train on costs what the smallest one does that it can.
    int samplesOf(std::size_t i) const { return std::max(m_samples, layer(i).shape.minimumSamples); }

    Tensors noise(std::size_t i) const {
        const std::vector<Slot> &slots = m_layers[i]->inputs();
        const std::vector<qint64> ids = idLimits(m_model, index(i));
        Tensors values;
        for (std::size_t s = 0; s < slots.size(); ++s) {
            const auto sizes = batchSizes(samplesOf(i), slots[s].shape);
            const auto options = at::TensorOptions().dtype(scalarType(slots[s].dtype));
            at::Tensor value = at::empty_strided(sizes, stridesFor(sizes, computeFormat(slots[s].dtype)), options);
            // Both signs and no pattern: a constant would let rectifiers and pools take unusual paths, and one id would
            // be in every cache. What is no id is a mask.
            if (slots[s].dtype != DType::Int64)
                value.normal_(0, 1, makeCpuGenerator(1));
            else if (ids[s] > 0)
                value.random_(0, ids[s], makeCpuGenerator(1));
            else
                value.fill_(1);
            values.push_back(m_device.fromHost(value));
        }
        return values;
    }

    void prepare(int samples) {
        m_samples = samples;
        m_inputs.clear();
        // A layer takes what the one before gives, unless that is not here or it needs more samples than that.
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            const bool own = i == 0 || index(i) != index(i - 1) + 1 || samplesOf(i) != samplesOf(i - 1);
            m_inputs.push_back(own ? noise(i) : Tensors());
        }
        const Slot label = m_facts.label(m_model.layers.back().shape.outputs.front().shape);
        m_labels = m_device.fromHost(
            at::zeros(batchSizes(samplesOf(m_layers.size() - 1), label.shape), scalarType(label.dtype)));
    }

    /// `seconds`: what of it was forward and backward, by the clock.
    std::vector<Point> pass(int salt, double &seconds) {
        std::vector<Point> points(m_layers.size());
        std::vector<Tensors> x(m_layers.size()), y(m_layers.size());
        std::vector<qint64> held(m_layers.size());
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            const Tensors &from = m_inputs[i].empty() ? y[i - 1] : m_inputs[i];
            for (std::size_t s = 0; s < from.size(); ++s)
                x[i].push_back(from[s].detach());
            if (!m_between.empty())
                passOver(x[i]);
            for (std::size_t s = 0; s < from.size(); ++s)
                x[i][s].set_requires_grad(m_layers[i]->inputs()[s].needsGradient);
            const qint64 before = m_device.memory().held;
            m_device.resetPeak();
            const Stopwatch watch(m_device);
            y[i] = m_layers[i]->forward(x[i], {true, true, static_cast<std::uint64_t>(salt)});
            if (isLast(i))
                y[i] = {m_loss->sum(y[i].front(), m_labels)};
            points[i].forward = watch.device();
            seconds += watch.clock();
            held[i] = m_device.memory().held;
            points[i].saved = std::max<qint64>(0, held[i] - before);
            points[i].workspace = std::max<qint64>(0, m_device.memory().peak - held[i]);
        }
        Tensors gradients;  // of the inputs of the layer behind
        for (std::size_t i = m_layers.size(); i-- > 0;) {
            gradients.resize(y[i].size());
            qint64 before = m_device.memory().held;
            for (std::size_t s = 0; s < gradients.size(); ++s) {
                if (y[i][s].requires_grad() && !(gradients[s].defined() && gradients[s].sizes() == y[i][s].sizes()))
                    gradients[s] = at::ones_like(y[i][s].detach());
                else if (gradients[s].defined())
                    before -= static_cast<qint64>(gradients[s].nbytes());
            }
            if (!m_between.empty())
                passOver(gradients);
            m_device.resetPeak();
            const Stopwatch watch(m_device);
            const bool first = index(i) == 0;
            m_layers[i]->backward(std::exchange(y[i], {}), gradients, first ? Weights::Now : Weights::Later);
            const double gradientThere = watch.device();
            m_layers[i]->finishBackward();
            points[i].backward = watch.device();
            points[i].weights = points[i].backward - gradientThere;
            seconds += watch.clock();
            points[i].workspace = std::max(points[i].workspace, m_device.memory().peak - before);
            gradients.clear();
            for (const at::Tensor &input : x[i])
                gradients.push_back(input.grad());
            x[i].clear();
        }
        return points;
    }

    static TrainingSpec trainingFor(const QString &loss) {
        TrainingSpec training;
        training.loss = loss;
        return training;
    }

    const Model &m_model;
    const LossFacts &m_facts;
    const std::unique_ptr<const Loss> m_loss;
    std::vector<int> m_indices;  // of the layers, ascending
    DType m_dtype;
    ComputeDevice &m_device;
    int m_samples = 0;
    std::vector<std::unique_ptr<StageModule>> m_layers;
    std::vector<Tensors> m_inputs;  // empty: what the layer before gives
    at::Tensor m_labels;
    std::vector<char> m_between;  // of a probe: what its other layers touch
};

/// Batch sizes that are measured, however long they take.
constexpr std::size_t leastSizes = 2;

/// Times of larger batches lie on the line through the last two. A larger batch is not less efficient, and not twice as
/// efficient either: that was a disturbed time, or a layer that was measured with its least samples both times.
void prolong(std::vector<double> &seconds, const std::vector<int> &batches, int minimumSamples) {
    const std::size_t known = seconds.size();
    if (known == batches.size())
        return;
    const auto sizeOf = [&](std::size_t i) { return static_cast<double>(std::max(batches[i], minimumSamples)); };
    const double last = seconds[known - 1], size = sizeOf(known - 1), mean = last / size;
    const double more = size - sizeOf(known - 2);
    const double slope = more > 0 ? std::clamp((last - seconds[known - 2]) / more, mean / 2, mean) : mean;
    while (seconds.size() < batches.size())
        seconds.push_back(last + slope * (sizeOf(seconds.size()) - size));
}

}  // namespace

Result<ModelProfile> profileLayers(const ProfileRequest &request, const ProfileProgress &progress,
                                   ComputeDevice &device) {
    const DType dtype = dtypeOf(request.precision);
    ModelProfile profile;
    profile.model = request.model.name;
    profile.modelSha256 = QString::fromLatin1(request.model.sha256());
    profile.library = computeLibrary();
    profile.computeDevice = device.name();
    profile.precision = precisionName(request.precision);
    if (request.precision == Precision::Bfloat16)
        profile.bfloat16Gain = device.bfloat16Gain();
    profile.threads = request.threads;
    profile.times.batch = request.batches;
    const auto layers = static_cast<int>(request.model.layers.size());
    profile.layers = declaredFacts(request.model, dtype);
    profile.times.forward.resize(request.model.layers.size());
    profile.times.backward.resize(request.model.layers.size());
    profile.times.weights.resize(request.model.layers.size());
    const int total = layers * static_cast<int>(request.batches.size());
    int done = 0;
    // What fits into memory together is measured together; what did not at one batch size does not at the next.
    std::vector<std::pair<int, int>> ranges{{0, layers}};
    std::unique_ptr<LayerChain> chain;  // of the last batch size
    auto &batches = profile.times.batch;
    std::size_t measuredSizes = 0;
    for (double pass = 0; measuredSizes < batches.size(); ++measuredSizes) {
        // What takes this long is compute-bound: larger batches cost in proportion, and nobody should wait for them.
        if (measuredSizes >= leastSizes && pass > request.secondsPerBatch)
            break;
        pass = 0;
        const int size = batches[measuredSizes];
        const std::vector<int> by = measuredFor(request.model, size, dtype);
        std::vector<Point> points(request.model.layers.size());
        bool tooLarge = false;
        for (std::size_t r = 0; r < ranges.size();) {
            const auto [first, last] = ranges[r];
            std::vector<int> own;
            for (int l = first; l < last; ++l) {
                if (by[static_cast<std::size_t>(l)] == l)
                    own.push_back(l);
            }
            if (own.empty()) {
                done += last - first;
                ++r;
                continue;
            }
            const auto wanted = [&] { return progress(done, total); };
            const auto measured = guarded([&]() -> Result<std::vector<Point>> {
                if (!chain || chain->indices() != own) {
                    chain.reset();
                    chain = std::make_unique<LayerChain>(request, own, device);
                }
                return chain->measure(size, request, wanted);
            });
            if (!measured && measured.error().code == QLatin1String("worker.out-of-memory")) {
                chain.reset();
                if (last - first > 1) {
                    const int middle = (first + last) / 2;
                    ranges[r] = {first, middle};
                    ranges.insert(ranges.begin() + static_cast<std::ptrdiff_t>(r) + 1, {middle, last});
                    continue;
                }
                if (measuredSizes > 0) {
                    tooLarge = true;
                    break;
                }
            }
            if (!measured)
                return tl::unexpected(measured.error());
            if (measured->empty())
                return fail(QStringLiteral("worker.cancelled"), sentence("The profile was given up."));
            for (std::size_t i = 0; i < own.size(); ++i) {
                points[static_cast<std::size_t>(own[i])] = (*measured)[i];
                pass += (*measured)[i].forward + (*measured)[i].backward;
            }
            done += last - first;
            ++r;
        }
        if (tooLarge) {
            batches.resize(measuredSizes);
            break;
        }
        for (std::size_t l = 0; l < points.size(); ++l) {
            const Point &point = points[static_cast<std::size_t>(by[l])];
            LayerFacts &facts = profile.layers[l];
            profile.times.forward[l].push_back(point.forward);
            profile.times.backward[l].push_back(point.backward);
            profile.times.weights[l].push_back(point.weights);
            // Of the largest batch: fixed parts weigh least there.
            const int samples = std::max(size, facts.minimumSamples);
            facts.savedBytes = (point.saved + samples - 1) / samples;
            facts.workspaceBytes = (point.workspace + samples - 1) / samples;
        }
    }
    chain.reset();
    if (!progress(total, total))
        return fail(QStringLiteral("worker.cancelled"), sentence("The profile was given up."));
    TimeTable &times = profile.times;
    for (std::size_t l = 0; l < profile.layers.size(); ++l) {
        for (auto *table : {&times.forward, &times.backward, &times.weights})
            prolong((*table)[l], batches, profile.layers[l].minimumSamples);
        // A half is not more than the whole.
        for (std::size_t i = measuredSizes; i < batches.size(); ++i)
            times.weights[l][i] = std::min(times.weights[l][i], times.backward[l][i]);
    }
    returnFreedMemory();  // large batches were tried: the run should not carry their memory
    measureRuntimeBytes();
    return profile;
}

Result<std::vector<UnitSeconds>> profileUnits(const ProfileRequest &request, const std::vector<ProbedUnit> &units,
                                              const ProfileProgress &progress, ComputeDevice &device) {
    std::vector<UnitSeconds> measured;
    const auto total = static_cast<int>(units.size());
    for (int done = 0; done < total; ++done) {
        const ProbedUnit &unit = units[static_cast<std::size_t>(done)];
        const auto wanted = [&] { return progress(done, total); };
        const auto point = guarded([&]() -> Result<std::optional<Point>> {
            return LayerChain(request, {unit.layer}, device).probe(unit.samples, wanted);
        });
        if (!point && point.error().code == QLatin1String("worker.out-of-memory"))
            break;
        if (!point)
            return tl::unexpected(point.error());
        if (!*point)
            return fail(QStringLiteral("worker.cancelled"), sentence("The profile was given up."));
        measured.push_back({unit.layer, unit.samples, (*point)->forward, (*point)->backward, (*point)->weights});
    }
    returnFreedMemory();
    measureRuntimeBytes();
    return measured;
}

}  // namespace hearth
