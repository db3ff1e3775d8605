#include <cuda_runtime.h>

#include <type_traits>

#include "core/cuda/kernels.h"
#include "core/cuda/lanes.cuh"

// One pass over memory each, as fast as the memory is: a thread asks for 16 bytes of every array before it waits for
// any.

namespace hearth {
namespace cuda {
namespace {

template <class T, int count>
struct Arrays {
    T *at[count];
};

constexpr bool has(unsigned arrays, int array) {
    return (arrays >> array & 1) != 0;
}

/// A rule works on one element of all its arrays at a time; its begin() is told first which elements the block of
/// threads has. `lanes` of them lie side by side in a thread, and that `depth` times, a block's width apart. Element
/// -skew lies on a multiple of 16 bytes in all arrays; with one lane it is 0. Elements beyond the ends are zeros that
/// nobody writes.
template <class T, class Rule, int lanes, int depth>
__global__ void __launch_bounds__(blockThreads)
    forEach(Rule rule, Arrays<T, Rule::arrays> arrays, std::int64_t elements, int skew) {
    constexpr int width = blockThreads * lanes;
    const std::int64_t tile = static_cast<std::int64_t>(blockIdx.x) * (width * depth) - skew;
    const std::int64_t own = tile + static_cast<int>(threadIdx.x) * lanes;
    T values[depth][Rule::arrays][lanes];
    const auto read = [&](bool whole) {
#pragma unroll
        for (int d = 0; d < depth; ++d) {
#pragma unroll
            for (int a = 0; a < Rule::arrays; ++a) {
                if (has(Rule::reads, a))
                    readLanes(arrays.at[a], own + d * width, elements, whole, values[d][a]);
            }
        }
    };
    const auto write = [&](int d, bool whole) {
#pragma unroll
        for (int a = 0; a < Rule::arrays; ++a) {
            if (has(Rule::writes, a))
                writeLanes(arrays.at[a], own + d * width, elements, whole, values[d][a]);
        }
    };
    // All threads of the block take the same way: no check lies between the reads.
    const bool whole = tile >= 0 && tile + width * depth <= elements;
    if (whole)
        read(true);
    else
        read(false);
    rule.begin(tile, tile + width * depth);
#pragma unroll
    for (int d = 0; d < depth; ++d) {
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) {
            T element[Rule::arrays];
#pragma unroll
            for (int a = 0; a < Rule::arrays; ++a)
                element[a] = has(Rule::reads, a) ? values[d][a][lane] : T(0);
            rule(own + d * width + lane, element);
#pragma unroll
            for (int a = 0; a < Rule::arrays; ++a)
                values[d][a][lane] = element[a];
        }
        if (whole)
            write(d, true);
        else
            write(d, false);
    }
}

template <class T, class Rule>
void run(const Rule &rule, const Arrays<T, Rule::arrays> &arrays, std::int64_t elements, Stream stream) {
    if (elements <= 0)
        return;
    constexpr int lanes = wideBytes / static_cast<int>(sizeof(T));
    constexpr int depth = Rule::arrays > 3 ? 1 : 2;
    constexpr int narrowDepth = 4;
    const int skew = skewOf(arrays.at[0]);
    bool alike = skew % sizeof(T) == 0;
    for (const T *array : arrays.at)
        alike = alike && skewOf(array) == skew;
    if (alike) {
        const int before = skew / static_cast<int>(sizeof(T));
        forEach<T, Rule, lanes, depth>
            <<<blocksFor(elements + before, blockThreads * lanes * depth), blockThreads, 0, stream>>>(rule, arrays,
                                                                                                      elements, before);
    } else {
        forEach<T, Rule, 1, narrowDepth>
            <<<blocksFor(elements, blockThreads * narrowDepth), blockThreads, 0, stream>>>(rule, arrays, elements, 0);
    }
}

struct Plain {
    __device__ void begin(std::int64_t, std::int64_t) {}
};

template <class T>
struct Add : Plain {
    static constexpr int arrays = 2;  // target, addend
    static constexpr unsigned reads = 3, writes = 1;
    __device__ void operator()(std::int64_t, T (&element)[arrays]) const { element[0] += element[1]; }
};

template <class T>
struct TakeRounded : Plain {
    static constexpr int arrays = 3;  // value, error, rounded
    static constexpr unsigned reads = 5, writes = 3;
    __device__ void operator()(std::int64_t, T (&element)[arrays]) const {
        takeRoundedElement(element[0], element[1], element[2]);
    }
};

template <class T>
struct Multiply : Plain {
    static constexpr int arrays = 2;  // target, source
    static constexpr unsigned reads = 2, writes = 1;
    const std::uint8_t *kept;
    std::int64_t elements;
    T factor;
    __device__ void operator()(std::int64_t i, T (&element)[arrays]) const {
        element[0] = i >= 0 && i < elements && kept[i] != 0 ? element[1] * factor : T(0);
    }
};

/// The first range that ends behind an element, from `next` on.
__device__ int rangeBehind(const Range *ranges, int next, int count, std::int64_t element) {
    while (next < count) {
        const int middle = next + (count - next) / 2;
        if (ranges[middle].end > element)
            count = middle;
        else
            next = middle + 1;
    }
    return next;
}

template <class T, StepFactors::Rule kind, bool hasAverage>
struct Step {
    static constexpr int copies = kind == StepFactors::Rule::Sgd ? 0 : kind == StepFactors::Rule::Adam ? 2 : 1;
    static constexpr int arrays = 2 + copies + (hasAverage ? 1 : 0);  // parameters, gradients, state
    static constexpr unsigned reads = (1U << arrays) - 1, writes = reads & ~2U;
    ElementStep<T> step;
    const Range *undecayed;
    int ranges;
    int next;  // range that may lie in the block's elements
    bool mixed;

