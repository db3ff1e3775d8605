// Operators that work element by element.
#include <array>
#include <cmath>

#include "core/model/import/onnx_lowering.h"

namespace hearth::onnx_import {
namespace {

Outputs unary(Call &call, const char *kind, QJsonObject parameters = {}) {
    const Value x = call.lowering.computed(call, call.input(0));
    if (x.isWhole)
        return trouble(sentence("It takes whole numbers that depend on the samples."));
    return one(call.lowering.emitLike(call, kind, std::move(parameters), x, x.dims));
}

template <const char *kind>
Outputs plain(Call &call) {
    return unary(call, kind);
}

/// x * factor + offset; nothing where that is x.
Outputs scaled(Call &call, const Value &given, double factor, double offset) {
    if (!std::isfinite(factor) || !std::isfinite(offset))
        return trouble(sentence("Its constant is no finite number."));
    if (factor == 1 && offset == 0)
        return one(given);
    const Value x = call.lowering.computed(call, given);
    if (x.isWhole)
        return trouble(sentence("It takes whole numbers that depend on the samples."),
                       sentence("Convert them to real numbers first."));
    return one(call.lowering.emitLike(
        call, "scale", {{QStringLiteral("factor"), factor}, {QStringLiteral("offset"), offset}}, x, x.dims));
}

Outputs joined(Call &call, const char *kind, const Value &a, const Value &b) {
    if ((a.isComputed() && a.isWhole) || (b.isComputed() && b.isWhole))
        return trouble(sentence("It takes whole numbers that depend on the samples."),
                       sentence("Convert them to real numbers first."));
    auto both = call.lowering.align(call, a, b);
    if (!both)
        return tl::unexpected(both.error());
    Value result = call.lowering.emitLike(call, kind, {}, both->shape, both->shape.dims);
    call.lowering.op(result).from = {both->a.op, both->b.op};
    return one(result);
}

/// The number that an input is, if it is one that broadcasts without a change of shape.
std::optional<double> number(const Value &value, const Value &other) {
    if (!value.isKnown() || !value.known->isScalar() || value.rank() > other.rank())
        return std::nullopt;
    return value.known->elements.front();
}

enum class Sum { Add, Subtract, Multiply, Divide };

template <Sum kind>
Outputs binary(Call &call) {
    const Value &a = call.input(0), &b = call.input(1);
    if (b.isAbsent())
        return trouble(sentence("Its second input is left out."));
    const auto left = number(a, b), right = number(b, a);
    switch (kind) {
        case Sum::Add:
            return right ? scaled(call, a, 1, *right) : left ? scaled(call, b, 1, *left) : joined(call, "add", a, b);
        case Sum::Subtract:
            return right ? scaled(call, a, 1, -*right) : left ? scaled(call, b, -1, *left) : joined(call, "sub", a, b);
        case Sum::Multiply:
            return right ? scaled(call, a, *right, 0) : left ? scaled(call, b, *left, 0) : joined(call, "mul", a, b);
        case Sum::Divide:
            break;
    }
    if (right)
        return scaled(call, a, 1 / *right, 0);
    if (!left)
        return joined(call, "div", a, b);
    const Value x = call.lowering.computed(call, b);
    return scaled(call, call.lowering.emitLike(call, "reciprocal", {}, x, x.dims), *left, 0);
}

template <const char *kind>
Outputs several(Call &call) {
    Outputs result = one(call.input(0));
    for (std::size_t i = 1; i < call.inputs.size() && result; ++i)
        result = joined(call, kind, result->front(), call.input(i));
    return result;
}

Outputs power(Call &call) {
    const auto exponent = call.known(1);
    if (!exponent)
        return tl::unexpected(exponent.error());
    if (!(*exponent)->isScalar() || !std::isfinite((*exponent)->elements.front()))
        return trouble(sentence("Its exponent is not one number."));
    return unary(call, "power", {{QStringLiteral("exponent"), (*exponent)->elements.front()}});
}

Outputs clip(Call &call) {
    std::optional<double> bounds[2];
    for (std::size_t i = 0; i < 2; ++i) {
        if (!call.has(i + 1))
            continue;
        const auto bound = call.known(i + 1);
        if (!bound)
            return tl::unexpected(bound.error());
        if (!(*bound)->isScalar())
            return trouble(sentence("Its bounds are not numbers."));
        // Exporters say the ends of float32 where there is no bound.
        constexpr double endless = 3e38;
        if (std::abs((*bound)->elements.front()) < endless)
            bounds[i] = (*bound)->elements.front();
    }
    if (bounds[0] == 0.0 && bounds[1] == 6.0)
        return unary(call, "relu6");
    if (bounds[0] == 0.0 && !bounds[1])
        return unary(call, "relu");
    if (!bounds[0] && !bounds[1])
        return one(call.input(0));
    const auto value = [](std::optional<double> bound) { return bound ? QJsonValue(*bound) : QJsonValue(); };
    return unary(call, "clip", {{QStringLiteral("min"), value(bounds[0])}, {QStringLiteral("max"), value(bounds[1])}});
}

Outputs leakyRelu(Call &call) {
    return unary(call, "leaky-relu", {{QStringLiteral("slope"), call.real("alpha", 0.01)}});
}

Outputs elu(Call &call) {
    return unary(call, "elu", {{QStringLiteral("alpha"), call.real("alpha", 1)}});
}

/// Klambauer et al. 2017: gamma times elu.
Outputs selu(Call &call) {
    Outputs inner = unary(call, "elu", {{QStringLiteral("alpha"), call.real("alpha", 1.6732632423543772)}});
    return inner ? scaled(call, inner->front(), call.real("gamma", 1.0507009873554805), 0) : inner;
}

/// max(x, 0) + slope · min(x, 0).
Outputs prelu(Call &call) {
    const Value x = call.lowering.computed(call, call.input(0));
    if (!call.has(1) || x.isWhole)
        return trouble(sentence("It has no slopes, or takes whole numbers."));
    Outputs below = joined(call, "mul", call.lowering.emitLike(call, "clip", {{QStringLiteral("max"), 0}}, x, x.dims),
                           call.input(1));
    return below ? joined(call, "add", call.lowering.emitLike(call, "relu", {}, x, x.dims), below->front()) : below;
}

Outputs hardSigmoid(Call &call) {
    const double alpha = call.real("alpha", 0.2), beta = call.real("beta", 0.5);
    // A sixth is written as float32.
    if (std::abs(alpha - 1.0 / 6) < 1e-6 && beta == 0.5)
        return unary(call, "hard-sigmoid");
    Outputs line = scaled(call, call.input(0), alpha, beta);
    if (!line)
        return line;
    const Value &x = line->front();
    return one(
        call.lowering.emitLike(call, "clip", {{QStringLiteral("min"), 0}, {QStringLiteral("max"), 1}}, x, x.dims));
}

/// With a condition that is the same for all samples: x * condition + (1 - condition) * other.
Outputs where(Call &call) {
    const auto condition = call.known(0);
    if (!condition)
        return trouble(sentence("Its condition depends on the samples."),
                       sentence("Multiply or add a mask instead, or leave the mask out."));
    const bool first = call.input(2).isKnown();  // which side is a constant
    const Value &x = call.input(first ? 1 : 2), &other = call.input(first ? 2 : 1);
    if (!other.isKnown() || !other.known->isScalar() || !x.isComputed() || x.isWhole)
        return trouble(sentence("Neither side is one number."), sentence("Multiply or add a mask instead."));
    // What would be infinite stays finite, so that its product with zero is no NaN: exp() of it is zero all the same.
    constexpr double lowest = 3.4028234663852886e38;
    const double fill = std::clamp(other.known->elements.front(), -lowest, lowest);
    Known keep{(*condition)->dims, {}, true}, add = keep;
    bool any = false;
    for (const double element : (*condition)->elements) {
        const bool kept = (element != 0) == first;
        keep.elements.push_back(kept ? 1 : 0);
        add.elements.push_back(kept ? 0 : fill);
        any = any || !kept;
    }
    if (!any)
        return one(x);
    const auto constant = [](const Known &known) {
        Value value;
        value.kind = Value::Kind::Known;
        value.dims = known.dims;
        value.known = std::make_shared<Known>(known);
        return value;
    };
    Outputs result = joined(call, "mul", x, constant(keep));
    return !result || fill == 0 ? result : joined(call, "add", result->front(), constant(add));
}

/// Where whole numbers become real or the reverse. Truth values are whole numbers here.
Outputs cast(Call &call) {
    constexpr qint64 types[] = {1, 10, 11, 16};  // float, float16, double, bfloat16
    const bool toReal = std::find(std::begin(types), std::end(types), call.whole("to", 1)) != std::end(types);
    Value x = call.input(0);
    if (!x.isComputed() || toReal != x.isWhole)
        return one(x);
    x.isWhole = !toReal;
    return one(call.lowering.emitLike(call, "cast", {{QStringLiteral("to"), QLatin1String(toReal ? "real" : "int64")}},
                                      x, x.dims));
}

Outputs dropout(Call &call) {
    double probability = 0.5;
    if (call.has(1)) {
        const auto ratio = call.known(1);
        if (!ratio)
            return tl::unexpected(ratio.error());
        probability = (*ratio)->isScalar() ? (*ratio)->elements.front() : probability;
    }
    if (!(probability > 0))
        return one(call.input(0));
    if (!(probability < 1))
        return trouble(sentence("It drops everything."));
    return unary(call, "dropout", {{QStringLiteral("probability"), probability}});
}

Outputs unchanged(Call &call) {
    return one(call.input(0));
}

#define HEARTH_KIND(name, kind) constexpr char name[] = kind
HEARTH_KIND(reluKind, "relu");
HEARTH_KIND(sigmoidKind, "sigmoid");
HEARTH_KIND(tanhKind, "tanh");
HEARTH_KIND(hardSwishKind, "hard-swish");
HEARTH_KIND(softplusKind, "softplus");
HEARTH_KIND(expKind, "exp");
HEARTH_KIND(logKind, "log");
HEARTH_KIND(sqrtKind, "sqrt");
HEARTH_KIND(negKind, "neg");
HEARTH_KIND(absKind, "abs");
HEARTH_KIND(erfKind, "erf");
HEARTH_KIND(reciprocalKind, "reciprocal");
HEARTH_KIND(addKind, "add");
HEARTH_KIND(maximumKind, "maximum");
HEARTH_KIND(minimumKind, "minimum");
#undef HEARTH_KIND

constexpr std::array elementTable{Handler{"Relu", plain<reluKind>},
                                  Handler{"Sigmoid", plain<sigmoidKind>},
                                  Handler{"Tanh", plain<tanhKind>},
                                  Handler{"HardSwish", plain<hardSwishKind>},
                                  Handler{"Softplus", plain<softplusKind>},
                                  Handler{"Exp", plain<expKind>},
                                  Handler{"Log", plain<logKind>},
                                  Handler{"Sqrt", plain<sqrtKind>},
                                  Handler{"Neg", plain<negKind>},
                                  Handler{"Abs", plain<absKind>},
                                  Handler{"Erf", plain<erfKind>},
                                  Handler{"Reciprocal", plain<reciprocalKind>},
                                  Handler{"Add", binary<Sum::Add>},
                                  Handler{"Sub", binary<Sum::Subtract>},
                                  Handler{"Mul", binary<Sum::Multiply>},
                                  Handler{"Div", binary<Sum::Divide>},
                                  Handler{"Sum", several<addKind>},
                                  Handler{"Max", several<maximumKind>},
                                  Handler{"Min", several<minimumKind>},
                                  Handler{"Pow", power},
                                  Handler{"Clip", clip},
                                  Handler{"LeakyRelu", leakyRelu},
                                  Handler{"Elu", elu},
                                  Handler{"Selu", selu},
                                  Handler{"PRelu", prelu},
                                  Handler{"HardSigmoid", hardSigmoid},
                                  Handler{"Where", where},
                                  Handler{"Cast", cast},
                                  Handler{"Dropout", dropout},
                                  Handler{"Identity", unchanged}};

}  // namespace

std::span<const Handler> elementHandlers() {
    return elementTable;
}

}  // namespace hearth::onnx_import
