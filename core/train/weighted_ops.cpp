#include "core/train/weighted_ops.h"

#include "core/train/depthwise.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// oneDNN is faster from here on: its vectors run along a row of the output.
constexpr std::int64_t widthOfLibrary = 4;
/// And where a matrix product would be long and thin (tests/bench/kernels).
constexpr std::int64_t placesOfLibrary = 65, channelsOfProducts = 32;
using OptionalTensor = c10::optional<at::Tensor>;  // autograd takes no undefined ones

OptionalTensor optional(const at::Tensor &tensor) {
    return tensor.defined() ? OptionalTensor(tensor) : OptionalTensor();
}

/// Products and additions that are worth another thread.
constexpr std::int64_t workPerThread = 1 << 18;

bool isProduct(const at::Tensor &x, const at::Tensor &weight, const ConvolutionShape &shape) {
    const bool pointwise =
        weight.size(2) == 1 && weight.size(3) == 1 && shape.stride == 1 && shape.padding == 0 && shape.groups == 1;
    return pointwise && x.size(2) * x.size(3) < placesOfLibrary && x.size(1) >= channelsOfProducts;
}

bool isDepthwise(const at::Tensor &weight, const ConvolutionShape &shape) {
    return shape.groups == weight.size(0) && weight.size(1) == 1 && weight.size(2) == weight.size(3);
}

/// One row per place: {n·h·w, c}. A view of what lies channels last.
at::Tensor rows(const at::Tensor &images) {
    return images.permute({0, 2, 3, 1}).reshape({-1, images.size(1)});
}

at::Tensor emptyImages(const at::Tensor &like, std::int64_t channels) {
    return at::empty({like.size(0), channels, like.size(2), like.size(3)},
                     like.options().memory_format(at::MemoryFormat::ChannelsLast));
}

at::Tensor matrix(const at::Tensor &weight) {
    return weight.view({weight.size(0), weight.size(1)});
}

/// Into memory that is no view of another tensor: the next op may overwrite it.
at::Tensor multiplyPlaces(const at::Tensor &x, const at::Tensor &factor, const at::Tensor &bias) {
    at::Tensor y = emptyImages(x, factor.size(1));
    at::Tensor result = rows(y);
    if (bias.defined())
        at::addmm_out(result, bias, rows(x), factor);
    else
        at::mm_out(result, rows(x), factor);
    return y;
}

at::Tensor convolveAny(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                       const ConvolutionShape &shape) {
    if (isProduct(x, weight, shape))
        return multiplyPlaces(x, matrix(weight).t(), bias);
    return at::conv2d(x, weight, bias, {shape.stride, shape.stride}, {shape.padding, shape.padding}, {1, 1},
                      shape.groups);
}

at::Tensor inputGradient(const at::Tensor &gradient, const at::Tensor &x, const at::Tensor &weight,
                         const ConvolutionShape &shape) {
    if (isProduct(x, weight, shape))
        return multiplyPlaces(gradient, matrix(weight), {});
    return std::get<0>(at::convolution_backward(gradient, x, weight, c10::nullopt, {shape.stride, shape.stride},
                                                {shape.padding, shape.padding}, {1, 1}, false, {0, 0}, shape.groups,
                                                {true, false, false}));
}

void addDepthwise(const at::Tensor &gradient, const at::Tensor &x, at::Tensor &target, const ConvolutionShape &shape) {
    const at::Tensor g = gradient.contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor in = x.contiguous(at::MemoryFormat::ChannelsLast);
    DepthwiseShape sizes;
    sizes.samples = x.size(0);
    sizes.channels = x.size(1);
    sizes.inputHeight = x.size(2);
    sizes.inputWidth = x.size(3);
    sizes.outputHeight = g.size(2);
    sizes.outputWidth = g.size(3);
    sizes.kernel = target.size(2);
    sizes.stride = shape.stride;
    sizes.padding = shape.padding;
    const DType dtype = target.scalar_type() == at::kDouble ? DType::Float64 : DType::Float32;
    const std::int64_t perChannel = std::max<std::int64_t>(1, g.numel() / sizes.channels * target.size(2));
    at::parallel_for(0, sizes.channels, std::max<std::int64_t>(1, workPerThread / perChannel),
                     [&](std::int64_t first, std::int64_t last) {
                         addDepthwiseWeightGradient(sizes, first, last, g.data_ptr(), in.data_ptr(), target.data_ptr(),
                                                    dtype);
                     });
}

/// Parameters whose gradient is asked for; the task needs the tensors themselves besides.
WeightGradientQueue::Task taskOf(const at::Tensor &weight, const at::Tensor &bias, std::function<void()> add) {
    const auto trained = [](const at::Tensor &parameter) {
        return parameter.defined() && parameter.requires_grad() ? parameter : at::Tensor();
    };
    return {trained(weight), trained(bias), std::move(add)};
}

