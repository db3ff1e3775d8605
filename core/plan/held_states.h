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

/// How many versions of a layer's state a worker keeps.
struct KeptVersions {
    /// Snapshots of its own layers, beside the committed version: devices are at most one round apart.
    static constexpr int snapshots = 2;
    /// Where every round has one: a coordinator that dies may have written down none of the last two.
    static constexpr int denseSnapshots = 3;
    /// So many more in asynchronous training: devices are at most two rounds apart.
    static constexpr int whereRoundsOverlap = 1;
    /// Of others' layers, one that is whole stays until the next one counts.
    static constexpr int copies = 2;
    /// At worst: the committed one and the one on its way, too; and the copy that arrives.
    static constexpr int mostSnapshots = denseSnapshots + 2;
    static constexpr int mostCopies = copies + 1;
    /// What a plan leaves room for in the ordinary case. Among several devices: snapshots, the committed version, and
    /// the one on its way. A device alone has the committed one among them, and takes one before the oldest goes.
    static constexpr int usualSnapshots(std::size_t devices) { return snapshots + (devices > 1 ? 2 : 1); }
    static constexpr int usualCopies(std::size_t devices) { return devices > 1 ? copies : 0; }
};

QCborArray heldStatesToCbor(const std::vector<HeldState> &states);
/// Words of a peer: at most a bounded number of ranges, each within a model.
Result<std::vector<HeldState>> heldStatesFromCbor(const QCborArray &array);

}  // namespace hearth
