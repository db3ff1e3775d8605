// Internal to core/model/import: which tensor of a file is which of a network.
#pragma once

#include <map>

#include "core/model/imported_model.h"

namespace hearth::detail {

/// Tensors of Hugging Face's files by the names of a model's.
struct TensorMatch {
    std::map<QString, QString> nameInFile;  // by the model's name
    std::vector<Sentence> notes;            // what is new, of another shape, unused
};

/// Files of the bare network leave out `base` ("bert."), old ones say gamma and beta. Shapes may differ by dimensions
/// of one. Error: nothing matches.
Result<TensorMatch> matchTensors(const Model &model, const TensorSource &files, const QString &base,
                                 const QString &source);

/// The files' tensors, by the model's names and in its shapes.
std::shared_ptr<const TensorSource> matchedTensors(const Model &model, std::shared_ptr<const TensorSource> files,
                                                   const TensorMatch &match);

}  // namespace hearth::detail
