#include "core/model/import/onnx_window.h"

#include <QJsonArray>
#include <algorithm>

#include "core/model/model.h"

namespace hearth::onnx_import {

qint64 Window::outputSize(std::size_t i, qint64 input) const {
    const qint64 room = input + before[i] + after[i] - reach(i);
    if (!isCeiling)
        return room / strides[i] + 1;
    const qint64 size = (room + strides[i] - 1) / strides[i] + 1;
    // No window begins in the padding behind.
    return (size - 1) * strides[i] >= input + before[i] ? size - 1 : size;
}

QJsonObject Window::toJson() const {
    QJsonObject object{{QStringLiteral("kernel"), numberOrList(kernel)},
                       {QStringLiteral("stride"), numberOrList(strides)}};
    const auto isAll = [](const std::vector<qint64> &numbers, qint64 value) {
        return std::all_of(numbers.begin(), numbers.end(), [value](qint64 number) { return number == value; });
    };
    if (!isAll(before, 0) || !isAll(after, 0)) {
        std::vector<qint64> padding = before;
        if (before != after)
            padding.insert(padding.end(), after.begin(), after.end());
        object[QLatin1String("padding")] = numberOrList(padding);
    }
    if (!isAll(dilations, 1))
        object[QLatin1String("dilation")] = numberOrList(dilations);
    return object;
}

Tried<Window> windowOf(const Call &call, const Shape &kernel) {
    const Value &x = call.input(0);
    if (!x.isComputed() || !x.isBatchFirst() || x.isWhole || x.rank() < 3 || x.rank() > 4)
        return trouble(
            sentence("It does not take samples of channels×height×width or channels×length."),
            sentence("Three dimensions, and a batch that was joined with another dimension, are not supported."));
    const auto count = static_cast<std::size_t>(x.rank()) - 2;
    Window window;
    window.kernel = kernel.empty() ? call.wholes("kernel_shape") : kernel;
    window.strides = call.wholes("strides");
    window.dilations = call.wholes("dilations");
    std::vector<qint64> pads = call.wholes("pads");
    if (window.strides.empty())
        window.strides.assign(count, 1);
    if (window.dilations.empty())
        window.dilations.assign(count, 1);
    if (pads.empty())
        pads.assign(2 * count, 0);
    const auto isWithin = [count](const std::vector<qint64> &numbers, std::size_t many, qint64 least) {
        return numbers.size() == many * count && std::all_of(numbers.begin(), numbers.end(), [least](qint64 number) {
                   return number >= least && number <= ModelLimits::dimension;
               });
    };
    if (!isWithin(window.kernel, 1, 1) || !isWithin(window.strides, 1, 1) || !isWithin(window.dilations, 1, 1) ||
        !isWithin(pads, 2, 0))
        return trouble(sentence("Its kernel, strides, dilations or pads are not valid."));
    window.isCeiling = call.whole("ceil_mode", 0) != 0;
    window.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(count));
    window.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(count), pads.end());
    const std::string mode = call.text("auto_pad", "NOTSET");
    for (std::size_t i = 0; i < count; ++i) {
        const qint64 input = x.dims[i + 2];
        if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
            const qint64 outputs = (input + window.strides[i] - 1) / window.strides[i];
            const qint64 all = std::max(qint64{0}, (outputs - 1) * window.strides[i] + window.reach(i) - input);
            window.before[i] = mode == "SAME_UPPER" ? all / 2 : all - all / 2;
            window.after[i] = all - window.before[i];
        }
        if (call.node.type != "ConvTranspose" && input + window.before[i] + window.after[i] < window.reach(i))
            return trouble(sentence("Its kernel is larger than what it takes."),
                           sentence("Export it for a larger input."));
    }
    return window;
}

Tried<void> padUneven(Call &call, Value &x, Window &window, double value) {
    if (window.kernel.size() != 1 || window.before == window.after)
        return {};
    Shape dims = x.dims;
    dims[2] += window.before[0] + window.after[0];
    x = call.lowering.emitLike(
        call, "pad",
        {{QStringLiteral("padding"), QJsonArray{QJsonArray{0, 0}, QJsonArray{window.before[0], window.after[0]}}},
         {QStringLiteral("value"), value}},
        x, dims);
    window.before[0] = window.after[0] = 0;
    return {};
}

}  // namespace hearth::onnx_import
