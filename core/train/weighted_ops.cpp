#include "core/train/weighted_ops.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/train/depthwise.h"
#include "core/train/flat_math.h"

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

OptionalTensor given(const at::Tensor &tensor) {
    return tensor.defined() ? OptionalTensor(tensor) : OptionalTensor();
}

/// Products and additions that are worth another thread.
constexpr std::int64_t workPerThread = 1 << 18;

/// Per dimension that a tensor of this rank has behind its channels.
std::vector<std::int64_t> perDimension(const ConvolutionShape::Pair &pair, std::int64_t rank) {
    return rank == 3 ? std::vector<std::int64_t>{pair[1]} : std::vector<std::int64_t>{pair[0], pair[1]};
}

bool isPlain(const ConvolutionShape &shape) {
    constexpr ConvolutionShape::Pair one{1, 1};
    return shape.stride == one && shape.dilation == one && shape.before == ConvolutionShape::Pair{} &&
           shape.after == ConvolutionShape::Pair{} && !shape.transposed;
}

bool isProduct(const at::Tensor &x, const at::Tensor &weight, const ConvolutionShape &shape, Products products) {
    const bool pointwise = products != Products::Bfloat16Kept && weight.dim() == 4 && weight.size(2) == 1 &&
                           weight.size(3) == 1 && shape.groups == 1 && isPlain(shape);
    return pointwise && x.size(2) * x.size(3) < placesOfLibrary && x.size(1) >= channelsOfProducts;
}

/// What addDepthwiseWeightGradient() can do.
bool isDepthwise(const at::Tensor &weight, const ConvolutionShape &shape) {
    constexpr ConvolutionShape::Pair one{1, 1};
    return weight.dim() == 4 && shape.groups == weight.size(0) && weight.size(1) == 1 &&
           weight.size(2) == weight.size(3) && shape.stride[0] == shape.stride[1] &&
           shape.before[0] == shape.before[1] && shape.before == shape.after && shape.dilation == one &&
           !shape.transposed;
}

