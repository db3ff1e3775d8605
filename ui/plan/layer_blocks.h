// Layers whose names begin alike, folded into blocks: so hundreds of them can be read in the width of a window.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace hearth {

/// Plain value; at most `mostParts` parts in each.
struct LayerBlock {
    static constexpr int mostParts = 24;

    int first = 0, last = 0;  // its layers, half-open
    QString name;             // what the names of its layers begin with, or "features.0–15"; of a layer: its name
    std::vector<LayerBlock> parts;

    bool isLayer() const { return parts.empty(); }
    int layers() const { return last - first; }
    bool contains(const LayerBlock &other) const { return first <= other.first && other.last <= last; }
};

/// All layers as one block. Names have parts between dots, slashes and before numbers ("encoder.block.3"); neighbours
/// with the same ones form a block, and many neighbours without a common name several.
LayerBlock layerBlocks(const QStringList &names);

/// What a person has unfolded (true) or folded (false), by the layers of the block.
using BlockChoices = QMap<std::pair<int, int>, bool>;

/// What is shown of it, in order. As many blocks are unfolded as leave at most `room` things to show, those with most
/// layers first; chosen ones whatever the room.
std::vector<const LayerBlock *> shownBlocks(const LayerBlock &root, int room, const BlockChoices &choices = {});

/// The block that `part` is a part of; null: `root` itself.
const LayerBlock *blockAround(const LayerBlock &root, const LayerBlock &part);

}  // namespace hearth
