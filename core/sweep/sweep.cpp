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

constexpr qint64 largestFile = 64 << 20, mostCount = qint64(1) << 53;

const QStringList &stateNames() {  // in the order of State
    static const QStringList names{QStringLiteral("waiting"),  QStringLiteral("running"), QStringLiteral("paused"),
                                   QStringLiteral("finished"), QStringLiteral("stopped"), QStringLiteral("failed")};
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
    trial.begun = reader.string("begun", QString());
    trial.cause = reader.string("cause", QString());
    trial.evaluations = reader.integer("evaluations", 0, mostCount, 0);
    trial.lastRound = reader.integer("last_round", 0, mostCount, 0);
    trial.last = numberOf(reader, "last");
    trial.best = numberOf(reader, "best");
    trial.bestRound = reader.integer("best_round", 0, mostCount, 0);
    for (const auto &rung : reader.array("rungs", false))
        trial.rungs.push_back(rung.toDouble(SweepTrial::unknown));
    trial.until = reader.integer("until", 0, mostCount, 0);
    trial.isOutdone = reader.boolean("outdone", false);
    return trial;
}

}  // namespace

void SweepTrial::forgetResults() {
    SweepTrial fresh;
    fresh.values = values;
    fresh.run = run;
    fresh.state = state;
    fresh.until = until;
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
            {QStringLiteral("begun"), begun},
            {QStringLiteral("cause"), cause},
            {QStringLiteral("evaluations"), evaluations},
            {QStringLiteral("last_round"), lastRound},
            {QStringLiteral("last"), stored(last)},
            {QStringLiteral("best"), stored(best)},
            {QStringLiteral("best_round"), bestRound},
            {QStringLiteral("rungs"), reached},
            {QStringLiteral("until"), until},
            {QStringLiteral("outdone"), isOutdone}};
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
    sweep.stopping = static_cast<Stopping>(
        sweepStoppings().indexOf(reader.choice("stop_early", sweepStoppings(), sweepStoppings().front())));
    if (reader.boolean("halving", false))  // what older versions wrote
        sweep.stopping = Stopping::Halving;
    const bool isShared = sweep.stopping == Stopping::Hyperband;
    if (isShared)
        sweep.evaluations = reader.integer("evaluations", 1, mostCount);
    sweep.metric = static_cast<Metric>(metricNames().indexOf(reader.choice("metric", metricNames(), QString())));
    const QJsonArray trials = reader.array("trials");
    if (trials.size() > SweepSpace::mostTrials)
        reader.reject(QStringLiteral("trials"), sentence("They are too many."));
    if (isShared && trials.size() != hyperbandTrials(sweep.evaluations))
        reader.reject(QStringLiteral("trials"), sentence("They are not as many as Hyperband's brackets have."));
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
    QJsonObject json{{QStringLiteral("format"), formatName()},
                     {QStringLiteral("name"), name},
                     {QStringLiteral("job"), job},
                     {QStringLiteral("working_folder"), workingFolder},
                     {QStringLiteral("devices"), QJsonArray::fromStringList(devices)},
                     {QStringLiteral("stop_early"), sweepStoppings().at(static_cast<int>(stopping))},
                     {QStringLiteral("metric"), sweepMetricName(metric)},
                     {QStringLiteral("trials"), list}};
    if (stopping == Stopping::Hyperband)
        json[QStringLiteral("evaluations")] = evaluations;
    return json;
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
    // As in BestEvaluation: a training that has diverged may be right by chance.
    const bool byAccuracy = metric == Metric::Accuracy && std::isfinite(evaluation.loss);
    const double value = byAccuracy ? evaluation.accuracy : evaluation.loss;
    trial.lastRound = evaluation.round;
    trial.last = value;
    ++trial.evaluations;
    if (std::isfinite(value) && (!std::isfinite(trial.best) || isBetter(value, trial.best))) {
        trial.best = value;
        trial.bestRound = evaluation.round;
    }
    const bool isRung = static_cast<double>(trial.evaluations) == nextRung(index);
    if (isRung)
        trial.rungs.push_back(value);
    if (stopping == Stopping::Hyperband)
        return trial.isAtRung();
    if (!isRung || stopping == Stopping::None)
        return false;
    const std::size_t rung = trial.rungs.size() - 1;
    qint64 came = 0, better = 0;
    for (const SweepTrial &other : trials) {
        if (other.rungs.size() <= rung)
            continue;
        ++came;
        if (isAhead(other.rungs[rung], value))
            ++better;
    }
    const bool isBehind = better >= (came + sweepReduction - 1) / sweepReduction;
    trial.isOutdone |= isBehind;
    return isBehind;
}