/// The library pads both sides alike: where they differ, an input that is padded already.
at::Tensor bordered(const at::Tensor &x, ConvolutionShape &shape) {
    if (shape.before == shape.after)
        return x;
    std::vector<std::int64_t> padding{shape.before[1], shape.after[1]};
    if (x.dim() == 4)
        padding.insert(padding.end(), {shape.before[0], shape.after[0]});
    shape.before = shape.after = {0, 0};
    return at::constant_pad_nd(x, padding, 0);
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
at::Tensor multiplyPlaces(const at::Tensor &x, const at::Tensor &factor, const at::Tensor &bias, Products products) {
    at::Tensor y = emptyImages(x, factor.size(1));
    at::Tensor result = rows(y);
    multiplyInto(result, bias, rows(x), factor, products);
    return y;
}

/// LibTorch 1.13 gives a transposed convolution in bfloat16 another size.
bool isRounded(const at::Tensor &weight, const ConvolutionShape &shape, Products products) {
    const bool groups = shape.groups == 1 || products == Products::Bfloat16Kept;
    return groups && !shape.transposed && roundsConvolution(weight, products);
}

at::Tensor convolveAny(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias, ConvolutionShape shape,
                       Products products) {
    if (isProduct(x, weight, shape, products))
        return multiplyPlaces(x, matrix(weight).t(), bias, products);
    const at::Tensor in = bordered(x, shape);
    const auto convolved = [&](const at::Tensor &values, const at::Tensor &kernel, const at::Tensor &offset) {
        return at::convolution(values, kernel, given(offset), perDimension(shape.stride, x.dim()),
                               perDimension(shape.before, x.dim()), perDimension(shape.dilation, x.dim()),
                               shape.transposed, perDimension(shape.extra, x.dim()), shape.groups);
    };
    if (!isRounded(weight, shape, products))
        return convolved(in, weight, bias);
    at::Tensor y = convolved(rounded(in), rounded(weight), {});
    if (products != Products::Bfloat16Kept)
        y = y.to(x.scalar_type());
    if (!bias.defined())
        return y;
    std::vector<std::int64_t> perChannel(static_cast<std::size_t>(x.dim() - 1), 1);
    perChannel.front() = -1;
    return y.add_(bias.view(perChannel));
}

/// Of the input where `first`, else of the weight.
at::Tensor gradientOf(bool first, const at::Tensor &gradient, const at::Tensor &x, const at::Tensor &weight,
                      const ConvolutionShape &shape, Products products) {
    const bool rounds = isRounded(weight, shape, products);
    const auto factor = [&](const at::Tensor &tensor) { return rounds ? rounded(tensor) : tensor; };
    const auto gradients = at::convolution_backward(
        factor(gradient), factor(x), factor(weight), c10::nullopt, perDimension(shape.stride, x.dim()),
        perDimension(shape.before, x.dim()), perDimension(shape.dilation, x.dim()), shape.transposed,
        perDimension(shape.extra, x.dim()), shape.groups, {first, !first, false});
    return (first ? std::get<0>(gradients) : std::get<1>(gradients)).to(x.scalar_type());
}

at::Tensor inputGradient(const at::Tensor &gradient, const at::Tensor &x, const at::Tensor &weight,
                         const ConvolutionShape &shape, Products products) {
    if (isProduct(x, weight, shape, products))
        return multiplyPlaces(gradient, matrix(weight), {}, products);
    ConvolutionShape inside = shape;
    at::Tensor all = gradientOf(true, gradient, bordered(x, inside), weight, inside, products);
    if (shape.before == shape.after)
        return all;
    for (std::int64_t dimension = 2; dimension < x.dim(); ++dimension)
        all = all.narrow(dimension, shape.before[static_cast<std::size_t>(dimension + 2 - x.dim())], x.size(dimension));
    return all;
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
    sizes.stride = shape.stride[0];
    sizes.padding = shape.before[0];
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

std::int64_t numberOf(Products products) {
    return static_cast<std::int64_t>(products);
}

Products productsOf(AutogradContext *context) {
    return static_cast<Products>(context->saved_data["products"].toInt());
}

void addWeightGradient(const at::Tensor &gradient, const at::Tensor &x, const at::Tensor &weight,
                       const ConvolutionShape &shape, Products products) {
    if (!weight.requires_grad())
        return;
    at::Tensor target = weight.grad();
    if (isProduct(x, weight, shape, products)) {
        addProduct(matrix(target), rows(gradient).t(), rows(x), products);
    } else if (weight.is_cpu() && isDepthwise(weight, shape) && gradient.size(3) < widthOfLibrary) {
        addDepthwise(gradient, x, target, shape);
    } else {
        ConvolutionShape inside = shape;
        const at::Tensor in = bordered(x, inside);
        target.add_(gradientOf(false, gradient, in, weight, inside, products));
    }
}

/// All dimensions but the channels.
at::Tensor sumPerChannel(const at::Tensor &gradient, at::ScalarType type) {
    std::vector<std::int64_t> dimensions{0, 2, 3};
    dimensions.resize(static_cast<std::size_t>(gradient.dim() - 1));
    return gradient.sum(dimensions, false, type);
}

// What autograd's nodes store are tensors, numbers and lists of numbers.
std::vector<std::int64_t> packed(const ConvolutionShape &shape) {
    std::vector<std::int64_t> numbers{shape.groups, shape.transposed ? 1 : 0};
    for (const auto &pair : {shape.stride, shape.before, shape.after, shape.dilation, shape.extra})
        numbers.insert(numbers.end(), pair.begin(), pair.end());
    return numbers;
}

ConvolutionShape unpacked(const std::vector<std::int64_t> &numbers) {
    const auto pair = [&](std::size_t i) { return ConvolutionShape::Pair{numbers[2 + 2 * i], numbers[3 + 2 * i]}; };
    return {pair(0), pair(1), pair(2), pair(3), pair(4), numbers[0], numbers[1] != 0};
}

/// One row for each vector along the last dimension.
at::Tensor vectors(const at::Tensor &x) {
    return x.reshape({-1, x.size(-1)});
}

/// Into memory that is no view of another tensor: the next op may overwrite it.
at::Tensor multiplyVectors(const at::Tensor &x, const at::Tensor &factor, const at::Tensor &bias, Products products) {
    std::vector<std::int64_t> sizes = x.sizes().vec();
    sizes.back() = factor.size(1);
    at::Tensor y = at::empty(sizes, x.options());
    at::Tensor result = y.view({-1, factor.size(1)});
    multiplyInto(result, bias, vectors(x), factor, products);
    return y;
}

/// Adds rows of a gradient to the rows of a table that they were taken from, in their order.
void addRows(at::Tensor table, const at::Tensor &rows, const at::Tensor &gradient,
             std::optional<std::int64_t> padding) {
    const at::Tensor numbers = rows.reshape({-1});
    at::Tensor addends = vectors(gradient).contiguous();
    if (!table.is_cpu() || !table.is_contiguous()) {
        if (padding)
            addends = addends.masked_fill(numbers.eq(*padding).unsqueeze(1), 0);
        table.index_add_(0, numbers, addends);
        return;
    }
    const DType dtype = table.scalar_type() == at::kDouble ? DType::Float64 : DType::Float32;
    const std::int64_t bytes = table.size(1) * static_cast<std::int64_t>(table.element_size());
    auto *to = static_cast<std::byte *>(table.data_ptr());
    const auto *from = static_cast<const std::byte *>(addends.data_ptr());
    const at::Tensor plain = numbers.contiguous();
    const auto *number = plain.data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < plain.numel(); ++i) {
        if (number[i] != padding)
            addInto(to + number[i] * bytes, from + i * bytes, table.size(1), dtype);
    }
}

// Autograd still lists the parameters as inputs, so that a first layer, whose input needs no gradient, has a backward
// pass; the gradients that it hands back for them are undefined, which adds nothing.

struct Convolution : torch::autograd::Function<Convolution> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &x, const at::Tensor &weight,
                              const OptionalTensor &bias, const ConvolutionShape &shape, std::int64_t queue,
                              Products products) {
        const at::Tensor offset = bias.value_or(at::Tensor());
        context->save_for_backward({x, weight, offset});
        context->saved_data["shape"] = packed(shape);
        context->saved_data["queue"] = queue;
        context->saved_data["products"] = numberOf(products);
        return convolveAny(x, weight, offset, shape, products);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
        const ConvolutionShape shape = unpacked(context->saved_data["shape"].toIntVector());
        const Products products = productsOf(context);
        Variable toInput;
        if (context->needs_input_grad(0))
            toInput = inputGradient(gradient, x, weight, shape, products);
        queueOf(context).take(taskOf(weight, bias, [gradient, x, weight, bias, shape, products] {
            addWeightGradient(gradient, x, weight, shape, products);
            if (bias.defined() && bias.requires_grad())
                bias.grad().add_(sumPerChannel(gradient, bias.scalar_type()));
        }));
        return {toInput, {}, {}, {}, {}, {}};
    }
};

