// A network that was made elsewhere, with the weights that came with it.
#pragma once

#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// Tensors by name, read one at a time: what lies on the disk may be larger than the memory. Any thread, also several
/// at once.
class TensorSource {
  public:
    /// As stored, which need not be the precision of a run.
    struct Facts {
        DType dtype = DType::Float32;
        Shape shape;
    };

    virtual ~TensorSource() = default;
    /// Sorted; those that the network does not use may be among them.
    virtual QStringList names() const = 0;
    virtual std::optional<Facts> find(const QString &name) const = 0;
    /// One of `names`, with its bytes in a buffer of its own; spec.role and spec.init are not known. Error: its file is
    /// not what it was when it was opened.
    virtual Result<NamedTensor> read(const QString &name) const = 0;
};

/// What openModel() gives. Plain value.
struct ImportedModel {
    Model model;
    std::shared_ptr<const TensorSource> weights;  // by the names of the model's tensors; null where none came
    std::vector<Sentence> notes;  // what a person should know: what was left out, what was taken for what
};

}  // namespace hearth
