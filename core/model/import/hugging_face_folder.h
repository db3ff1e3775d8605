// Internal to core/model/import: a folder of Hugging Face's, opened.
#pragma once

#include <QDir>

#include "core/model/import/hugging_face_config.h"
#include "core/model/import/hugging_face_tensors.h"

namespace hearth::detail {

/// What a folder says of its network.
struct HuggingFaceFolder {
    QDir place;
    QJsonObject config;
    ConfiguredModel configured;
    Model model;
    std::shared_ptr<const TensorSource> files;  // as they are called there
    TensorMatch match;
};

Result<HuggingFaceFolder> openHuggingFace(const QString &path, const HeadOptions &options);

/// A folder for something new. Error: it is there and has files, it cannot be made.
Result<void> makeEmptyFolder(const QString &path);

}  // namespace hearth::detail
