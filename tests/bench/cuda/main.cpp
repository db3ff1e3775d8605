// Kernels of NVIDIA's cards: how fast they move what they must move, read once and written once, beside the card's own
// copy of as much memory, both by the card's clock and in turns. Medians. Every repeat works on other buffers, which
// are larger than any cache. Usage: hearth-cuda-bench [MEBI-ELEMENTS [REPEATS]]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "core/base/median.h"
#include "core/cuda/kernels.h"

using namespace hearth;

namespace {

constexpr double codecTarget = 0.60, optimizerTarget = 0.80, noTarget = 0;
constexpr std::size_t sets = 3;      // of buffers, in turns
constexpr std::size_t align = 4096;  // of all buffers
constexpr int warmups = 3;

void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s failed: %s.\n", what, cudaGetErrorString(error));
    std::exit(1);
}

struct Case {
    const char *name;
    double target;                   // of the copy's speed, at least
    double bytes;                    // that one run must move
    std::vector<std::size_t> sizes;  // of its buffers, in bytes
    std::function<void(void *const *buffers, cuda::Stream stream)> run;
};

class Bench {
  public:
    Bench(std::size_t elements, int repeats) : m_elements(elements), m_repeats(repeats) {
        check(cudaStreamCreate(&m_stream), "A stream");
        for (cudaEvent_t *event : {&m_begin, &m_end})
            check(cudaEventCreate(event), "An event");
        // The largest case: Adam with an average in 64 bits.
        m_bytes = sets * (5 * elements * sizeof(double) + 8 * align);
        check(cudaMalloc(&m_memory, m_bytes), "Memory for the buffers");
        check(cudaMalloc(&m_small, smallBytes), "Memory");
        check(cudaMemset(m_small, 0, smallBytes), "Clearing memory");
    }

    /// Positive numbers below 1 in all buffers, so that squares that are kept are none below 0.
    template <class T>
    void fill() {
        std::mt19937 random(1);
        std::uniform_real_distribution<T> next(T(0.001), T(1));
        std::vector<T> values((std::size_t{16} << 20) / sizeof(T));
        for (T &value : values)
            value = next(random);
        const std::size_t bytes = values.size() * sizeof(T);
        for (std::size_t at = 0; at < m_bytes; at += bytes) {
            const void *from = at == 0 ? values.data() : m_memory;
            check(
                cudaMemcpy(static_cast<char *>(m_memory) + at, from, std::min(bytes, m_bytes - at), cudaMemcpyDefault),
                "Filling memory");
        }
    }

    /// True: it is as fast as it shall be.
    bool run(const Case &own) {
        std::vector<float> copies, runs;
        const std::size_t copied = m_elements * sizeof(float);
        for (int i = -warmups; i < m_repeats; ++i) {
            const auto turn = static_cast<std::size_t>(i) + static_cast<std::size_t>(warmups);
            const std::vector<void *> buffers = buffersOf(own.sizes, turn % sets);
            const std::vector<void *> plain = buffersOf({copied, copied}, (turn + 1) % sets);
            const float copy = timed([&] {
                check(cudaMemcpyAsync(plain[0], plain[1], copied, cudaMemcpyDeviceToDevice, m_stream), "A copy");
            });
            const float kernel = timed([&] { own.run(buffers.data(), m_stream); });
            if (i < 0)
                continue;
            copies.push_back(copy);
            runs.push_back(kernel);
        }
        const double copySpeed = 2 * static_cast<double>(copied) / median(copies) / 1e6;
        const double speed = own.bytes / median(runs) / 1e6;
        const double ratio = speed / copySpeed;
        const bool fine = ratio >= own.target;
        std::printf("%-44s | %8.3f | %8.3f | %7.0f | %7.0f | %5.2f | ", own.name, median(runs),
                    *std::ranges::min_element(runs), speed, copySpeed, ratio);
        if (own.target > 0)
            std::printf("%4.2f | %s\n", own.target, fine ? "meets" : "misses");
        else
            std::printf("   - |\n");
        std::fflush(stdout);
        return fine;
    }

    /// For flags, sums and ranges; zeros.
    void *small() const { return m_small; }
    static constexpr std::size_t smallBytes = std::size_t{1} << 20;

  private:
    static double median(const std::vector<float> &values) { return static_cast<double>(medianOf(values)); }

