// Initial weights from a file that was made for another network, or for a part of this one.
#pragma once

#include <QStringList>
#include <vector>

#include "core/model/imported_model.h"

namespace hearth {

/// Which tensors of a model a file has, by name. Plain value.
struct WeightsMatch {
    struct Reshaped {
        QString name;
        Shape inFile, inModel;
    };
    QStringList matched;
    QStringList fresh;               // of the model, not in the file: they begin as the seed says
    std::vector<Reshaped> reshaped;  // in both with another shape, or no floating-point numbers: likewise
    QStringList unused;              // of the file, not in the model

    /// Looks at names and shapes alone. Any thread.
    static WeightsMatch of(const Model &model, const TensorSource &source);
    /// For a person: how many of each, and the first few names.
    Sentence toSentence() const;
};

/// What matches, read one tensor at a time, the rest of the seed; as weightsForModel() orders them. Errors: nothing
/// matches ("weights.mismatch"; `name` is the file's), and those of reading. Any thread; blocks.
Result<std::vector<std::vector<NamedTensor>>> matchingWeights(const Model &model, const TensorSource &source,
                                                              DType dtype, quint64 seed, const QString &name);

}  // namespace hearth
