#include "core/model/catalogue.h"

#include <QDir>
#include <QFileInfo>

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
    return builtinModels().contains(ModelName::split(nameOrPath).base);
}

bool isBuiltinTextModel(const QString &name) {
    return detail::isTextFamily(ModelName::split(name).base);
}

Result<Model> loadModel(const QString &nameOrPath) {
    const ModelName name = ModelName::split(nameOrPath);
    const QString resource = folder() + name.base + QStringLiteral(".json");
    const bool described = !name.base.contains(QLatin1Char('/')) && QFileInfo(resource).isFile();
    if (detail::generatedModels().contains(name.base) && !(described && name.options.isEmpty())) {
        const auto description = detail::generate(name);
        if (!description)
            return tl::unexpected(description.error());
        return Model::fromJson(*description, name.text());
    }
    if (!described && !QFileInfo(name.base).isFile()) {
        return fail(QStringLiteral("model.unknown"), sentence("The model \"%1\" is unknown.").arg(nameOrPath.left(200)),
                    sentence("It is neither built in nor a file."), didYouMean(name.base, builtinModels()));
    }
    if (!name.options.isEmpty()) {
        return fail(QStringLiteral("model.no-options"), sentence("The model \"%1\" has no options.").arg(name.base),
                    sentence("It is one network, which its description says in full."),
                    sentence("Leave out \"%1\".").arg(nameOrPath.mid(name.base.size())));
    }
    const auto object = readJsonFile(described ? resource : name.base, ModelLimits::fileBytes);
    if (!object)
        return tl::unexpected(object.error());
    return Model::fromJson(*object, described ? name.base + QStringLiteral(".json") : name.base);
}

const Model &benchmarkNetwork() {
    static const Model model = (initModelResources(), Model::load(QStringLiteral(":/hearth/benchmark.json")).value());
    return model;
}

}  // namespace hearth
