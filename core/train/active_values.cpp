#include "core/train/active_values.h"

#include <cstring>

namespace hearth {
namespace {

template <class Number>
Number at(std::span<const std::byte> values, std::size_t index) {
    Number value;
    std::memcpy(&value, values.data() + index * sizeof value, sizeof value);
    return value;
}

template <class Number>
void put(std::byte *values, std::size_t index, Number value) {
    std::memcpy(values + index * sizeof value, &value, sizeof value);
}

/// As the rectifier's own backward pass decides.
template <class Number>
bool isActive(std::span<const std::byte> activations, std::size_t index) {
    return !(at<Number>(activations, index) <= 0);
}

template <class Number>
std::size_t countActive(std::span<const std::byte> activations) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < activations.size() / sizeof(Number); ++i)
        count += isActive<Number>(activations, i) ? 1 : 0;
    return count;
}

template <class Number>
std::shared_ptr<Buffer> active(std::span<const std::byte> activations, std::span<const std::byte> gradient) {
    const std::size_t count = countActive<Number>(activations);
    auto values = Buffer::allocate(static_cast<qsizetype>(count) * qsizetype{sizeof(Number)});
    std::size_t next = 0;
    for (std::size_t i = 0; next < count; ++i) {  // without branches: nobody can foretell signs
        put(values->data(), next, at<Number>(gradient, i));
        next += isActive<Number>(activations, i) ? 1 : 0;
    }
    return values;
}

template <class Number>
std::shared_ptr<Buffer> spread(std::span<const std::byte> activations, std::span<const std::byte> active) {
    if (countActive<Number>(activations) * sizeof(Number) != active.size())
        return nullptr;
    auto values = Buffer::allocate(static_cast<qsizetype>(activations.size()));
    std::size_t next = 0;
    for (std::size_t i = 0; i < activations.size() / sizeof(Number); ++i) {
        const bool isHere = isActive<Number>(activations, i);
        put(values->data(), i, isHere ? at<Number>(active, next) : Number{0});
        next += isHere ? 1 : 0;
    }
    return values;
}

}  // namespace

std::shared_ptr<Buffer> activeValues(DType type, std::span<const std::byte> activations,
                                     std::span<const std::byte> gradient) {
    Q_ASSERT(activations.size() == gradient.size());
    return type == DType::Float64 ? active<double>(activations, gradient) : active<float>(activations, gradient);
}

std::shared_ptr<Buffer> withZeros(DType type, std::span<const std::byte> activations,
                                  std::span<const std::byte> active) {
    return type == DType::Float64 ? spread<double>(activations, active) : spread<float>(activations, active);
}

}  // namespace hearth
