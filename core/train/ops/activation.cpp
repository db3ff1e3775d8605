#include <array>

#include "core/train/ops/op_run.h"

namespace hearth {
namespace {

template <at::Tensor (*function)(const at::Tensor &)>
RunOp bindFunction(const Op &) {
    return [](const OpCall &call) { return function(call.input()); };
}

RunOp bindReLU(const Op &) {
    return [](const OpCall &call) { return call.mayOverwrite ? call.input().relu_() : call.input().relu(); };
}

RunOp bindReLU6(const Op &) {
    return [](const OpCall &call) {
        at::Tensor x = call.input();
        return call.mayOverwrite ? at::hardtanh_(x, 0, 6) : at::hardtanh(x, 0, 6);
    };
}

RunOp bindLeaky(const Op &op) {
    return [slope = op.number("slope")](const OpCall &call) {
        at::Tensor x = call.input();
        return call.mayOverwrite ? at::leaky_relu_(x, slope) : at::leaky_relu(x, slope);
    };
}

RunOp bindSigmoid(const Op &) {
    return [](const OpCall &call) { return call.mayOverwrite ? call.input().sigmoid_() : call.input().sigmoid(); };
}

RunOp bindTanh(const Op &) {
    return [](const OpCall &call) { return call.mayOverwrite ? call.input().tanh_() : call.input().tanh(); };
}

RunOp bindNegative(const Op &) {
    return [](const OpCall &call) { return call.mayOverwrite ? call.input().neg_() : call.input().neg(); };
}

RunOp bindGelu(const Op &op) {
    return [approximate = op.word("approximate").toStdString()](const OpCall &call) {
        return at::gelu(call.input(), approximate);
    };
}

RunOp bindElu(const Op &op) {
    return [alpha = op.number("alpha")](const OpCall &call) { return at::elu(call.input(), alpha); };
}

RunOp bindSoftplus(const Op &) {
    return [](const OpCall &call) { return at::softplus(call.input()); };
}

c10::optional<at::Scalar> boundOf(const Op &op, const char *parameter) {
    return op.has(parameter) ? c10::optional<at::Scalar>(op.number(parameter)) : c10::nullopt;
}

RunOp bindClip(const Op &op) {
    return [least = boundOf(op, "min"), most = boundOf(op, "max")](const OpCall &call) {
        return at::clamp(call.input(), least, most);
    };
}

RunOp bindPower(const Op &op) {
    return [exponent = op.number("exponent")](const OpCall &call) { return at::pow(call.input(), exponent); };
}

RunOp bindScale(const Op &op) {
    return [factor = op.number("factor"), offset = op.number("offset")](const OpCall &call) {
        at::Tensor x = call.input();
        at::Tensor y = call.mayOverwrite ? x.mul_(factor) : x.mul(factor);
        return offset != 0 ? y.add_(offset) : y;
    };
}

RunOp bindSoftmax(const Op &op) {
    return [dimension = op.whole("axis") + 1](const OpCall &call) { return at::softmax(call.input(), dimension); };
}

RunOp bindLogSoftmax(const Op &op) {
    return [dimension = op.whole("axis") + 1](const OpCall &call) { return at::log_softmax(call.input(), dimension); };
}

}  // namespace

std::span<const OpRun> activationRuns() {
    static constexpr std::array runs{
        OpRun{.kind = "relu", .bind = bindReLU, .takesRounded = true},
        OpRun{.kind = "relu6", .bind = bindReLU6, .takesRounded = true},
        OpRun{.kind = "leaky-relu", .bind = bindLeaky},
        OpRun{.kind = "silu", .bind = bindFunction<at::silu>, .outputIsFree = true, .takesRounded = true},
        OpRun{.kind = "gelu", .bind = bindGelu, .outputIsFree = true},
        OpRun{.kind = "hard-swish", .bind = bindFunction<at::hardswish>, .outputIsFree = true, .takesRounded = true},
        OpRun{.kind = "elu", .bind = bindElu, .outputIsFree = true},
        OpRun{.kind = "softplus", .bind = bindSoftplus, .outputIsFree = true},
        OpRun{.kind = "sigmoid", .bind = bindSigmoid},
        OpRun{.kind = "hard-sigmoid", .bind = bindFunction<at::hardsigmoid>, .outputIsFree = true},
        OpRun{.kind = "tanh", .bind = bindTanh},
        OpRun{.kind = "exp", .bind = bindFunction<at::exp>},
        OpRun{.kind = "log", .bind = bindFunction<at::log>, .outputIsFree = true},
        OpRun{.kind = "sqrt", .bind = bindFunction<at::sqrt>},
        OpRun{.kind = "reciprocal", .bind = bindFunction<at::reciprocal>},
        OpRun{.kind = "neg", .bind = bindNegative, .outputIsFree = true},
        OpRun{.kind = "abs", .bind = bindFunction<at::abs>, .outputIsFree = true},
        OpRun{.kind = "erf", .bind = bindFunction<at::erf>, .outputIsFree = true},
        OpRun{.kind = "clip", .bind = bindClip, .outputIsFree = true},
        OpRun{.kind = "power", .bind = bindPower, .outputIsFree = true},
        OpRun{.kind = "scale", .bind = bindScale, .outputIsFree = true},
        OpRun{.kind = "softmax", .bind = bindSoftmax},
        OpRun{.kind = "log-softmax", .bind = bindLogSoftmax}};
    return runs;
}

}  // namespace hearth
