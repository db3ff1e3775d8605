#include "core/sweep/sweep_order.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include "core/base/json_reader.h"

namespace hearth {

Result<SweepOrder> SweepOrder::fromJson(const QJsonObject &json, const QString &source, const QString &folder) {
    JsonReader reader(json, source);
    SweepOrder order;
    reader.choice("format", {QStringLiteral("hearth-sweep/1")});
    order.name = reader.string("name", QString());
    const QJsonValue job = reader.value("job");
    for (const auto &text : reader.array("set"))
        order.set << text.toString();
    if (reader.has("random"))
        order.random = static_cast<int>(reader.integer("random", 1, SweepSpace::mostTrials));
    else
        reader.ignore("random");
    order.seed = static_cast<quint64>(reader.integer("seed", 0, qint64(1) << 53, 1));
    order.halving = reader.choice("stop_early", {QStringLiteral("none"), QStringLiteral("halving")},
                                  QStringLiteral("none")) == QLatin1String("halving");
    for (const auto &device : reader.array("devices", false))
        order.devices << device.toString();
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (job.isObject()) {
        order.job = job.toObject();
    } else if (job.isString()) {
        const auto read = readJsonFile(QDir(folder).filePath(job.toString()));
        if (!read)
            return tl::unexpected(read.error());
        order.job = *read;
    }
    return order;
}

Result<SweepOrder> SweepOrder::load(const QString &path) {
    return readJsonFile(path).and_then(
        [&](const QJsonObject &json) { return fromJson(json, path, QFileInfo(path).absolutePath()); });
}

Result<Sweep> SweepOrder::begin() const {
    Sweep sweep;
    sweep.name =
        name.isEmpty() ? QDateTime::currentDateTime().toString(QStringLiteral("'sweep-'yyyyMMdd-HHmmss")) : name;
    if (auto named = checkSweepName(sweep.name); !named)
        return tl::unexpected(named.error());
    if (set.isEmpty()) {
        return fail(QStringLiteral("sweep.nothing"), sentence("This sweep changes nothing."), {},
                    sentence("Name values of the job to try: --set batch=32,64"));
    }
    SweepSpace space{job, {}, random, seed};
    for (const QString &text : set) {
        const auto axis = SweepAxis::fromText(text, job);
        if (!axis)
            return tl::unexpected(axis.error());
        space.axes.push_back(*axis);
    }
    const auto trials = space.trials();
    if (!trials)
        return tl::unexpected(trials.error());
    for (const JobValues &values : *trials) {
        const auto one = jobWith(job, values);
        if (one && one->evaluateEvery == 0) {
            return fail(QStringLiteral("sweep.no-evaluations"), sentence("No run would be better than another."),
                        sentence("The job is never evaluated: its \"evaluate_every\" is 0."),
                        sentence("Set it to a number of rounds."));
        }
        SweepTrial trial;
        trial.values = values;
        sweep.trials.push_back(trial);
    }
    sweep.job = job;
    sweep.workingFolder = QDir::currentPath();
    sweep.devices = devices;
    sweep.halving = halving;
    return sweep;
}

Result<void> checkSweepName(const QString &name) {
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}\\z"));
    if (plain.match(name).hasMatch())
        return {};
    return fail(QStringLiteral("sweep.bad-name"), sentence("\"%1\" cannot be a sweep's name.").arg(name.left(80)), {},
                sentence("Take at most 60 letters, digits, dashes and dots."));
}

}  // namespace hearth
