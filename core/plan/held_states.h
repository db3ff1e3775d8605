// Which states of which layers a worker holds: what recovery chooses from.
#pragma once

#include <QCborArray>
#include <QCborMap>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// Plain value, any thread. The state of layers [firstLayer, lastLayer) after `version` rounds, whole.
struct HeldState {
    quint64 version = 0;
    int firstLayer = 0;
    int lastLayer = 0;
    bool operator==(const HeldState &) const = default;
};

QCborArray heldStatesToCbor(const std::vector<HeldState> &states);
/// Words of a peer: at most a bounded number of ranges, each within a model.
Result<std::vector<HeldState>> heldStatesFromCbor(const QCborArray &array);

}  // namespace hearth
