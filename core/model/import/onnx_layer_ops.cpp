// Operators with weights.
#include <QJsonArray>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/import/onnx_lowering.h"
#include "core/model/import/onnx_window.h"

namespace hearth::onnx_import {
namespace {

bool isTable(const Value &value) {
    return (value.isWeight() && !value.isPart()) || (value.isKnown() && value.known->isReal);
}

/// Names the tensors of `value`'s op; the bias may be left out.
Tried<void> setWeights(Call &call, const Value &value, const Value &weight, const Value &bias) {
    call.lowering.nameAfter(value.op, weight);
    if (auto set = call.lowering.setTensor(value.op, "weight", weight); !set)
        return set;
    return bias.isAbsent() ? Tried<void>() : call.lowering.setTensor(value.op, "bias", bias);
}

Outputs convolution(Call &call) {
    const Value weight = call.input(1);
    if (!isTable(weight) || weight.turned || weight.dims.size() != call.input(0).dims.size() || weight.dims.size() < 3)
        return weightsAreComputed();
    const Shape kernel(weight.dims.begin() + 2, weight.dims.end());
    auto window = windowOf(call, kernel);
    if (!window)
        return tl::unexpected(window.error());
    Value x = call.input(0);
    const qint64 groups = call.whole("group", 1);
    if (groups < 1 || groups > x.dims[1] || weight.dims[1] * groups != x.dims[1])
        return trouble(
            sentence("Its weights %1 do not fit %2 {2|channel|channels}.").arg(shapeText(weight.dims), x.dims[1]));
    if (auto padded = padUneven(call, x, *window); !padded)
        return tl::unexpected(padded.error());
    QJsonObject parameters = window->toJson();
    parameters[QLatin1String("channels")] = weight.dims[0];
    if (groups != 1)
        parameters[QLatin1String("groups")] = groups;
    parameters[QLatin1String("bias")] = call.has(2);
    Shape dims{batchSymbol, weight.dims[0]};
    for (std::size_t i = 0; i < kernel.size(); ++i)
        dims.push_back(window->outputSize(i, x.dims[i + 2]));
    const Value result = call.lowering.emitLike(call, "convolution", parameters, x, dims);
    if (auto set = setWeights(call, result, weight, call.input(2)); !set)
        return tl::unexpected(set.error());
    return one(result);
}

Outputs transposedConvolution(Call &call) {
    const Value &x = call.input(0), &weight = call.input(1);
    if (!isTable(weight) || weight.turned || weight.dims.size() != x.dims.size() || weight.dims.size() < 3)
        return weightsAreComputed();
    const Shape kernel(weight.dims.begin() + 2, weight.dims.end());
    auto window = windowOf(call, kernel);
    if (!window)
        return tl::unexpected(window.error());
    std::vector<qint64> extra = call.wholes("output_padding");
    extra.resize(kernel.size(), 0);
    const qint64 groups = call.whole("group", 1);
    // With "SAME_UPPER" and "SAME_LOWER" it is the output that is as large as the strides say, and not the padding.
    if (call.attribute("output_shape") || call.text("auto_pad", "NOTSET").starts_with("SAME") ||
        window->before != window->after || groups < 1 || groups > x.dims[1] || weight.dims[0] != x.dims[1])
        return trouble(sentence("Its output shape or its padding is not that of torch.nn.ConvTranspose2d."));
    QJsonObject parameters = window->toJson();
    parameters[QLatin1String("channels")] = weight.dims[1] * groups;
    if (groups != 1)
        parameters[QLatin1String("groups")] = groups;
    parameters[QLatin1String("output_padding")] = numberOrList(extra);
    parameters[QLatin1String("bias")] = call.has(2);
    Shape dims{batchSymbol, weight.dims[1] * groups};
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const qint64 size =
            (x.dims[i + 2] - 1) * window->strides[i] - 2 * window->before[i] + window->reach(i) + extra[i];
        if (size < 1)
            return trouble(sentence("It gives nothing."));
        dims.push_back(size);
    }
    const Value result = call.lowering.emitLike(call, "transposed-convolution", parameters, x, dims);
    if (auto set = setWeights(call, result, weight, call.input(2)); !set)
        return tl::unexpected(set.error());
    return one(result);
}

/// Whether what it multiplies can be a linear op's: all of a matrix, or those rows that give some of its outputs.
bool isMatrix(const Value &weight, bool rows) {
    return weight.rank() == 2 && (isTable(weight) || (weight.isWeight() && weight.turned != rows));
}

/// x times a matrix {in, out}, or {out, in} where `rows`.
Tried<Value> linear(Call &call, const Value &x, const Value &weight, bool rows) {
    const qint64 in = weight.dims[rows ? 1 : 0], out = weight.dims[rows ? 0 : 1];
    if (x.dims.empty() || x.batchAt == x.rank() - 1 || x.dims.back() != in)
        return trouble(sentence("Its weights %1 do not fit.").arg(shapeText(weight.dims)));
    Shape dims = x.dims;
    dims.back() = weight.isPart() ? weight.allRows : out;
    QJsonObject parameters{{QStringLiteral("features"), dims.back()}, {QStringLiteral("bias"), false}};
    if (rows == weight.turned)
        parameters[QLatin1String("transposed")] = true;
    const Value result = call.lowering.emitLike(call, "linear", parameters, x, dims);
    Value whole = weight;
    whole.allRows = 0;
    if (auto set = setWeights(call, result, whole, {}); !set)
        return tl::unexpected(set.error());
    if (!weight.isPart())
        return result;
    const auto axis = call.lowering.sampleAxis(result, -1);
    if (!axis)
        return tl::unexpected(axis.error());
    dims.back() = out;
    return call.lowering.emitLike(call, "slice",
                                  {{QStringLiteral("axis"), *axis},
                                   {QStringLiteral("start"), weight.firstRow},
                                   {QStringLiteral("end"), weight.firstRow + out}},
                                  result, dims);
}

Tried<Value> product(Call &call, const Value &a, const Value &b) {
    if (a.rank() < 2 || b.rank() < 2 || (a.isComputed() && a.isWhole) || (b.isComputed() && b.isWhole))
        return trouble(sentence("It takes lists or whole numbers instead of matrices."));
    if (a.dims.back() != b.dims[b.dims.size() - 2])
        return trouble(sentence("Its matrices do not fit together."));
    if (a.batchAt == a.rank() - 2 && b.isComputed() && !b.isBatched())
        return weightsAreComputed();
    auto both = call.lowering.align(call, a, b, 2);
    if (!both)
        return tl::unexpected(both.error());
    Shape dims = both->shape.dims;
    dims.push_back(a.dims[a.dims.size() - 2]);
    dims.push_back(b.dims.back());
    const Value result = call.lowering.emitLike(call, "matmul", {}, both->shape, dims);
    call.lowering.op(result).from = {both->a.op, both->b.op};
    return result;
}

Outputs matMul(Call &call) {
    const Value &a = call.input(0), &b = call.input(1);
    if (b.isAbsent())
        return trouble(sentence("Its second input is left out."));
    const bool isLinear = a.isComputed() && !a.isWhole && isMatrix(b, false);
    auto result = isLinear ? linear(call, a, b, false) : product(call, a, b);
    if (!result)
        return tl::unexpected(result.error());
    return one(*result);
}

Outputs gemm(Call &call) {
    Value x = call.input(0), weight = call.input(1), bias = call.input(2);
    if (weight.rank() != 2 || x.rank() != 2)
        return trouble(sentence("It takes something else than matrices."));
    if (call.real("alpha", 1) != 1 || (call.real("beta", 1) != 1 && !bias.isAbsent()))
        return trouble(sentence("It scales its product or its sum."), sentence("Scale by a separate product."));
    if (call.whole("transA", 0) != 0) {
        auto turned = call.lowering.transpose(call, call.lowering.computed(call, x), {1, 0});
        if (!turned)
            return tl::unexpected(turned.error());
        x = *turned;
    }
    const bool rows = call.whole("transB", 0) != 0;
    Tried<Value> result;
    if (x.isComputed() && !x.isWhole && isMatrix(weight, rows)) {
        result = linear(call, x, weight, rows);
    } else {
        if (rows) {
            auto turned = call.lowering.transpose(call, call.lowering.computed(call, weight), {1, 0});
            if (!turned)
                return tl::unexpected(turned.error());
            weight = *turned;
        }
        result = product(call, x, weight);
    }
    if (!result || bias.isAbsent())
        return result ? one(*result) : Outputs(tl::unexpected(result.error()));
    DraftOp &made = call.lowering.op(*result);
    if (made.is("linear") && isTable(bias) && bias.isKnown() == made.isFrozen &&
        bias.dims == Shape{result->dims.back()}) {
        made.parameters[QLatin1String("bias")] = true;
        if (auto set = call.lowering.setTensor(result->op, "bias", bias); !set)
            return tl::unexpected(set.error());
        return one(*result);
    }
    auto both = call.lowering.align(call, *result, bias);
    if (!both)
        return tl::unexpected(both.error());
    const Value sum = call.lowering.emitLike(call, "add", {}, both->shape, both->shape.dims);
    call.lowering.op(sum).from = {both->a.op, both->b.op};
    return one(sum);
}

Outputs batchNorm(Call &call) {
    const Value &x = call.input(0);
    if (!x.isComputed() || !x.isBatchFirst() || x.rank() < 2)
        return trouble(sentence("It does not take samples with channels."));
    // ONNX says what stays, PyTorch what is new; the difference is meant to be a short number.
    const double momentum = std::clamp(std::round((1 - call.real("momentum", 0.9)) * 1e9) / 1e9, 0.0, 1.0);
    const Value result = call.lowering.emitLike(
        call, "batch-norm",
        {{QStringLiteral("epsilon"), call.real("epsilon", 1e-5)}, {QStringLiteral("momentum"), momentum}}, x, x.dims);
    call.lowering.nameAfter(result.op, call.input(1));
    std::size_t i = 1;
    for (const char *role : {"weight", "bias", "running_mean", "running_var"}) {
        if (call.input(i).dims != Shape{x.dims[1]})
            return trouble(sentence("Its input %1 is not one value for each channel.").arg(static_cast<int>(i) + 1));
        if (auto set = call.lowering.setTensor(result.op, role, call.input(i)); !set)
            return tl::unexpected(set.error());
        ++i;
    }
    return one(result);
}

bool isAll(const Value &value, double number) {
    return value.isKnown() && std::all_of(value.known->elements.begin(), value.known->elements.end(),
                                          [number](double element) { return element == number; });
}

Outputs layerNorm(Call &call) {
    const Value &x = call.input(0), &weight = call.input(1), &bias = call.input(2);
    const auto axis = axisWithin(call.whole("axis", -1), x.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    if (!x.isComputed() || x.batchAt >= *axis)
        return trouble(sentence("It works along the batch."));
    const Shape last(x.dims.begin() + *axis, x.dims.end());
    const bool isPlain = (weight.isAbsent() || isAll(weight, 1)) && (bias.isAbsent() || isAll(bias, 0));
    if (!isPlain && (weight.dims != last || (!bias.isAbsent() && bias.dims != last)))
        return trouble(sentence("Its weights do not fit."));
    const Value result = call.lowering.emitLike(call, "layer-norm",
                                                {{QStringLiteral("dims"), static_cast<int>(last.size())},
                                                 {QStringLiteral("epsilon"), call.real("epsilon", 1e-5)},
                                                 {QStringLiteral("affine"), !isPlain},
                                                 {QStringLiteral("bias"), !bias.isAbsent()}},
                                                x, x.dims);
    if (isPlain)
        return one(result);
    if (auto set = setWeights(call, result, weight, bias); !set)
        return tl::unexpected(set.error());
    return one(result);
}

/// A group norm with a group for each channel.
Outputs instanceNorm(Call &call) {
    const Value x = call.lowering.computed(call, call.input(0));
    const Value &weight = call.input(1), &bias = call.input(2);
    if (!x.isBatchFirst() || x.rank() < 3 || weight.dims != Shape{x.dims[1]} || bias.dims != Shape{x.dims[1]})
        return trouble(sentence("It does not take samples with channels."));
    const bool isPlain = isAll(weight, 1) && isAll(bias, 0);
    const Value result = call.lowering.emitLike(call, "group-norm",
                                                {{QStringLiteral("groups"), x.dims[1]},
                                                 {QStringLiteral("epsilon"), call.real("epsilon", 1e-5)},
                                                 {QStringLiteral("affine"), !isPlain}},
                                                x, x.dims);
    if (!isPlain) {
        if (auto set = setWeights(call, result, weight, bias); !set)
            return tl::unexpected(set.error());
    }
    return one(result);
}

/// Consecutive `indices` are a slice; others are slices put together.
Tried<Value> rowsOf(Call &call, const Value &x, int axis, const std::vector<qint64> &indices) {
    const auto along = call.lowering.sampleAxis(x, axis);
    if (!along)
        return tl::unexpected(along.error());
    const qint64 size = x.dims[static_cast<std::size_t>(axis)];
    Shape dims = x.dims;
    std::vector<int> parts;
    Value part = x;
    for (std::size_t i = 0; i < indices.size();) {
        const qint64 first = indices[i] < 0 ? indices[i] + size : indices[i];
        std::size_t end = i + 1;
        while (end < indices.size() && indices[end] == indices[end - 1] + 1)
            ++end;
        const auto count = static_cast<qint64>(end - i);
        if (first == 0 && count == size && end == indices.size() && parts.empty())
            return x;
        if (first < 0 || first + count > size)
            return trouble(sentence("It takes element %1 of %2.").arg(first, size));
        constexpr std::size_t mostParts = 64;
        if (parts.size() == mostParts)
            return trouble(sentence("It takes more than %1 separate parts.").arg(mostParts));
        dims[static_cast<std::size_t>(axis)] = count;
        part = call.lowering.emitLike(call, "slice",
                                      {{QStringLiteral("axis"), *along},
                                       {QStringLiteral("start"), first},
                                       {QStringLiteral("end"), first + count}},
                                      x, dims);
        parts.push_back(part.op);
        i = end;
    }
    if (parts.empty())
        return trouble(sentence("It takes nothing."));
    if (parts.size() == 1)
        return part;
    dims[static_cast<std::size_t>(axis)] = static_cast<qint64>(indices.size());
    const Value result = call.lowering.emitLike(call, "concat", {{QStringLiteral("axis"), *along}}, part, dims);
    call.lowering.op(result).from = parts;
    return result;
}

Outputs gather(Call &call) {
    const Value &data = call.input(0), &index = call.input(1);
    const auto axis = axisWithin(call.whole("axis", 0), data.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    if (index.isComputed() && isTable(data)) {
        if (data.rank() != 2 || *axis != 0 || data.turned || !index.isWhole)
            return trouble(sentence("It looks up something else than rows of a table by whole numbers."));
        Shape dims = index.dims;
        dims.push_back(data.dims[1]);
        Value value = index;
        value.isWhole = false;
        const Value result = call.lowering.emitLike(
            call, "embedding", {{QStringLiteral("rows"), data.dims[0]}, {QStringLiteral("features"), data.dims[1]}},
            value, dims);
        call.lowering.op(result).isFrozen = data.isKnown();
        if (auto set = setWeights(call, result, data, {}); !set)
            return tl::unexpected(set.error());
        return one(result);
    }
    const auto known = call.known(1);
    if (!known)
        return trouble(sentence("It looks up values by others that both depend on the samples."));
    const Value x = call.lowering.computed(call, data);
    const std::vector<qint64> indices = (*known)->wholes();
    const qint64 size = x.dims[static_cast<std::size_t>(*axis)];
    if ((*known)->dims.empty()) {
        const auto along = call.lowering.sampleAxis(x, *axis);
        const qint64 at = indices.front() < 0 ? indices.front() + size : indices.front();
        if (!along)
            return tl::unexpected(along.error());
        if (at < 0 || at >= size)
            return trouble(sentence("It takes element %1 of %2.").arg(at, size));
        Value shape = x;
        shape.dims.erase(shape.dims.begin() + *axis);
        shape.batchAt -= shape.batchAt > *axis;
        return one(call.lowering.emitLike(
            call, "select", {{QStringLiteral("axis"), *along}, {QStringLiteral("index"), at}}, shape, shape.dims));
    }
    auto rows = rowsOf(call, x, *axis, indices);
    if (!rows)
        return tl::unexpected(rows.error());
    if ((*known)->dims.size() == 1)
        return one(*rows);
    Shape dims(rows->dims.begin(), rows->dims.begin() + *axis);
    dims.insert(dims.end(), (*known)->dims.begin(), (*known)->dims.end());
    dims.insert(dims.end(), rows->dims.begin() + *axis + 1, rows->dims.end());
    auto shaped = call.lowering.reshape(call, *rows, dims);
    if (!shaped)
        return tl::unexpected(shaped.error());
    return one(*shaped);
}

constexpr std::array layerTable{Handler{"Conv", convolution},
                                Handler{"ConvTranspose", transposedConvolution},
                                Handler{"MatMul", matMul},
                                Handler{"Gemm", gemm},
                                Handler{"BatchNormalization", batchNorm},
                                Handler{"LayerNormalization", layerNorm},
                                Handler{"InstanceNormalization", instanceNorm},
                                Handler{"Gather", gather}};

}  // namespace

std::span<const Handler> layerHandlers() {
    return layerTable;
}

}  // namespace hearth::onnx_import
