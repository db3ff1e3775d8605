// What an optimizer keeps of a trained tensor between two steps.
#pragma once

#include <algorithm>
#include <optional>

#include "core/model/shapes.h"

namespace hearth {

/// The last two dimensions of a tensor as those of matrices: what factored second moments are taken over (Shazeer and
/// Stern 2018, section 3). A tensor of fewer dimensions is one row whose second moment is kept whole.
struct MatrixForm {
    qint64 count = 1, rows = 1, columns = 1;
    bool isFactored = false;

    static MatrixForm of(const Shape &shape) {
        if (shape.size() < 2)
            return {1, 1, elementCount(shape), false};
        const auto last = shape.end() - 2;
        return {elementCount(Shape(shape.begin(), last)), last[0], last[1], true};
    }
    /// Of a second moment: the mean of each row, then that of each column; whole where it is not factored.
    qint64 rowMeans() const { return isFactored ? count * rows : columns; }
    qint64 columnMeans() const { return isFactored ? count * columns : 0; }
    qint64 moments() const { return rowMeans() + columnMeans(); }
};

/// Buffers come one behind the other: first copies of the trained tensors, then, where the second moment is factored,
/// one with the means of rows and one with those of columns. Plain value.
struct OptimizerState {
    int copies = 0;
    bool isFactored = false;

    bool operator==(const OptimizerState &) const = default;
    int buffers() const { return copies + (isFactored ? 2 : 0); }
    /// What that buffer has of a tensor; none: nothing.
    std::optional<Shape> shapeIn(int buffer, const Shape &tensor) const {
        if (buffer < copies)
            return tensor;
        const bool isRows = buffer == copies;
        if (tensor.size() < 2)
            return isRows ? std::optional(tensor) : std::nullopt;
        Shape means(tensor);
        means.erase(isRows ? means.end() - 1 : means.end() - 2);
        return means;
    }
    /// Elements beside the copies.
    qint64 momentsOf(const Shape &tensor) const { return isFactored ? MatrixForm::of(tensor).moments() : 0; }
};

}  // namespace hearth
