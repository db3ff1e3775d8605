// Operators that only move elements: views, parts, joins.
#include <QJsonArray>
#include <algorithm>
#include <array>
#include <numeric>

#include "core/model/import/onnx_lowering.h"
#include "core/model/model.h"

namespace hearth::onnx_import {
namespace {

Outputs outputs(Tried<Value> value) {
    if (!value)
        return tl::unexpected(value.error());
    return std::vector{std::move(*value)};
}

Outputs reshapeNode(Call &call) {
    const auto known = call.known(1);
    if (!known)
        return tl::unexpected(known.error());
    const Value x = call.lowering.computed(call, call.input(0));
    Shape dims = (*known)->wholes();
    if (call.whole("allowzero", 0) == 0) {
        for (std::size_t i = 0; i < dims.size() && i < x.dims.size(); ++i)
            dims[i] = dims[i] == 0 ? x.dims[i] : dims[i];
    }
    return outputs(call.lowering.reshape(call, x, dims));
}

Outputs view(Call &call) {
    const Value x = call.lowering.computed(call, call.input(0));
    const auto dims = viewDims(call, x.dims);
    if (!dims)
        return tl::unexpected(dims.error());
    return outputs(call.lowering.reshape(call, x, *dims));
}

Outputs transposeNode(Call &call) {
    const Value &given = call.input(0);
    std::vector<qint64> order = call.wholes("perm");
    if (order.empty()) {
        order.resize(given.dims.size());
        std::iota(order.rbegin(), order.rend(), 0);
    }
    if (given.isWeight() && order == std::vector<qint64>{1, 0} && given.rank() == 2) {
        Value turned = given;
        turned.turned = !given.turned;
        std::swap(turned.dims[0], turned.dims[1]);
        return outputs(turned);
    }
    return outputs(call.lowering.transpose(call, call.lowering.computed(call, given), order));
}

Outputs concat(Call &call) {
    if (call.inputs.size() == 1)
        return outputs(call.input(0));
    const auto batched = std::find_if(call.inputs.begin(), call.inputs.end(),
                                      [](const Value &each) { return each.isComputed() && each.isBatched(); });
    std::vector<Value> parts;
    for (const Value &each : call.inputs) {
        if (each.isAbsent() || each.rank() != call.input(0).rank())
            return trouble(sentence("Its inputs have different numbers of dimensions."));
        parts.push_back(call.lowering.computed(call, each, batched == call.inputs.end() ? Value() : *batched));
    }
    const Value lead =
        batched == call.inputs.end() ? parts.front() : parts[static_cast<std::size_t>(batched - call.inputs.begin())];
    const auto axis = axisWithin(call.whole("axis", 0), lead.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    const auto along = call.lowering.sampleAxis(lead, *axis);
    if (!along)
        return tl::unexpected(along.error());
    Shape dims = lead.dims;
    const auto place = static_cast<std::size_t>(*axis);
    dims[place] = 0;
    std::vector<int> from;
    for (const Value &part : parts) {
        bool same = true;
        for (std::size_t i = 0; i < part.dims.size(); ++i) {
            const bool stands = static_cast<int>(i) == lead.batchAt && !part.isBatched() && part.dims[i] == 1;
            same = same && (i == place || part.dims[i] == lead.dims[i] || stands);
        }
        if (!same || part.isWhole != lead.isWhole)
            return trouble(sentence("Its inputs do not fit together."));
        dims[place] += part.dims[place];
        if (part.isBatched() || !lead.isBatched()) {
            from.push_back(part.op);
            continue;
        }
        // What is the same for all samples loses the dimension where the others have the batch.
        Shape sample = part.dims;
        sample.erase(sample.begin() + lead.batchAt);
        for (const qint64 share : {lead.before, lead.after}) {
            if (share != 1)
                return trouble(sentence("Its inputs do not fit together."));
        }
        from.push_back(
            call.lowering.emitLike(call, "reshape", {{QStringLiteral("shape"), toArray(sample)}}, part, sample).op);
    }
    const Value result = call.lowering.emitLike(call, "concat", {{QStringLiteral("axis"), *along}}, lead, dims);
    call.lowering.op(result).from = from;
    return outputs(result);
}

/// Whether a part along that dimension is a part of the weight that it is.
bool givesRows(const Value &value, qint64 place, qint64 step) {
    return value.isWeight() && !value.turned && value.rank() <= 2 && place == 0 && step == 1;
}

/// Elements `start` to `end` of dimension `axis`.
Tried<Value> part(Call &call, const Value &given, qint64 axis, qint64 start, qint64 end, qint64 step = 1) {
    const auto place = axisWithin(axis, given.rank());
    if (!place)
        return tl::unexpected(place.error());
    const bool isRows = givesRows(given, *place, step);
    const Value x = isRows ? given : call.lowering.computed(call, given);
    const qint64 size = x.dims[static_cast<std::size_t>(*place)];
    const auto placed = [size](qint64 at) { return std::clamp(at < 0 ? at + size : at, qint64{0}, size); };
    start = placed(start);
    end = placed(end);
    if (start == 0 && end == size && step == 1)
        return x;
    if (step < 1)
        return trouble(sentence("It goes backwards."));
    const auto along = call.lowering.sampleAxis(x, *place);
    if (!along)
        return tl::unexpected(along.error());
    if (end <= start)
        return trouble(sentence("It takes nothing."));
    Shape dims = x.dims;
    dims[static_cast<std::size_t>(*place)] = (end - start - 1) / step + 1;
    if (isRows) {
        Value rows = x;
        rows.allRows = x.isPart() ? x.allRows : size;
        rows.firstRow += start;
        rows.dims = std::move(dims);
        return rows;
    }
    QJsonObject parameters{
        {QStringLiteral("axis"), *along}, {QStringLiteral("start"), start}, {QStringLiteral("end"), end}};
    if (step != 1)
        parameters[QLatin1String("step")] = step;
    return call.lowering.emitLike(call, "slice", parameters, x, dims);
}

Outputs slice(Call &call) {
    const auto starts = call.known(1), ends = call.known(2);
    if (!starts || !ends)
        return tl::unexpected(!starts ? starts.error() : ends.error());
    const auto axes = call.list("", 3), steps = call.list("", 4);
    if (!axes || !steps)
        return tl::unexpected(!axes ? axes.error() : steps.error());
    Tried<Value> x = call.input(0);
    const std::vector<qint64> from = (*starts)->wholes(), to = (*ends)->wholes();
    if (from.size() > OnnxLimits::rank || to.size() != from.size() || (*axes && (**axes).size() != from.size()) ||
        (*steps && (**steps).size() != from.size()))
        return trouble(sentence("Its starts, ends, axes and steps are not equally many."));
    for (std::size_t i = 0; i < from.size() && x; ++i)
        x = part(call, *x, *axes ? (**axes)[i] : static_cast<qint64>(i), from[i], to[i], *steps ? (**steps)[i] : 1);
    return outputs(std::move(x));
}

Outputs split(Call &call) {
    const Value &whole = call.input(0);
    const auto axis = axisWithin(call.whole("axis", 0), whole.rank());
    const auto given = call.list("split", 1);
    if (!axis || !given)
        return tl::unexpected(!axis ? axis.error() : given.error());
    // Computed once for all parts.
    const Value x = givesRows(whole, *axis, 1) ? whole : call.lowering.computed(call, whole);
    const qint64 size = x.dims[static_cast<std::size_t>(*axis)];
    std::vector<qint64> sizes;
    if (*given) {
        sizes = **given;
        if (sizes.size() > call.node.outputs.size())
            return trouble(sentence("It has more parts than names for them."));
    } else {
        const auto count = static_cast<qint64>(call.node.outputs.size());
        const qint64 each = count > 0 ? (size + count - 1) / count : 0;
        for (qint64 i = 0; i < count; ++i)
            sizes.push_back(std::min(each, size - i * each));
    }
    std::vector<Value> parts;
    qint64 start = 0;
    for (const qint64 each : sizes) {
        if (each < 1 || each > size - start)
            return trouble(sentence("Its parts are not those of %1 {1|element|elements}.").arg(size));
        auto taken = part(call, x, *axis, start, start + each);
        if (!taken)
            return tl::unexpected(taken.error());
        parts.push_back(*taken);
        start += each;
    }
    return parts;
}

Outputs pad(Call &call) {
    const Value x = call.lowering.computed(call, call.input(0));
    const auto pads = call.list("pads", 1), axes = call.list("", 3);
    if (!pads || !axes)
        return tl::unexpected(!pads ? pads.error() : axes.error());
    std::vector<qint64> places(static_cast<std::size_t>(x.rank()));
    std::iota(places.begin(), places.end(), 0);
    if (*axes)
        places = **axes;
    if (!*pads || (**pads).size() != 2 * places.size())
        return trouble(sentence("Its pads are not two for each dimension."));
    double value = 0;
    if (call.has(2)) {
        const auto known = call.known(2);
        if (!known)
            return tl::unexpected(known.error());
        value = (*known)->isScalar() ? (*known)->elements.front() : 0;
    }
    const QString mode = QString::fromStdString(call.text("mode", "constant"));
    Shape dims = x.dims;
    std::vector<QJsonArray> each(x.sampleShape().size(), QJsonArray{0, 0});
    bool any = false;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const qint64 before = (**pads)[i], after = (**pads)[i + places.size()];
        if (before == 0 && after == 0)
            continue;
        const auto place = axisWithin(places[i], x.rank());
        const auto along = place ? call.lowering.sampleAxis(x, *place) : place;
        if (!along)
            return tl::unexpected(along.error());
        if (before < 0 || after < 0 || before > ModelLimits::dimension || after > ModelLimits::dimension)
            return trouble(sentence("It cuts off instead of padding, or pads too much."));
        each[static_cast<std::size_t>(*along)] = QJsonArray{before, after};
        dims[static_cast<std::size_t>(*place)] += before + after;
        any = true;
    }
    if (!any)
        return outputs(x);
    QJsonArray padding;
    for (const QJsonArray &pair : each)
        padding.append(pair);
    QJsonObject parameters{{QStringLiteral("padding"), padding}};
    if (mode == QLatin1String("edge"))
        parameters[QLatin1String("mode")] = QStringLiteral("replicate");
    else if (mode != QLatin1String("constant"))
        parameters[QLatin1String("mode")] = mode;
    if (value != 0)
        parameters[QLatin1String("value")] = value;
    return outputs(call.lowering.emitLike(call, "pad", parameters, x, dims));
}

Tried<Value> repeatedWholes(Call &call, Value x, const Shape &counts) {
    constexpr qint64 most = 64;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 1)
            continue;
        const auto along = call.lowering.sampleAxis(x, static_cast<qint64>(i));
        if (!along || counts[i] > most)
            return trouble(sentence("It repeats whole numbers %1 times.").arg(counts[i]));
        Shape longer = x.dims;
        longer[i] = counts[i];
        const int single = x.op;
        x = call.lowering.emitLike(call, "concat", {{QStringLiteral("axis"), *along}}, x, longer);
        call.lowering.op(x).from.assign(static_cast<std::size_t>(counts[i]), single);
    }
    return x;
}