// Graphs hold numbers and tensors alone, so that a queue travels through one as a number.
std::int64_t numberOf(WeightGradientQueue &queue) {
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&queue));
}

WeightGradientQueue &queueOf(AutogradContext *context) {
    return *reinterpret_cast<WeightGradientQueue *>(static_cast<std::intptr_t>(context->saved_data["queue"].toInt()));
}

void addWeightGradient(const at::Tensor &gradient, const at::Tensor &x, const at::Tensor &weight,
                       const ConvolutionShape &shape) {
    if (!weight.requires_grad())
        return;
    at::Tensor target = weight.grad();
    if (isProduct(x, weight, shape)) {
        matrix(target).addmm_(rows(gradient).t(), rows(x));
    } else if (weight.is_cpu() && isDepthwise(weight, shape) && gradient.size(3) < widthOfLibrary) {
        addDepthwise(gradient, x, target, shape);
    } else {
        target.add_(std::get<1>(at::convolution_backward(gradient, x, weight, c10::nullopt,
                                                         {shape.stride, shape.stride}, {shape.padding, shape.padding},
                                                         {1, 1}, false, {0, 0}, shape.groups, {false, true, false})));
    }
}

// Autograd still lists the parameters as inputs, so that a first layer, whose input needs no gradient, has a backward
// pass; the gradients that it hands back for them are undefined, which adds nothing.

struct Convolution : torch::autograd::Function<Convolution> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &x, const at::Tensor &weight,
                              const OptionalTensor &bias, std::int64_t stride, std::int64_t padding,
                              std::int64_t groups, std::int64_t queue) {
        const at::Tensor offset = bias.value_or(at::Tensor());
        context->save_for_backward({x, weight, offset});
        context->saved_data["stride"] = stride;
        context->saved_data["padding"] = padding;
        context->saved_data["groups"] = groups;
        context->saved_data["queue"] = queue;
        return convolveAny(x, weight, offset, {stride, padding, groups});
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
        const ConvolutionShape shape{context->saved_data["stride"].toInt(), context->saved_data["padding"].toInt(),
                                     context->saved_data["groups"].toInt()};
        Variable toInput;
        if (context->needs_input_grad(0))
            toInput = inputGradient(gradient, x, weight, shape);
        queueOf(context).take(taskOf(weight, bias, [gradient, x, weight, bias, shape] {
            addWeightGradient(gradient, x, weight, shape);
            if (bias.defined() && bias.requires_grad())
                bias.grad().add_(gradient.sum({0, 2, 3}));
        }));
        return {toInput, {}, {}, {}, {}, {}, {}};
    }
};

struct Linear : torch::autograd::Function<Linear> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &x, const at::Tensor &weight,
                              const OptionalTensor &bias, std::int64_t queue) {
        context->save_for_backward({x, weight, bias.value_or(at::Tensor())});
        context->saved_data["queue"] = queue;
        return at::linear(x, weight, bias);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
        Variable toInput;
        if (context->needs_input_grad(0))
            toInput = gradient.mm(weight);
        queueOf(context).take(taskOf(weight, bias, [gradient, x, weight, bias] {
            if (weight.requires_grad())
                weight.grad().addmm_(gradient.t(), x);
            if (bias.defined() && bias.requires_grad())
                bias.grad().add_(gradient.sum(0));
        }));
        return {toInput, {}, {}, {}};
    }
};

}  // namespace

at::Tensor convolve(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                    const ConvolutionShape &shape, WeightGradientQueue &queue) {
    return Convolution::apply(x, weight, optional(bias), shape.stride, shape.padding, shape.groups, numberOf(queue));
}

at::Tensor applyLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                       WeightGradientQueue &queue) {
    return Linear::apply(x, weight, optional(bias), numberOf(queue));
}

void WeightGradientQueue::take(Task task) {
    if (!task.weight.defined() && !task.bias.defined())
        return;
    if (m_keeping)
        m_tasks.push_back(std::move(task));
    else
        task.add();
}

bool WeightGradientQueue::holds(const at::TensorImpl *parameter) const {
    return std::any_of(m_tasks.begin(), m_tasks.end(), [&](const Task &task) {
        return task.weight.unsafeGetTensorImpl() == parameter || task.bias.unsafeGetTensorImpl() == parameter;
    });
}

void WeightGradientQueue::run(const std::function<void(const at::Tensor &)> &done) {
    const at::NoGradGuard guard;
    for (Task &task : m_tasks) {
        task.add();
        task.add = nullptr;  // what it held is free for the next
        for (const at::Tensor &parameter : {task.weight, task.bias}) {
            if (parameter.defined())
                done(parameter);
        }
    }
    m_tasks.clear();
}

}  // namespace hearth
