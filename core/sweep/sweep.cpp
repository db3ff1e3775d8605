#include "core/sweep/sweep.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/run/files/event_file.h"
#include "core/sweep/sweep_space.h"

namespace hearth {
namespace {

// One of so many goes on at each rung; the paper's default.
constexpr qint64 reduction = 3;
constexpr qint64 largestFile = 64 << 20, mostCount = qint64(1) << 53;

const QStringList &stateNames() {  // in the order of State
    static const QStringList names{QStringLiteral("waiting"), QStringLiteral("running"), QStringLiteral("finished"),
                                   QStringLiteral("stopped"), QStringLiteral("failed")};
    return names;
}
const QStringList &metricNames() {  // in the order of Metric
    static const QStringList names{QString(), QStringLiteral("accuracy"), QStringLiteral("loss")};
    return names;
}

QString formatName() {
    return QStringLiteral("hearth-sweep-state/1");
}

QString pathIn(const QString &folder) {
    return folder + QStringLiteral("/sweep.json");
}

QJsonValue stored(double value) {
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
}

double numberOf(JsonReader &reader, const char *key) {
    if (reader.has(key))
        return reader.number(key);
    reader.ignore(key);
    return SweepTrial::unknown;
}

SweepTrial readTrial(JsonReader &reader) {
    SweepTrial trial;
    const QJsonObject values = reader.object("values");
    for (auto value = values.begin(); value != values.end(); ++value)
        trial.values.insert(value.key(), *value);
    trial.state = static_cast<SweepTrial::State>(stateNames().indexOf(reader.choice("state", stateNames())));
    trial.run = reader.string("run", QString());
    if (!trial.run.isEmpty() && !isRunId(trial.run))
        reader.reject(QStringLiteral("run"), sentence("It is no id of a run."));
    trial.cause = reader.string("cause", QString());
    trial.evaluations = reader.integer("evaluations", 0, mostCount, 0);
    trial.lastRound = reader.integer("last_round", 0, mostCount, 0);
    trial.last = numberOf(reader, "last");
    trial.best = numberOf(reader, "best");
    trial.bestRound = reader.integer("best_round", 0, mostCount, 0);
    for (const auto &rung : reader.array("rungs", false))
        trial.rungs.push_back(rung.toDouble(SweepTrial::unknown));
    return trial;
}

}  // namespace

void SweepTrial::forgetResults() {
    SweepTrial fresh;
    fresh.values = values;
    fresh.run = run;
    fresh.state = state;
    *this = fresh;
}

QJsonObject SweepTrial::toJson() const {
    QJsonObject changed;
    for (auto value = values.begin(); value != values.end(); ++value)
        changed[value.key()] = *value;
    QJsonArray reached;
    for (const double rung : rungs)
        reached << stored(rung);
    return {{QStringLiteral("values"), changed},
            {QStringLiteral("state"), sweepStateName(state)},
            {QStringLiteral("run"), run},
            {QStringLiteral("cause"), cause},
            {QStringLiteral("evaluations"), evaluations},
            {QStringLiteral("last_round"), lastRound},
            {QStringLiteral("last"), stored(last)},
            {QStringLiteral("best"), stored(best)},
            {QStringLiteral("best_round"), bestRound},
            {QStringLiteral("rungs"), reached}};
}

Result<Sweep> Sweep::fromJson(const QJsonObject &json, const QString &source) {
    JsonReader reader(json, source);
    Sweep sweep;
    reader.choice("format", {formatName()});
    sweep.name = reader.string("name");
    sweep.job = reader.object("job");
    sweep.workingFolder = reader.string("working_folder", QString());
    for (const auto &device : reader.array("devices", false))
        sweep.devices << device.toString();
    sweep.halving = reader.boolean("halving", false);
    sweep.metric = static_cast<Metric>(metricNames().indexOf(reader.choice("metric", metricNames(), QString())));
    const QJsonArray trials = reader.array("trials");
    if (trials.size() > SweepSpace::mostTrials)
        reader.reject(QStringLiteral("trials"), sentence("They are too many."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    for (qsizetype i = 0; i < trials.size(); ++i) {
        JsonReader trial(trials[i], source, jsonPointer(QStringLiteral("/trials"), i));
        sweep.trials.push_back(readTrial(trial));
        if (auto ok = trial.finish(); !ok)
            return tl::unexpected(ok.error());
    }
    return sweep;
}

QJsonObject Sweep::toJson() const {
    QJsonArray list;
    for (const SweepTrial &trial : trials)
        list << trial.toJson();
    return {{QStringLiteral("format"), formatName()},
            {QStringLiteral("name"), name},
            {QStringLiteral("job"), job},
            {QStringLiteral("working_folder"), workingFolder},
            {QStringLiteral("devices"), QJsonArray::fromStringList(devices)},
            {QStringLiteral("halving"), halving},
            {QStringLiteral("metric"), sweepMetricName(metric)},
            {QStringLiteral("trials"), list}};
}

Result<Sweep> Sweep::load(const QString &folder) {
    return readJsonFile(pathIn(folder), largestFile).and_then([&](const QJsonObject &json) {
        return fromJson(json, pathIn(folder));
    });
}

Result<void> Sweep::save(const QString &folder) const {
    return saveFile(pathIn(folder), QJsonDocument(toJson()).toJson());
}

bool Sweep::take(std::size_t index, const event::Evaluation &evaluation) {
    SweepTrial &trial = trials[index];
    // What a recovery repeats was counted.
    if (evaluation.round <= trial.lastRound)
        return false;
    if (metric == Metric::Unknown)
        metric = std::isfinite(evaluation.accuracy) ? Metric::Accuracy : Metric::Loss;
    const double value = metric == Metric::Accuracy ? evaluation.accuracy : evaluation.loss;
    trial.lastRound = evaluation.round;
    trial.last = value;
    ++trial.evaluations;
    if (std::isfinite(value) && (!std::isfinite(trial.best) || isBetter(value, trial.best))) {
        trial.best = value;
        trial.bestRound = evaluation.round;
    }
    const std::size_t rung = trial.rungs.size();
    if (static_cast<double>(trial.evaluations) != std::pow(reduction, rung))
        return false;
    trial.rungs.push_back(value);
    if (!halving)
        return false;
    qint64 came = 0, better = 0;
    for (const SweepTrial &other : trials) {
        if (other.rungs.size() <= rung)
            continue;
        ++came;
        // A loss that is no number any more is worse than all others.
        if (!std::isfinite(value) ? std::isfinite(other.rungs[rung]) : isBetter(other.rungs[rung], value))
            ++better;
    }
    return better >= (came + reduction - 1) / reduction;
}

std::vector<std::size_t> Sweep::ranking() const {
    std::vector<std::size_t> order(trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [this](std::size_t a, std::size_t b) {
        const double one = trials[a].best, other = trials[b].best;
        return std::isfinite(one) && (!std::isfinite(other) || isBetter(one, other));
    });
    return order;
}

const SweepTrial *Sweep::best() const {
    if (trials.empty())
        return nullptr;
    const SweepTrial &first = trials[ranking().front()];
    return std::isfinite(first.best) ? &first : nullptr;
}

QString sweepsFolder(const QString &stateDir) {
    return stateDir + QStringLiteral("/sweeps");
}

QString sweepStateName(SweepTrial::State state) {
    return stateNames().at(static_cast<int>(state));
}

QString sweepMetricName(Sweep::Metric metric) {
    return metricNames().at(static_cast<int>(metric));
}

}  // namespace hearth
