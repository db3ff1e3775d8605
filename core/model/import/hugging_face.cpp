#include "core/model/import/hugging_face.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSet>
#include <utility>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/model/import/hugging_face_config.h"
#include "core/model/import/hugging_face_tensors.h"
#include "core/model/model_name.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_source.h"

namespace hearth {

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

Result<Model> modelOf(const detail::ConfiguredModel &configured, const QString &source) {
    return Model::fromJson(configured.description, source);
}

/// A configuration with the head that was trained.
QJsonObject trainedConfig(QJsonObject config, const detail::ConfiguredModel &configured, DType dtype) {
    config[u"architectures"_s] = QJsonArray{configured.architecture};
    const QString precision = dtype == DType::Float64 ? u"float64"_s : u"float32"_s;
    config[config.contains(u"dtype"_s) ? u"dtype"_s : u"torch_dtype"_s] = precision;
    if (configured.classes > 0 && config["id2label"_L1].toObject().size() != configured.classes) {
        QJsonObject names, numbers;
        for (qint64 i = 0; i < configured.classes; ++i) {
            const QString name = u"LABEL_%1"_s.arg(i);
            names[QString::number(i)] = name;
            numbers[name] = i;
        }
        config[u"id2label"_s] = names;
        config[u"label2id"_s] = numbers;
        if (config.contains(u"num_labels"_s))
            config[u"num_labels"_s] = configured.classes;
    }
    return config;
}

/// What prepares texts and pictures for the network.
Result<void> copyCompanions(const QDir &from, const QDir &to) {
    constexpr qint64 most = 64 << 20;
    for (const char *each : {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                             "vocab.txt", "vocab.json", "merges.txt", "spiece.model", "tokenizer.model",
                             "preprocessor_config.json", "generation_config.json"}) {
        const QString name = QLatin1String(each);
        QFile file(from.filePath(name));
        if (!file.exists() || file.size() > most)
            continue;
        if (auto opened = openPlainFile(file); !opened)
            return opened;
        if (auto saved = saveFile(to.filePath(name), file.readAll()); !saved)
            return saved;
    }
    return {};
}

Result<void> makeEmptyFolder(const QString &path) {
    QDir folder(path);
    if (!folder.mkpath(u"."_s)) {
        return fail(u"file.unwritable"_s, sentence("The folder %1 could not be made.").arg(path), {},
                    sentence("Choose a folder that you may write."));
    }
    if (!folder.isEmpty()) {
        return fail(u"file.exists"_s, sentence("The folder %1 is not empty.").arg(path),
                    sentence("A network is only written to a folder of its own."), sentence("Choose another name."));
    }
    return {};
}

}  // namespace

Result<HeadOptions> HeadOptions::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    HeadOptions options;
    const auto whole = [&](const char *key, qint64 most) -> std::optional<qint64> {
        return reader.has(key) ? std::optional(reader.integer(key, 1, most)) : std::nullopt;
    };
    if (reader.has("head"))
        options.head = textHeadFrom(reader.choice("head", textHeadNames()));
    options.sequence = whole("sequence", ModelLimits::dimension);
    options.answer = whole("answer", ModelLimits::dimension);
    options.classes = whole("classes", ModelLimits::dimension);
    if (reader.has("dropout"))
        options.dropout = reader.number("dropout", 0, 0.99);
    options.segments = reader.integer("segments", 0, 1, 0) == 1;
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return options;
}

bool isHuggingFaceFolder(const QString &path) {
    return QFileInfo(path).isDir() && QFileInfo(QDir(path).filePath(configName)).isFile();
}

Result<Model> modelFromConfig(const QJsonObject &config, const QString &name, const HeadOptions &options,
                              const QString &source) {
    const auto configured = detail::readConfig(config, name, options, source);
    return configured ? modelOf(*configured, source) : tl::unexpected(configured.error());
}

Result<ImportedModel> importHuggingFace(const QString &path, const HeadOptions &options) {
    const QDir folder(path);
    const QString source = folder.filePath(configName);
    const auto config = configOf(folder);
    if (!config)
        return tl::unexpected(config.error());
    const auto configured = detail::readConfig(*config, nameOf(folder), options, source);
    if (!configured)
        return tl::unexpected(configured.error());
    auto model = modelOf(*configured, source);
    if (!model)
        return tl::unexpected(model.error());
    auto files = openWeights(folder);
    if (!files)
        return tl::unexpected(files.error());
    const auto match = detail::matchTensors(*model, **files, configured->base, folder.path());
    if (!match)
        return tl::unexpected(match.error());
    auto weights = detail::matchedTensors(*model, *files, *match);
    return ImportedModel{std::move(*model), std::move(weights), match->notes};
}

Result<void> exportHuggingFace(const QString &from, const HeadOptions &options, const std::vector<NamedTensor> &weights,
                               const QString &to) {
    const QDir source(from), target(to);
    const auto config = configOf(source);
    if (!config)
        return tl::unexpected(config.error());
    const auto configured = detail::readConfig(*config, nameOf(source), options, source.filePath(configName));
    if (!configured)
        return tl::unexpected(configured.error());
    const auto model = modelOf(*configured, source.filePath(configName));
    if (!model)
        return tl::unexpected(model.error());
    const auto files = openWeights(source);
    if (!files)
        return tl::unexpected(files.error());
    const auto match = detail::matchTensors(*model, **files, configured->base, source.path());
    if (!match)
        return tl::unexpected(match.error());
    // Also checks that they are this network's.
    const DType dtype = weights.empty() ? DType::Float32 : weights.front().dtype;
    const auto layers = weightsForModel(*model, weights, dtype, source.path());
    if (!layers)
        return tl::unexpected(layers.error());
    std::vector<NamedTensor> written;
    QSet<QString> done;
    for (const std::vector<NamedTensor> &layer : *layers) {
        for (NamedTensor tensor : layer) {
            if (done.contains(tensor.spec.name))
                continue;
            done.insert(tensor.spec.name);
            if (const auto found = match->nameInFile.find(tensor.spec.name); found != match->nameInFile.end()) {
                tensor.spec.name = found->second;
                tensor.spec.shape = (*files)->find(found->second)->shape;
            }
            written.push_back(std::move(tensor));
        }
    }
    if (auto made = makeEmptyFolder(to); !made)
        return made;
    if (auto copied = copyCompanions(source, target); !copied)
        return copied;
    const QByteArray text = QJsonDocument(trainedConfig(*config, *configured, dtype)).toJson();
    if (auto saved = saveFile(target.filePath(configName), text); !saved)
        return saved;
    return writeSafetensors(target.filePath(weightsName), std::move(written), {{u"format"_s, u"pt"_s}});
}

}  // namespace hearth
