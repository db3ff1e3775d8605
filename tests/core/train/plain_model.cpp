#include "tests/core/train/plain_model.h"

#include <cstring>
#include <stdexcept>

#include "core/model/init.h"

namespace hearth {
namespace {

/// `own`: the op's parameters.
torch::Tensor compute(const Op &op, const std::vector<torch::Tensor> &inputs, const torch::Tensor *own) {
    const torch::Tensor &x = inputs.front();
    const QString &kind = op.kind;
    const auto bias = [&] { return op.flag("bias") ? own[1] : torch::Tensor(); };
    if (kind == QLatin1String("convolution"))
        return torch::conv2d(x, own[0], bias(), op.whole("stride"), op.whole("padding"), 1, op.whole("groups"));
    if (kind == QLatin1String("depthwise"))
        return torch::conv2d(x, own[0], bias(), op.whole("stride"), op.whole("padding"), 1, x.size(1));
    if (kind == QLatin1String("linear"))
        return torch::linear(x, own[0], bias());
    if (kind == QLatin1String("relu"))
        return torch::relu(x);
    if (kind == QLatin1String("relu6"))
        return torch::clamp(x, 0, 6);
    if (kind == QLatin1String("max-pool"))
        return torch::max_pool2d(x, op.whole("kernel"), op.whole("stride"), op.whole("padding"));
    if (kind == QLatin1String("average-pool"))
        return torch::avg_pool2d(x, op.whole("kernel"), op.whole("stride"), 0, false, false);
    if (kind == QLatin1String("global-average-pool"))
        return x.mean({2, 3}, true);
    if (kind == QLatin1String("flatten"))
        return torch::flatten(x, 1);
    if (kind == QLatin1String("add"))
        return torch::stack(inputs).sum(0);
    throw std::logic_error("the oracle has no statistics and no dropout");
}

}  // namespace

PlainModel PlainModel::initialised(const Model &model, const TrainingSpec &training) {
    const DType dtype = dtypeOf(training.precision);
    PlainModel plain{model, {}};
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        plain.tensors.emplace_back();
        for (const NamedTensor &tensor : initialise(model, static_cast<int>(l), training.seed, dtype)) {
            if (const auto &tied = tensor.spec.tiedTo) {
                plain.tensors.back().push_back(
                    plain.tensors[static_cast<std::size_t>(tied->layer)][static_cast<std::size_t>(tied->tensor)]);
                continue;
            }
            const std::vector<std::int64_t> sizes(tensor.spec.shape.begin(), tensor.spec.shape.end());
            plain.tensors.back().push_back(torch::from_blob(tensor.data->data(), sizes, plainType(dtype))
                                               .clone()
                                               .requires_grad_(tensor.spec.isTrainable()));
        }
    }
    return plain;
}

std::vector<torch::Tensor> PlainModel::trainable() const {
    std::vector<torch::Tensor> trained;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        for (std::size_t i = 0; i < tensors[l].size(); ++i) {
            const TensorSpec &spec = model.layers[l].shape.tensors[i];
            if (spec.isTrainable() && !spec.tiedTo)
                trained.push_back(tensors[l][i]);
        }
    }
    return trained;
}

torch::Tensor PlainModel::forward(torch::Tensor x) const {
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const torch::Tensor *own = tensors[l].data();
        std::vector<torch::Tensor> values{x};
        for (const Op &each : model.layers[l].ops) {
            std::vector<torch::Tensor> inputs;
            for (const int value : each.from)
                inputs.push_back(values[static_cast<std::size_t>(value)]);
            values.push_back(compute(each, inputs, own));
            own += each.tensors;
        }
        x = values.back();
    }
    return x;
}

std::vector<NamedTensor> PlainModel::weights(DType dtype) const {
    std::vector<NamedTensor> weights;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        for (std::size_t i = 0; i < tensors[l].size(); ++i) {
            const TensorSpec &spec = model.layers[l].shape.tensors[i];
            if (!spec.tiedTo)
                weights.push_back(namedCopy(spec, dtype, tensors[l][i]));
        }
    }
    return weights;
}

torch::ScalarType plainType(DType dtype) {
    return dtype == DType::Float64 ? torch::kDouble : torch::kFloat;
}

torch::Tensor plainImages(const SampleBatch &batch, const InputTransform &input, torch::ScalarType type) {
    const std::vector<std::int64_t> sizes{batch.size(), batch.sample[0], batch.sample[1], batch.sample[2]};
    torch::Tensor x = torch::from_blob(const_cast<quint8 *>(batch.images.data()), sizes, torch::kByte).to(type);
    x = x * input.scale;
    x = torch::constant_pad_nd(x, {input.pad[1], input.pad[1], input.pad[0], input.pad[0]});
    return x.repeat({1, input.repeatChannels, 1, 1});
}

torch::Tensor plainLabels(const SampleBatch &batch) {
    return torch::from_blob(const_cast<qint64 *>(batch.labels.data()), {batch.size()}, torch::kLong);
}

torch::Tensor crossEntropySum(const torch::Tensor &logits, const torch::Tensor &labels) {
    return torch::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
}

NamedTensor namedCopy(const TensorSpec &spec, DType dtype, const torch::Tensor &tensor) {
    const torch::Tensor plain = tensor.detach().contiguous();
    NamedTensor result{spec, dtype, Buffer::allocate(spec.bytes(dtype))};
    std::memcpy(result.data->data(), plain.data_ptr(), static_cast<std::size_t>(result.data->size()));
    return result;
}

}  // namespace hearth
