// A whole trained network in one process, which only answers. No LibTorch in this header.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/training_spec.h"

namespace hearth {

/// One thread, after prepareComputeThread(); blocks while it reads and computes.
class TrainedNetwork {
  public:
    struct Source {
        Model model;
        InputTransform input;
        std::vector<DType> sampleTypes;  // as in Deployment
        Precision precision = Precision::Float32;
        QString weights;  // a safetensors file
    };
    /// Errors: those of reading weights for a model, "worker.bad-deployment", and out of memory.
    static Result<std::unique_ptr<TrainedNetwork>> load(const Source &source);
    ~TrainedNetwork();

    /// `samples` as they travel: by input of the network, its values of all samples. Gives for each sample what the
    /// last layer gives, before a loss makes probabilities of it; with `row`, of outputs {rows, …} that one alone.
    Result<std::vector<double>> answer(std::span<const std::byte> samples, std::optional<qint64> row = {});

  private:
    TrainedNetwork();
    /// Of one sample as it travels, of all inputs together.
    qint64 sampleBytes() const;

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace hearth
