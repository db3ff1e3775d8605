// Tensors that several ops of a network have: a head and its embedding, blocks that repeat.
#pragma once

#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"

namespace hearth {

/// One tensor, and the layers that have it, ascending. Each layer's state holds it whole (layer_state.h), so that any
/// layer can move alone; a device that computes several of them holds it once, and where they are cut apart, every
/// device that holds it sums its gradient with all others (core/train), which keeps the copies the same bit for bit.
struct Tie {
    TensorRef first;
    std::vector<int> layers;  // two or more
    qint64 elements = 0;
    bool isTrainable = true;  // else frozen

    bool operator==(const Tie &) const = default;
    /// Whether some of the layers are in [firstLayer, lastLayer) and some are not.
    bool isCut(int firstLayer, int lastLayer) const;
    bool isIn(int firstLayer, int lastLayer) const;
};

/// The tensors that several layers have, in the order in which they come first. Any thread.
std::vector<Tie> tiesOf(const Model &model);

/// Ties tensors of the same name to the first of them. Error "model.tie" where they differ in shape or role, or are
/// statistics, which belong to one place; "model.too-large" beyond ModelLimits::ties. `source` is what errors name.
Result<void> tieTensors(std::vector<Layer> &layers, const QString &source);

}  // namespace hearth
