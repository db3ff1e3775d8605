// Arithmetic on shapes and constants: what exporters compute from an input's shape is computed here once.
#include <onnx/onnx_pb.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/model/import/onnx_lowering.h"

namespace hearth::onnx_import {
namespace {

using Elements = std::vector<double>;

Shape stridesOf(const Shape &dims) {
    Shape strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;)
        strides[i - 1] = strides[i] * dims[i];
    return strides;
}

/// One fold: the inputs are known, and the sizes of all that is made are taken from the budget first.
class Folding {
  public:
    Folding(const Call &call, FoldBudget &budget) : m_call(call), m_budget(budget) {}

    using Done = Tried<Known>;
    std::optional<Done> fold();

  private:
    const Known &in(std::size_t i) const { return *m_call.input(i).known; }
    Tried<void> room(const Shape &dims) {
        const auto count = boundedProduct(dims, 1 << 24);
        if (!count || !m_budget.take(*count + 1))
            return trouble(sentence("Its constants are too large to be computed here."),
                           sentence("Export with do_constant_folding=True."));
        return {};
    }

    /// Elements of `out`, each from where strides along its dimensions lead, beginning at `start`.
    Done pick(const Known &from, Shape out, const Shape &strides, qint64 start = 0) {
        if (auto ok = room(out); !ok)
            return tl::unexpected(ok.error());
        Known result{std::move(out), {}, from.isReal};
        const qint64 count = elementCount(result.dims);
        result.elements.reserve(static_cast<std::size_t>(count));
        Shape place(result.dims.size(), 0);
        qint64 offset = start;
        for (qint64 n = 0; n < count; ++n) {
            result.elements.push_back(from.elements[static_cast<std::size_t>(offset)]);
            for (std::size_t i = place.size(); i-- > 0;) {
                offset += strides[i];
                if (++place[i] < result.dims[i])
                    break;
                offset -= strides[i] * result.dims[i];
                place[i] = 0;
            }
        }
        return result;
    }
    Done expanded(const Known &from, const Shape &dims) {
        const Shape own = stridesOf(from.dims);
        Shape strides(dims.size(), 0);
        for (std::size_t i = 0; i < from.dims.size(); ++i) {
            if (from.dims[i] != 1)
                strides[dims.size() - from.dims.size() + i] = own[i];
        }
        return pick(from, dims, strides);
    }

    template <class Function>
    Done each(Function function, bool isReal) {
        if (auto ok = room(in(0).dims); !ok)
            return tl::unexpected(ok.error());
        Known result{in(0).dims, in(0).elements, isReal};
        for (double &value : result.elements)
            value = function(value);
        return result;
    }
    template <class Function>
    Done pairs(Function function, bool isReal) {
        const auto dims = broadcast(in(0).dims, in(1).dims);
        if (!dims)
            return tl::unexpected(dims.error());
        auto a = expanded(in(0), *dims);
        const auto b = expanded(in(1), *dims);
        if (!a || !b)
            return a ? b : a;
        for (std::size_t i = 0; i < a->elements.size(); ++i)
            a->elements[i] = function(a->elements[i], b->elements[i]);
        a->isReal = isReal;
        return a;
    }
    std::optional<Done> elementwise();
    std::optional<Done> structural();
    Done where();
    Done reshaped(Shape dims);
    Done transposed();
    Done concatenated();
    Done sliced();
    Done gathered();
    Done reduced();
    Done range();
    Done filled();
    Done tried(const Tried<Shape> &dims) { return dims ? reshaped(*dims) : Done(tl::unexpected(dims.error())); }

