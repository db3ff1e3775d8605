#include "bare_loop.h"

#include <torch/torch.h>

#include "core/model/init.h"
#ifdef HEARTH_CUDA
#include <ATen/autocast_mode.h>
#endif

namespace hearth {

struct BareLoop::Private {
    Model model;
    Style style;
    std::vector<torch::Tensor> tensors, trainable;
    torch::Tensor images, labels;
    std::unique_ptr<torch::optim::SGD> optimizer;

    static torch::Tensor run(const Op &op, const std::vector<torch::Tensor> &inputs, const torch::Tensor *own,
                             bool inPlace) {
        torch::Tensor x = inputs.front();
        const QString &kind = op.kind;
        if (kind == QLatin1String("convolution") || kind == QLatin1String("depthwise")) {
            const std::int64_t groups = kind == QLatin1String("depthwise") ? x.size(1) : op.whole("groups");
            return torch::conv2d(x, own[0], op.flag("bias") ? own[1] : torch::Tensor(), op.whole("stride"),
                                 op.whole("padding"), 1, groups);
        }
        if (kind == QLatin1String("batch-norm"))
            return torch::batch_norm(x, own[0], own[1], own[2], own[3], true, op.number("momentum"),
                                     op.number("epsilon"), false);
        if (kind == QLatin1String("linear"))
            return torch::linear(x, own[0], op.flag("bias") ? own[1] : torch::Tensor());
        if (kind == QLatin1String("relu"))
            return inPlace ? x.relu_() : x.relu();
        if (kind == QLatin1String("relu6"))
            return inPlace ? torch::hardtanh_(x, 0, 6) : torch::hardtanh(x, 0, 6);
        if (kind == QLatin1String("max-pool"))
            return torch::max_pool2d(x, op.whole("kernel"), op.whole("stride"), op.whole("padding"));
        if (kind == QLatin1String("average-pool"))
            return torch::avg_pool2d(x, op.whole("kernel"), op.whole("stride"), 0, false, false);
        if (kind == QLatin1String("global-average-pool"))
            return torch::adaptive_avg_pool2d(x, {1, 1});
        if (kind == QLatin1String("flatten"))
            return torch::flatten(x, 1);
        if (kind == QLatin1String("dropout"))
            return torch::dropout(x, op.number("probability"), true);
        if (kind == QLatin1String("add"))
            return inPlace ? x.add_(inputs.back()) : x + inputs.back();
        throw std::logic_error("the bare loop lacks an op");
    }

    /// Autograd keeps no output of these.
    static bool owns(const Op &op) {
        static const QStringList kinds{QStringLiteral("convolution"), QStringLiteral("depthwise"),
                                       QStringLiteral("batch-norm"), QStringLiteral("linear"), QStringLiteral("add")};
        return kinds.contains(op.kind);
    }

    torch::Device device() const {
        return style.card < 0 ? torch::Device(torch::kCPU)
                              : torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(style.card));
    }

    /// Its copies of weights are of one step.
    void autocast([[maybe_unused]] bool on) const {
#ifdef HEARTH_CUDA
        if (style.precision != Precision::Bfloat16)
            return;
        at::autocast::set_autocast_enabled(at::kCUDA, on);
        at::autocast::set_autocast_dtype(at::kCUDA, at::kBFloat16);
        if (!on)
            at::autocast::clear_cache();
#endif
    }

    torch::Tensor forward() {
        torch::Tensor x = images;
        const torch::Tensor *own = tensors.data();
        for (const Layer &layer : model.layers) {
            std::vector<torch::Tensor> values{x};
            for (const Op &op : layer.ops) {
                std::vector<torch::Tensor> inputs;
                for (const int value : op.from)
                    inputs.push_back(values[static_cast<std::size_t>(value)]);
                const int first = op.from.front();
                const bool inPlace = style.inPlace && first > 0 && owns(layer.ops[static_cast<std::size_t>(first - 1)]);
                values.push_back(run(op, inputs, own, inPlace));
                own += op.tensors;
            }
            x = values.back();
        }
        return x;
    }
};

BareLoop::BareLoop(const Model &model, int batch, Style style) : d(new Private{model, style, {}, {}, {}, {}, {}}) {
    torch::manual_seed(1);
    if (style.card >= 0) {
        at::globalContext().setAllowTF32CuBLAS(style.precision == Precision::Bfloat16);
        at::globalContext().setAllowTF32CuDNN(style.precision == Precision::Bfloat16);
    }
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        for (const NamedTensor &tensor : initialise(model, static_cast<int>(l), 1, DType::Float32)) {
            const std::vector<std::int64_t> sizes(tensor.spec.shape.begin(), tensor.spec.shape.end());
            torch::Tensor own = torch::from_blob(tensor.data->data(), sizes, torch::kFloat).clone().to(d->device());
            if (style.channelsLast && own.dim() == 4) {
                // contiguous(ChannelsLast) leaves the strides of 1x1 and depthwise kernels as they are, and LibTorch
                // then takes them for the other layout.
                const std::int64_t c = sizes[1], h = sizes[2], w = sizes[3];
                own = torch::empty_strided(sizes, {c * h * w, 1, w * c, c}, own.options()).copy_(own);
            }
            own.set_requires_grad(tensor.spec.isTrainable());
            d->tensors.push_back(own);
            if (tensor.spec.isTrainable())
                d->trainable.push_back(own);
        }
    }
    d->images = torch::rand({batch, model.inputShape()[0], model.inputShape()[1], model.inputShape()[2]});
    if (style.channelsLast)
        d->images = d->images.contiguous(at::MemoryFormat::ChannelsLast);
    d->images = d->images.to(d->device());
    d->labels = torch::randint(model.classes, {batch}, torch::kLong).to(d->device());
    d->optimizer = std::make_unique<torch::optim::SGD>(d->trainable, torch::optim::SGDOptions(0.01).momentum(0.9));
}

BareLoop::~BareLoop() = default;

double BareLoop::step() {
    for (torch::Tensor &tensor : d->trainable)
        tensor.mutable_grad().reset();
    d->autocast(true);
    const torch::Tensor loss = torch::nll_loss(torch::log_softmax(d->forward(), 1), d->labels);
    d->autocast(false);
    loss.backward();
    d->optimizer->step();
    return loss.item<double>();
}

}  // namespace hearth
