#include "core/train/flat_math.h"

#include <cmath>

#include "core/base/generator.h"

namespace hearth {
namespace {

template <class T>
void add(T *__restrict target, const T *__restrict addend, qint64 count) {
    for (qint64 i = 0; i < count; ++i)
        target[i] += addend[i];
}

template <class T>
void multiply(T *__restrict target, const T *__restrict source, const std::uint8_t *__restrict kept, T factor,
              qint64 count) {
    for (qint64 i = 0; i < count; ++i)
        target[i] = kept[i] != 0 ? source[i] * factor : T(0);
}

template <class T>
void sgd(const OptimizerSpec &spec, T *__restrict p, const T *__restrict g, T *__restrict velocity, qint64 count) {
    const T rate = static_cast<T>(spec.learningRate);
    const T decay = static_cast<T>(spec.weightDecay);
    const T momentum = static_cast<T>(spec.momentum);
    if (!velocity) {
        for (qint64 i = 0; i < count; ++i)
            p[i] -= rate * (g[i] + decay * p[i]);
        return;
    }
    for (qint64 i = 0; i < count; ++i) {
        const T v = momentum * velocity[i] + (g[i] + decay * p[i]);
        velocity[i] = v;
        p[i] -= rate * v;
    }
}

template <class T>
void adam(const OptimizerSpec &spec, T *__restrict p, const T *__restrict g, T *__restrict mean, T *__restrict square,
          qint64 count, quint64 step) {
    const double correction1 = 1 - std::pow(spec.beta1, static_cast<double>(step));
    const double correction2 = 1 - std::pow(spec.beta2, static_cast<double>(step));
    const T rate = static_cast<T>(spec.learningRate / correction1);
    const T root = static_cast<T>(std::sqrt(correction2));
    const T decay = static_cast<T>(spec.weightDecay);
    const T b1 = static_cast<T>(spec.beta1), c1 = static_cast<T>(1 - spec.beta1);
    const T b2 = static_cast<T>(spec.beta2), c2 = static_cast<T>(1 - spec.beta2);
    const T epsilon = static_cast<T>(spec.epsilon);
    for (qint64 i = 0; i < count; ++i) {
        const T gradient = g[i] + decay * p[i];
        const T m = b1 * mean[i] + c1 * gradient;
        const T v = b2 * square[i] + c2 * gradient * gradient;
        mean[i] = m;
        square[i] = v;
        p[i] -= rate * (m / (std::sqrt(v) / root + epsilon));
    }
}

template <class T>
void stepAs(const OptimizerSpec &spec, std::byte *parameters, const std::byte *gradients, std::byte *state,
            qint64 elements, quint64 step) {
    auto *p = reinterpret_cast<T *>(parameters);
    const auto *g = reinterpret_cast<const T *>(gradients);
    auto *s = reinterpret_cast<T *>(state);
    if (spec.kind == OptimizerSpec::Kind::Adam)
        adam(spec, p, g, s, s + elements, elements, step);
    else
        sgd(spec, p, g, spec.stateFactor() > 0 ? s : nullptr, elements);
}

}  // namespace

void addInto(std::byte *target, const std::byte *addend, qint64 elements, DType dtype) {
    if (dtype == DType::Float64)
        add(reinterpret_cast<double *>(target), reinterpret_cast<const double *>(addend), elements);
    else
        add(reinterpret_cast<float *>(target), reinterpret_cast<const float *>(addend), elements);
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

void FlatOptimizer::step(std::byte *parameters, const std::byte *gradients, std::byte *state, qint64 elements,
                         quint64 step) const {
    if (m_dtype == DType::Float64)
        stepAs<double>(m_spec, parameters, gradients, state, elements, step);
    else
        stepAs<float>(m_spec, parameters, gradients, state, elements, step);
}

}  // namespace hearth