    /// Milliseconds.
    float timed(const std::function<void()> &work) {
        check(cudaEventRecord(m_begin, m_stream), "An event");
        work();
        check(cudaEventRecord(m_end, m_stream), "An event");
        if (const char *error = cuda::lastError()) {
            std::fprintf(stderr, "A kernel failed: %s.\n", error);
            std::exit(1);
        }
        check(cudaEventSynchronize(m_end), "A kernel");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, m_begin, m_end), "The card's clock");
        return milliseconds;
    }

    std::vector<void *> buffersOf(const std::vector<std::size_t> &sizes, std::size_t set) const {
        auto *at = static_cast<char *>(m_memory) + set * (m_bytes / sets / align * align);
        std::vector<void *> buffers;
        for (const std::size_t bytes : sizes) {
            buffers.push_back(at);
            at += (bytes + align - 1) / align * align;
        }
        return buffers;
    }

    std::size_t m_elements, m_bytes;
    int m_repeats;
    void *m_memory = nullptr, *m_small = nullptr;
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
};

StepFactors factorsOf(StepFactors::Rule rule, bool hasAverage) {
    StepFactors factors;
    factors.rule = rule;
    factors.rate = 1e-3;
    factors.decay = 1e-4;
    factors.momentum = factors.meanKept = 0.9;
    factors.meanPart = 0.1;
    factors.squareKept = 0.999;
    factors.squarePart = 0.001;
    factors.epsilon = 1e-8;
    factors.hasAverage = hasAverage;
    factors.averagePart = 0.01;
    return factors;
}

/// Many biases of 256 values, far apart.
int putBiases(void *memory, std::size_t elements) {
    constexpr std::size_t count = 512;
    std::vector<cuda::Range> ranges;
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = static_cast<std::int64_t>(elements / count * i + 100);
        ranges.push_back({first, first + 256});
    }
    check(cudaMemcpy(memory, ranges.data(), ranges.size() * sizeof ranges[0], cudaMemcpyHostToDevice), "A copy");
    return static_cast<int>(count);
}

bool runOptimizers(Bench &bench, std::size_t elements, cuda::Real real) {
    const std::size_t size = real == cuda::Real::Float64 ? sizeof(double) : sizeof(float);
    using Rule = StepFactors::Rule;
    const auto run = [&](const char *name, Rule rule, std::size_t copies, bool hasAverage, std::size_t count,
                         int ranges) {
        const std::size_t kept = copies + (hasAverage ? 1 : 0), bytes = count * size;
        const StepFactors factors = factorsOf(rule, hasAverage);
        // Parameters and state are written, too.
        return bench.run({name,
                          optimizerTarget,
                          static_cast<double>(bytes * (3 + 2 * kept)),
                          {bytes, bytes, bytes * kept},
                          [&](void *const *buffers, cuda::Stream stream) {
                              cuda::step(factors, buffers[0], buffers[1], buffers[2], static_cast<std::int64_t>(count),
                                         real, static_cast<const cuda::Range *>(bench.small()), ranges, stream);
                          }});
    };
    const int biases = putBiases(bench.small(), elements);
    bool fine = run("SGD", Rule::Sgd, 0, false, elements, 0);
    fine &= run("SGD with momentum", Rule::Momentum, 1, false, elements, 0);
    fine &= run("SGD with Nesterov's momentum and average", Rule::Nesterov, 1, true, elements, 0);
    fine &= run("Adam", Rule::Adam, 2, false, elements, 0);
    fine &= run("Adam, 512 biases that do not decay", Rule::Adam, 2, false, elements, biases);
    fine &= run("Adam with average", Rule::Adam, 2, true, elements, 0);
    // The copies of its state are not as far from a multiple of 16 bytes as one another.
    fine &= run("Adam, an odd number of elements", Rule::Adam, 2, false, elements - 1, 0);
    return fine;
}

void runPlain(Bench &bench, std::size_t elements, cuda::Real real) {
    const std::size_t bytes = elements * (real == cuda::Real::Float64 ? sizeof(double) : sizeof(float));
    const auto count = static_cast<std::int64_t>(elements);
    const auto all = static_cast<double>(bytes);
    bench.run({"gradients added", noTarget, 3 * all, {bytes, bytes}, [&](void *const *buffers, cuda::Stream stream) {
                   cuda::addInto(buffers[0], buffers[1], count, real, stream);
               }});
    bench.run({"what rounding lost",
               noTarget,
               4 * all,
               {bytes, bytes, bytes},
               [&](void *const *buffers, cuda::Stream stream) {
                   cuda::takeRounded(buffers[0], buffers[1], buffers[2], count, real, stream);
               }});
    bench.run({"dropout",
               noTarget,
               2 * all + static_cast<double>(elements),
               {bytes, bytes, elements},
               [&](void *const *buffers, cuda::Stream stream) {
                   cuda::multiplyKept(buffers[0], buffers[1], static_cast<const std::uint8_t *>(buffers[2]), 1.25,
                                      count, real, stream);
               }});
    bench.run({"dropout mask",
               noTarget,
               static_cast<double>(elements),
               {elements},
               [&](void *const *buffers, cuda::Stream stream) {
                   cuda::drawKept(static_cast<std::uint8_t *>(buffers[0]), 0, count, 0.1, 7, stream);
               }});
}

