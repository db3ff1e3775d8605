// Internal to core/model: layers from JSON, and what follows from their ops.
#pragma once

#include <functional>

#include "core/model/model.h"

namespace hearth::detail {

/// Reads one entry of "layers" and fits it on `input`; on success shape, description, ops and outputs are complete.
/// `path` is its place in `source` ("layers[3]").
Result<Layer> readLayer(const QJsonValue &value, const QString &source, const QString &path, const ValueSpec &input);

/// How wide the first weights of an op are drawn (init.h).
enum class Spread : quint8 {
    Plain,
    Wide,    // a rectifier or a normalization follows
    Narrow,  // where it is linear: a head
};

/// Completes a layer whose ops are fitted and whose outputs are known: what it takes, gives, holds and costs. Names of
/// tensors begin with `prefix` and the op's; `spread` is by op, `place` says where one stands.
Result<void> completeLayer(Layer &layer, std::vector<ValueSpec> inputs, const QString &prefix,
                           const std::function<Spread(std::size_t op)> &spread,
                           const std::function<QString(const Op &)> &place);

/// Says of every value that layers take and give whether something that is trained lies before it.
void markGradients(std::vector<Layer> &layers);

}  // namespace hearth::detail