struct Linear : torch::autograd::Function<Linear> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &x, const at::Tensor &weight,
                              const OptionalTensor &bias, bool transposed, std::int64_t queue, Products products) {
        const at::Tensor offset = bias.value_or(at::Tensor());
        context->save_for_backward({x, weight, offset});
        context->saved_data["transposed"] = transposed;
        context->saved_data["queue"] = queue;
        context->saved_data["products"] = numberOf(products);
        if (x.dim() == 2 && !transposed && products == Products::AsGiven)
            return at::linear(x, weight, bias);
        return multiplyVectors(x, transposed ? weight : weight.t(), offset, products);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
        const bool transposed = context->saved_data["transposed"].toBool();
        const Products products = productsOf(context);
        Variable toInput;
        if (context->needs_input_grad(0))
            toInput = multiply(vectors(gradient), transposed ? weight.t() : weight, products).view(x.sizes());
        queueOf(context).take(taskOf(weight, bias, [gradient, x, weight, bias, transposed, products] {
            const at::Tensor from = vectors(x), to = vectors(gradient);
            if (weight.requires_grad() && transposed)
                addProduct(weight.grad(), from.t(), to, products);
            else if (weight.requires_grad())
                addProduct(weight.grad(), to.t(), from, products);
            if (bias.defined() && bias.requires_grad())
                bias.grad().add_(to.sum(0));
        }));
        return {toInput, {}, {}, {}, {}, {}};
    }
};

