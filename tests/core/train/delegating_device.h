// A device that does what the processor does, to play another one by overriding a part of it.
#pragma once

#include "core/train/compute_device.h"
#include "core/train/host_copy.h"
#include "core/train/torch_api.h"

namespace hearth {

class DelegatingDevice : public ComputeDevice {
  public:
    QString name() const override { return processor()->name(); }
    at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                        DType type) override {
        return processor()->allocate(sizes, strides, type);
    }
    bool isHost() const override { return true; }
    void enterThread() override {}
    void computeIn(Precision precision) override { processor()->computeIn(precision); }
    at::Tensor toHost(const at::Tensor &tensor) override { return tensor; }
    HostCopy startToHost(const at::Tensor &tensor, const at::Tensor *) override { return {tensor, nullptr}; }
    std::optional<CodedCopy> startCoded(const at::Tensor &, const Codec &, Rounding) override { return std::nullopt; }
    at::Tensor fromHost(const at::Tensor &tensor) override { return tensor; }
    void drawMask(at::Tensor &mask, double probability, std::uint64_t salt) override {
        processor()->drawMask(mask, probability, salt);
    }
    void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients, at::Tensor &state,
                quint64 step) override {
        processor()->update(optimizer, parameters, gradients, state, step);
    }
    double bfloat16Gain() override { return processor()->bfloat16Gain(); }
    std::shared_ptr<const Mark> mark() override { return processor()->mark(); }
    std::shared_ptr<const Mark> workMark() override { return processor()->workMark(); }
    TensorMemory memory() override { return processor()->memory(); }
    void resetPeak() override { processor()->resetPeak(); }
    void measureRuntime() override { processor()->measureRuntime(); }
    qint64 runtimeBytes() const override { return processor()->runtimeBytes(); }
    qint64 takePeakBytes() override { return processor()->takePeakBytes(); }
    qint64 physicalBytes() override { return processor()->physicalBytes(); }
    void setMemoryLimit(qint64 bytes) override { processor()->setMemoryLimit(bytes); }
};

}  // namespace hearth
