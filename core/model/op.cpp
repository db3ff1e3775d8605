#include "core/model/op.h"

#include <QHash>
#include <algorithm>
#include <cmath>

#include "core/model/ops/op_type.h"

namespace hearth {

int Op::whole(const char *parameter) const {
    Q_ASSERT(parameters.contains(QLatin1String(parameter)));
    return parameters.value(QLatin1String(parameter)).toInt();
}

double Op::number(const char *parameter) const {
    Q_ASSERT(parameters.contains(QLatin1String(parameter)));
    return parameters.value(QLatin1String(parameter)).toDouble();
}

bool Op::flag(const char *parameter) const {
    Q_ASSERT(parameters.contains(QLatin1String(parameter)));
    return parameters.value(QLatin1String(parameter)).toBool();
}

namespace detail {
namespace {

// Keeps sums over every op of the largest model inside 64 bits.
constexpr double largestMacs = static_cast<double>(qint64{1} << 44);

const std::vector<OpType> &registry() {
    static const std::vector<OpType> types = [] {
        std::vector<OpType> all;
#define HEARTH_COLLECT(family)                 \
    for (const OpType &type : family##Types()) \
        all.push_back(type);
        HEARTH_OP_FAMILIES(HEARTH_COLLECT)
#undef HEARTH_COLLECT
        return all;
    }();
    return types;
}

const OpType &typeOf(const QString &kind) {
    static const QHash<QString, const OpType *> types = [] {
        QHash<QString, const OpType *> all;
        for (const OpType &type : registry())
            all.insert(QLatin1String(type.kind), &type);
        return all;
    }();
    const OpType *found = types.value(kind);
    Q_ASSERT(found);
    return *found;
}

QStringList kindsWhere(bool (*wanted)(const OpType &)) {
    QStringList kinds;
    for (const OpType &type : registry()) {
        if (wanted(type))
            kinds << QLatin1String(type.kind);
    }
    return kinds;
}

tl::unexpected<Error> tooLarge(const QString &place, const Sentence &cause) {
    return fail(QStringLiteral("model.too-large"), sentence("%1 is too large.").arg(place), cause);
}

Result<void> checkOutput(const Op &op, const QString &place) {
    if (op.outputShape.size() > ModelLimits::rank) {
        return tooLarge(place, sentence("It gives %1, and no value may have more than %2 dimensions.")
                                   .arg(shapeText(op.outputShape))
                                   .arg(ModelLimits::rank));
    }
    for (const qint64 dimension : op.outputShape) {
        if (dimension > ModelLimits::dimension) {
            return tooLarge(place, sentence("It gives %1, and no dimension may exceed %2.")
                                       .arg(shapeText(op.outputShape))
                                       .arg(ModelLimits::dimension));
        }
    }
    if (elementCount(op.outputShape) > ModelLimits::elements) {
        return tooLarge(place, sentence("It gives %1, which is more than %2 elements.")
                                   .arg(shapeText(op.outputShape))
                                   .arg(ModelLimits::elements));
    }
    return {};
}

Result<void> checkWork(const Op &op, const std::vector<TensorSpec> &own, const QString &place) {
    qint64 largest = 0;
    for (const TensorSpec &tensor : own)
        largest = std::max(largest, tensor.elements());
    if (largest > ModelLimits::elements || op.cost.macs > largestMacs) {
        return tooLarge(place, sentence("Its weights have more than %1 elements, or it takes more than %2 "
                                        "multiply-adds per sample.")
                                   .arg(ModelLimits::elements)
                                   .arg(static_cast<qint64>(largestMacs)));
    }
    return {};
}

}  // namespace

const QStringList &opKinds() {
    static const QStringList kinds = kindsWhere([](const OpType &) { return true; });
    return kinds;
}

const QStringList &chainKinds() {
    static const QStringList kinds = kindsWhere([](const OpType &type) { return !type.joins; });
    return kinds;
}

bool isChainKind(const QString &kind) {
    return !typeOf(kind).joins;
}

QStringList activationKinds() {
    return kindsWhere([](const OpType &type) { return type.role == OpRole::Activation; });
}

bool widensWeights(const QString &kind) {
    return typeOf(kind).role != OpRole::Other;
}

Op readOp(JsonReader &reader, const QString &kind) {
    Op op;
    op.kind = kind;
    op.parameters = typeOf(kind).read(reader);
    return op;
}

QJsonObject describeOp(const Op &op) {
    QJsonObject description = op.parameters;
    description[QLatin1String("kind")] = op.kind;
    return description;
}

Result<void> fitOp(Op &op, const QString &place) {
    const OpType &type = typeOf(op.kind);
    const bool whole = std::ranges::find(op.inputKinds, ValueKind::Int64) != op.inputKinds.end();
    if (whole && !type.takesInt64) {
        return misfit(place, sentence("whole numbers (ids or a mask)"), sentence("real ones"),
                      sentence("Put an embedding or a cast before it."));
    }
    op.outputKind = type.takesInt64 ? op.inputKinds.front() : ValueKind::Real;
    if (auto fits = type.fit(op, place); !fits)
        return fits;
    if (auto sizes = checkOutput(op, place); !sizes)
        return sizes;
    op.cost = type.cost(op);
    const std::vector<TensorSpec> own = type.tensors(op, false);
    op.tensors = static_cast<int>(own.size());
    return checkWork(op, own, place);
}

std::vector<TensorSpec> tensorsOf(const Op &op, bool widened) {
    return typeOf(op.kind).tensors(op, widened);
}

QJsonObject noParameters(JsonReader &) {
    return {};
}

Result<void> keepShape(Op &op, const QString &) {
    op.outputShape = op.inputShape();
    return {};
}

std::vector<TensorSpec> noTensors(const Op &, bool) {
    return {};
}

OpCost costInPlace(const Op &op) {
    OpCost cost;
    cost.flops = static_cast<double>(elementCount(op.inputShape()));
    return cost;
}

OpCost costKeepingInput(const Op &op) {
    OpCost cost = costInPlace(op);
    cost.kept = elementCount(op.inputShape());
    return cost;
}

tl::unexpected<Error> misfit(const QString &place, const Sentence &got, const Sentence &expected,
                             const Sentence &advice) {
    return fail(QStringLiteral("model.shape"), sentence("%1 does not fit.").arg(place),
                sentence("It gets %1 but expects %2.").arg(got, expected), advice);
}

Result<void> expectImage(const Op &op, const QString &place) {
    if (op.inputShape().size() == 3)
        return {};
    return misfit(place, shapeText(op.inputShape()), QStringLiteral("channels×height×width"),
                  QStringLiteral("Move it before the flatten."));
}

int readSize(JsonReader &reader, const char *key, int minimum, int maximum, std::optional<qint64> fallback) {
    return static_cast<int>(reader.integer(key, minimum, maximum, fallback));
}

Result<void> fitWindow(Op &op, qint64 channels, int padding, const QString &place) {
    const int kernel = op.whole("kernel"), stride = op.whole("stride");
    op.outputShape = {channels};
    for (std::size_t i = 1; i < 3; ++i) {
        const qint64 padded = op.inputShape()[i] + 2 * padding;
        if (padded < kernel) {
            return misfit(place, shapeText(op.inputShape()),
                          QStringLiteral("at least %1 in height and width").arg(kernel - 2 * padding),
                          QStringLiteral("Use a smaller kernel, more padding, or fewer strides before it."));
        }
        op.outputShape.push_back((padded - kernel) / stride + 1);
    }
    return {};
}

TensorSpec uniformWeight(Shape shape, bool widened) {
    TensorSpec spec;
    spec.name = QStringLiteral("weight");
    spec.init = InitKind::Uniform;
    const auto fanIn = static_cast<double>(elementCount(shape) / shape.front());
    // He et al. 2015 (uniform): a rectifier behind the weights halves the variance, so they get twice as much.
    spec.bound = std::sqrt((widened ? 6.0 : 3.0) / fanIn);
    spec.shape = std::move(shape);
    return spec;
}

TensorSpec constantTensor(const char *name, qint64 elements, InitKind value) {
    TensorSpec spec;
    spec.name = QLatin1String(name);
    spec.shape = {elements};
    spec.init = value;
    return spec;
}

}  // namespace detail
}  // namespace hearth
