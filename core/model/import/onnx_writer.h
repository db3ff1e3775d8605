// Internal to core/model/import: an ONNX graph in the making.
#pragma once

#include <onnx/onnx_pb.h>
#include <map>
#include <string>
#include <vector>

#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth::onnx_export {

using Name = std::string;
using Names = std::vector<Name>;

/// Adds nodes and constants; every value gets a name of its own. Shapes are per sample; the batch comes first.
class Writer {
  public:
    explicit Writer(DType real) : m_real(real) {}

    /// A node with one output, called `output` or by the operator and a count.
    Name node(const char *type, Names inputs, const Name &output = {});
    /// Attributes of the last node.
    Writer &with(const char *name, qint64 value);
    Writer &with(const char *name, double value);
    Writer &with(const char *name, const char *value);
    Writer &with(const char *name, const std::vector<qint64> &values);
    /// What node() gave last.
    const Name &last() const { return m_last; }

    // Constants, as nodes: initializers are weights.
    ONNX_NAMESPACE::TensorProto &constant(const Name &name);  // to be filled
    Name wholes(const std::vector<qint64> &values);
    Name wholes(const std::vector<qint64> &dims, const std::vector<qint64> &values);
    Name whole(qint64 value);                                    // without dimensions
    Name number(double value);                                   // in the precision of the weights, without dimensions
    Name filled(const std::vector<qint64> &dims, double value);  // the same everywhere
    Name floats(const std::vector<double> &values);              // in float32 whatever the weights are
    Name reals(const std::vector<qint64> &dims, const std::vector<double> &values);
    /// Values without the batch, once for each sample that `like` has.
    Name forEachSample(const Name &value, const Shape &shape, const Name &like);
    Name reshaped(const Name &value, const Shape &sample);

    ONNX_NAMESPACE::GraphProto &graph() { return *m_model.mutable_graph(); }
    ONNX_NAMESPACE::ModelProto &model() { return m_model; }
    int realType() const;

  private:
    Name fresh(const char *kind);
    ONNX_NAMESPACE::AttributeProto &attribute(const char *name);
    ONNX_NAMESPACE::TensorProto &constant(const std::vector<qint64> &dims, int type, Name &name);

    ONNX_NAMESPACE::ModelProto m_model;
    DType m_real;
    Name m_last;
    int m_count = 0;
};

/// One op as nodes: the name of what it gives, which is `output` where that is not empty. `weights` are the names of
/// its tensors, in order. An empty result: ONNX has no like of it.
Name writeOp(Writer &writer, const Op &op, const Names &inputs, const Names &weights, const Name &output);

}  // namespace hearth::onnx_export
