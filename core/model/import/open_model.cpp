#include "core/model/import/open_model.h"

#include <QDir>
#include <QFileInfo>

#include "core/base/foreign_file.h"
#include "core/model/catalogue.h"
#include "core/model/import/hugging_face.h"
#include "core/model/import/onnx.h"
#include "core/model/model_name.h"

namespace hearth {

namespace {

/// Of a folder that somebody meant as one of Hugging Face.
tl::unexpected<Error> withoutConfig(const QString &path) {
    constexpr int most = 1000;
    QStringList below;
    const QFileInfoList folders = QDir(path).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (const QFileInfo &each : folders.mid(0, most)) {
        if (isHuggingFaceFolder(each.filePath()))
            below << each.fileName();
    }
    return fail(QStringLiteral("model.no-config"),
                sentence("The folder \"%1\" has no config.json.").arg(path.left(200)),
                sentence("That file says what network its weights belong to."),
                below.isEmpty() ? sentence("Choose the folder that has config.json and model.safetensors.")
                                : sentence("Choose the folder \"%1\" in it, which has one.").arg(below.front()));
}

}  // namespace

Result<ImportedModel> openModel(const QString &nameOrPath) {
    const ModelName name = ModelName::split(nameOrPath);
    if (isHuggingFaceFolder(name.base)) {
        const auto options = HeadOptions::fromJson(name.options, nameOrPath);
        return options ? importHuggingFace(name.base, *options) : tl::unexpected(options.error());
    }
    if (isOnnxFile(name.base)) {
        if (auto known = refuseForeign(name.base); !known)
            return tl::unexpected(known.error());
        const auto options = OnnxOptions::fromJson(name.options, nameOrPath);
        return options ? importOnnx(name.base, *options) : tl::unexpected(options.error());
    }
    if (!builtinModels().contains(name.base) && QFileInfo(name.base).isDir())
        return withoutConfig(name.base);
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
