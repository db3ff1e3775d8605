#include "core/train/compute_device.h"

#include <time.h>

#include "core/train/host_copy.h"
#include "core/train/process_memory.h"
#include "core/train/products.h"
#include "core/train/tensors.h"

namespace hearth {
namespace {

/// Whatever was asked of the processor is done.
class Now : public Mark {
  public:
    void wait() const override {}
    TimePoint when() const override { return m_when; }
    double secondsSince(const Mark &earlier) const override {
        return std::chrono::duration<double>(m_when - earlier.when()).count();
    }
    double workSince(const Mark &earlier) const override { return secondsSince(earlier); }

  private:
    const TimePoint m_when = std::chrono::steady_clock::now();
};

/// Work is that of the calling thread, which takes its part in everything that is computed: stalls are not in it.
class Worked final : public Now {
  public:
    double workSince(const Mark &earlier) const override {
        return m_seconds - static_cast<const Worked &>(earlier).m_seconds;
    }

  private:
    static double threadSeconds() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }
    const double m_seconds = threadSeconds();
};

class Processor final : public ComputeDevice {
  public:
    QString name() const override { return QStringLiteral("cpu"); }
    bool isHost() const override { return true; }
    void enterThread() override {}
    void computeIn(Precision) override {}

    at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                        DType type) override {
        return at::empty_strided(sizes, strides, at::TensorOptions().dtype(scalarType(type)));
    }
    at::Tensor toHost(const at::Tensor &tensor) override { return tensor; }
    HostCopy startToHost(const at::Tensor &tensor, const at::Tensor *) override { return {tensor, nullptr}; }
    std::optional<CodedCopy> startCoded(const at::Tensor &, const Codec &, Rounding) override { return std::nullopt; }
    at::Tensor fromHost(const at::Tensor &tensor) override { return tensor; }

    void drawMask(at::Tensor &mask, double probability, std::uint64_t salt) override {
        constexpr std::int64_t elementsPerThread = 1 << 16;  // that are worth another one
        auto *bytes = mask.data_ptr<std::uint8_t>();
        at::parallel_for(0, mask.numel(), elementsPerThread, [&](std::int64_t first, std::int64_t last) {
            drawKept(bytes, first, last, probability, salt);
        });
    }

    void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients, at::Tensor &state,
                quint64 step) override {
        const auto bytes = [](const at::Tensor &tensor) { return static_cast<std::byte *>(tensor.data_ptr()); };
        optimizer.step(bytes(parameters), bytes(gradients), bytes(state), parameters.numel(), step);
    }

    double bfloat16Gain() override {
        static const double gain = measureBfloat16Gain(*this);
        return gain;
    }

    std::shared_ptr<const Mark> mark() override { return std::make_shared<Now>(); }
    std::shared_ptr<const Mark> workMark() override { return std::make_shared<Worked>(); }

    TensorMemory memory() override { return tensorMemory(); }
    void resetPeak() override { resetTensorPeak(); }
    void measureRuntime() override { measureRuntimeBytes(); }
    qint64 runtimeBytes() const override { return hearth::runtimeBytes(); }
    qint64 takePeakBytes() override {
        const qint64 peak = residentPeakBytes();
        resetResidentPeak();
        return peak;
    }
    qint64 physicalBytes() override { return hearth::physicalBytes(); }
    void setMemoryLimit(qint64 bytes) override { setTensorMemoryLimit(bytes); }
};

}  // namespace

std::shared_ptr<ComputeDevice> processor() {
    static const auto device = std::make_shared<Processor>();
    return device;
}

}  // namespace hearth