    const Call &m_call;
    FoldBudget &m_budget;
};

std::optional<Folding::Done> Folding::elementwise() {
    const std::string &type = m_call.node.type;
    const bool real = in(0).isReal;
    const std::size_t count = m_call.inputs.size();
    if (count == 1) {
        if (type == "Cast") {
            const bool to = isRealType(m_call.whole("to", 1));
            const bool truth = m_call.whole("to", 1) == ONNX_NAMESPACE::TensorProto::BOOL;
            return each([&](double x) { return truth ? x != 0 : to ? x : std::trunc(x); }, to);
        }
        if (type == "Identity")
            return in(0);
        if (type == "Neg")
            return each([](double x) { return -x; }, real);
        if (type == "Abs")
            return each([](double x) { return std::abs(x); }, real);
        if (type == "Not")
            return each([](double x) { return x == 0 ? 1.0 : 0.0; }, false);
        for (const auto &[name, function] :
             std::initializer_list<std::pair<const char *, double (*)(double)>>{{"Floor", std::floor},
                                                                                {"Ceil", std::ceil},
                                                                                {"Sqrt", std::sqrt},
                                                                                {"Exp", std::exp},
                                                                                {"Log", std::log},
                                                                                {"Sin", std::sin},
                                                                                {"Cos", std::cos},
                                                                                {"Tanh", std::tanh},
                                                                                {"Round", std::nearbyint}}) {
            if (type == name)
                return each(function, real);
        }
        if (type == "Reciprocal")
            return each([](double x) { return 1 / x; }, real);
    }
    if (count != 2)
        return std::nullopt;
    if (type == "Add")
        return pairs([](double a, double b) { return a + b; }, real);
    if (type == "Sub")
        return pairs([](double a, double b) { return a - b; }, real);
    if (type == "Mul")
        return pairs([](double a, double b) { return a * b; }, real);
    if (type == "Div")
        return pairs([real](double a, double b) { return real ? a / b : b == 0 ? 0 : std::trunc(a / b); }, real);
    if (type == "Pow")
        return pairs([](double a, double b) { return std::pow(a, b); }, real);
    if (type == "Mod")
        return pairs([](double a, double b) { return b == 0 ? 0 : a - std::floor(a / b) * b; }, real);
    if (type == "Min")
        return pairs([](double a, double b) { return std::min(a, b); }, real);
    if (type == "Max")
        return pairs([](double a, double b) { return std::max(a, b); }, real);
    if (type == "Equal")
        return pairs([](double a, double b) { return a == b; }, false);
    if (type == "Less")
        return pairs([](double a, double b) { return a < b; }, false);
    if (type == "Greater")
        return pairs([](double a, double b) { return a > b; }, false);
    if (type == "LessOrEqual")
        return pairs([](double a, double b) { return a <= b; }, false);
    if (type == "GreaterOrEqual")
        return pairs([](double a, double b) { return a >= b; }, false);
    if (type == "And")
        return pairs([](double a, double b) { return a != 0 && b != 0; }, false);
    if (type == "Or")
        return pairs([](double a, double b) { return a != 0 || b != 0; }, false);
    return std::nullopt;
}

Folding::Done Folding::where() {
    auto dims = broadcast(in(0).dims, in(1).dims);
    if (dims)
        dims = broadcast(*dims, in(2).dims);
    if (!dims)
        return tl::unexpected(dims.error());
    const auto condition = expanded(in(0), *dims);
    auto a = expanded(in(1), *dims);
    const auto b = expanded(in(2), *dims);
    if (!condition || !a || !b)
        return !condition ? condition : !a ? a : b;
    for (std::size_t i = 0; i < a->elements.size(); ++i) {
        if (condition->elements[i] == 0)
            a->elements[i] = b->elements[i];
    }
    return a;
}

Folding::Done Folding::reshaped(Shape dims) {
    const auto total = static_cast<qint64>(in(0).elements.size());
    qint64 rest = 1;
    qint64 *open = nullptr;
    if (dims.size() > OnnxLimits::rank)
        return trouble(sentence("It gives more than %1 dimensions.").arg(static_cast<int>(OnnxLimits::rank)));
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (hasBatch(dims[i]))
            dims[i] = 1;
        if (dims[i] == 0 && i < in(0).dims.size())
            dims[i] = in(0).dims[i];
        if (dims[i] == -1 && !open)
            open = &dims[i];
        else if (dims[i] < 0 || __builtin_mul_overflow(rest, dims[i], &rest))
            return trouble(sentence("Its shape %1 is not valid.").arg(shapeText(dims)));
    }
    if (open)
        *open = rest == 0 ? 0 : total / rest;
    if (boundedProduct(dims, total) != total)
        return trouble(sentence("%1 cannot take the shape %2.").arg(shapeText(in(0).dims), shapeText(dims)));
    if (auto ok = room(dims); !ok)
        return tl::unexpected(ok.error());
    return Known{std::move(dims), in(0).elements, in(0).isReal};
}

Folding::Done Folding::transposed() {
    std::vector<qint64> order = m_call.wholes("perm");
    const Shape &dims = in(0).dims;
    if (order.empty()) {
        order.resize(dims.size());
        std::iota(order.rbegin(), order.rend(), 0);
    }
    const Shape own = stridesOf(dims);
    Shape out, strides;
    if (order.size() != dims.size())
        return trouble(sentence("Its permutation is not valid."));
    for (const qint64 axis : order) {
        if (axis < 0 || axis >= static_cast<qint64>(dims.size()))
            return trouble(sentence("Its permutation is not valid."));
        out.push_back(dims[static_cast<std::size_t>(axis)]);
        strides.push_back(own[static_cast<std::size_t>(axis)]);
    }
    std::ranges::sort(order);
    if (std::ranges::adjacent_find(order) != order.end())
        return trouble(sentence("Its permutation is not valid."));
    return pick(in(0), out, strides);
}

