// Internal to core/model/import: tensors and nodes out of their messages, checked.
#pragma once

#include "core/model/import/onnx_file.h"

namespace ONNX_NAMESPACE {
class NodeProto;
class TensorProto;
}  // namespace ONNX_NAMESPACE

namespace hearth::onnx_import {

// Errors are the cause alone: the reader knows the file.
template <class T>
using Checked = tl::expected<T, Sentence>;

/// Name, type and shape of `facts`; tensor.bytes must be what they need.
Checked<void> describeTensor(const ONNX_NAMESPACE::TensorProto &facts, OnnxTensor &tensor);
/// A whole tensor. `path` is the ONNX file, beside which external data lie; empty: there are none.
Checked<OnnxTensor> takeTensor(const ONNX_NAMESPACE::TensorProto &proto, const QString &path);
/// `parts` grows by the inputs, outputs and numbers of the node.
Checked<OnnxNode> takeNode(const ONNX_NAMESPACE::NodeProto &proto, const QString &path, qint64 &parts);

}  // namespace hearth::onnx_import
