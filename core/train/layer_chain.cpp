#include "core/train/layer_chain.h"

#include <algorithm>
#include <chrono>

#include "core/base/median.h"
#include "core/model/alike_layers.h"
#include "core/model/cut_slots.h"
#include "core/model/id_limits.h"
#include "core/train/packed_cut.h"
#include "core/train/tensors.h"

namespace hearth {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

using Moment = std::shared_ptr<const Mark>;

/// What one sample of a median lasts at least: several periods of a processor quota and turns of the scheduler, so that
/// whoever shares the processors is in it.
constexpr double blockSeconds = 0.03;

/// One unit alone: repeats, and how long they go on at least, for the same reason.
constexpr int leastProbes = 5, leastSlowProbes = 1;
constexpr double probeSeconds = 0.06, slowProbeSeconds = 0.1;

TrainingSpec trainingFor(const QString &loss) {
    TrainingSpec training;
    training.loss = loss;
    return training;
}

}  // namespace

qint64 touchedBytes(const Layer &layer, int samples, DType dtype) {
    qint64 bytes = layer.shape.parameterBytes(dtype) + layer.shape.trainableBytes(dtype);
    for (const Op &op : layer.ops)
        bytes += samples * op.kept() * byteSize(dtype);
    return bytes;
}

LayerChain::LayerChain(const ProfileRequest &request, std::vector<int> layers, ComputeDevice &device)
    : m_model(request.model),
      m_facts(*LossFacts::byName(request.loss)),
      m_loss(Loss::make(trainingFor(request.loss))),
      m_indices(std::move(layers)),
      m_dtype(dtypeOf(request.precision)),
      m_device(device) {
    m_lookedAt.resize(m_indices.size());
    for (const int l : m_indices) {
        m_layers.push_back(std::make_unique<StageModule>(m_model, l, l + 1, request.precision, device));
        m_layers.back()->initialise(m_model, 1);
    }
}

std::vector<LayerPoint> LayerChain::measure(int samples, const ProfileRequest &request,
                                            const std::function<bool()> &wanted) {
    prepare(samples);
    std::vector<LayerPoint> points(m_layers.size());
    std::vector<std::vector<double>> forward(m_layers.size()), backward(m_layers.size()), weights(m_layers.size());
    std::vector<double> blocks;  // seconds of a pass, each the mean of a block
    double block = 0;
    int passesOfBlock = 0;
    m_packingSeconds = 0;
    const Clock::time_point start = Clock::now();
    for (int i = 0;; ++i) {
        const bool slow = secondsSince(start) - m_packingSeconds > request.secondsPerBatch;
        double seconds = 0;
        m_packs = i == 0 && request.triesPacking;
        const std::vector<LayerPoint> once = pass(i, seconds);
        if (!wanted())
            return {};
        for (std::size_t l = 0; i == 0 && l < once.size(); ++l)
            points[l].packed = once[l].packed;
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
        points[l].forward = medianOf(forward[l]);
        points[l].backward = medianOf(backward[l]);
        points[l].weights = std::min(medianOf(weights[l]), points[l].backward);
        sum += points[l].forward + points[l].backward;
    }
    const double whole = medianOf(blocks) / sum;
    for (LayerPoint &point : points) {
        point.forward *= whole;
        point.backward *= whole;
        point.weights *= whole;
    }
    return points;
}

