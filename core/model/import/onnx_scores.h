// Internal to core/model/import: what softmax takes in an attention that an exporter wrote out.
#pragma once

#include "core/model/import/onnx_draft.h"

namespace hearth::onnx_import {

struct Scores {
    int product = -1;  // of queries and keys
    double factor = 1;
    int mask = -1;  // a value of whole numbers: 1 where a key may be seen
    bool isCausal = false;
};

/// Understands factors, one mask of the samples, and constants that hide what is still to come. `takers`: by op, who
/// alone takes what it gives, or -1.
class ScoresReader {
  public:
    ScoresReader(const Draft &draft, const std::vector<int> &takers, const std::map<QString, OnnxTensor> &tensors)
        : m_draft(draft), m_takers(takers), m_tensors(tensors) {}

    /// From the softmax back to the product of queries and keys; nothing where something else is on the way.
    std::optional<Scores> read(int softmax);

  private:
    using Hidden = std::vector<bool>;  // queries × keys; empty: nothing is

    const DraftOp &op(int i) const { return m_draft.at(i); }
    bool addMask(int i, const Shape &shape, Scores &scores, Hidden &hidden);
    bool isMasked(int i, const Shape &shape, const Hidden &hidden);
    std::optional<Known> constant(int i, const Shape &shape);

    const Draft &m_draft;
    const std::vector<int> &m_takers;
    const std::map<QString, OnnxTensor> &m_tensors;
    qint64 m_room = 1 << 26;  // elements of masks that are looked at in all
};

}  // namespace hearth::onnx_import