/// As often in each dimension, where there is one element: a product with ones.
Tried<Value> repeated(Call &call, const Value &x, const Shape &counts) {
    if (elementCount(counts) == 1)
        return x;
    if (x.isWhole)
        return repeatedWholes(call, x, counts);
    constexpr qint64 most = 1 << 20;
    const auto count = boundedProduct(counts, most);
    if (!count)
        return trouble(sentence("It repeats something more than %1 times.").arg(most));
    Value ones;
    ones.kind = Value::Kind::Known;
    ones.dims = counts;
    ones.known =
        std::make_shared<Known>(Known{counts, std::vector<double>(static_cast<std::size_t>(*count), 1.0), true});
    auto both = call.lowering.align(call, x, ones);
    if (!both)
        return tl::unexpected(both.error());
    const Value result = call.lowering.emitLike(call, "mul", {}, both->shape, both->shape.dims);
    call.lowering.op(result).from = {both->a.op, both->b.op};
    return result;
}

/// Repeats of what has one element there.
Outputs expand(Call &call) {
    const auto known = call.known(1);
    if (!known)
        return tl::unexpected(known.error());
    Tried<Value> x = call.lowering.computed(call, call.input(0));
    Shape wanted = (*known)->wholes();
    if (!x->isBatched() && call.lowering.fixedBatch() > 1 && wanted.size() == x->dims.size() && !wanted.empty() &&
        wanted.front() == call.lowering.fixedBatch() && x->dims.front() == 1)
        wanted.front() = batchSymbol;
    const auto dims = broadcast(x->dims, wanted);
    if (!dims)
        return tl::unexpected(dims.error());
    if (dims->size() != x->dims.size()) {
        Shape longer(dims->size() - x->dims.size(), 1);
        longer.insert(longer.end(), x->dims.begin(), x->dims.end());
        x = call.lowering.reshape(call, *x, longer);
    }
    int place = -1;
    Shape counts(dims->size(), 1);
    for (std::size_t i = 0; x && i < dims->size(); ++i) {
        const qint64 count = (*dims)[i];
        if (x->dims[i] == count)
            continue;
        if (count < 1)
            return trouble(sentence("It gives nothing."));
        if (hasBatch(count)) {
            if (count != batchSymbol || x->isBatched())
                return trouble(sentence("It repeats along the batch."));
            place = static_cast<int>(i);
            continue;
        }
        counts[i] = count;
    }
    if (x)
        x = repeated(call, *x, counts);
    if (!x || place < 0)
        return outputs(std::move(x));
    Value result = *x;
    result.dims[static_cast<std::size_t>(place)] = batchSymbol;
    result.batchAt = place;
    return outputs(call.lowering.emitLike(call, "reshape", {{QStringLiteral("shape"), toArray(result.sampleShape())}},
                                          result, result.dims));
}

