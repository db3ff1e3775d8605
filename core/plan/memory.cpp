#include "core/plan/memory.h"

#include <map>

namespace hearth {
namespace {

std::vector<TiedTensor> tiedTensors(const std::vector<LayerFacts> &layers) {
    std::map<std::pair<int, int>, TiedTensor> known;  // by layer and tensor
    for (std::size_t l = 0; l < layers.size(); ++l) {
        for (const TiedBytes &tied : layers[l].tied) {
            TiedTensor &own = known[{tied.layer, tied.tensor}];
            if (own.layers.empty())
                own = {{tied.layer}, static_cast<double>(tied.bytes), tied.isTrainable};
            if (own.layers.back() != static_cast<int>(l))
                own.layers.push_back(static_cast<int>(l));
        }
    }
    std::vector<TiedTensor> all;
    for (auto &[place, tied] : known)
        all.push_back(std::move(tied));
    return all;
}

}  // namespace

int TiedTensor::countIn(int firstLayer, int lastLayer) const {
    return static_cast<int>(std::ranges::lower_bound(layers, lastLayer) - std::ranges::lower_bound(layers, firstLayer));
}

MemoryModel::MemoryModel(const PlanningProblem &problem, int keptStates)
    : m_stateFactor(problem.optimizerStateFactor),
      m_gradientFactor(problem.gradientCodec == &noCodec() ? 1 : 3),
      m_keptStates(keptStates),
      m_asynchronous(problem.asynchronous),
      m_localSteps(problem.localSteps),
      m_tied(tiedTensors(problem.layers)) {
    std::vector<double> workspace;
    std::vector<int> minimum;
    const std::size_t count = problem.layers.size();
    for (auto *sums : {&m_parameters, &m_trainable, &m_buffers, &m_saved}) {
        sums->reserve(count + 1);
        sums->push_back(0);
    }
    double arriving = static_cast<double>(problem.inputBytes);
    for (const LayerFacts &layer : problem.layers) {
        m_parameters.push_back(m_parameters.back() + static_cast<double>(layer.parameterBytes));
        m_trainable.push_back(m_trainable.back() + static_cast<double>(layer.trainableBytes));
        m_buffers.push_back(m_buffers.back() + static_cast<double>(layer.bufferBytes));
        m_saved.push_back(m_saved.back() + static_cast<double>(layer.savedBytes));
        m_arriving.push_back(arriving);
        arriving = static_cast<double>(layer.outputBytes);
        workspace.push_back(static_cast<double>(layer.workspaceBytes));
        minimum.push_back(layer.minimumSamples);
    }
    m_workspace = RangeMaximum<double>(std::move(workspace));
    m_minimum = RangeMaximum<int>(std::move(minimum));
    for (const auto &device : problem.devices) {
        m_available.push_back(static_cast<double>(device.memoryBytes));
        m_runtime.push_back(static_cast<double>(device.runtimeBytes));
    }
}

double MemoryModel::repeatedBytes(int firstLayer, int lastLayer, bool trainableOnly) const {
    double bytes = 0;
    for (const TiedTensor &tied : m_tied) {
        if (tied.isTrainable || !trainableOnly)
            bytes += tied.bytes * std::max(0, tied.countIn(firstLayer, lastLayer) - 1);
    }
    return bytes;
}

double MemoryModel::summedBytes(int firstLayer, int lastLayer) const {
    double bytes = trainableBytes(firstLayer, lastLayer);
    for (const TiedTensor &tied : m_tied) {
        if (tied.isTrainable && tied.isCut(firstLayer, lastLayer))
            bytes -= tied.bytes;
    }
    return bytes;
}

double MemoryModel::stashedBytes(const StagePlace &place) const {
    if (!m_asynchronous)
        return 0;
    const bool byRound = m_asynchronous->update == Asynchrony::Update::Round;
    // Whom all stages follow is not known here; the one in front has one micro-batch more under way as a rule.
    const bool follows = m_asynchronous->verticalSync && place.firstLayer > 0;
    const int before = std::max(0, place.inFlight - (follows ? 0 : 1));
    // A limit is never above the micro-batches of a round, so they need not be known.
    const int own = byRound ? std::min(before, 1) : before;
    const double begun = byRound ? 0 : 1 + m_stateFactor;
    return (m_asynchronous->keptVersions(place.delay.value_or(own)) + begun) *
           trainableBytes(place.firstLayer, place.lastLayer);
}

MemoryModel::Linear MemoryModel::linear(const StagePlace &place) const {
    const double trainable = trainableBytes(place.firstLayer, place.lastLayer);
    const double saved = sum(m_saved, place.firstLayer, place.lastLayer);
    const double arriving = arrivingBytes(place.firstLayer);
    Linear need;
    need.fixed = sum(m_parameters, place.firstLayer, place.lastLayer) -
                 repeatedBytes(place.firstLayer, place.lastLayer, false) +
                 sum(m_buffers, place.firstLayer, place.lastLayer) +
                 (m_gradientFactor + m_stateFactor + m_localSteps.copies) * trainable +
                 m_keptStates * stateBytes(place.firstLayer, place.lastLayer) + stashedBytes(place);
    const double waiting = place.recompute ? place.inFlight * arriving + saved : place.inFlight * (saved + arriving);
    need.perSample =
        waiting + m_workspace.over(place.firstLayer, place.lastLayer) + (2 + m_localSteps.every) * arriving;
    return need;
}

double MemoryModel::stageBytes(const StagePlace &place) const {
    const Linear need = linear(place);
    return need.fixed + need.perSample * place.samples;
}

double MemoryModel::deviceBytes(int device, const StagePlace &place) const {
    return stageBytes(place) + m_runtime[static_cast<std::size_t>(device)];
}

int MemoryModel::largestShare(int device, const StagePlace &place, int limit) const {
    const Linear need = linear(place);
    const double left = availableBytes(device) - m_runtime[static_cast<std::size_t>(device)] - need.fixed;
    if (left < 0)
        return 0;
    if (need.perSample * limit <= left)
        return limit;
    // Rounding of the division may be off by one sample either way.
    int share = static_cast<int>(left / need.perSample);
    while (share > 0 && need.perSample * share > left)
        --share;
    return std::min(share, limit);
}

int MemoryModel::mostInFlight(int device, const StagePlace &place, int limit) const {
    StagePlace trial = place;
    int low = 0, high = limit;
    while (low < high) {
        trial.inFlight = low + (high - low + 1) / 2;
        if (fits(device, trial))
            low = trial.inFlight;
        else
            high = trial.inFlight - 1;
    }
    return low;
}

}  // namespace hearth
