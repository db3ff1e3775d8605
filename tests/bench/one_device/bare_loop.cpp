#include "bare_loop.h"

#include <torch/torch.h>

#include "core/model/init.h"

namespace hearth {

struct BareLoop::Private {
    Model model;
    Style style;
    std::vector<torch::Tensor> tensors, trainable;
    torch::Tensor images, labels;
    std::unique_ptr<torch::optim::SGD> optimizer;

    torch::Tensor run(const std::vector<Op> &ops, torch::Tensor x, std::size_t &next, bool owned) {
        for (const Op &op : ops) {
            const bool inPlace = style.inPlace && owned;
            owned = false;
            switch (op.kind) {
                case OpKind::Convolution: {
                    const torch::Tensor weight = tensors[next++];
                    x = torch::conv2d(x, weight, op.bias ? tensors[next++] : torch::Tensor(), op.stride, op.padding, 1,
                                      op.groups);
                    owned = true;
                    break;
                }
                case OpKind::BatchNorm:
                    x = torch::batch_norm(x, tensors[next], tensors[next + 1], tensors[next + 2], tensors[next + 3],
                                          true, op.momentum, op.epsilon, false);
                    next += 4;
                    owned = true;
                    break;
                case OpKind::Linear: {
                    const torch::Tensor weight = tensors[next++];
                    x = torch::linear(x, weight, op.bias ? tensors[next++] : torch::Tensor());
                    owned = true;
                    break;
                }
                case OpKind::ReLU:
                    x = inPlace ? x.relu_() : x.relu();
                    break;
                case OpKind::ReLU6:
                    x = inPlace ? torch::hardtanh_(x, 0, 6) : torch::hardtanh(x, 0, 6);
                    break;
                case OpKind::MaxPool:
                    x = torch::max_pool2d(x, op.kernel, op.stride, op.padding);
                    break;
                case OpKind::AveragePool:
                    x = torch::avg_pool2d(x, op.kernel, op.stride, op.padding, false, false);
                    break;
                case OpKind::GlobalAveragePool:
                    x = torch::adaptive_avg_pool2d(x, {1, 1});
                    break;
                case OpKind::Flatten:
                    x = torch::flatten(x, 1);
                    break;
                case OpKind::Dropout:
                    x = torch::dropout(x, op.probability, true);
                    break;
            }
        }
        return x;
    }

    torch::Tensor forward() {
        torch::Tensor x = images;
        std::size_t next = 0;
        for (const Layer &layer : model.layers) {
            torch::Tensor y = run(layer.main, x, next, false);
            if (layer.residual) {
                const torch::Tensor side = run(layer.shortcut, x, next, false);
                y = style.inPlace ? y.add_(side) : y + side;
            }
            x = run(layer.after, y, next, layer.residual);
        }
        return x;
    }
};

BareLoop::BareLoop(const Model &model, int batch, Style style) : d(new Private{model, style, {}, {}, {}, {}, {}}) {
    torch::manual_seed(1);
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        for (const NamedTensor &tensor : initialise(model, static_cast<int>(l), 1, DType::Float32)) {
            const std::vector<std::int64_t> sizes(tensor.spec.shape.begin(), tensor.spec.shape.end());
            torch::Tensor own = torch::from_blob(tensor.data->data(), sizes, torch::kFloat).clone();
            if (style.channelsLast && own.dim() == 4) {
                // contiguous(ChannelsLast) leaves the strides of 1x1 and depthwise kernels as they are, and LibTorch
                // then takes them for the other layout.
                const std::int64_t c = sizes[1], h = sizes[2], w = sizes[3];
                own = torch::empty_strided(sizes, {c * h * w, 1, w * c, c}).copy_(own);
            }
            own.set_requires_grad(tensor.spec.isTrainable());
            d->tensors.push_back(own);
            if (tensor.spec.isTrainable())
                d->trainable.push_back(own);
        }
    }
    d->images = torch::rand({batch, model.inputShape[0], model.inputShape[1], model.inputShape[2]});
    if (style.channelsLast)
        d->images = d->images.contiguous(at::MemoryFormat::ChannelsLast);
    d->labels = torch::randint(model.classes, {batch}, torch::kLong);
    d->optimizer = std::make_unique<torch::optim::SGD>(d->trainable, torch::optim::SGDOptions(0.01).momentum(0.9));
}

BareLoop::~BareLoop() = default;

double BareLoop::step() {
    for (torch::Tensor &tensor : d->trainable)
        tensor.mutable_grad().reset();
    const torch::Tensor loss = torch::nll_loss(torch::log_softmax(d->forward(), 1), d->labels);
    loss.backward();
    d->optimizer->step();
    return loss.item<double>();
}

}  // namespace hearth
