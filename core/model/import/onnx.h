// Networks out of ONNX files, as torch.onnx.export writes them.
#pragma once

#include <QJsonObject>
#include <QString>
#include <map>
#include <span>

#include "core/model/imported_model.h"

namespace hearth {

struct OnnxOptions {
    /// Sizes of dimensions that the file leaves open, by the names that it gives them ("sequence"). The batch needs
    /// none.
    std::map<QString, qint64> sizes;

    /// Of ModelName::options.
    static Result<OnnxOptions> fromJson(const QJsonObject &options, const QString &source);
};

/// Whether a tensor of such a network is a constant that its graph computed or held: nobody else knows it. By its name.
bool isOnnxConstant(const QString &tensor);

/// The name ends like one.
bool isOnnxFile(const QString &path);

/// Reads operator sets 13 to 18, weights inside or in files beside. The result has the graph form of "hearth-model/1";
/// ops are named after their weights, and weights keep their names, so that load_state_dict() takes what was trained.
/// What is computed from shapes is computed here, for the file's input size; the batch stays free. BatchNorm exported
/// for inference trains as BatchNorm. Equal weights that the exporter shares by Identity are weights of their own.
/// Errors: the file is not valid or not supported ("onnx.…", with node and operator), or its network is more than a
/// Model may be ("model.…"). Takes no more memory than the structure needs: weights are read when they are asked for.
/// Any thread.
Result<ImportedModel> importOnnx(const QString &path, const OnnxOptions &options = {});
/// The same from memory; external data are refused.
Result<ImportedModel> importOnnx(std::span<const std::byte> content, const QString &source,
                                 const OnnxOptions &options = {});

}  // namespace hearth
