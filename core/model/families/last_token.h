// Internal to core/model/families.
#pragma once

#include "core/model/graph_builder.h"

namespace hearth::detail {

/// Of {tokens, features} the features of the last token of a text that is filled up at its end: {features}. `mask` is 1
/// for every token and 0 behind them.
QString lastToken(GraphBuilder &graph, const QString &x, const QString &mask, qint64 tokens);

}  // namespace hearth::detail