/// Pixel shuffle: channels become places, as a reshape, a transpose and a reshape.
Outputs depthToSpace(Call &call) {
    const Value &x = call.input(0);
    const qint64 block = call.whole("blocksize", 1);
    if (!x.isComputed() || !x.isBatchFirst() || x.rank() != 4 || block < 1 || block > 64 ||
        x.dims[1] % (block * block) != 0)
        return trouble(sentence("Its channels cannot be divided into blocks."));
    const bool columns = call.text("mode", "DCR") == "CRD";
    const qint64 channels = x.dims[1] / (block * block), height = x.dims[2], width = x.dims[3];
    auto result = call.lowering.reshape(call, x,
                                        columns ? Shape{x.dims[0], channels, block, block, height, width}
                                                : Shape{x.dims[0], block, block, channels, height, width});
    if (result)
        result = call.lowering.transpose(
            call, *result, columns ? std::vector<qint64>{0, 1, 4, 2, 5, 3} : std::vector<qint64>{0, 3, 4, 1, 5, 2});
    if (result)
        result = call.lowering.reshape(call, *result, {x.dims[0], channels, height * block, width * block});
    return outputs(std::move(result));
}

constexpr std::array shapeTable{Handler{"Reshape", reshapeNode},
                                Handler{"Flatten", view},
                                Handler{"Squeeze", view},
                                Handler{"Unsqueeze", view},
                                Handler{"Transpose", transposeNode},
                                Handler{"Concat", concat},
                                Handler{"Slice", slice},
                                Handler{"Split", split},
                                Handler{"Pad", pad},
                                Handler{"Expand", expand},
                                Handler{"DepthToSpace", depthToSpace}};

}  // namespace

