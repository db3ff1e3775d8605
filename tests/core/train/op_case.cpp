#include "tests/core/train/op_case.h"

#include <QJsonDocument>

#include "core/base/json_reader.h"

namespace hearth::test {
namespace {

/// Values that the op's function is defined for, and that reach its bends.
at::Tensor valuesFor(const Op &op, std::size_t input, const std::vector<std::int64_t> &sizes, at::ScalarType type) {
    const auto is = [&](const char *kind) { return op.kind == QLatin1String(kind); };
    if (op.inputKinds[input] == ValueKind::Int64) {
        at::Tensor numbers = at::randint(is("embedding") ? op.whole("rows") : 3, sizes, at::kLong);
        if (is("attention"))
            numbers[0].zero_();  // who sees nothing
        return numbers;
    }
    const auto options = at::TensorOptions().dtype(type);
    if (is("log") || is("sqrt") || is("power") || is("reciprocal") || (is("div") && input == 1))
        return at::rand(sizes, options).add_(0.5);
    return at::randn(sizes, options).mul_(is("attention") || is("matmul") ? 1 : 3);
}

}  // namespace

Result<Op> fitted(const QByteArray &description, const QByteArray &shapes) {
    QByteArray text = description;
    const auto object = parseJsonObject(text.replace('\'', '"'), QStringLiteral("op"));
    if (!object)
        return tl::unexpected(object.error());
    JsonReader reader(*object, QStringLiteral("op"));
    const QString kind = reader.choice("kind", detail::opKinds());
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    Op op = detail::readOp(reader, kind);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    for (QByteArray shape : shapes.split(';')) {
        op.inputKinds.push_back(shape.startsWith('i') ? ValueKind::Int64 : ValueKind::Real);
        Shape sizes;
        for (const QByteArray &size : shape.replace('i', "").split(','))
            sizes.push_back(size.toLongLong());
        op.inputShapes.push_back(sizes);
    }
    if (auto fits = detail::fitOp(op, QStringLiteral("The op")); !fits)
        return tl::unexpected(fits.error());
    return op;
}

OpCase::OpCase(const QByteArray &description, const QByteArray &shapes, std::int64_t samples, at::ScalarType type)
    : m_type(type) {
    auto result = fitted(description, shapes);
    if (!result)
        qFatal("%s: %s", description.constData(), qPrintable(result.error().toString()));
    op = std::move(*result);
    for (std::size_t i = 0; i < op.inputShapes.size(); ++i) {
        std::vector<std::int64_t> sizes{samples};
        sizes.insert(sizes.end(), op.inputShapes[i].begin(), op.inputShapes[i].end());
        inputs.push_back(valuesFor(op, i, sizes, type));
    }
    for (const TensorSpec &spec : detail::tensorsOf(op, false)) {
        const std::vector<std::int64_t> sizes(spec.shape.begin(), spec.shape.end());
        at::Tensor tensor = at::rand(sizes, at::TensorOptions().dtype(type)).add_(0.5);
        if (spec.isTrainable())
            tensor.sub_(1);
        tensors.push_back(tensor);
    }
    reset();
}

void OpCase::reset() {
    const auto specs = detail::tensorsOf(op, false);
    for (at::Tensor &input : inputs) {
        input = input.detach().clone();
        input.set_requires_grad(input.is_floating_point());
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i] = tensors[i].detach().clone();
        if (!specs[i].isTrainable())
            continue;
        tensors[i].set_requires_grad(true);
        tensors[i].mutable_grad() = at::zeros_like(tensors[i]);
    }
}

OpCall OpCase::call(WeightGradientQueue &queue) const {
    OpCall call{*processor(), queue};
    call.inputs = inputs;
    call.tensors = tensors;
    call.real = m_type;
    call.salt = 7;
    return call;
}

}  // namespace hearth::test
