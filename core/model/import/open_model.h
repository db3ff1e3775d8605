// Any network that a person can name.
#pragma once

#include "core/model/imported_model.h"

namespace hearth {

/// What loadModel() takes; besides the folder of a Hugging Face network (hugging_face.h) and an ONNX file (onnx.h),
/// with options behind a colon ("bert-base-uncased:sequence=64,head=token-classification"). Any thread.
Result<ImportedModel> openModel(const QString &nameOrPath);

/// What to open where a person chose that file: the folder for one of the files of a Hugging Face network, else the
/// file itself.
QString modelOfFile(const QString &path);

}  // namespace hearth