std::optional<LayerPoint> LayerChain::probe(int samples, const std::function<bool()> &wanted) {
    prepare(samples);
    qint64 others = 0;
    for (std::size_t l = 0; l < m_model.layers.size(); ++l) {
        if (l != index(0))
            others += touchedBytes(m_model.layers[l], samples, m_dtype);
    }
    if (m_device.isHost())
        m_between.assign(static_cast<std::size_t>(std::min(others, 2 * cacheBytes)), 0);
    std::vector<double> forward, backward, weights;
    Clock::time_point start = Clock::now();
    Moment began;
    for (int i = 0;; ++i) {
        double seconds = 0;
        const LayerPoint once = pass(i, seconds).front();
        if (!wanted())
            return std::nullopt;
        if (i == 0) {  // warms up
            start = Clock::now();
            began = m_device.workMark();
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
    const Moment ended = m_device.workMark();
    const double shared = std::max(1.0, ended->secondsSince(*began) / std::max(ended->workSince(*began), 1e-9));
    LayerPoint point;
    point.forward = shared * medianOf(forward);
    point.backward = shared * medianOf(backward);
    point.weights = std::min(shared * medianOf(weights), point.backward);
    return point;
}

/// What other layers would have left in the caches; the tensors come back as the layer before has just made them.
void LayerChain::passOver(Tensors &fresh) {
    constexpr std::size_t line = 64;
    for (std::size_t i = 0; i < m_between.size(); i += line)
        m_between[i] = static_cast<char>(m_between[i] + 1);
    for (at::Tensor &tensor : fresh)
        tensor = tensor.clone();
}

Tensors LayerChain::noise(std::size_t i) const {
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

void LayerChain::prepare(int samples) {
    m_samples = samples;
    m_inputs.clear();
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        m_inputs.push_back(followsTheOneBefore(i) ? Tensors() : noise(i));
    }
    const Slot label = m_facts.label(m_model.layers.back().shape.outputs.front().shape);
    m_labels =
        m_device.fromHost(at::zeros(batchSizes(samplesOf(m_layers.size() - 1), label.shape), scalarType(label.dtype)));
}

/// A layer takes what the one before gives, or one that is like it; unless it needs more samples than that.
bool LayerChain::followsTheOneBefore(std::size_t i) const {
    return i > 0 && samplesOf(i) == samplesOf(i - 1) && areAlike(m_model.layers[index(i) - 1], layer(i - 1));
}

QMap<QString, PackedParts> LayerChain::packedBefore(std::size_t i, const Tensors &values, const Tensors &gradients) {
    const std::vector<Slot> &slots = m_layers[i]->inputs();
    const qint64 bytes = std::min(samplesOf(i) * forwardBytes(slots), enoughPacked);
    if (bytes <= m_lookedAt[i])
        return {};
    m_lookedAt[i] = bytes;
    const Clock::time_point start = Clock::now();
    PackedCut cut;
    for (std::size_t s = 0; s < slots.size(); ++s)
        cut.add(slots[s].dtype, values[s], gradients[s], isRectified(m_model, index(i), s), m_device);
    m_packingSeconds += secondsSince(start);
    return cut.parts();
}

/// `seconds`: what of it was forward and backward, by the clock.
std::vector<LayerPoint> LayerChain::pass(int salt, double &seconds) {
    using Weights = StageModule::WeightGradients;
    std::vector<LayerPoint> points(m_layers.size());
    std::vector<Tensors> x(m_layers.size()), y(m_layers.size());
    std::vector<qint64> held(m_layers.size());
    struct Moments {
        Moment forward, forwardDone, backward, gradientThere, backwardDone;
    };
    std::vector<Moments> moments(m_layers.size());
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
        moments[i].forward = m_device.workMark();
        y[i] = m_layers[i]->forward(x[i], {true, true, static_cast<std::uint64_t>(salt)});
        if (isLast(i))
            y[i] = {m_loss->sum(y[i].front(), m_labels)};
        moments[i].forwardDone = m_device.workMark();
        held[i] = m_device.memory().held;
        points[i].saved = std::max<qint64>(0, held[i] - before);
        points[i].workspace = std::max<qint64>(0, m_device.memory().peak - held[i]);
    }
    Tensors gradients;                           // of the inputs of the layer behind
    bool areReal = isLast(m_layers.size() - 1);  // they come from the loss
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        gradients.resize(y[i].size());
        qint64 before = m_device.memory().held;
        for (std::size_t s = 0; s < gradients.size(); ++s) {
            if (y[i][s].requires_grad() && !(gradients[s].defined() && gradients[s].sizes() == y[i][s].sizes())) {
                gradients[s] = at::ones_like(y[i][s].detach());
                areReal = areReal && i + 1 == m_layers.size();
            } else if (gradients[s].defined()) {
                before -= static_cast<qint64>(gradients[s].nbytes());
            }
        }
        if (!m_between.empty())
            passOver(gradients);
        m_device.resetPeak();
        moments[i].backward = m_device.workMark();
        const bool first = index(i) == 0;
        m_layers[i]->backward(std::exchange(y[i], {}), gradients, first ? Weights::Now : Weights::Later);
        moments[i].gradientThere = m_device.workMark();
        m_layers[i]->finishBackward();
        moments[i].backwardDone = m_device.workMark();
        points[i].workspace = std::max(points[i].workspace, m_device.memory().peak - before);
        gradients.clear();
        for (const at::Tensor &input : x[i])
            gradients.push_back(input.grad());
        if (m_packs && areReal && m_inputs[i].empty())
            points[i - 1].packed = packedBefore(i, x[i], gradients);
        x[i].clear();
    }
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const Moments &of = moments[i];
        points[i].forward = of.forwardDone->workSince(*of.forward);
        points[i].backward = of.backwardDone->workSince(*of.backward);
        points[i].weights = of.backwardDone->workSince(*of.gradientThere);
        seconds += of.forwardDone->secondsSince(*of.forward) + of.backwardDone->secondsSince(*of.backward);
    }
    return points;
}

}  // namespace hearth
