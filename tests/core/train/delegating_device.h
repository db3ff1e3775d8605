// A device that does what the processor does, to play another one by overriding a part of it.
#pragma once

#include "core/train/compute_device.h"
#include "core/train/torch_api.h"

namespace hearth {

class DelegatingDevice : public ComputeDevice {
  public:
    QString name() const override { return processor()->name(); }
    at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                        DType type) override {
        return processor()->allocate(sizes, strides, type);
    }
    at::Tensor toHost(const at::Tensor &tensor) override { return tensor; }
    at::Tensor fromHost(const at::Tensor &tensor) override { return tensor; }
    void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients, at::Tensor &state,
                quint64 step) override {
        processor()->update(optimizer, parameters, gradients, state, step);
    }
    double bfloat16Gain() override { return processor()->bfloat16Gain(); }
    double clock() override { return processor()->clock(); }
    TensorMemory memory() override { return processor()->memory(); }
    void resetPeak() override { processor()->resetPeak(); }
    void setMemoryLimit(qint64 bytes) override { processor()->setMemoryLimit(bytes); }
};

}  // namespace hearth
