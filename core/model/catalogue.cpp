#include "core/model/catalogue.h"

#include <QDir>
#include <QFileInfo>

#include "core/base/json_reader.h"

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
    QStringList names;
    for (const QString &file : QDir(folder()).entryList({QStringLiteral("*.json")}, QDir::Files))
        names << QFileInfo(file).completeBaseName();
    names.sort();
    return names;
}

Result<Model> loadModel(const QString &nameOrPath) {
    QString path = nameOrPath;
    QString source = nameOrPath;
    if (const QStringList names = builtinModels(); names.contains(nameOrPath)) {
        path = folder() + nameOrPath + QStringLiteral(".json");
        source = nameOrPath + QStringLiteral(".json");
    } else if (!QFileInfo(nameOrPath).isFile()) {
        return fail(QStringLiteral("model.unknown"), sentence("The model \"%1\" is unknown.").arg(nameOrPath),
                    sentence("It is neither built in nor a file."), didYouMean(nameOrPath, names));
    }
    const auto object = readJsonFile(path, ModelLimits::fileBytes);
    if (!object)
        return tl::unexpected(object.error());
    return Model::fromJson(*object, source);
}

}  // namespace hearth
