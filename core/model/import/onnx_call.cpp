// What handlers of nodes need: attributes, ops, names, and values in another form.
#include <QJsonArray>
#include <algorithm>

#include "core/model/import/onnx_lowering.h"
#include "core/model/model.h"

namespace hearth::onnx_import {

tl::unexpected<Trouble> weightsAreComputed() {
    return trouble(sentence("Its weights are computed by the network itself."),
                   sentence("Export with do_constant_folding=True, or make them plain weights (for instance by "
                            "torch.nn.utils.remove_weight_norm)."));
}

const Value &Call::input(std::size_t i) const {
    static const Value absent;
    return i < inputs.size() ? inputs[i] : absent;
}

const OnnxAttribute *Call::attribute(const char *name) const {
    const auto found = std::find_if(node.attributes.begin(), node.attributes.end(),
                                    [name](const OnnxAttribute &each) { return each.name == name; });
    return found == node.attributes.end() ? nullptr : &*found;
}

qint64 Call::whole(const char *name, qint64 fallback) const {
    const OnnxAttribute *found = attribute(name);
    return found ? found->whole : fallback;
}

double Call::real(const char *name, double fallback) const {
    const OnnxAttribute *found = attribute(name);
    return found ? found->real : fallback;
}

std::string Call::text(const char *name, const char *fallback) const {
    const OnnxAttribute *found = attribute(name);
    return found ? found->text : fallback;
}

std::vector<qint64> Call::wholes(const char *name) const {
    const OnnxAttribute *found = attribute(name);
    return found ? found->wholes : std::vector<qint64>();
}

Tried<std::shared_ptr<const Known>> Call::known(std::size_t i) const {
    if (!input(i).isKnown())
        return trouble(
            sentence("Its input %1 is computed while the network runs, or is a weight.").arg(static_cast<int>(i) + 1),
            sentence("Export with constants there."));
    return input(i).known;
}

Tried<std::optional<std::vector<qint64>>> Call::list(const char *name, std::size_t i) const {
    if (has(i)) {
        const auto value = known(i);
        if (!value)
            return tl::unexpected(value.error());
        return (*value)->wholes();
    }
    if (const OnnxAttribute *found = attribute(name))
        return found->wholes;
    return std::nullopt;
}

QJsonArray toArray(const std::vector<qint64> &numbers) {
    QJsonArray array;
    for (const qint64 number : numbers)
        array.append(number);
    return array;
}

QJsonValue numberOrList(const std::vector<qint64> &numbers) {
    const bool same = std::all_of(numbers.begin(), numbers.end(), [&](qint64 n) { return n == numbers.front(); });
    return same && !numbers.empty() ? QJsonValue(numbers.front()) : QJsonValue(toArray(numbers));
}

QString Lowering::freshName(const QString &wanted) {
    const QString base = wanted.isEmpty() ? QStringLiteral("op") : wanted;
    QString name = base;
    while (m_names.contains(name))
        name = QStringLiteral("%1.%2").arg(base).arg(++m_counts[base]);
    m_names.insert(name);
    return name;
}

int Lowering::emit(const Call &call, const char *kind, QJsonObject parameters, std::vector<int> from, Shape sample,
                   const QString &name) {
    DraftOp op;
    const std::string &own =
        call.node.name.empty() && !call.node.outputs.empty() ? call.node.outputs.front() : call.node.name;
    op.name = freshName(name.isEmpty() ? opName(QString::fromStdString(own)) : name);
    op.kind = QLatin1String(kind);
    op.parameters = std::move(parameters);
    op.from = std::move(from);
    op.shape = std::move(sample);
    m_draft.ops.push_back(std::move(op));
    return static_cast<int>(m_draft.ops.size()) - 1;
}

Value Lowering::emitLike(const Call &call, const char *kind, QJsonObject parameters, const Value &x, Shape dims) {
    Value value = x;
    value.dims = std::move(dims);
    value.op = emit(call, kind, std::move(parameters), {x.op}, value.sampleShape());
    op(value).isWhole = value.isWhole;
    if (value.isBatched())
        m_lastBatched = value.op;
    return value;
}

QString nameOfWeight(const QString &weight) {
    for (const auto &ending : {QLatin1String(".weight"), QLatin1String("_weight")}) {
        if (weight.endsWith(ending) && weight.size() > ending.size())
            return opName(weight.chopped(ending.size()));
    }
    return opName(weight);
}

void Lowering::nameAfter(int index, const Value &weight) {
    // What an exporter computed itself is called by a number; the node says more.
    if (!weight.isWeight() || weight.tensor.startsWith(QLatin1String("onnx__")))
        return;
    const QString name = nameOfWeight(weight.tensor);
    if (!name.isEmpty() && !m_names.contains(name)) {
        m_names.insert(name);
        m_names.remove(m_draft.at(index).name);
        m_draft.at(index).name = name;
    }
}

Tried<void> Lowering::setTensor(int index, const char *role, const Value &value) {
    DraftOp &target = m_draft.at(index);
    // Constants stay constants: an op is frozen whole or not at all. What training counts is no weight.
    if (const QLatin1String name(role); !name.startsWith(QLatin1String("running_"))) {
        if (!target.tensors.empty() && target.isFrozen != value.isKnown())
            return trouble(sentence("Some of its weights are constants, others are not."),
                           sentence("Make all of them parameters of the module, or none."));
        target.isFrozen = value.isKnown();
    }
    if (value.isWeight() && !value.isPart()) {
        target.tensors[QLatin1String(role)] = value.tensor;
        return {};
    }
    if (value.isKnown() && value.known->isReal) {
        const QString name = freshName(target.name + QLatin1Char('.') + QLatin1String(role) + constantEnding);
        m_draft.constants.insert_or_assign(name, *value.known);
        target.tensors[QLatin1String(role)] = name;
        return {};
    }
    return weightsAreComputed();
}

Value Lowering::computed(const Call &call, const Value &value, const Value &near) {
    if (value.isComputed())
        return value;
    // A number is one element of a list: it is broadcast all the same.
    const Shape stored = value.dims.empty() ? Shape{1}
                         : value.turned     ? Shape(value.dims.rbegin(), value.dims.rend())
                                            : value.dims;
    Shape own = stored;
    if (value.isPart())
        own.front() = value.allRows;
    Value result;
    result.kind = Value::Kind::Computed;
    result.dims = own;
    const QString name = value.isWeight() ? nameOfWeight(value.tensor)
                                          : opName(QString::fromStdString(call.node.name)) + QStringLiteral(".table");
    result.op = emit(call, "parameter", {{QStringLiteral("shape"), toArray(own)}},
                     {near.isComputed() ? near.op : m_lastBatched}, own, name);
    m_draft.at(result.op).isFrozen = value.isKnown();
    Value table = value;
    table.allRows = 0;
    if (value.isKnown() && !value.known->isReal) {
        Known real = *value.known;
        real.isReal = true;
        table.known = std::make_shared<Known>(std::move(real));
    }
    std::ignore = setTensor(result.op, "weight", table);  // a weight or a constant always can
    if (value.isPart()) {
        const QJsonObject rows{{QStringLiteral("axis"), 0},
                               {QStringLiteral("start"), value.firstRow},
                               {QStringLiteral("end"), value.firstRow + stored.front()}};
        result = emitLike(call, "slice", rows, result, stored);
    }
    if (!value.turned)
        return result;
    return emitLike(call, "transpose", {{QStringLiteral("axes"), QJsonArray{1, 0}}}, result, value.dims);
}

Tried<int> Lowering::sampleAxis(const Value &x, qint64 axis) const {
    const auto place = axisWithin(axis, x.rank());
    if (!place)
        return tl::unexpected(place.error());
    if (*place == x.batchAt)
        return trouble(sentence("It works along the batch."),
                       sentence("Samples must not see each other: use another dimension."));
    int count = 0;
    for (int i = 0; i < *place; ++i)
        count += i == x.batchAt ? (x.before != 1) + (x.after != 1) : 1;
    return count;
}

}  // namespace hearth::onnx_import