Folding::Done Folding::concatenated() {
    const auto axis = axisWithin(m_call.whole("axis", 0), static_cast<int>(in(0).dims.size()));
    if (!axis)
        return tl::unexpected(axis.error());
    const auto along = static_cast<std::size_t>(*axis);
    Known result{in(0).dims, {}, in(0).isReal};
    result.dims[along] = 0;
    qint64 outer = 1;
    for (std::size_t i = 0; i < along; ++i)
        outer *= in(0).dims[i];
    for (const Value &each : m_call.inputs) {
        const Shape &dims = each.known->dims;
        bool fits = dims.size() == result.dims.size();
        for (std::size_t i = 0; fits && i < dims.size(); ++i)
            fits = i == along || dims[i] == result.dims[i];
        if (!fits)
            return trouble(sentence("Its inputs do not fit together."));
        result.dims[along] += dims[along];
    }
    if (auto ok = room(result.dims); !ok)
        return tl::unexpected(ok.error());
    for (qint64 row = 0; row < outer; ++row) {
        for (const Value &each : m_call.inputs) {
            const auto width = static_cast<std::ptrdiff_t>(each.known->elements.size()) / outer;  // outer > 0 here
            const auto begin = each.known->elements.begin() + row * width;
            result.elements.insert(result.elements.end(), begin, begin + width);
        }
    }
    return result;
}

Folding::Done Folding::sliced() {
    const std::vector<qint64> starts = in(1).wholes(), ends = in(2).wholes();
    std::vector<qint64> axes = m_call.has(3) ? in(3).wholes() : std::vector<qint64>();
    const std::vector<qint64> steps = m_call.has(4) ? in(4).wholes() : std::vector<qint64>(starts.size(), 1);
    if (!m_call.has(3)) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
        return trouble(sentence("Its starts, ends, axes and steps are not equally many."));
    Shape out = in(0).dims, strides = stridesOf(out);
    std::vector<bool> isCut(out.size());
    qint64 start = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto axis = axisWithin(axes[i], static_cast<int>(out.size()));
        if (!axis)
            return tl::unexpected(axis.error());
        const auto along = static_cast<std::size_t>(*axis);
        if (isCut[along])
            return trouble(sentence("It names an axis twice."));
        isCut[along] = true;
        const qint64 size = in(0).dims[along], step = steps[i];
        if (step == 0 || std::abs(step) > (1 << 24))
            return trouble(sentence("Its step is not valid."));
        if (size == 0)
            continue;
        const auto placed = [size](qint64 at) { return at < 0 ? at + size : at; };
        const qint64 from = std::clamp(placed(starts[i]), qint64{0}, step < 0 ? size - 1 : size);
        const qint64 to = std::clamp(placed(ends[i]), step < 0 ? qint64{-1} : qint64{0}, size);
        out[along] = std::max(qint64{0}, step > 0 ? (to - from + step - 1) / step : (from - to - step - 1) / -step);
        start += from * strides[along];
        strides[along] *= step;
    }
    return pick(in(0), out, strides, start);
}

Folding::Done Folding::gathered() {
    const auto axis = axisWithin(m_call.whole("axis", 0), static_cast<int>(in(0).dims.size()));
    if (!axis)
        return tl::unexpected(axis.error());
    const auto along = static_cast<std::size_t>(*axis);
    const Shape &dims = in(0).dims, own = stridesOf(dims);
    Known result{Shape(dims.begin(), dims.begin() + *axis), {}, in(0).isReal};
    result.dims.insert(result.dims.end(), in(1).dims.begin(), in(1).dims.end());
    result.dims.insert(result.dims.end(), dims.begin() + *axis + 1, dims.end());
    if (result.dims.size() > OnnxLimits::rank)
        return trouble(sentence("It gives more than %1 dimensions.").arg(static_cast<int>(OnnxLimits::rank)));
    if (auto ok = room(result.dims); !ok)
        return tl::unexpected(ok.error());
    const qint64 inner = own[along], block = inner * dims[along];
    const qint64 outer = block == 0 ? 0 : static_cast<qint64>(in(0).elements.size()) / block;
    for (qint64 row = 0; row < outer; ++row) {
        for (qint64 index : in(1).wholes()) {
            index += index < 0 ? dims[along] : 0;
            if (index < 0 || index >= dims[along])
                return trouble(sentence("It takes element %1 of %2.").arg(index, dims[along]));
            const auto begin = in(0).elements.begin() + row * block + index * inner;
            result.elements.insert(result.elements.end(), begin, begin + inner);
        }
    }
    return result;
}