struct Lookup : torch::autograd::Function<Lookup> {
    static constexpr std::int64_t noPadding = -1;

    static at::Tensor forward(AutogradContext *context, const at::Tensor &table, const at::Tensor &rows,
                              std::int64_t padding, std::int64_t queue) {
        context->save_for_backward({table, rows});
        context->saved_data["padding"] = padding;
        context->saved_data["queue"] = queue;
        return at::embedding(table, rows);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        const std::int64_t padding = context->saved_data["padding"].toInt();
        queueOf(context).take(
            taskOf(saved[0], {}, [table = saved[0], rows = saved[1], gradient = gradients[0], padding] {
                addRows(table.grad(), rows, gradient,
                        padding == noPadding ? std::nullopt : std::optional<std::int64_t>(padding));
            }));
        return {{}, {}, {}, {}};
    }
};

}  // namespace

at::Tensor convolve(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                    const ConvolutionShape &shape, WeightGradientQueue &queue, Products products) {
    return Convolution::apply(x, weight, given(bias), shape, numberOf(queue), products);
}

at::Tensor applyLinear(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias,
                       WeightGradientQueue &queue, bool transposed, Products products) {
    return Linear::apply(x, weight, given(bias), transposed, numberOf(queue), products);
}

at::Tensor lookUp(const at::Tensor &table, const at::Tensor &rows, std::optional<std::int64_t> padding,
                  WeightGradientQueue &queue) {
    return Lookup::apply(table, rows, padding.value_or(Lookup::noPadding), numberOf(queue));
}

void WeightGradientQueue::take(Task task) {
    if (!task.weight.defined() && !task.bias.defined())
        return;
    if (m_keeping)
        m_passes.back().push_back(std::move(task));
    else
        task.add();
}

bool WeightGradientQueue::holds(const at::TensorImpl *parameter) const {
    const auto has = [&](const Task &task) {
        return task.weight.unsafeGetTensorImpl() == parameter || task.bias.unsafeGetTensorImpl() == parameter;
    };
    return std::ranges::any_of(m_passes, [&](const auto &pass) { return std::ranges::any_of(pass, has); });
}

void WeightGradientQueue::runPass(const std::function<void(const at::Tensor &)> &done) {
    if (m_passes.empty())
        return;
    const at::NoGradGuard guard;
    std::vector<Task> tasks = std::move(m_passes.front());
    m_passes.pop_front();
    std::map<const at::TensorImpl *, int> ops;
    for (const Task &task : tasks)
        ++ops[task.weight.unsafeGetTensorImpl()], ++ops[task.bias.unsafeGetTensorImpl()];
    for (Task &task : tasks) {
        task.add();
        task.add = nullptr;  // what it held is free for the next
        for (const at::Tensor &parameter : {task.weight, task.bias}) {
            if (--ops[parameter.unsafeGetTensorImpl()] == 0 && parameter.defined() &&
                !holds(parameter.unsafeGetTensorImpl()))
                done(parameter);
        }
    }
}

}  // namespace hearth
