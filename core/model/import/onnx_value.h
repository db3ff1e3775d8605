// Internal to core/model/import: what a value of an ONNX graph is known to be.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/model/import/onnx_file.h"

namespace hearth::onnx_import {

/// Stands for the batch in shapes and in computations with them: a prime above every dimension that a model may have,
/// so that a whole multiple of it is nothing else, and arithmetic on shapes is plain arithmetic.
inline constexpr qint64 batchSymbol = 2147483647;

inline bool hasBatch(qint64 dimension) {
    return dimension != 0 && dimension % batchSymbol == 0;
}

/// A tensor that does not depend on the samples. Whole numbers are exact up to 2^53, which shapes stay below.
struct Known {
    Shape dims;
    std::vector<double> elements;
    bool isReal = false;

    bool isScalar() const { return elements.size() == 1; }
    qint64 whole(std::size_t i) const;  // clamped to 64 bits
    std::vector<qint64> wholes() const;
};

/// A value of the graph. ONNX puts the batch anywhere; Hearth's values have it first. A Computed value whose elements
/// are in order (d0 … before · batch · after … dn) is the tensor (batch, d0 … before, after … dn) here: dimension
/// `batchAt` is before × batch × after. So moving the batch costs nothing, and merging it into another dimension, as
/// attention does, is undone.
struct Value {
    enum class Kind { Absent, Known, Weight, Computed };

    Kind kind = Kind::Absent;
    Shape dims;  // ONNX's, with the batch symbol
    std::shared_ptr<const Known> known;
    QString tensor;                    // Weight: its name in the file of weights
    bool turned = false;               // Weight: `dims` are those of its transposed matrix
    qint64 firstRow = 0, allRows = 0;  // Weight: some rows of a table of so many; allRows 0: all of it
    int op = -1;                       // Computed: by which op of the draft
    int batchAt = -1;                  // none: the same for all samples
    qint64 before = 1, after = 1;
    bool isWhole = false;  // int64

    bool isAbsent() const { return kind == Kind::Absent; }
    bool isKnown() const { return kind == Kind::Known; }
    bool isWeight() const { return kind == Kind::Weight; }
    bool isPart() const { return allRows != 0; }
    bool isComputed() const { return kind == Kind::Computed; }
    bool isBatched() const { return batchAt >= 0; }
    /// The batch is the first dimension and nothing else is in it.
    bool isBatchFirst() const { return batchAt == 0 && before == 1 && after == 1; }
    int rank() const { return static_cast<int>(dims.size()); }
    /// Of a Computed value, as Hearth sees it.
    Shape sampleShape() const;
};

/// Why a node cannot be imported.
struct Trouble {
    Sentence cause;
    Sentence advice;
};
template <class T>
using Tried = tl::expected<T, Trouble>;

inline tl::unexpected<Trouble> trouble(Sentence cause, Sentence advice = {}) {
    return tl::unexpected(Trouble{std::move(cause), std::move(advice)});
}

/// The dimensions of two tensors together, from the last: equal, or one of them 1.
Tried<Shape> broadcast(const Shape &a, const Shape &b);
/// `axis` of ONNX, which may count from the end.
Tried<int> axisWithin(qint64 axis, int rank);
/// The product, if it is at most `most`.
std::optional<qint64> boundedProduct(const Shape &dims, qint64 most);

/// Out of the bytes of a tensor of the file.
Known knownFrom(const OnnxTensor &tensor, const QByteArray &bytes);

/// Elements that may be made out of shapes and constants, in all.
class FoldBudget {
  public:
    /// False: it is spent.
    bool take(qint64 elements) { return elements >= 0 && (m_left -= std::min(elements, m_left + 1)) >= 0; }

  private:
    qint64 m_left = 1 << 26;
};

struct Call;
/// What a node gives whose inputs are all known; nothing where its operator is not one that can be computed here.
std::optional<Tried<Known>> fold(const Call &call, FoldBudget &budget);

}  // namespace hearth::onnx_import
