#include "core/model/import/hugging_face.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <utility>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/model/import/hugging_face_folder.h"
#include "core/model/import/new_folder.h"
#include "core/model/model_name.h"
#include "core/model/safetensors.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

/// A configuration with the head that was trained. As many classes as before may be others.
QJsonObject trainedConfig(QJsonObject config, const detail::ConfiguredModel &configured, DType dtype,
                          const QStringList &classes) {
    config[u"architectures"_s] = QJsonArray{configured.architecture};
    const QString precision = dtype == DType::Float64 ? u"float64"_s : u"float32"_s;
    config[config.contains(u"dtype"_s) ? u"dtype"_s : u"torch_dtype"_s] = precision;
    const bool haveOtherNames = config["id2label"_L1].toObject().size() != configured.classes || !classes.isEmpty();
    if (configured.classes > 0 && haveOtherNames) {
        QJsonObject names, numbers;
        for (qint64 i = 0; i < configured.classes; ++i) {
            const QString name = classes.value(i, u"LABEL_%1"_s.arg(i));
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
Result<void> copyCompanions(const QDir &from, detail::NewFolder &to) {
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
        if (auto saved = saveFile(to.add(name), file.readAll()); !saved)
            return saved;
    }
    return {};
}

/// What the folder says of the network that it was is not how this one saw pictures.
Result<void> tellPictures(const QDir &to, const InputTransform &input) {
    const QString path = to.filePath(u"preprocessor_config.json"_s);
    if (!QFileInfo(path).isFile())
        return {};
    auto config = readJsonFile(path, HuggingFaceLimits::configBytes);
    if (!config)
        return tl::unexpected(config.error());
    (*config)[u"do_rescale"_s] = true;
    (*config)[u"rescale_factor"_s] = input.scale;
    (*config)[u"do_normalize"_s] = !input.mean.empty();
    for (const auto &[key, values] : {std::pair("image_mean", &input.mean), std::pair("image_std", &input.deviation)}) {
        QJsonArray channels;
        for (const double value : *values)
            channels << value;
        if (!channels.isEmpty())
            (*config)[QLatin1String(key)] = channels;
    }
    return saveFile(path, QJsonDocument(*config).toJson());
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
    return QFileInfo(path).isDir() && QFileInfo(QDir(path).filePath(u"config.json"_s)).isFile();
}

Result<Model> modelFromConfig(const QJsonObject &config, const QString &name, const HeadOptions &options,
                              const QString &source) {
    const auto configured = detail::readConfig(config, name, options, source);
    return configured ? Model::fromJson(configured->description, source) : tl::unexpected(configured.error());
}

Result<ImportedModel> importHuggingFace(const QString &path, const HeadOptions &options) {
    auto folder = detail::openHuggingFace(path, options);
    if (!folder)
        return tl::unexpected(folder.error());
    auto weights = detail::matchedTensors(folder->model, folder->files, folder->match);
    return ImportedModel{std::move(folder->model), std::move(weights), folder->match.notes};
}

Result<void> exportHuggingFace(const QString &from, const HeadOptions &options, const std::vector<NamedTensor> &weights,
                               const QString &to, const TrainedOn &on) {
    const auto folder = detail::openHuggingFace(from, options);
    if (!folder)
        return tl::unexpected(folder.error());
    // Also checks that they are this network's.
    const DType dtype = weights.empty() ? DType::Float32 : weights.front().dtype;
    const auto layers = weightsForModel(folder->model, weights, dtype, from);
    if (!layers)
        return tl::unexpected(layers.error());
    const auto &names = folder->match.nameInFile;
    std::vector<NamedTensor> written;
    QSet<QString> done;
    for (const std::vector<NamedTensor> &layer : *layers) {
        for (NamedTensor tensor : layer) {
            if (done.contains(tensor.spec.name))
                continue;
            done.insert(tensor.spec.name);
            if (const auto found = names.find(tensor.spec.name); found != names.end()) {
                tensor.spec.name = found->second;
                tensor.spec.shape = folder->files->find(found->second)->shape;
            }
            written.push_back(std::move(tensor));
        }
    }
    const auto target = detail::NewFolder::make(to);
    if (!target)
        return tl::unexpected(target.error());
    if (auto copied = copyCompanions(folder->place, **target); !copied)
        return copied;
    if (auto told = on.input ? tellPictures(QDir(to), *on.input) : Result<void>(); !told)
        return told;
    auto saved = writeSafetensors((*target)->add(u"model.safetensors"_s), std::move(written), {{u"format"_s, u"pt"_s}});
    if (!saved)
        return saved;
    // At last: without it the folder is no network, should the power go.
    const QByteArray text =
        QJsonDocument(trainedConfig(folder->config, folder->configured, dtype, on.classes)).toJson();
    saved = saveFile((*target)->add(u"config.json"_s), text);
    if (saved)
        (*target)->keep();
    return saved;
}

}  // namespace hearth
