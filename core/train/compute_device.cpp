#include "core/train/compute_device.h"

#include <time.h>

#include "core/train/products.h"
#include "core/train/tensors.h"

namespace hearth {
namespace {

class Processor final : public ComputeDevice {
  public:
    QString name() const override { return QStringLiteral("cpu"); }

    at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                        DType type) override {
        return at::empty_strided(sizes, strides, at::TensorOptions().dtype(scalarType(type)));
    }
    at::Tensor toHost(const at::Tensor &tensor) override { return tensor; }
    at::Tensor fromHost(const at::Tensor &tensor) override { return tensor; }

    void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients, at::Tensor &state,
                quint64 step) override {
        const auto bytes = [](const at::Tensor &tensor) { return static_cast<std::byte *>(tensor.data_ptr()); };
        optimizer.step(bytes(parameters), bytes(gradients), bytes(state), parameters.numel(), step);
    }

    double bfloat16Gain() override {
        static const double gain = measureBfloat16Gain();
        return gain;
    }

    /// Of the calling thread, which takes its part in everything that is computed: stalls are not in it.
    double clock() override {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }

    TensorMemory memory() override { return tensorMemory(); }
    void resetPeak() override { resetTensorPeak(); }
    void setMemoryLimit(qint64 bytes) override { setTensorMemoryLimit(bytes); }
};

}  // namespace

std::shared_ptr<ComputeDevice> processor() {
    static const auto device = std::make_shared<Processor>();
    return device;
}

}  // namespace hearth
