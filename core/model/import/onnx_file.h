// Internal to core/model/import: what an ONNX file says, before anything is made of it.
#pragma once

#include <QByteArray>
#include <QString>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/shapes.h"

namespace hearth::onnx_import {

/// Bounds of what is read. A file of any size takes some 200 MiB at most, weights apart, which stay where they are.
struct OnnxLimits {
    static constexpr int oldestOpset = 13, newestOpset = 18;
    static constexpr int nodes = 100'000;
    static constexpr int tensors = 100'000;
    static constexpr qint64 nodeBytes = 2 << 20;         // of one node, tensors of constants included
    static constexpr qint64 allNodeBytes = 64 << 20;     // of all of them
    static constexpr qint64 nodeParts = 1 << 20;         // inputs, outputs and numbers of attributes of all nodes
    static constexpr qint64 smallTensorBytes = 1 << 16;  // up to here a tensor is kept in memory
    static constexpr int values = 4096;                  // that one node takes, or gives
    static constexpr int nameBytes = 1000;
    static constexpr int rank = 8;
};

/// A tensor of the file; where it lies, or its bytes if there are few.
struct OnnxTensor {
    std::string name;
    int type = 0;  // onnx::TensorProto::DataType
    Shape dims;
    QByteArray content;  // little-endian, row by row
    QString file;        // else: `bytes` bytes at `offset` of it
    qint64 offset = 0;
    qint64 bytes = 0;
};

struct OnnxAttribute {
    std::string name;
    double real = 0;
    qint64 whole = 0;
    std::string text;
    std::vector<double> reals;
    std::vector<qint64> wholes;
    std::shared_ptr<const OnnxTensor> tensor;
    bool graph = false;  // it holds what a branch or a loop does
};

struct OnnxNode {
    std::string type;
    std::string domain;  // empty: ONNX's own operators
    std::string name;
    std::vector<std::string> inputs;  // an empty name: left out
    std::vector<std::string> outputs;
    std::vector<OnnxAttribute> attributes;
};

struct OnnxInput {
    static constexpr qint64 open = -1;
    std::string name;
    int type = 0;
    Shape dims;                      // `open` where the file names a dimension instead of saying it
    std::vector<std::string> names;  // of all dimensions; of most empty
};

struct OnnxFile {
    int opset = 0;
    std::vector<OnnxNode> nodes;
    std::vector<OnnxTensor> initializers;
    std::vector<OnnxInput> inputs;  // initializers that are listed as inputs, too, included
    std::vector<std::string> outputs;
};

/// Bytes of one element; 0 for types that no network here has.
int elementBytes(int type);
/// Of real numbers.
bool isRealType(qint64 type);

/// Reads structure and small tensors; of others it notes where they are. External data must lie in the file's own
/// folder, reached without links. Any thread.
Result<OnnxFile> readOnnxFile(const QString &path);
/// The same from memory; `source` is what errors name. External data are refused.
Result<OnnxFile> parseOnnx(std::span<const std::byte> content, const QString &source);

/// All bytes of a tensor of the file. Error: its file is not what it was.
Result<QByteArray> readTensorBytes(const OnnxTensor &tensor);

}  // namespace hearth::onnx_import