/// Over all elements, as it comes in arithmetic on shapes.
Folding::Done Folding::reduced() {
    const std::string &type = m_call.node.type;
    const auto axes = m_call.list("axes", 1);
    if (!axes)
        return tl::unexpected(axes.error());
    if (*axes && (**axes).size() != in(0).dims.size())
        return trouble(sentence("Constants are only reduced as a whole."));
    if (in(0).elements.empty() || !m_budget.take(static_cast<qint64>(in(0).elements.size())))
        return trouble(sentence("Its constants are empty or too large to be computed here."));
    double total = in(0).elements.front();
    for (std::size_t i = 1; i < in(0).elements.size(); ++i) {
        const double value = in(0).elements[i];
        total = type == "ReduceProd"  ? total * value
                : type == "ReduceMax" ? std::max(total, value)
                : type == "ReduceMin" ? std::min(total, value)
                                      : total + value;
    }
    return Known{m_call.whole("keepdims", 1) ? Shape(in(0).dims.size(), 1) : Shape(), {total}, in(0).isReal};
}

Folding::Done Folding::range() {
    const double start = in(0).elements.at(0), limit = in(1).elements.at(0), step = in(2).elements.at(0);
    const double count = std::max(0.0, std::ceil((limit - start) / step));
    if (!(count < 1e7))
        return trouble(sentence("Its range is too long, or depends on the batch."));
    Known result{{static_cast<qint64>(count)}, {}, in(0).isReal};
    if (auto ok = room(result.dims); !ok)
        return tl::unexpected(ok.error());
    for (double i = 0; i < count; ++i)
        result.elements.push_back(start + i * step);
    return result;
}

/// What is the same for all samples is kept once.
Folding::Done Folding::filled() {
    Shape dims = in(0).wholes();
    if (dims.size() > OnnxLimits::rank)
        return trouble(sentence("It gives more than %1 dimensions.").arg(static_cast<int>(OnnxLimits::rank)));
    for (qint64 &dim : dims)
        dim = hasBatch(dim) ? 1 : dim;
    if (auto ok = room(dims); !ok)
        return tl::unexpected(ok.error());
    Known value{{1}, {0}, true};
    if (const OnnxAttribute *attribute = m_call.attribute("value"); attribute && attribute->tensor) {
        const auto loaded = m_call.lowering.load(*attribute->tensor);
        if (!loaded || (*loaded)->elements.empty())
            return trouble(sentence("Its value cannot be read."));
        value = **loaded;
    }
    return Known{dims, Elements(static_cast<std::size_t>(elementCount(dims)), value.elements.front()), value.isReal};
}

std::optional<Folding::Done> Folding::structural() {
    const std::string &type = m_call.node.type;
    const std::size_t count = m_call.inputs.size();
    const auto scalar = [&](std::size_t i) { return i < count && in(i).isScalar(); };
    if (type == "Where" && count == 3)
        return where();
    if (type == "Reshape" && count == 2)
        return reshaped(in(1).wholes());
    if (type == "Flatten" || type == "Squeeze" || type == "Unsqueeze")
        return tried(viewDims(m_call, in(0).dims));
    if (type == "Transpose")
        return transposed();
    if (type == "Concat")
        return concatenated();
    if (type == "Slice" && count >= 3)
        return sliced();
    if (type == "Gather" && count == 2 && !in(0).dims.empty())
        return gathered();
    if (type == "ReduceProd" || type == "ReduceMax" || type == "ReduceMin" || type == "ReduceSum")
        return reduced();
    if (type == "Range" && scalar(0) && scalar(1) && scalar(2))
        return range();
    if (type == "ConstantOfShape")
        return filled();
    if (type == "Size")
        return Known{{}, {static_cast<double>(in(0).elements.size())}, false};
    if (type == "Expand" && count == 2) {
        Shape wanted = in(1).wholes();
        for (qint64 &dim : wanted)
            dim = hasBatch(dim) ? 1 : dim;
        if (wanted.size() > OnnxLimits::rank)
            return Done(trouble(sentence("It gives more than %1 dimensions.").arg(static_cast<int>(OnnxLimits::rank))));
        const auto dims = broadcast(in(0).dims, wanted);
        return dims ? expanded(in(0), *dims) : Done(tl::unexpected(dims.error()));
    }
    return std::nullopt;
}

std::optional<Folding::Done> Folding::fold() {
    const bool slice = m_call.node.type == "Slice";  // the only one here with optional inputs
    for (std::size_t i = 0; i < m_call.inputs.size(); ++i) {
        if (!m_call.has(i) && !(slice && i > 2))
            return std::nullopt;
    }
    if (m_call.inputs.empty())
        return std::nullopt;
    auto done = elementwise();
    return done ? done : structural();
}

}  // namespace

std::optional<Tried<Known>> fold(const Call &call, FoldBudget &budget) {
    return Folding(call, budget).fold();
}

}  // namespace hearth::onnx_import