double Sweep::nextRung(std::size_t trial) const {
    const std::size_t rung = trials[trial].rungs.size();
    if (stopping != Stopping::Hyperband)
        return std::pow(sweepReduction, rung);
    for (const SweepBracket &bracket : hyperbandBrackets(evaluations)) {
        const auto size = static_cast<std::size_t>(bracket.front().trials);
        if (trial < size)
            return rung < bracket.size() ? static_cast<double>(bracket[rung].evaluations) : 0;
        trial -= size;
    }
    return 0;
}

bool Sweep::isAhead(double one, double other) const {
    return std::isfinite(one) && (!std::isfinite(other) || isBetter(one, other));
}

std::optional<std::size_t> Sweep::next() {
    const auto firstOf = [this](SweepTrial::State state) -> std::optional<std::size_t> {
        const auto found = std::ranges::find(trials, state, &SweepTrial::state);
        return found == trials.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - trials.begin()));
    };
    if (const auto underWay = firstOf(SweepTrial::State::Running))
        return underWay;
    if (stopping != Stopping::Hyperband)
        return firstOf(SweepTrial::State::Waiting);
    std::size_t first = 0;
    for (const SweepBracket &bracket : hyperbandBrackets(evaluations)) {
        if (const auto found = nextOf(bracket, first))
            return found;
        first += static_cast<std::size_t>(bracket.front().trials);
    }
    return std::nullopt;
}

std::optional<std::size_t> Sweep::nextOf(const SweepBracket &bracket, std::size_t first) {
    std::vector<std::size_t> going(static_cast<std::size_t>(bracket.front().trials));
    std::iota(going.begin(), going.end(), first);
    for (std::size_t rung = 0; rung < bracket.size(); ++rung) {
        const bool isLast = rung + 1 == bracket.size();
        for (const std::size_t index : going) {
            SweepTrial &trial = trials[index];
            if (trial.isOver() || (!isLast && trial.rungs.size() > rung))
                continue;
            trial.until = isLast ? 0 : bracket[rung].evaluations;
            return index;
        }
        if (isLast)
            break;
        const auto reached = [&](std::size_t index) {
            const SweepTrial &trial = trials[index];
            if (trial.rungs.size() > rung)
                return trial.rungs[rung];
            // Its patience was used up before it came here: it is worth what it ended with.
            return trial.state == SweepTrial::State::Finished ? trial.last : SweepTrial::unknown;
        };
        std::ranges::stable_sort(going, [&](std::size_t a, std::size_t b) { return isAhead(reached(a), reached(b)); });
        while (going.size() > static_cast<std::size_t>(bracket[rung + 1].trials)) {
            if (SweepTrial &trial = trials[going.back()]; !trial.isOver()) {
                trial.state = SweepTrial::State::Stopped;
                trial.isOutdone = true;
            }
            going.pop_back();
        }
    }
    return std::nullopt;
}

std::vector<std::size_t> Sweep::ranking() const {
    std::vector<std::size_t> order(trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [this](std::size_t a, std::size_t b) { return isAhead(trials[a].best, trials[b].best); });
    return order;
}

const SweepTrial *Sweep::best() const {
    if (trials.empty())
        return nullptr;
    const SweepTrial &first = trials[ranking().front()];
    return std::isfinite(first.best) ? &first : nullptr;
}

QStringList Sweep::spentRuns() const {
    QStringList runs;
    const SweepTrial *kept = best();
    for (const SweepTrial &trial : trials) {
        const bool isSpent = trial.state == SweepTrial::State::Finished ||
                             (trial.state == SweepTrial::State::Stopped && trial.isOutdone);
        if (isSpent && !trial.run.isEmpty() && &trial != kept)
            runs << trial.run;
    }
    return runs;
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

const QStringList &sweepStoppings() {
    static const QStringList names{QStringLiteral("none"), QStringLiteral("halving"), QStringLiteral("hyperband")};
    return names;
}

}  // namespace hearth
