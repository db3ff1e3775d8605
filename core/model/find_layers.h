// Finds the layers of a network that is one graph of ops: where it may be cut between devices.
#pragma once

#include <QString>
#include <vector>

#include "core/model/model.h"

namespace hearth {

/// Consecutive ops of a graph; half-open.
struct FoundLayer {
    int first = 0;
    int last = 0;
    QString name;  // the shortest scope of its ops that is no other layer's: "layer1.0"
    QString kind;  // of its one op with work, "attention-block" or "block"

    bool operator==(const FoundLayer &) const = default;
};

struct FoundLayerLimits {
    static constexpr int layers = 400;  // beyond, the neighbours that cost least are joined
    static constexpr int slots = 4;     // that may cross a cut
};

/// By value of the graph, the op that takes it last (-1: none); the number of ops for `output`. `inputs` are counted
/// first, as in Op::from.
std::vector<int> lastTakers(const std::vector<Op> &ops, std::size_t inputs, int output);

/// Cuts `ops` (fitted, in order, every value taken) where one value crosses that a following op works on, besides those
/// that are carried along: whole numbers and what is made of them without weights, inputs before they are taken, and
/// values that several later blocks take (the output of an encoder, a bias of all attentions). So what has a shortcut
/// is whole: residual blocks, attentions, squeeze-and-excitation. A layer begins with an op that has work; activations,
/// normalizations and views join the one before. A block with attention of its own is one layer with the blocks that
/// follow it up to the next such (cross-attention, feed-forward). Spans of more than some hundred ops that would be one
/// layer are cut where up to FoundLayerLimits::slots values cross. The same layers on every device; any thread.
std::vector<FoundLayer> findLayers(const std::vector<Op> &ops, std::size_t inputs, int output);

}  // namespace hearth
