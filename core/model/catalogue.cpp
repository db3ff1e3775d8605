#include "core/model/catalogue.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/model/families/builtin.h"

// Resources of a static library are only linked in when something asks for them. Outside any namespace: Qt's macro.
static void initModelResources() {
    Q_INIT_RESOURCE(models);
}

namespace hearth {
namespace {

QString folder() {
    static const bool once = (initModelResources(), true);
    Q_UNUSED(once)
    return QStringLiteral(":/hearth/models/");
}

/// A description whose last op tells the classes apart, with as many of them as the options say, if anything.
Result<QJsonObject> withClasses(QJsonObject description, const ModelName &name) {
    const QString key = QStringLiteral("classes"), features = QStringLiteral("features");
    if (name.options.isEmpty())
        return description;
    JsonReader options(name.options, name.text());
    const qint64 classes = options.integer("classes", 1, ModelLimits::dimension, description.value(key).toInteger());
    if (auto finished = options.finish(); !finished)
        return tl::unexpected(finished.error());
    const QString layersKey = QStringLiteral("layers"), opsKey = QStringLiteral("ops");
    QJsonArray layers = description.value(layersKey).toArray();
    QJsonObject head = layers.last().toObject();
    if (QJsonArray ops = head.value(opsKey).toArray(); !ops.isEmpty()) {
        QJsonObject last = ops.last().toObject();
        last[features] = classes;
        ops.replace(ops.size() - 1, last);
        head[opsKey] = ops;
    } else {
        head[features] = classes;
    }
    layers.replace(layers.size() - 1, head);
    description[layersKey] = layers;
    description[key] = classes;
    description[QStringLiteral("name")] = name.text();
    return description;
}

/// Of a built-in model.
Result<QJsonObject> descriptionOf(const ModelName &name) {
    const QString resource = folder() + name.base + QStringLiteral(".json");
    const bool described = QFileInfo(resource).isFile();
    if (detail::generatedModels().contains(name.base) && !(described && name.options.isEmpty()))
        return detail::generate(name);
    return readJsonFile(resource, ModelLimits::fileBytes).and_then([&name](const QJsonObject &description) {
        return withClasses(description, name);
    });
}

}  // namespace

QStringList builtinModels() {
    QStringList names = detail::generatedModels();
    for (const QString &file : QDir(folder()).entryList({QStringLiteral("*.json")}, QDir::Files))
        names << QFileInfo(file).completeBaseName();
    names.sort();
    names.removeDuplicates();
    return names;
}

bool isBuiltinModel(const QString &nameOrPath) {
    return builtinModels().contains(ModelName::written(nameOrPath).base);
}

Result<Model> loadModel(const QString &nameOrPath) {
    const ModelName name = ModelName::split(nameOrPath);
    if (builtinModels().contains(name.base)) {
        return descriptionOf(name).and_then(
            [&name](const QJsonObject &description) { return Model::fromJson(description, name.text()); });
    }
    if (!QFileInfo(name.base).isFile()) {
        return fail(QStringLiteral("model.unknown"), sentence("The model \"%1\" is unknown.").arg(nameOrPath.left(200)),
                    sentence("It is neither built in nor a file."), didYouMean(name.base, builtinModels()));
    }
    if (!name.options.isEmpty()) {
        return fail(QStringLiteral("model.no-options"), sentence("The model \"%1\" has no options.").arg(name.base),
                    sentence("It is one network, which its description says in full."),
                    sentence("Leave out \"%1\".").arg(nameOrPath.mid(name.base.size())));
    }
    return Model::load(name.base);
}

bool takesOptions(const QString &nameOrPath) {
    const ModelName name = ModelName::split(nameOrPath);
    if (builtinModels().contains(name.base))
        return descriptionOf(name).has_value();
    static const QStringList ofFolders{QStringLiteral("answer"),   QStringLiteral("classes"),
                                       QStringLiteral("dropout"),  QStringLiteral("head"),
                                       QStringLiteral("segments"), QStringLiteral("sequence")};
    return QFileInfo(name.base).isDir() &&
           std::ranges::all_of(name.options.keys(), [](const QString &option) { return ofFolders.contains(option); });
}

const Model &benchmarkNetwork() {
    static const Model model = (initModelResources(), Model::load(QStringLiteral(":/hearth/benchmark.json")).value());
    return model;
}

}  // namespace hearth
