// Internal to core/model: the registry of ops, and ops from and to JSON.
#pragma once

#include <QStringList>

#include "core/base/json_reader.h"
#include "core/model/model.h"

namespace hearth::detail {

const QStringList &opKinds();
/// Kinds of ops with one input, the only ones that a chain can have.
const QStringList &chainKinds();
/// How many inputs an op of that kind takes: at least, at most.
std::pair<int, int> inputCounts(const QString &kind);
/// Kinds that may follow a residual's sum.
QStringList activationKinds();
/// Weights right before one of these kinds are drawn wider (init.h).
bool widensWeights(const QString &kind);

/// An op of that kind with the parameters of the description. Errors collect in the reader.
Op readOp(JsonReader &reader, const QString &kind);
/// The description of a fitted op, every parameter explicit.
QJsonObject describeOp(const Op &op);

/// Derives output shape and cost from the input shapes, and checks that the op can take them. `place` names layer and
/// op.
Result<void> fitOp(Op &op, const QString &place);
/// What a fitted op holds, named within the op ("weight"). `widened`: all that take its output widen weights.
std::vector<TensorSpec> tensorsOf(const Op &op, bool widened);

}  // namespace hearth::detail
