// Operators over a dimension, and pools.
#include <QJsonArray>
#include <array>
#include <cmath>
#include <numeric>

#include "core/model/import/onnx_lowering.h"
#include "core/model/import/onnx_window.h"

namespace hearth::onnx_import {
namespace {

Outputs pool(Call &call, const char *kind) {
    if (call.node.outputs.size() > 1 && !call.node.outputs[1].empty())
        return trouble(sentence("The places of the largest values are asked for."));
    auto window = windowOf(call, {});
    if (!window)
        return tl::unexpected(window.error());
    const bool isMaximum = call.node.type == "MaxPool", isEven = window->before == window->after;
    Value x = call.input(0);
    const bool counts = call.whole("count_include_pad", 0) != 0;
    if (!isEven && !isMaximum && !counts)
        return trouble(sentence("Its padding is uneven and not counted."),
                       sentence("Pad evenly, or with count_include_pad."));
    if (!isEven && window->kernel.size() == 1 && isMaximum)
        return trouble(sentence("Its padding is uneven."));
    if (auto padded = padUneven(call, x, *window); !padded)
        return tl::unexpected(padded.error());
    QJsonObject parameters = window->toJson();
    if (window->isCeiling)
        parameters[QLatin1String("ceil")] = true;
    if (!isMaximum && !counts && parameters.contains(QLatin1String("padding")))
        parameters[QLatin1String("count_padding")] = false;
    Shape dims{x.dims[0], x.dims[1]};
    for (std::size_t i = 0; i < window->kernel.size(); ++i)
        dims.push_back(window->outputSize(i, x.dims[i + 2]));
    return one(call.lowering.emitLike(call, kind, parameters, x, dims));
}

Outputs maxPool(Call &call) {
    return pool(call, "max-pool");
}

Outputs averagePool(Call &call) {
    return pool(call, "average-pool");
}

Outputs reduce(Call &call, const Value &x, const char *kind, std::vector<qint64> axes, bool keep) {
    std::vector<qint64> along;
    Shape dims = x.dims;
    std::vector<bool> gone(dims.size());
    for (const qint64 each : axes) {
        const auto place = call.lowering.sampleAxis(x, each);
        if (!place)
            return tl::unexpected(place.error());
        along.push_back(*place);
        const auto at = static_cast<std::size_t>(each < 0 ? each + x.rank() : each);
        dims[at] = 1;
        gone[at] = true;
    }
    std::sort(along.begin(), along.end());
    Value shape = x;
    if (!keep) {
        Shape left;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (!gone[i])
                left.push_back(dims[i]);
            else if (static_cast<int>(i) < x.batchAt)
                --shape.batchAt;
        }
        dims = left;
    }
    return one(call.lowering.emitLike(
        call, kind, {{QStringLiteral("axes"), toArray(along)}, {QStringLiteral("keep"), keep}}, shape, dims));
}

Outputs reduction(Call &call, const char *kind) {
    const Value x = call.lowering.computed(call, call.input(0));
    const auto axes = call.list("axes", 1);
    if (!axes)
        return tl::unexpected(axes.error());
    if (x.isWhole)
        return trouble(sentence("It takes whole numbers that depend on the samples."));
    if (!*axes || (**axes).empty()) {
        if (call.whole("noop_with_empty_axes", 0) != 0)
            return one(x);
        return trouble(sentence("It works along the batch."), sentence("Name the dimensions of a sample."));
    }
    return reduce(call, x, kind, **axes, call.whole("keepdims", 1) != 0);
}

Outputs mean(Call &call) {
    return reduction(call, "mean");
}

Outputs sum(Call &call) {
    return reduction(call, "sum");
}

Outputs maximum(Call &call) {
    return reduction(call, "max");
}

/// The square root of the sum of squares.
Outputs norm(Call &call) {
    Value x = call.lowering.computed(call, call.input(0));
    Call squared{call.lowering, call.node, call.inputs};
    squared.inputs[0] = call.lowering.emitLike(call, "power", {{QStringLiteral("exponent"), 2}}, x, x.dims);
    Outputs total = reduction(squared, "sum");
    if (!total)
        return total;
    const Value &value = total->front();
    return one(call.lowering.emitLike(call, "sqrt", {}, value, value.dims));
}

Outputs globalPool(Call &call, bool isMean) {
    const Value &x = call.input(0);
    if (!x.isComputed() || !x.isBatchFirst() || x.isWhole || x.rank() < 3)
        return trouble(sentence("It does not take samples with channels."));
    Shape dims = x.dims;
    std::fill(dims.begin() + 2, dims.end(), 1);
    if (isMean && x.rank() == 4)
        return one(call.lowering.emitLike(call, "global-average-pool", {}, x, dims));
    std::vector<qint64> axes(static_cast<std::size_t>(x.rank()) - 2);
    std::iota(axes.begin(), axes.end(), 2);
    return reduce(call, x, isMean ? "mean" : "max", axes, true);
}

Outputs globalAverage(Call &call) {
    return globalPool(call, true);
}

Outputs globalMaximum(Call &call) {
    return globalPool(call, false);
}

Outputs softmaxOf(Call &call, const char *kind) {
    const Value x = call.lowering.computed(call, call.input(0));
    const auto axis = call.lowering.sampleAxis(x, call.whole("axis", -1));
    if (!axis)
        return tl::unexpected(axis.error());
    if (x.isWhole)
        return trouble(sentence("It takes whole numbers that depend on the samples."));
    const bool isLast = *axis + 1 == static_cast<int>(x.sampleShape().size());
    return one(call.lowering.emitLike(call, kind, {{QStringLiteral("axis"), isLast ? -1 : *axis}}, x, x.dims));
}

Outputs softmax(Call &call) {
    return softmaxOf(call, "softmax");
}

Outputs logSoftmax(Call &call) {
    return softmaxOf(call, "log-softmax");
}

Outputs resize(Call &call) {
    const Value &x = call.input(0);
    if (!x.isComputed() || !x.isBatchFirst() || x.isWhole || x.rank() != 4 || call.attribute("axes"))
        return trouble(sentence("It does not take samples of channels×height×width."));
    Shape dims = x.dims;
    QJsonValue scale;  // where it is not what the sizes say
    if (call.has(3)) {
        const auto sizes = call.known(3);
        if (!sizes)
            return tl::unexpected(sizes.error());
        dims = (*sizes)->wholes();
    } else {
        const auto scales = call.known(2);
        if (!scales)
            return tl::unexpected(scales.error());
        if ((*scales)->elements.size() != 4)
            return trouble(sentence("Its scales are not one for each dimension."));
        bool isExact = true;
        for (std::size_t i = 2; i < 4; ++i) {
            const double size = std::clamp(static_cast<double>(dims[i]) * (*scales)->elements[i], 0.0, 1e9);
            dims[i] = static_cast<qint64>(size);
            isExact = isExact && size == static_cast<double>(dims[i]);
        }
        if (!isExact)
            scale = QJsonArray{(*scales)->elements[2], (*scales)->elements[3]};
    }
    if (dims.size() != 4 || dims[1] != x.dims[1] || dims[2] < 1 || dims[3] < 1)
        return trouble(sentence("It changes the number of samples or channels, or gives nothing."));
    dims[0] = x.dims[0];
    const std::string mode = call.text("mode", "nearest");
    const std::string place = call.text("coordinate_transformation_mode", "half_pixel");
    const bool isLinear = mode == "linear";
    const bool isNearest =
        mode == "nearest" && place == "asymmetric" && call.text("nearest_mode", "round_prefer_floor") == "floor";
    // What rounds to the nearest middle of an element gives the same where every element is only repeated.
    const bool isRepeat = mode == "nearest" && (place == "half_pixel" || place == "pytorch_half_pixel") &&
                          call.text("nearest_mode", "round_prefer_floor").starts_with("round_prefer") &&
                          dims[2] % x.dims[2] == 0 && dims[3] % x.dims[3] == 0;
    if ((!isLinear && !isNearest && !isRepeat) ||
        (isLinear && place != "half_pixel" && place != "pytorch_half_pixel" && place != "align_corners"))
        return trouble(sentence("It interpolates in a way that PyTorch's nearest and bilinear do not."),
                       sentence("Use torch.nn.Upsample with mode nearest or bilinear."));
    QJsonObject parameters{{QStringLiteral("mode"), QLatin1String(isLinear ? "bilinear" : "nearest")}};
    if (scale.isNull())
        parameters[QLatin1String("size")] = QJsonArray{dims[2], dims[3]};
    else
        parameters[QLatin1String("scale")] = scale;
    if (isLinear && place == "align_corners")
        parameters[QLatin1String("align_corners")] = true;
    return one(call.lowering.emitLike(call, "upsample", parameters, x, dims));
}

constexpr std::array reductionTable{Handler{"MaxPool", maxPool},
                                    Handler{"AveragePool", averagePool},
                                    Handler{"GlobalAveragePool", globalAverage},
                                    Handler{"GlobalMaxPool", globalMaximum},
                                    Handler{"ReduceMean", mean},
                                    Handler{"ReduceSum", sum},
                                    Handler{"ReduceMax", maximum},
                                    Handler{"ReduceL2", norm},
                                    Handler{"Softmax", softmax},
                                    Handler{"LogSoftmax", logSoftmax},
                                    Handler{"Resize", resize}};

}  // namespace

std::span<const Handler> reductionHandlers() {
    return reductionTable;
}

}  // namespace hearth::onnx_import
