#include "core/train/flat_math.h"

#include <cmath>

#include "core/base/generator.h"
#include "core/train/adafactor.h"

namespace hearth {
namespace {

template <class T>
void add(T *__restrict target, const T *__restrict addend, qint64 count) {
    for (qint64 i = 0; i < count; ++i)
        target[i] += addend[i];
}

template <class T>
void takeRounded(T *__restrict value, T *__restrict error, const T *__restrict rounded, qint64 count) {
    for (qint64 i = 0; i < count; ++i)
        takeRoundedElement(value[i], error[i], rounded[i]);
}

template <class T>
void multiply(T *__restrict target, const T *__restrict source, const std::uint8_t *__restrict kept, T factor,
              qint64 count) {
    for (qint64 i = 0; i < count; ++i)
        target[i] = kept[i] != 0 ? source[i] * factor : T(0);
}

/// `s`: the copies of the state, `elements` each, that the rule needs.
template <class T>
void stepRange(StepFactors::Rule rule, const ElementStep<T> &step, T *__restrict p, const T *__restrict g,
               T *__restrict s, qint64 elements, qint64 count) {
    switch (rule) {
        case StepFactors::Rule::Sgd:
            for (qint64 i = 0; i < count; ++i)
                step.sgd(p[i], g[i]);
            return;
        case StepFactors::Rule::Momentum:
            for (qint64 i = 0; i < count; ++i)
                step.sgd(p[i], g[i], s[i]);
            return;
        case StepFactors::Rule::Nesterov:
            for (qint64 i = 0; i < count; ++i)
                step.nesterov(p[i], g[i], s[i]);
            return;
        case StepFactors::Rule::Adam:
            T *__restrict square = s + elements;
            for (qint64 i = 0; i < count; ++i)
                step.adam(p[i], g[i], s[i], square[i]);
            return;
    }
}

template <class T>
void stepAs(const StepFactors &factors, std::byte *parameters, const std::byte *gradients, std::byte *state,
            qint64 elements, const std::vector<FlatRange> &undecayed) {
    const ElementStep<T> decaying(factors);
    ElementStep<T> still = decaying;
    still.leaveOut();
    const auto run = [&](const ElementStep<T> &step, qint64 first, qint64 end) {
        stepRange(factors.rule, step, reinterpret_cast<T *>(parameters) + first,
                  reinterpret_cast<const T *>(gradients) + first, reinterpret_cast<T *>(state) + first, elements,
                  end - first);
    };
    qint64 next = 0;
    for (const FlatRange &range : undecayed) {
        run(decaying, next, range.first);
        run(still, range.first, range.second);
        next = range.second;
    }
    run(decaying, next, elements);
}

template <class T>
void averageAs(const StepFactors &factors, const std::byte *parameters, std::byte *average, qint64 elements) {
    const ElementStep<T> step(factors);
    const auto *__restrict p = reinterpret_cast<const T *>(parameters);
    auto *__restrict mean = reinterpret_cast<T *>(average);
    for (qint64 i = 0; i < elements; ++i)
        step.average(p[i], mean[i]);
}

}  // namespace

void addInto(std::byte *target, const std::byte *addend, qint64 elements, DType dtype) {
    if (dtype == DType::Float64)
        add(reinterpret_cast<double *>(target), reinterpret_cast<const double *>(addend), elements);
    else
        add(reinterpret_cast<float *>(target), reinterpret_cast<const float *>(addend), elements);
}

void takeRounded(std::byte *value, std::byte *error, const std::byte *rounded, qint64 elements, DType dtype) {
    if (dtype == DType::Float64)
        takeRounded(reinterpret_cast<double *>(value), reinterpret_cast<double *>(error),
                    reinterpret_cast<const double *>(rounded), elements);
    else
        takeRounded(reinterpret_cast<float *>(value), reinterpret_cast<float *>(error),
                    reinterpret_cast<const float *>(rounded), elements);
}

void drawKept(std::uint8_t *kept, qint64 first, qint64 last, double probability, quint64 salt) {
    const Generator stream(salt);
    const std::uint32_t limit = droppedBelow(probability);
    for (qint64 i = first; i < last; ++i)
        kept[i] = isKept(wordOfElement(stream, i), i, limit);
}

void multiplyKept(void *target, const void *source, const std::uint8_t *kept, double factor, qint64 elements,
                  DType dtype) {
    if (dtype == DType::Float64)
        multiply(static_cast<double *>(target), static_cast<const double *>(source), kept, factor, elements);
    else
        multiply(static_cast<float *>(target), static_cast<const float *>(source), kept, static_cast<float>(factor),
                 elements);
}

FlatOptimizer::FlatOptimizer(const TrainingSpec &training, std::vector<FlatTensor> tensors, int stepsPerRound,
                             double rateFactor)
    : m_spec(training.optimizer),
      m_schedule(training.schedule),
      m_rounds(training.rounds),
      m_stepsPerRound(stepsPerRound),
      m_rateFactor(rateFactor),
      m_dtype(dtypeOf(training.precision)),
      m_tensors(std::move(tensors)) {
    if (m_spec.weightDecay == 0 || m_spec.decay == OptimizerSpec::Decay::All)
        return;
    for (const FlatTensor &tensor : m_tensors) {
        if (tensor.shape.size() < 2)
            m_undecayed.push_back(tensor.range);
    }
}

void FlatOptimizer::adafactor(std::byte *parameters, const std::byte *gradients, std::byte *state, qint64 elements,
                              double rate, quint64 step) const {
    const qint64 size = byteSize(m_dtype);
    std::byte *moments = state + m_spec.state().copies * elements * size;
    for (const FlatTensor &tensor : m_tensors) {
        const bool decays = m_spec.decay == OptimizerSpec::Decay::All || tensor.shape.size() > 1;
        const AdafactorStep one{m_spec, rate, decays ? m_spec.weightDecay : 0, step};
        const qint64 first = tensor.range.first * size;
        adafactorStep(one, tensor, m_dtype, parameters + first, gradients + first,
                      m_spec.beta1 != 0 ? state + first : nullptr, moments + tensor.moments * size);
    }
}

StepFactors FlatOptimizer::factors(quint64 step) const {
    const bool apart = m_spec.kind == OptimizerSpec::Kind::AdamW;
    const qint64 round = (static_cast<qint64>(step) - 1) / m_stepsPerRound + 1;
    const double rate = m_rateFactor * m_spec.learningRate * m_schedule.factor(round, m_rounds);
    StepFactors factors;
    factors.rate = rate;
    factors.decay = apart ? 0 : m_spec.weightDecay;
    factors.hasAverage = m_spec.ema != 0;
    factors.averagePart = step == 1 ? 1 : 1 - m_spec.ema;  // the first step's are the weights themselves
    if (!m_spec.isAdam()) {
        if (m_spec.momentum != 0)
            factors.rule = m_spec.nesterov ? StepFactors::Rule::Nesterov : StepFactors::Rule::Momentum;
        factors.momentum = m_spec.momentum;
        return factors;
    }
    factors.rule = StepFactors::Rule::Adam;
    factors.rate = rate / (1 - std::pow(m_spec.beta1, static_cast<double>(step)));
    factors.root = std::sqrt(1 - std::pow(m_spec.beta2, static_cast<double>(step)));
    factors.kept = apart ? 1 - rate * m_spec.weightDecay : 1;
    factors.meanKept = m_spec.beta1;
    factors.meanPart = 1 - m_spec.beta1;
    factors.squareKept = m_spec.beta2;
    factors.squarePart = 1 - m_spec.beta2;
    factors.epsilon = m_spec.epsilon;
    return factors;
}

void FlatOptimizer::step(std::byte *parameters, const std::byte *gradients, std::byte *state, qint64 elements,
                         quint64 step) const {
    const StepFactors factors = this->factors(step);
    if (m_spec.kind == OptimizerSpec::Kind::Adafactor)
        adafactor(parameters, gradients, state, elements, factors.rate, step);
    else if (m_dtype == DType::Float64)
        stepAs<double>(factors, parameters, gradients, state, elements, m_undecayed);
    else
        stepAs<float>(factors, parameters, gradients, state, elements, m_undecayed);
    if (!factors.hasAverage)
        return;
    std::byte *mean = state + (m_spec.state().copies - 1) * elements * byteSize(m_dtype);
    if (m_dtype == DType::Float64)
        averageAs<double>(factors, parameters, mean, elements);
    else
        averageAs<float>(factors, parameters, mean, elements);
}

}  // namespace hearth
