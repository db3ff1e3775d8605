// Internal to core/model/import: the network in the making.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QSet>
#include <map>
#include <vector>

#include "core/model/import/onnx_value.h"

namespace hearth::onnx_import {

/// An op of Hearth, or an input of the network.
struct DraftOp {
    QString name;
    QString kind;  // empty: an input
    QJsonObject parameters;
    std::vector<int> from;
    Shape shape;                         // of what it gives, per sample
    bool isWhole = false;                // int64
    bool isFrozen = false;               // its tensors are
    std::map<QString, QString> tensors;  // its tensors' names in the file of weights

    bool is(const char *other) const { return kind == QLatin1String(other); }
    double number(const char *parameter) const { return parameters.value(QLatin1String(parameter)).toDouble(); }
};

struct Draft {
    std::vector<DraftOp> ops;  // inputs first; each after those that it takes from
    int output = -1;
    std::map<QString, Known> constants;  // tensors that no file has

    DraftOp &at(int op) { return ops[static_cast<std::size_t>(op)]; }
    const DraftOp &at(int op) const { return ops[static_cast<std::size_t>(op)]; }
    /// How many take what each gives, parameters apart; the output is taken once more.
    std::vector<int> uses() const;
    /// Without what nothing takes, inputs included.
    void dropUnused();
    /// The graph form of "hearth-model/1".
    QJsonObject toJson(const QString &name) const;
};

/// Ops that exporters take apart become one again: gelu, silu, hard-swish, layer, group and RMS norm, the bias of a
/// linear op.
void joinPatterns(Draft &draft);
/// Attentions that exporters take apart, too. `tensors`: where the weights are, by name; a buffer may be a mask.
void joinAttention(Draft &draft, const std::map<QString, OnnxTensor> &tensors);

/// "layer1.0/conv" from what other programs call it: letters, digits, "_-./", not too long.
QString opName(const QString &theirs);
/// "layer1.0.conv1" for "layer1.0.conv1.weight".
QString nameOfWeight(const QString &weight);

}  // namespace hearth::onnx_import
