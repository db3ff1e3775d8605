// Values in another shape, and pairs of them. See Value for how the batch is kept first.
#include <QJsonArray>
#include <algorithm>
#include <numeric>

#include "core/model/import/onnx_lowering.h"

namespace hearth::onnx_import {
namespace {

qint64 product(const Shape &dims) {
    return std::accumulate(dims.begin(), dims.end(), qint64{1}, std::multiplies<>());
}

/// How many elements of a sample come before the batch.
qint64 elementsBefore(const Value &x) {
    return std::accumulate(x.dims.begin(), x.dims.begin() + x.batchAt, x.before, std::multiplies<>());
}

tl::unexpected<Trouble> wrongShape(const Value &x, const Shape &dims) {
    const auto shown = [](const Shape &all) {
        QStringList words;
        for (const qint64 dim : all)
            words << (hasBatch(dim) ? dim == batchSymbol ? QStringLiteral("batch")
                                                         : QStringLiteral("%1·batch").arg(dim / batchSymbol)
                                    : QString::number(dim));
        return QStringLiteral("[%1]").arg(words.join(QStringLiteral(", ")));
    };
    return trouble(sentence("%1 cannot take the shape %2 with any batch.").arg(shown(x.dims), shown(dims)),
                   sentence("Export with the batch in dynamic_axes, and without its size in the code."));
}

}  // namespace

/// The value with `dims`, whose batch is found: as the symbol, as what -1 leaves, or as the size of the export.
Tried<Value> Lowering::locate(const Call &, const Value &x, Shape dims) {
    Value result = x;
    const qint64 sample = product(x.sampleShape()), before = elementsBefore(x);
    const auto open = std::find(dims.begin(), dims.end(), -1);
    const bool symbol = std::any_of(dims.begin(), dims.end(), hasBatch);
    qint64 rest = 1;
    for (const qint64 dim : dims) {
        if (dim != -1 && (dim <= 0 || __builtin_mul_overflow(rest, hasBatch(dim) ? dim / batchSymbol : dim, &rest)))
            return wrongShape(x, dims);
    }
    const qint64 fixed = symbol || m_fixedBatch <= 0 ? 0 : m_fixedBatch;
    if (open != dims.end()) {
        const qint64 whole = sample * std::max(fixed, qint64{1});
        if (whole % rest != 0)
            return wrongShape(x, dims);
        *open = whole / rest * (symbol || fixed > 0 ? 1 : batchSymbol);
    } else if (!symbol && (fixed == 0 || sample * fixed != rest)) {
        return wrongShape(x, dims);
    }
    // Where the batch begins among the elements says in which dimension it is. With a size of the export that can be
    // the end of one dimension or the beginning of the next: the next, unless those are features.
    int place = -1;
    qint64 passed = 1, inside = 1;
    for (std::size_t i = 0; i < dims.size() && before % passed == 0; ++i) {
        const qint64 inner = before / passed, size = hasBatch(dims[i]) ? dims[i] / batchSymbol : dims[i];
        const bool fits = fixed > 0 ? size % (inner * fixed) == 0 : hasBatch(dims[i]) && size % inner == 0;
        if (fits && (place < 0 || (inner == 1 && inside != 1 && i + 1 < dims.size()))) {
            place = static_cast<int>(i);
            inside = inner;
        }
        passed *= size;
    }
    if (place < 0)
        return wrongShape(x, dims);
    qint64 &dim = dims[static_cast<std::size_t>(place)];
    result.batchAt = place;
    result.before = inside;
    result.after = (hasBatch(dim) ? dim / batchSymbol : dim) / inside / std::max(fixed, qint64{1});
    dim = result.before * result.after * batchSymbol;
    result.dims = dims;
    return product(result.sampleShape()) == sample ? Tried<Value>(result) : wrongShape(x, dims);
}

Tried<Value> Lowering::reshape(const Call &call, const Value &x, const Shape &wanted) {
    Shape dims = wanted;
    if (std::count(dims.begin(), dims.end(), -1) > 1 ||
        std::any_of(dims.begin(), dims.end(), [](qint64 dim) { return dim < -1; }) || dims.size() > OnnxLimits::rank ||
        std::count_if(dims.begin(), dims.end(), hasBatch) > 1)
        return wrongShape(x, dims);
    Value result = x;
    if (x.isBatched()) {
        auto located = locate(call, x, dims);
        if (!located)
            return located;
        result = *located;
    } else {
        const qint64 all = product(x.dims);
        qint64 rest = 1;
        for (const qint64 dim : dims) {
            if (dim != -1 && (dim <= 0 || __builtin_mul_overflow(rest, dim, &rest)))
                return wrongShape(x, dims);
        }
        if (const auto open = std::find(dims.begin(), dims.end(), -1); open != dims.end())
            *open = all / rest;
        result.dims = dims;
        if (boundedProduct(dims, all) != all)
            return wrongShape(x, dims);
    }
    const Shape sample = result.sampleShape();
    if (sample == m_draft.at(x.op).shape)
        return result;
    if (x.isBatched() && sample.size() == 1)
        return emitLike(call, "flatten", {}, result, result.dims);
    return emitLike(call, "reshape", {{QStringLiteral("shape"), toArray(sample)}}, result, result.dims);
}

Tried<Value> Lowering::transpose(const Call &call, const Value &x, const std::vector<qint64> &permutation) {
    std::vector<qint64> sorted = permutation;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted.size() != x.dims.size() || sorted[i] != static_cast<qint64>(i))
            return trouble(sentence("Its permutation is not valid."));
    }
    Value result = x;
    QJsonArray axes;
    bool isSame = true;
    result.batchAt = -1;
    for (std::size_t i = 0; i < permutation.size(); ++i) {
        const auto from = static_cast<int>(permutation[i]);
        result.dims[i] = x.dims[static_cast<std::size_t>(from)];
        int first = 0;
        for (int k = 0; k < from; ++k)
            first += k == x.batchAt ? (x.before != 1) + (x.after != 1) : 1;
        int count = 1;
        if (from == x.batchAt) {
            result.batchAt = static_cast<int>(i);
            count = (x.before != 1) + (x.after != 1);
        }
        for (int k = 0; k < count; ++k) {
            isSame = isSame && axes.size() == first + k;
            axes.append(first + k);
        }
    }
    if (isSame)
        return result;
    return emitLike(call, "transpose", {{QStringLiteral("axes"), axes}}, result, result.dims);
}

