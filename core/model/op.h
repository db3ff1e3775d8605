// Internal to core/model: ops from and to JSON, and how they fit on a shape.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "core/base/json_reader.h"
#include "core/model/model.h"

namespace hearth::detail {

/// The words for "kind" of an op.
QStringList opKindNames();
/// Reads the parameters of an op of that kind; `in`, shapes and (for "depthwise") `out` and `groups` stay open until
/// fitOp. Errors collect in the reader.
Op readOp(JsonReader &reader, const QString &kind);
/// The description of a fitted op, every parameter explicit.
QJsonObject describeOp(const Op &op);
/// "convolution", "depthwise", …
QString opKindName(const Op &op);

/// Fills in what follows from the input shape and checks that the op can take it. `place` names layer and op.
Result<void> fitOp(Op &op, const Shape &input, const QString &place);

/// A parsed op has this in `groups` while it means "as many as there are channels".
inline constexpr int groupsOfDepthwise = 0;

Op convolution(int channels, int kernel, int stride, bool bias);
Op depthwise(int kernel, int stride);
Op plain(OpKind kind);

/// Multiply-adds per sample; 0 for ops without weights.
qint64 macsOf(const Op &op);

}  // namespace hearth::detail
