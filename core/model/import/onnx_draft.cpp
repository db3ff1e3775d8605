#include "core/model/import/onnx_draft.h"

#include <QJsonArray>
#include <algorithm>

#include "core/model/model.h"

namespace hearth::onnx_import {

std::vector<int> Draft::uses() const {
    std::vector<int> uses(ops.size());
    for (const DraftOp &op : ops) {
        if (op.is("parameter"))
            continue;  // it takes no more than the batch
        for (const int value : op.from)
            ++uses[static_cast<std::size_t>(value)];
    }
    ++uses[static_cast<std::size_t>(output)];
    return uses;
}

void Draft::dropUnused() {
    std::vector<bool> needed(ops.size());
    needed[static_cast<std::size_t>(output)] = true;
    for (std::size_t i = ops.size(); i-- > 0;) {
        if (!needed[i] || ops[i].is("parameter"))
            continue;
        for (const int value : ops[i].from)
            needed[static_cast<std::size_t>(value)] = true;
    }
    // A parameter takes the batch from what is there anyway: what it was beside may be gone.
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (!needed[i] || !ops[i].is("parameter"))
            continue;
        int &beside = ops[i].from.front();
        while (!needed[static_cast<std::size_t>(beside)] && !at(beside).from.empty())
            beside = at(beside).from.front();
        needed[static_cast<std::size_t>(beside)] = true;
    }
    std::vector<int> places(ops.size(), -1);
    std::vector<DraftOp> kept;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (!needed[i])
            continue;
        places[i] = static_cast<int>(kept.size());
        for (int &value : ops[i].from)
            value = places[static_cast<std::size_t>(value)];
        kept.push_back(std::move(ops[i]));
    }
    ops = std::move(kept);
    output = places[static_cast<std::size_t>(output)];
}

QJsonObject Draft::toJson(const QString &name) const {
    QJsonArray inputs, graph;
    for (const DraftOp &op : ops) {
        if (op.kind.isEmpty()) {
            inputs.append(QJsonObject{{QStringLiteral("name"), op.name},
                                      {QStringLiteral("dtype"), QLatin1String(op.isWhole ? "int64" : "real")},
                                      {QStringLiteral("shape"), shapeJson(op.shape)}});
            continue;
        }
        QJsonObject object = op.parameters;
        object[QStringLiteral("name")] = op.name;
        object[QStringLiteral("kind")] = op.kind;
        QJsonArray from;
        for (const int value : op.from)
            from.append(at(value).name);
        object[QStringLiteral("from")] = from;
        QJsonObject tensors;
        for (const auto &[role, tensor] : op.tensors) {
            if (tensor != op.name + QLatin1Char('.') + role)
                tensors[role] = tensor;
        }
        if (!tensors.isEmpty())
            object[QStringLiteral("tensors")] = tensors;
        if (op.isFrozen)
            object[QStringLiteral("frozen")] = true;
        graph.append(object);
    }
    return {{QStringLiteral("format"), QStringLiteral("hearth-model/1")},
            {QStringLiteral("name"), name},
            {QStringLiteral("inputs"), inputs},
            {QStringLiteral("graph"), graph},
            {QStringLiteral("outputs"), QJsonArray{at(output).name}}};
}

QString opName(const QString &theirs) {
    QString name;
    for (const QChar c : theirs) {
        const bool valid = (c >= QLatin1Char('a') && c <= QLatin1Char('z')) ||
                           (c >= QLatin1Char('A') && c <= QLatin1Char('Z')) ||
                           (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || QStringLiteral("_-./").contains(c);
        name += valid ? c : QLatin1Char('_');
    }
    while (name.startsWith(QLatin1Char('/')))
        name.remove(0, 1);
    constexpr int roomForCount = 12;
    return name.right(ModelLimits::nameLength - roomForCount);
}

}  // namespace hearth::onnx_import
