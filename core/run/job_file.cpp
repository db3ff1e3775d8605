#include "core/run/job_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>

#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "core/model/catalogue.h"
#include "core/model/model_name.h"
#include "core/run/data_source.h"

namespace hearth {
namespace {

/// The path as it is, where it is none from this folder.
QString pathFrom(const QDir &folder, const QString &path) {
    if (path.isEmpty() || QFileInfo(path).isAbsolute())
        return path;
    const QString absolute = QDir::cleanPath(folder.absoluteFilePath(path));
    const bool isNowhere = path.contains(QLatin1Char('/')) && !QFileInfo::exists(path);
    return isNowhere || QFileInfo::exists(absolute) ? absolute : path;
}

QString modelFrom(const QDir &folder, const QString &model) {
    const bool isWhole = QFileInfo::exists(folder.absoluteFilePath(model));
    const QString base = isWhole ? model : ModelName::split(model).base;
    const QString path = pathFrom(folder, base);
    if (isBuiltinModel(base) && !QFileInfo::exists(path + QStringLiteral("/config.json")))
        return model;
    return path + model.mid(base.size());
}

QString dataFrom(const QDir &folder, const QString &name) {
    return builtinDatasets().contains(name) || registeredDatasets().contains(name) ? name : pathFrom(folder, name);
}

}  // namespace

QJsonObject withPathsFrom(const QString &folder, QJsonObject job) {
    const QString model = QStringLiteral("model"), data = QStringLiteral("data");
    const QDir from(folder);
    if (const QJsonValue named = job.value(model); named.isString())
        job[model] = modelFrom(from, named.toString());
    const QJsonValue named = job.value(data);
    if (named.isString())
        job[data] = dataFrom(from, named.toString());
    if (!named.isArray())
        return job;
    QJsonArray names;
    for (const QJsonValue each : named.toArray()) {
        const bool isHere = each.isString() && DataSource::of(each.toString()).isHere();
        names << (isHere ? QJsonValue(dataFrom(from, each.toString())) : each);
    }
    job[data] = names;
    return job;
}

Result<QJsonObject> readJobFile(const QString &path) {
    return readJsonFile(path).map(
        [&path](const QJsonObject &json) { return withPathsFrom(QFileInfo(path).absolutePath(), json); });
}

Result<Job> openJob(const QString &path) {
    return readJobFile(path).and_then([&path](const QJsonObject &json) { return Job::validFromJson(json, path); });
}

}  // namespace hearth
