#include "core/run/run_state_file.h"

#include <QJsonArray>

#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

const QString stateFormat = QStringLiteral("hearth-run-state/1");

QJsonObject workerToJson(const RunStateFile::Worker &worker) {
    QJsonObject sees;
    for (auto each = worker.address.sees.cbegin(); each != worker.address.sees.cend(); ++each)
        sees[each.key()] = each.value();
    QJsonObject object{{QStringLiteral("device"), worker.device},
                       {QStringLiteral("sees"), sees},
                       {QStringLiteral("fingerprint"), worker.address.fingerprint.toHex()},
                       {QStringLiteral("address"), worker.address.address},
                       {QStringLiteral("port"), worker.address.port},
                       {QStringLiteral("pid"), worker.address.pid}};
    if (worker.address.forOthers)
        object[QStringLiteral("for_others")] = *worker.address.forOthers;
    return object;
}

Result<RunStateFile::Worker> workerFromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    RunStateFile::Worker worker;
    worker.device = reader.string("device");
    const QString key = reader.string("fingerprint");
    worker.address.address = reader.string("address");
    worker.address.port = static_cast<quint16>(reader.integer("port", 1, 65535));
    worker.address.pid = reader.integer("pid", 0, ProfileLimits::bytes, 0);
    if (reader.has("for_others"))
        worker.address.forOthers = reader.string("for_others");
    const QJsonObject sees = reader.object("sees", false);
    for (auto each = sees.begin(); each != sees.end(); ++each)
        worker.address.sees[each.key()] = each.value().toString();
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    auto fingerprint = Fingerprint::fromHex(key);
    if (!fingerprint)
        return tl::unexpected(fingerprint.error());
    worker.address.fingerprint = *fingerprint;
    return worker;
}

}  // namespace

QJsonObject RunStateFile::toJson() const {
    QJsonArray rows;
    for (const Worker &worker : workers)
        rows.append(workerToJson(worker));
    QJsonObject object{{QStringLiteral("format"), stateFormat},
                       {QStringLiteral("term"), static_cast<qint64>(term)},
                       {QStringLiteral("codecs"), codecs.toJson()},
                       {QStringLiteral("workers"), rows}};
    if (problem)
        object[QStringLiteral("problem")] = problem->toJson();
    if (plan)
        object[QStringLiteral("plan")] = plan->toJson();
    if (!origins.isEmpty())
        object[QStringLiteral("origins")] = origins.toJson();
    if (given)
        object[QStringLiteral("given")] = given->toJson();
    if (!sentAway.isEmpty())
        object[QStringLiteral("sent_away")] = QJsonArray::fromStringList(sentAway);
    return object;
}

Result<RunStateFile> RunStateFile::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {stateFormat});
    RunStateFile state;
    state.term = static_cast<quint32>(reader.integer("term", 0, 0xffffffffLL));
    reader.ignore("evaluated");  // of earlier versions; events say it
    const QJsonArray rows = reader.array("workers");
    const QJsonArray sentAway = reader.array("sent_away", false);
    for (const QJsonValue &device : sentAway)
        state.sentAway << device.toString();
    const QJsonObject codecs = reader.object("codecs", false);
    const QJsonObject problem = reader.object("problem", false);
    const QJsonObject plan = reader.object("plan", false), given = reader.object("given", false);
    const auto origins = TermOrigins::fromJson(reader.array("origins", false));
    if (!origins)
        reader.reject(QStringLiteral("origins"), sentence("It is no list of terms and their first versions."));
    state.origins = origins.value_or(TermOrigins());
    if (rows.size() > ProfileLimits::devices)
        reader.reject(QStringLiteral("workers"), sentence("There are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        auto worker = workerFromJson(rows[i].toObject(), source, jsonPointer(QStringLiteral("/workers"), i));
        if (!worker)
            return tl::unexpected(worker.error());
        state.workers.push_back(std::move(*worker));
    }
    if (!codecs.isEmpty()) {
        auto read = CodecRaises::fromJson(codecs, source, QStringLiteral("/codecs"));
        if (!read)
            return tl::unexpected(read.error());
        state.codecs = std::move(*read);
    }
    if (!problem.isEmpty()) {
        auto read = PlanningProblem::fromJson(problem, source);
        if (!read)
            return tl::unexpected(read.error());
        state.problem = std::move(*read);
    }
    for (const auto &[json, to] : {std::pair{plan, &state.plan}, std::pair{given, &state.given}}) {
        if (json.isEmpty())
            continue;
        auto read = Plan::fromJson(json, source);
        if (!read)
            return tl::unexpected(read.error());
        *to = std::move(*read);
    }
    return state;
}

Result<RunStateFile> RunStateFile::load(const QString &path) {
    auto state = readJsonFile(path).and_then([&](const QJsonObject &object) { return fromJson(object, path); });
    if (!state)
        state.error().advice = sentence("Go on from the last checkpoint with \"hearth train --resume\".");
    return state;
}

}  // namespace hearth
