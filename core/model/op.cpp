#include "core/model/op.h"

#include <QHash>
#include <QJsonArray>
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

QString Op::word(const char *parameter) const {
    Q_ASSERT(parameters.contains(QLatin1String(parameter)));
    return parameters.value(QLatin1String(parameter)).toString();
}

std::vector<qint64> Op::list(const char *parameter) const {
    Q_ASSERT(parameters.contains(QLatin1String(parameter)));
    std::vector<qint64> numbers;
    for (const QJsonValue number : parameters.value(QLatin1String(parameter)).toArray())
        numbers.push_back(number.toInteger());
    return numbers;
}

bool Op::has(const char *parameter) const {
    const QJsonValue value = parameters.value(QLatin1String(parameter));
    return !value.isUndefined() && !value.isNull();
}

qint64 Op::kept() const {
    qint64 elements = cost.keptBesides;
    for (std::size_t i = 0; i < inputShapes.size() && i < 32; ++i) {
        if ((cost.keptInputs >> i & 1) != 0)
            elements += elementCount(inputShapes[i]) * (inputKinds[i] == ValueKind::Int64 ? 2 : 1);
    }
    return elements;
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

/// Without computing a product that overflows.
bool isWithin(const Shape &shape, qint64 limit) {
    qint64 elements = 1;
    for (const qint64 dimension : shape) {
        if (dimension > limit / elements)
            return false;
        elements *= dimension;
    }
    return true;
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
    if (!isWithin(op.outputShape, ModelLimits::elements)) {
        return tooLarge(place, sentence("It gives %1, which is more than %2 elements.")
                                   .arg(shapeText(op.outputShape))
                                   .arg(ModelLimits::elements));
    }
    return {};
}

Result<void> checkWork(const Op &op, const std::vector<TensorSpec> &own, const QString &place) {
    const bool within = std::ranges::all_of(
        own, [](const TensorSpec &tensor) { return isWithin(tensor.shape, ModelLimits::elements); });
    if (!within || op.cost.macs > largestMacs) {
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
    static const QStringList kinds = kindsWhere([](const OpType &type) { return type.leastInputs == 1; });
    return kinds;
}

std::pair<int, int> inputCounts(const QString &kind) {
    return {typeOf(kind).leastInputs, typeOf(kind).mostInputs};
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
    op.cost = typeOf(op.kind).cost(op);  // which fit may have changed
    const std::vector<TensorSpec> own = tensorsOf(op, false);
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
    OpCost cost = costKeepingNothing(op);
    cost.keepsOutput = true;
    return cost;
}

OpCost costKeepingInput(const Op &op) {
    OpCost cost;
    cost.flops = static_cast<double>(elementCount(op.inputShape()));
    cost.keptInputs = 1;
    return cost;
}

OpCost costKeepingNothing(const Op &op, double flopsPerElement) {
    OpCost cost;
    cost.flops = flopsPerElement * static_cast<double>(elementCount(op.outputShape));
    return cost;
}

OpCost costOfView(const Op &) {
    OpCost cost;
    cost.launched = false;
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
    return misfit(place, shapeText(op.inputShape()), sentence("channels×height×width"),
                  sentence("Move it before the flatten."));
}

Result<void> expectKind(const Op &op, std::size_t input, ValueKind kind, const QString &place) {
    if (op.inputKinds[input] == kind)
        return {};
    const Sentence whole = sentence("whole numbers (ids or a mask)"), real = sentence("real ones");
    if (kind == ValueKind::Int64)
        return misfit(place, real, whole, sentence("Give it an input of the network whose dtype is int64."));
    return misfit(place, whole, real, sentence("Put an embedding or a cast before it."));
}

int readSize(JsonReader &reader, const char *key, int minimum, int maximum, std::optional<qint64> fallback) {
    return static_cast<int>(reader.integer(key, minimum, maximum, fallback));
}

QJsonArray readWholes(JsonReader &reader, const char *key, qint64 minimum, qint64 maximum, bool required) {
    const QJsonArray values = reader.array(key, required);
    QJsonArray wholes;
    for (qsizetype i = 0; i < values.size() && reader.ok(); ++i) {
        const qint64 whole = values[i].toInteger(minimum - 1);
        if (whole < minimum || whole > maximum || values[i].toDouble() != static_cast<double>(whole)) {
            reader.rejectAt(jsonPointer(reader.pathOf(QLatin1String(key)), i), sentence("It is no number that fits."),
                            sentence("Give a whole number from %1 to %2.").arg(minimum).arg(maximum));
        }
        wholes.append(whole);
    }
    return wholes;
}

QJsonValue readOptionalNumber(JsonReader &reader, const char *key, double minimum, double maximum) {
    if (reader.has(key))
        return reader.number(key, minimum, maximum);
    reader.ignore(key);
    return QJsonValue::Null;
}

QJsonValue readOptionalWhole(JsonReader &reader, const char *key, qint64 minimum, qint64 maximum) {
    if (reader.has(key))
        return reader.integer(key, minimum, maximum);
    reader.ignore(key);
    return QJsonValue::Null;
}

namespace {

Result<qint64> placedAxis(const Op &op, qint64 axis, const QString &place) {
    const auto rank = static_cast<qint64>(op.inputShape().size());
    const qint64 placed = axis < 0 ? axis + rank : axis;
    if (placed >= 0 && placed < rank)
        return placed;
    return misfit(place, shapeText(op.inputShape()), sentence("a dimension %1").arg(axis),
                  sentence("Count dimensions behind the batch: 0 is the first of them, -1 the last."));
}

}  // namespace

Result<void> fitAxis(Op &op, const char *parameter, const QString &place) {
    const auto placed = placedAxis(op, op.whole(parameter), place);
    if (!placed)
        return tl::unexpected(placed.error());
    op.parameters[QLatin1String(parameter)] = *placed;
    return {};
}

Result<void> fitAxes(Op &op, const char *parameter, const QString &place) {
    std::vector<qint64> axes;
    for (const qint64 axis : op.list(parameter)) {
        const auto placed = placedAxis(op, axis, place);
        if (!placed)
            return tl::unexpected(placed.error());
        axes.push_back(*placed);
    }
    std::sort(axes.begin(), axes.end());
    if (axes.empty() || std::adjacent_find(axes.begin(), axes.end()) != axes.end()) {
        return misfit(place, shapeText(op.inputShape()), sentence("at least one dimension, each named once"),
                      sentence("Correct \"%1\".").arg(QLatin1String(parameter)));
    }
    QJsonArray sorted;
    for (const qint64 axis : axes)
        sorted.append(axis);
    op.parameters[QLatin1String(parameter)] = sorted;
    return {};
}

std::optional<Shape> broadcastShape(const Shape &a, const Shape &b) {
    Shape shape = a.size() < b.size() ? b : a;
    const Shape &other = a.size() < b.size() ? a : b;
    for (std::size_t i = 0; i < other.size(); ++i) {
        qint64 &mine = shape[shape.size() - 1 - i];
        const qint64 theirs = other[other.size() - 1 - i];
        if (mine != theirs && mine != 1 && theirs != 1)
            return std::nullopt;
        mine = mine == 1 ? theirs : mine;
    }
    return shape;
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
