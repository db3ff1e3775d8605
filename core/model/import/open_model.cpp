#include "core/model/import/open_model.h"

#include <QFileInfo>

#include "core/model/catalogue.h"
#include "core/model/import/hugging_face.h"
#include "core/model/import/onnx.h"
#include "core/model/model_name.h"

namespace hearth {

Result<ImportedModel> openModel(const QString &nameOrPath) {
    const ModelName name = ModelName::split(nameOrPath);
    if (isHuggingFaceFolder(name.base)) {
        const auto options = HeadOptions::fromJson(name.options, nameOrPath);
        return options ? importHuggingFace(name.base, *options) : tl::unexpected(options.error());
    }
    if (isOnnxFile(name.base)) {
        const auto options = OnnxOptions::fromJson(name.options, nameOrPath);
        return options ? importOnnx(name.base, *options) : tl::unexpected(options.error());
    }
    auto model = loadModel(nameOrPath);
    if (!model)
        return tl::unexpected(model.error());
    return ImportedModel{std::move(*model), nullptr, {}};
}

QString modelOfFile(const QString &path) {
    const QFileInfo file(path);
    const bool ofNetwork = file.fileName() == QLatin1String("config.json") ||
                           file.suffix() == QLatin1String("safetensors") ||
                           file.fileName().endsWith(QLatin1String(".safetensors.index.json"));
    return ofNetwork && isHuggingFaceFolder(file.path()) ? file.path() : path;
}

}  // namespace hearth