    /// Nearly all blocks have no undecayed element: for those it is one search.
    __device__ void begin(std::int64_t first, std::int64_t end) {
        next = rangeBehind(undecayed, 0, ranges, first);
        mixed = next < ranges && undecayed[next].first < end;
    }

    __device__ void operator()(std::int64_t i, T (&element)[arrays]) const {
        ElementStep<T> own = step;
        if (mixed) {
            const int range = rangeBehind(undecayed, next, ranges, i);
            if (range < ranges && undecayed[range].first <= i)
                own.leaveOut();
        }
        apply(own, element, std::integral_constant<StepFactors::Rule, kind>());
        if (hasAverage)
            own.average(element[0], element[arrays - 1]);
    }

  private:
    template <StepFactors::Rule rule>
    using Is = std::integral_constant<StepFactors::Rule, rule>;

    __device__ static void apply(const ElementStep<T> &own, T (&e)[arrays], Is<StepFactors::Rule::Sgd>) {
        own.sgd(e[0], e[1]);
    }
    __device__ static void apply(const ElementStep<T> &own, T (&e)[arrays], Is<StepFactors::Rule::Momentum>) {
        own.sgd(e[0], e[1], e[2]);
    }
    __device__ static void apply(const ElementStep<T> &own, T (&e)[arrays], Is<StepFactors::Rule::Nesterov>) {
        own.nesterov(e[0], e[1], e[2]);
    }
    __device__ static void apply(const ElementStep<T> &own, T (&e)[arrays], Is<StepFactors::Rule::Adam>) {
        own.adam(e[0], e[1], e[2], e[3]);
    }
};

/// The pointers of one step, whatever its rule is.
struct Buffers {
    void *parameters;
    const void *gradients;
    void *state;
    std::int64_t elements;
    const Range *undecayed;
    int ranges;
    Stream stream;
};

template <class T, StepFactors::Rule kind, bool hasAverage>
void stepBy(const StepFactors &factors, const Buffers &buffers) {
    using Own = Step<T, kind, hasAverage>;
    Arrays<T, Own::arrays> arrays;
    arrays.at[0] = static_cast<T *>(buffers.parameters);
    arrays.at[1] = static_cast<T *>(const_cast<void *>(buffers.gradients));
    for (int a = 2; a < Own::arrays; ++a)
        arrays.at[a] = static_cast<T *>(buffers.state) + (a - 2) * buffers.elements;
    run<T>(Own{ElementStep<T>(factors), buffers.undecayed, buffers.ranges, 0, false}, arrays, buffers.elements,
           buffers.stream);
}

template <class T, bool hasAverage>
void stepAs(const StepFactors &factors, const Buffers &buffers) {
    using Rule = StepFactors::Rule;
    switch (factors.rule) {
        case Rule::Sgd:
            return stepBy<T, Rule::Sgd, hasAverage>(factors, buffers);
        case Rule::Momentum:
            return stepBy<T, Rule::Momentum, hasAverage>(factors, buffers);
        case Rule::Nesterov:
            return stepBy<T, Rule::Nesterov, hasAverage>(factors, buffers);
        case Rule::Adam:
            return stepBy<T, Rule::Adam, hasAverage>(factors, buffers);
    }
}

template <class T>
void stepAs(const StepFactors &factors, const Buffers &buffers) {
    if (factors.hasAverage)
        stepAs<T, true>(factors, buffers);
    else
        stepAs<T, false>(factors, buffers);
}

template <class T>
T *of(const void *values) {
    return static_cast<T *>(const_cast<void *>(values));
}

template <class T>
Multiply<T> multiplyBy(const std::uint8_t *kept, double factor, std::int64_t elements) {
    Multiply<T> rule;
    rule.kept = kept;
    rule.elements = elements;
    rule.factor = static_cast<T>(factor);
    return rule;
}

/// 16 bytes of a mask for each thread. Element first - skew lies on a multiple of 16 bytes, and has an even number
/// where the two halves of a word do not part.
template <bool even>
__global__ void __launch_bounds__(blockThreads)
    draw(std::uint8_t *kept, std::int64_t first, std::int64_t last, int skew, Generator stream, std::uint32_t limit) {
    const std::int64_t own =
        first - skew + (static_cast<std::int64_t>(blockIdx.x) * blockThreads + threadIdx.x) * wideBytes;
    if (own >= last)
        return;
    std::uint8_t bytes[wideBytes];
    std::uint64_t word = 0;
#pragma unroll
    for (int lane = 0; lane < wideBytes; ++lane) {
        if (!even || lane % 2 == 0)
            word = wordOfElement(stream, own + lane);
        bytes[lane] = isKept(word, even ? lane : own + lane, limit);
    }
    if (own >= first && own + wideBytes <= last) {
        uint4 wide;
        memcpy(&wide, bytes, sizeof wide);
        *reinterpret_cast<uint4 *>(kept + own) = wide;
        return;
    }
#pragma unroll
    for (int lane = 0; lane < wideBytes; ++lane) {
        if (own + lane >= first && own + lane < last)
            kept[own + lane] = bytes[lane];
    }
}

}  // namespace

const char *lastError() {
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

void step(const StepFactors &factors, void *parameters, const void *gradients, void *state, std::int64_t elements,
          Real real, const Range *undecayed, int ranges, Stream stream) {
    const Buffers buffers{parameters, gradients, state, elements, undecayed, ranges, stream};
    if (real == Real::Float64)
        stepAs<double>(factors, buffers);
    else
        stepAs<float>(factors, buffers);
}

void addInto(void *target, const void *addend, std::int64_t elements, Real real, Stream stream) {
    if (real == Real::Float64)
        run<double>(Add<double>(), {of<double>(target), of<double>(addend)}, elements, stream);
    else
        run<float>(Add<float>(), {of<float>(target), of<float>(addend)}, elements, stream);
}

void takeRounded(void *value, void *error, const void *rounded, std::int64_t elements, Real real, Stream stream) {
    if (real == Real::Float64)
        run<double>(TakeRounded<double>(), {of<double>(value), of<double>(error), of<double>(rounded)}, elements,
                    stream);
    else
        run<float>(TakeRounded<float>(), {of<float>(value), of<float>(error), of<float>(rounded)}, elements, stream);
}

void multiplyKept(void *target, const void *source, const std::uint8_t *kept, double factor, std::int64_t elements,
                  Real real, Stream stream) {
    if (real == Real::Float64)
        run<double>(multiplyBy<double>(kept, factor, elements), {of<double>(target), of<double>(source)}, elements,
                    stream);
    else
        run<float>(multiplyBy<float>(kept, factor, elements), {of<float>(target), of<float>(source)}, elements, stream);
}

void drawKept(std::uint8_t *kept, std::int64_t first, std::int64_t last, double probability, std::uint64_t salt,
              Stream stream) {
    if (first >= last)
        return;
    const int skew = skewOf(kept + first);
    const unsigned blocks = blocksFor(last - first + skew, blockThreads * wideBytes);
    const Generator words(salt);
    const std::uint32_t limit = droppedBelow(probability);
    if ((first - skew) % 2 == 0)
        draw<true><<<blocks, blockThreads, 0, stream>>>(kept, first, last, skew, words, limit);
    else
        draw<false><<<blocks, blockThreads, 0, stream>>>(kept, first, last, skew, words, limit);
}

}  // namespace cuda
}  // namespace hearth