Tried<Lowering::Aligned> Lowering::align(const Call &call, const Value &left, const Value &right, int fixed) {
    // A parameter comes from beside the value that it meets.
    Value a = left.isComputed() ? left : computed(call, left, right);
    Value b = right.isComputed() ? right : computed(call, right, left);
    const auto fromEnd = [](const Value &x) { return x.isBatched() ? x.rank() - x.batchAt : 0; };
    if (a.isBatched() && b.isBatched() && (fromEnd(a) != fromEnd(b) || a.before != b.before || a.after != b.after)) {
        return trouble(sentence("The batch is not the same dimension of both of its inputs."),
                       sentence("Samples must not see each other."));
    }
    const Value &batched = a.isBatched() ? a : b;
    const int place = fromEnd(batched);
    if (a.rank() < fixed || b.rank() < fixed || (place > 0 && place <= fixed))
        return trouble(sentence("It works along the batch."), sentence("Samples must not see each other."));
    const auto dims =
        broadcast(Shape(a.dims.begin(), a.dims.end() - fixed), Shape(b.dims.begin(), b.dims.end() - fixed));
    if (!dims)
        return tl::unexpected(dims.error());
    Value shape = batched;
    shape.dims = *dims;
    shape.batchAt = place > 0 ? shape.rank() + fixed - place : -1;
    for (Value *each : {&a, &b}) {
        if (each->isBatched() || place == 0 || each->rank() < place)
            continue;
        // What is the same for all samples loses the dimension where the other has the batch.
        const auto at = static_cast<std::ptrdiff_t>(each->rank() - place);
        if (each->dims[static_cast<std::size_t>(at)] != 1)
            return trouble(sentence("One of its inputs has %1 {1|value|values} where the other has the batch.")
                               .arg(each->dims[static_cast<std::size_t>(at)]),
                           sentence("Samples must not differ by their place in the batch."));
        Shape sample = each->dims;
        sample.erase(sample.begin() + at);
        for (const qint64 part : {batched.before, batched.after}) {
            if (part != 1)
                sample.insert(sample.begin() + at, 1);
        }
        *each = emitLike(call, "reshape", {{QStringLiteral("shape"), toArray(sample)}}, *each, sample);
    }
    return Aligned{a, b, shape};
}

}  // namespace hearth::onnx_import