std::span<const Handler> shapeHandlers() {
    return shapeTable;
}

Tried<Shape> viewDims(const Call &call, const Shape &dims) {
    const auto rank = static_cast<int>(dims.size());
    if (call.node.type == "Flatten") {
        qint64 axis = call.whole("axis", 1);
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis > rank)
            return trouble(sentence("It works along dimension %1 of %2.").arg(axis, rank));
        constexpr qint64 most = qint64{1} << 62;
        const auto first = boundedProduct(Shape(dims.begin(), dims.begin() + axis), most);
        const auto second = boundedProduct(Shape(dims.begin() + axis, dims.end()), most);
        if (!first || !second)
            return trouble(sentence("What it gives is too large."));
        return Shape{*first, *second};
    }
    const auto axes = call.list("axes", 1);
    if (!axes)
        return tl::unexpected(axes.error());
    const bool adds = call.node.type == "Unsqueeze";
    const auto count = *axes ? static_cast<int>((**axes).size()) : 0;
    const int outRank = adds ? rank + count : rank;
    if (outRank > OnnxLimits::rank || count > OnnxLimits::rank)
        return trouble(sentence("It gives more than %1 dimensions.").arg(static_cast<int>(OnnxLimits::rank)));
    std::vector<bool> marked(static_cast<std::size_t>(outRank));
    if (*axes) {
        for (const qint64 each : **axes) {
            const auto axis = axisWithin(each, outRank);
            if (!axis)
                return tl::unexpected(axis.error());
            marked[static_cast<std::size_t>(*axis)] = true;
        }
    }
    Shape result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < marked.size(); ++i) {
        if (adds) {
            if (!marked[i] && next == dims.size())
                return trouble(sentence("It names a dimension twice."));
            result.push_back(marked[i] ? 1 : dims[next++]);
        } else if (*axes ? !marked[i] : dims[i] != 1) {
            result.push_back(dims[i]);
        } else if (dims[i] != 1) {
            return trouble(sentence("It removes a dimension of %1.").arg(dims[i]));
        }
    }
    return result;
}

}  // namespace hearth::onnx_import
