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

}  // namespace hearth::detail
