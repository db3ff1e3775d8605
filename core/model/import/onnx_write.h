// Internal to core/model/import: how ops of Hearth become nodes of ONNX, by families.
#pragma once

#include <QHash>
#include <QJsonArray>
#include <functional>

#include "core/model/import/onnx_writer.h"

namespace hearth::onnx_export {

/// One op, as its function sees it.
struct Call {
    Writer &writer;
    const Op &op;
    const Names &inputs;
    const Names &weights;

    const Name &x() const { return inputs.front(); }
    QJsonValue value(const char *parameter) const { return op.parameters.value(QLatin1String(parameter)); }
    double number(const char *parameter) const { return value(parameter).toDouble(); }
    qint64 whole(const char *parameter) const { return value(parameter).toInteger(); }
    bool flag(const char *parameter, bool fallback = false) const { return value(parameter).toBool(fallback); }
    std::vector<qint64> list(const char *parameter) const {
        std::vector<qint64> numbers;
        for (const QJsonValue each : value(parameter).toArray())
            numbers.push_back(each.toInteger());
        return numbers;
    }
    /// A number for each of `count` dimensions.
    std::vector<qint64> each(const char *parameter, std::size_t count, qint64 fallback) const {
        std::vector<qint64> numbers = list(parameter);
        if (numbers.empty())
            numbers.assign(count, value(parameter).toInteger(fallback));
        numbers.resize(count, numbers.back());
        return numbers;
    }
    /// Of a sample → of ONNX, where the batch is first.
    qint64 axis(const char *parameter) const {
        const qint64 own = whole(parameter);
        return own < 0 ? own : own + 1;
    }
    std::size_t windowDims() const { return op.inputShape().size() - 1; }
};
/// Gives the name of what the nodes compute; an empty one where ONNX has no like of the op.
using Write = std::function<Name(const Call &)>;
using WriteTable = QHash<QString, Write>;

void addLayerWrites(WriteTable &table);      // with weights, and pools
void addElementWrites(WriteTable &table);    // element by element, views, parts, joins, sums
void addAttentionWrites(WriteTable &table);  // tokens, positions, attention

/// The op's input and its tensors.
Names withWeights(const Call &call);

}  // namespace hearth::onnx_export
