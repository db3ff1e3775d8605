#include "core/model/import/hugging_face_folder.h"

#include <QFileInfo>
#include <QSet>

#include "core/base/json_reader.h"
#include "core/model/safetensors_source.h"

namespace hearth::detail {

using namespace Qt::StringLiterals;

namespace {

const QString configName = u"config.json"_s, weightsName = u"model.safetensors"_s,
              indexName = u"model.safetensors.index.json"_s;

/// The files that an index names: in the folder itself, by plain names.
Result<QStringList> filesOfIndex(const QDir &folder) {
    const QString path = folder.filePath(indexName);
    const auto index = readJsonFile(path, HuggingFaceLimits::indexBytes);
    if (!index)
        return tl::unexpected(index.error());
    const QJsonObject places = (*index)["weight_map"_L1].toObject();
    QSet<QString> names;
    for (const QJsonValue place : places) {
        const QString name = place.toString();
        if (name.isEmpty() || name.startsWith('.'_L1) || name != QFileInfo(name).fileName() ||
            !name.endsWith(".safetensors"_L1)) {
            return fail(u"model.outside"_s, sentence("%1 names a file that is not read.").arg(path),
                        sentence("\"%1\" is no safetensors file of its folder.").arg(name.left(100)),
                        sentence("Save the network again, all its files in one folder."));
        }
        names.insert(name);
    }
    if (names.isEmpty() || names.size() > HuggingFaceLimits::shards) {
        return fail(u"model.index"_s, sentence("%1 does not say where the weights are.").arg(path),
                    sentence("Its \"weight_map\" names %1 files, 1 to %2 are allowed.")
                        .arg(names.size())
                        .arg(HuggingFaceLimits::shards),
                    sentence("Save the network again."));
    }
    QStringList paths;
    for (const QString &name : std::as_const(names))
        paths << folder.filePath(name);
    paths.sort();
    return paths;
}

Result<std::shared_ptr<const TensorSource>> openWeights(const QDir &folder) {
    if (folder.exists(weightsName))
        return openSafetensors({folder.filePath(weightsName)});
    if (folder.exists(indexName)) {
        const auto paths = filesOfIndex(folder);
        if (!paths)
            return tl::unexpected(paths.error());
        return openSafetensors(*paths);
    }
    const bool pickled = folder.exists(u"pytorch_model.bin"_s) || folder.exists(u"pytorch_model.bin.index.json"_s);
    return fail(u"model.no-weights"_s, sentence("%1 has no weights that can be read.").arg(folder.path()),
                pickled ? sentence("Its pytorch_model.bin is a program, not data, and Hearth does not run it.")
                        : sentence("There is neither %1 nor %2 in it.").arg(weightsName, indexName),
                sentence("Save it with save_pretrained(folder, safe_serialization=True), or download its "
                         "model.safetensors."));
}

Result<QJsonObject> configOf(const QDir &folder) {
    if (folder.exists(configName))
        return readJsonFile(folder.filePath(configName), HuggingFaceLimits::configBytes);
    return fail(u"model.no-config"_s, sentence("%1 is no folder of a Hugging Face network.").arg(folder.path()),
                sentence("There is no config.json in it."), sentence("Choose the folder that save_pretrained() made."));
}

QString nameOf(const QDir &folder) {
    const QString name = QFileInfo(folder.absolutePath()).fileName().left(ModelLimits::nameLength);
    return name.isEmpty() ? u"network"_s : name;
}

}  // namespace

Result<HuggingFaceFolder> openHuggingFace(const QString &path, const HeadOptions &options) {
    HuggingFaceFolder folder;
    folder.place = QDir(path);
    const QString source = folder.place.filePath(configName);
    auto config = configOf(folder.place);
    if (!config)
        return tl::unexpected(config.error());
    folder.config = std::move(*config);
    auto configured = readConfig(folder.config, nameOf(folder.place), options, source);
    if (!configured)
        return tl::unexpected(configured.error());
    folder.configured = std::move(*configured);
    auto model = Model::fromJson(folder.configured.description, source);
    if (!model)
        return tl::unexpected(model.error());
    folder.model = std::move(*model);
    auto files = openWeights(folder.place);
    if (!files)
        return tl::unexpected(files.error());
    folder.files = std::move(*files);
    auto match = matchTensors(folder.model, *folder.files, folder.configured.base, path);
    if (!match)
        return tl::unexpected(match.error());
    folder.match = std::move(*match);
    return folder;
}

}  // namespace hearth::detail
