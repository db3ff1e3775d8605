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
    for (qint64 i = 0; i < count; ++i) {
        error[i] = value[i] - rounded[i];
        value[i] = rounded[i];
    }
}

/// What one step does with some of the elements.
struct Update {
    const OptimizerSpec &spec;
    double rate;   // with the schedule's factor
    double decay;  // of these elements
    quint64 step;
};

template <class T>
void multiply(T *__restrict target, const T *__restrict source, const std::uint8_t *__restrict kept, T factor,
              qint64 count) {
    for (qint64 i = 0; i < count; ++i)
        target[i] = kept[i] != 0 ? source[i] * factor : T(0);
}

template <class T>
void sgd(const Update &update, T *__restrict p, const T *__restrict g, T *__restrict velocity, qint64 count) {
    const T rate = static_cast<T>(update.rate);
    const T decay = static_cast<T>(update.decay);
    const T momentum = static_cast<T>(update.spec.momentum);
    if (!velocity) {
        for (qint64 i = 0; i < count; ++i)
            p[i] -= rate * (g[i] + decay * p[i]);
        return;
    }
    if (update.spec.nesterov) {
        for (qint64 i = 0; i < count; ++i) {
            const T gradient = g[i] + decay * p[i];
            const T v = momentum * velocity[i] + gradient;
            velocity[i] = v;
            p[i] -= rate * (gradient + momentum * v);
        }
        return;
    }
    for (qint64 i = 0; i < count; ++i) {
        const T v = momentum * velocity[i] + (g[i] + decay * p[i]);
        velocity[i] = v;
        p[i] -= rate * v;
    }
}

template <class T>
void adam(const Update &update, T *__restrict p, const T *__restrict g, T *__restrict mean, T *__restrict square,
          qint64 count) {
    const OptimizerSpec &spec = update.spec;
    const bool apart = spec.kind == OptimizerSpec::Kind::AdamW;
    const double correction1 = 1 - std::pow(spec.beta1, static_cast<double>(update.step));
    const double correction2 = 1 - std::pow(spec.beta2, static_cast<double>(update.step));
    const T rate = static_cast<T>(update.rate / correction1);
    const T root = static_cast<T>(std::sqrt(correction2));
    const T decay = static_cast<T>(apart ? 0 : update.decay);
    const T kept = static_cast<T>(apart ? 1 - update.rate * update.decay : 1);
    const T b1 = static_cast<T>(spec.beta1), c1 = static_cast<T>(1 - spec.beta1);
    const T b2 = static_cast<T>(spec.beta2), c2 = static_cast<T>(1 - spec.beta2);
    const T epsilon = static_cast<T>(spec.epsilon);
    for (qint64 i = 0; i < count; ++i) {
        const T gradient = g[i] + decay * p[i];
        const T m = b1 * mean[i] + c1 * gradient;
        const T v = b2 * square[i] + c2 * gradient * gradient;
        mean[i] = m;
        square[i] = v;
        p[i] = kept * p[i] - rate * (m / (std::sqrt(v) / root + epsilon));
    }
}

/// The elements [first, end) of buffers that have `elements`.
template <class T>
void stepAs(const Update &update, std::byte *parameters, const std::byte *gradients, std::byte *state, qint64 elements,
            FlatRange range) {
    const auto [first, end] = range;
    auto *p = reinterpret_cast<T *>(parameters) + first;
    const auto *g = reinterpret_cast<const T *>(gradients) + first;
    auto *s = reinterpret_cast<T *>(state) + first;
    if (update.spec.isAdam())
        adam(update, p, g, s, s + elements, end - first);
    else
        sgd(update, p, g, update.spec.momentum != 0 ? s : nullptr, end - first);
}

/// The first step's are the weights themselves.
template <class T>
void average(const T *__restrict p, T *__restrict mean, qint64 count, double kept) {
    const T part = static_cast<T>(1 - kept);
    for (qint64 i = 0; i < count; ++i)
        mean[i] += part * (p[i] - mean[i]);
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
    const auto limit = static_cast<std::uint32_t>(probability * 4294967296.0);
    // Half a word of the stream for each.
    for (qint64 i = first; i < last; ++i) {
        const std::uint64_t word = stream.word(static_cast<std::uint64_t>(i) / 2);
        kept[i] = static_cast<std::uint32_t>(i % 2 == 0 ? word : word >> 32) >= limit ? 1 : 0;
    }
}

void multiplyKept(void *target, const void *source, const std::uint8_t *kept, double factor, qint64 elements,
                  DType dtype) {
    if (dtype == DType::Float64)
        multiply(static_cast<double *>(target), static_cast<const double *>(source), kept, factor, elements);
    else
        multiply(static_cast<float *>(target), static_cast<const float *>(source), kept, static_cast<float>(factor),
                 elements);
}

FlatOptimizer::FlatOptimizer(const TrainingSpec &training, std::vector<FlatTensor> tensors)
    : m_spec(training.optimizer),
      m_schedule(training.schedule),
      m_rounds(training.rounds),
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

void FlatOptimizer::step(std::byte *parameters, const std::byte *gradients, std::byte *state, qint64 elements,
                         quint64 step) const {
    Update update{m_spec, m_spec.learningRate * m_schedule.factor(static_cast<qint64>(step), m_rounds), 0, step};
    const auto run = [&](FlatRange range, double decay) {
        update.decay = decay;
        if (m_dtype == DType::Float64)
            stepAs<double>(update, parameters, gradients, state, elements, range);
        else
            stepAs<float>(update, parameters, gradients, state, elements, range);
    };
    if (m_spec.kind == OptimizerSpec::Kind::Adafactor) {
        adafactor(parameters, gradients, state, elements, update.rate, step);
    } else {
        qint64 next = 0;
        for (const FlatRange &range : m_undecayed) {
            run({next, range.first}, m_spec.weightDecay);
            run(range, 0);
            next = range.second;
        }
        run({next, elements}, m_spec.weightDecay);
    }
    if (m_spec.ema == 0)
        return;
    std::byte *mean = state + (m_spec.state().copies - 1) * elements * byteSize(m_dtype);
    const double kept = step == 1 ? 0 : m_spec.ema;
    if (m_dtype == DType::Float64)
        average(reinterpret_cast<const double *>(parameters), reinterpret_cast<double *>(mean), elements, kept);
    else
        average(reinterpret_cast<const float *>(parameters), reinterpret_cast<float *>(mean), elements, kept);
}

}  // namespace hearth