struct Coded {
    const char *encode, *stochastic, *decode;
    cuda::Coding coding;
    double bytesPerBlock;  // of 64
};

const std::vector<Coded> codings{
    {"bf16, encode", nullptr, "bf16, decode", cuda::Coding::Bf16, 128},
    {"bfp8, encode", nullptr, "bfp8, decode", cuda::Coding::Bfp8, 66},
    {"bfp4, encode", "bfp4, encode stochastically", "bfp4, decode", cuda::Coding::Bfp4, 34},
};

/// `samples` that are no multiple of a block long: their parts lie anywhere.
bool runCodecs(Bench &bench, std::size_t elements, std::size_t samples, std::size_t fewer, cuda::Real real) {
    const std::size_t size = real == cuda::Real::Float64 ? sizeof(double) : sizeof(float);
    const std::size_t perSample = elements / samples - fewer, count = perSample * samples;
    auto *refused = static_cast<std::uint32_t *>(bench.small());
    check(cudaMemset(refused, 0, sizeof *refused), "Clearing memory");
    bool fine = true;
    for (const Coded &own : codings) {
        const double written = static_cast<double>(count) / 64 * own.bytesPerBlock;
        const double bytes = static_cast<double>(count * size) + written;
        // In parts of blocks a byte may hold fewer values.
        const std::vector<std::size_t> sizes{elements * size, static_cast<std::size_t>(written) + samples * 64};
        const auto encode = [&](bool stochastic) {
            return [&, stochastic](void *const *buffers, cuda::Stream stream) {
                cuda::encode(own.coding, real, buffers[0], buffers[1], samples, perSample * size, stochastic, refused,
                             stream);
            };
        };
        fine &= bench.run({own.encode, codecTarget, bytes, sizes, encode(false)});
        if (own.stochastic)
            fine &= bench.run({own.stochastic, codecTarget, bytes, sizes, encode(true)});
        fine &=
            bench.run({own.decode, codecTarget, bytes, sizes, [&](void *const *buffers, cuda::Stream stream) {
                           cuda::decode(own.coding, real, buffers[1], buffers[0], samples, perSample * size, stream);
                       }});
    }
    std::uint32_t flag = 0;
    check(cudaMemcpy(&flag, refused, sizeof flag, cudaMemcpyDeviceToHost), "A copy");
    if (flag != 0)
        std::printf("A codec refused its values.\n");
    return fine && flag == 0;
}

template <class T>
bool runAll(Bench &bench, std::size_t elements, cuda::Real real) {
    std::printf("\n%zu Mi numbers of %zu bits%*s | ms       | least ms | GB/s    | copy    | ratio | target\n",
                elements >> 20, 8 * sizeof(T), elements >> 20 < 100 ? 22 : 21, "");
    bench.fill<T>();
    bool fine = runCodecs(bench, elements, 32, 0, real);
    std::printf("the same, 32 samples of 61 numbers fewer each\n");
    fine &= runCodecs(bench, elements, 32, 61, real);
    bench.fill<T>();
    fine &= runOptimizers(bench, elements, real);
    bench.fill<T>();
    runPlain(bench, elements, real);
    return fine;
}

}  // namespace

int main(int argc, char **argv) {
    const int mebi = argc > 1 ? std::atoi(argv[1]) : 64;
    const int repeats = argc > 2 ? std::atoi(argv[2]) : 40;
    if (mebi < 1 || repeats < 1)
        return std::fprintf(stderr, "Usage: hearth-cuda-bench [MEBI-ELEMENTS [REPEATS]]\n"), 2;
    cudaDeviceProp card{};
    check(cudaGetDeviceProperties(&card, 0), "Looking for a card");
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    std::printf("%s, compute %d.%d, %d multiprocessors, %d MB of cache, %.1f GB, CUDA %d on a driver for %d\n",
                card.name, card.major, card.minor, card.multiProcessorCount, card.l2CacheSize >> 20,
                static_cast<double>(card.totalGlobalMem) * 1e-9, runtime, driver);
    const std::size_t elements = static_cast<std::size_t>(mebi) << 20;
    Bench bench(elements, repeats);
    bool fine = runAll<double>(bench, elements, cuda::Real::Float64);
    fine &= runAll<float>(bench, elements, cuda::Real::Float32);
    return fine ? 0 : 1;
}
