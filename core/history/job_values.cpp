#include "core/history/job_values.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include "core/run/job.h"

namespace hearth {
namespace {

// Deeper than any job: what a run's file says is not always a job.
constexpr int deepest = 8;

void collect(const QJsonObject &object, const QString &prefix, int depth, JobValues &into) {
    for (auto value = object.begin(); value != object.end(); ++value) {
        const QString path = prefix + value.key();
        if (value->isObject() && depth < deepest)
            collect(value->toObject(), path + QLatin1Char('.'), depth + 1, into);
        else if (!value->isNull())
            into.insert(path, *value);
    }
}

QJsonObject changed(QJsonObject object, const QStringList &parts, const QJsonValue &value) {
    const QString &key = parts.constFirst();
    object[key] = parts.size() == 1 ? value : changed(object.value(key).toObject(), parts.mid(1), value);
    return object;
}

}  // namespace

JobValues valuesOf(const QJsonObject &job) {
    JobValues values;
    collect(job, QString(), 0, values);
    values.remove(QStringLiteral("format"));
    return values;
}

QJsonValue valueAt(const QJsonObject &job, const QString &path) {
    QJsonValue value = job;
    for (const QString &part : path.split(QLatin1Char('.')))
        value = value.toObject().value(part);
    return value.isNull() || value.isObject() ? QJsonValue(QJsonValue::Undefined) : value;
}

QJsonObject withValue(QJsonObject job, const QString &path, const QJsonValue &value) {
    return changed(std::move(job), path.split(QLatin1Char('.')), value);
}

const QStringList &jobPaths() {
    static const QStringList paths = [] {
        QStringList all = valuesOf(Job().toJson()).keys();
        for (const char *more :
             {"micro_batch", "epochs", "fit", "optimizer.beta1", "optimizer.beta2", "optimizer.epsilon"})
            all << QLatin1String(more);
        return all;
    }();
    return paths;
}

QString pathNamed(const QString &word, const QStringList &paths) {
    QString name = word;
    if (name == QLatin1String("lr") || name.endsWith(QLatin1String(".lr")))
        name = name.chopped(2) + QStringLiteral("learning_rate");
    if (name == QLatin1String("optimizer"))
        name = QStringLiteral("optimizer.kind");
    if (paths.contains(name))
        return name;
    const QStringList ending = paths.filter(QLatin1Char('.') + name);
    QString found;
    for (const QString &path : ending) {
        if (!path.endsWith(QLatin1Char('.') + name))
            continue;
        if (!found.isEmpty())
            return {};
        found = path;
    }
    return found;
}

QStringList differingPaths(const std::vector<const RunSummary *> &runs) {
    std::vector<JobValues> all;
    QSet<QString> paths;
    for (const RunSummary *run : runs) {
        if (run->job.isEmpty())
            continue;
        all.push_back(valuesOf(run->job));
        for (auto path = all.back().keyBegin(); path != all.back().keyEnd(); ++path)
            paths.insert(*path);
    }
    QStringList differing;
    for (const QString &path : std::as_const(paths)) {
        for (const JobValues &values : all) {
            if (values.value(path) != all.front().value(path)) {
                differing << path;
                break;
            }
        }
    }
    differing.sort();
    return differing;
}

QString valueText(const QJsonValue &value) {
    if (value.isDouble())
        return QString::number(value.toDouble(), 'g', 10);
    if (value.isBool())
        return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    if (value.isArray())
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    return value.toString();
}

}  // namespace hearth
