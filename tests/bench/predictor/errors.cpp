// Errors of predicted times, device and network both held out: `predictor_errors FILE…`, files of predictor_times named
// DEVICE.REPEAT.jsonl. Knowledge comes from the other devices and the other networks; a reference is another device
// that measured the network; "timed" are devices that measured the reference network. Probes and that are read from the
// second measurement, errors counted against the first. Where the machine's speed changes between the two, that is in
// all errors; "read from what it is judged by" leaves it out.
#include <QFileInfo>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "core/base/json_reader.h"
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/predict/home_prediction.h"
#include "core/profile/declared_facts.h"

using namespace hearth;

namespace {

struct Case {
    TimeTable first, second;
};
using Cases = std::map<QString, std::map<QString, Case>>;  // by network, by device

struct Errors {
    std::vector<double> units, stages;
};

double at(std::vector<double> values, double part) {
    if (values.empty())
        return std::nan("");
    std::sort(values.begin(), values.end());
    return 100 *
           values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

double mean(const std::vector<double> &values) {
    return 100 * std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double seconds(const TimeTable &table, std::size_t layer, std::size_t batch) {
    return table.forward[layer][batch] + table.backward[layer][batch];
}

/// Units but those that were probed, and stages of three that follow each other.
void count(Errors &errors, const TimeTable &predicted, const TimeTable &real,
           const std::vector<std::vector<double>> &uncertain = {}) {
    for (std::size_t b = 0; b < real.batch.size(); ++b) {
        for (std::size_t l = 0; l < real.forward.size(); ++l) {
            if (uncertain.empty() || uncertain[l][b] > 0)
                errors.units.push_back(std::abs(seconds(predicted, l, b) / seconds(real, l, b) - 1));
            if (l < 2)
                continue;
            double guess = 0, truth = 0;
            for (std::size_t i = l - 2; i <= l; ++i) {
                guess += seconds(predicted, i, b);
                truth += seconds(real, i, b);
            }
            errors.stages.push_back(std::abs(guess / truth - 1));
        }
    }
}

void print(const char *name, const Errors &errors) {
    std::printf("%-44s %7.1f %7.1f %7.1f %7.1f\n", name, at(errors.units, 0.5), at(errors.units, 0.9),
                at(errors.stages, 0.5), mean(errors.stages));
}

Cases readCases(int count, char **paths) {
    Cases cases;
    for (int i = 0; i < count; ++i) {
        QFile file(QString::fromLocal8Bit(paths[i]));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const bool second = file.fileName().endsWith(QLatin1String(".2.jsonl"));
        while (!file.atEnd()) {
            const auto object = parseJsonObject(file.readLine(), file.fileName());
            const auto profile =
                object.and_then([&](const QJsonObject &json) { return ModelProfile::fromJson(json, file.fileName()); });
            if (!profile) {
                std::fprintf(stderr, "%s\n", qPrintable(profile.error().toString()));
                continue;
            }
            Case &each = cases[profile->model][profile->device];
            (second ? each.second : each.first) = profile->times;
        }
    }
    for (auto &[network, devices] : cases) {
        std::erase_if(devices, [](const auto &entry) {
            return entry.second.first.batch.empty() || entry.second.first.batch != entry.second.second.batch;
        });
    }
    return cases;
}

/// All but the devices and the network.
Knowledge knowledgeWithout(const Cases &cases, const std::map<QString, Model> &models, const QStringList &without,
                           const QString &network) {
    Knowledge knowledge;
    for (const auto &[other, devices] : cases) {
        if (other == network)
            continue;
        for (auto a = devices.begin(); a != devices.end(); ++a) {
            if (without.contains(a->first))
                continue;
            knowledge.learn(a->first, {}, compare(models.at(other), DType::Float32, a->second.first, std::nullopt));
            for (auto b = std::next(a); b != devices.end(); ++b) {
                if (!without.contains(b->first))
                    knowledge.learn(b->first, a->first,
                                    compare(models.at(other), DType::Float32, b->second.first, a->second.first));
            }
        }
    }
    return knowledge;
}

/// The reference network as a new device measures it.
TimeTable inFewSizes(const TimeTable &table) {
    TimeTable few{{referenceBatch.begin(), referenceBatch.end()}, {}, {}};
    for (std::size_t l = 0; l < table.forward.size(); ++l) {
        auto &forward = few.forward.emplace_back();
        auto &backward = few.backward.emplace_back();
        for (const int samples : few.batch) {
            const auto b = static_cast<std::size_t>(std::ranges::find(table.batch, samples) - table.batch.begin());
            forward.push_back(table.forward[l][b]);
            backward.push_back(table.backward[l][b]);
        }
    }
    return few;
}

/// `seen` is what the device takes for the reference network; others measured that, too.
void time(Knowledge &knowledge, const Cases &cases, const QString &device, const TimeTable &seen) {
    const TimeTable few = inFewSizes(seen);
    knowledge.learn(device, {}, compare(referenceNetwork(), DType::Float32, few, std::nullopt));
    for (const auto &[other, their] : cases.at(referenceNetwork().name)) {
        if (other != device)
            knowledge.learn(device, other, compare(referenceNetwork(), DType::Float32, few, their.first));
    }
}

/// Devices that measured the network; no times: the made-up one.
using References = std::vector<std::pair<QString, const TimeTable *>>;
using Choose = std::function<std::vector<TimedUnit>(const TimesPredictor &)>;

TimesPredictor predictorOf(const Model &model, const QString &device, const Case &own,
                           const References::value_type &reference, const Knowledge &knowledge) {
    const auto &[name, times] = reference;
    return {model, DType::Float32, own.first.batch, times ? std::optional(*times) : std::nullopt,
            knowledge.about(device, name)};
}

/// As a home is told: by its devices that measured the network, and by the made-up one.
void predictUnseen(Errors &errors, const Model &model, const QString &device, const Case &own, References references,
                   const Knowledge &knowledge) {
    references.emplace_back(QString(), nullptr);
    std::vector<TimeTable> told;
    for (const auto &reference : references)
        told.push_back(predictorOf(model, device, own, reference, knowledge).predict());
    count(errors, middleOf(told), own.first);
}

/// Of all references the one that the probes speak for.
void predict(Errors &errors, const Model &model, const QString &device, const Case &own, const References &references,
             const Knowledge &knowledge, const Choose &choose) {
    double best = -1e300;
    TimeTable chosen;
    for (const auto &reference : references) {
        TimesPredictor predictor = predictorOf(model, device, own, reference, knowledge);
        const auto probes = choose(predictor);
        for (const TimedUnit &unit : probes)
            predictor.measured(unit, own.second.forward[unit.layer][unit.batch],
                               own.second.backward[unit.layer][unit.batch]);
        if (predictor.evidence() > best) {
            best = predictor.evidence();
            chosen = predictor.predict();
        }
    }
    if (!chosen.batch.empty())
        count(errors, chosen, own.first, chosen.error);
}

/// How far off brief profiles say that all layers together may be, and how many are within that.
struct Told {
    std::vector<double> errors;
    std::ptrdiff_t within = 0;
};

/// As a run measures a device that is new to a network that is new: one pass, and probes, read from `seen`.
TimeTable predictInBrief(Errors &errors, Told &told, const Model &model, const QString &device, const Case &own,
                         const TimeTable &seen, const References &references, const Knowledge &knowledge) {
    std::vector<PredictionBase> bases{{std::nullopt, knowledge.beforeMeasuring(device, {})}};
    for (const auto &[name, times] : references)
        bases.push_back({*times, knowledge.beforeMeasuring(device, name)});
    BriefProfile brief(model, DType::Float32, own.first.batch, bases);
    const auto column =
        static_cast<std::size_t>(std::find(seen.batch.begin(), seen.batch.end(), brief.samples()) - seen.batch.begin());
    ModelProfile pass;
    pass.layers = declaredFacts(model, DType::Float32);
    pass.times.batch = {brief.samples()};
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        pass.times.forward.push_back({seen.forward[l][column]});
        pass.times.backward.push_back({seen.backward[l][column]});
        pass.times.weights.push_back({seen.weights[l][column]});
    }
    if (!brief.takePass(pass))
        return {};
    std::vector<UnitSeconds> probes = brief.probes();
    for (UnitSeconds &unit : probes) {
        const auto at = std::find(seen.batch.begin(), seen.batch.end(), unit.samples);
        const auto b = static_cast<std::size_t>(at - seen.batch.begin());
        unit.forward = seen.forward[static_cast<std::size_t>(unit.layer)][b];
        unit.backward = seen.backward[static_cast<std::size_t>(unit.layer)][b];
    }
    brief.takeUnits(probes);
    TimeTable times = brief.profile().times;
    const std::size_t last = times.batch.size() - 1;
    told.errors.push_back(times.relativeError(last));
    told.within += std::abs(times.seconds(last) / own.first.seconds(last) - 1) <= told.errors.back();
    count(errors, times, own.first, times.error);
    return times;
}

/// The reference times the median factor of the units in `probes`.
TimeTable scaled(const TimeTable &reference, const Case &own, const std::vector<TimedUnit> &probes) {
    std::vector<double> factors;
    factors.reserve(probes.size());
    for (const TimedUnit &unit : probes)
        factors.push_back(seconds(own.second, unit.layer, unit.batch) / seconds(reference, unit.layer, unit.batch));
    std::sort(factors.begin(), factors.end());
    TimeTable table = reference;
    table.scale(factors[factors.size() / 2]);
    return table;
}

using Home = std::vector<std::pair<QString, const Case *>>;

/// By how much the round of a plan on other times is longer than that of a plan on the first measurement, by which both
/// are judged.
std::optional<double> plannedLonger(const Home &devices, const std::vector<TimeTable> &times, const Model &model) {
    PlanningProblem real;
    real.batch = 128;
    real.microBatch = 32;  // of four; none larger than 64 was measured
    real.layers = declaredFacts(model, DType::Float32);
    real.inputBytes = qint64{3} * 32 * 32;
    real.labelBytes = 8;
    real.links.fallback = LinkProfile::Link{125e6, 3e-4, Duplex::Full};
    for (const auto &[name, own] : devices) {
        real.devices.push_back({name, qint64{8} << 30, 0});
        real.times.push_back(own->first);
    }
    PlanningProblem told = real;
    told.times = times;
    PlannerOptions options;
    options.secondsLimit = 2;
    const auto best = makePlan(QStringLiteral("hearth"), real, options);
    const auto chosen = makePlan(QStringLiteral("hearth"), told, options);
    if (!best || !chosen)
        return std::nullopt;
    const auto judged = evaluate(real, *best), other = evaluate(real, *chosen);
    return judged && other ? std::optional(other->roundSeconds / judged->roundSeconds - 1) : std::nullopt;
}

TimeTable roofline(const Model &model, const std::vector<int> &batch) {
    TimeTable table{batch, {}, {}};
    for (const LayerWork &work : layerWork(model, DType::Float32)) {
        auto &row = table.forward.emplace_back();
        for (const int samples : batch)
            row.push_back(work.seconds(samples));
        table.backward.push_back(row);
        for (double &value : table.backward.back())
            value *= 2;
    }
    return table;
}

std::vector<TimedUnit> randomUnits(std::size_t layers, std::size_t batches, std::size_t many, unsigned seed) {
    std::vector<TimedUnit> all;
    for (std::size_t l = 0; l < layers; ++l) {
        for (std::size_t b = 0; b < batches; ++b)
            all.push_back({l, b});
    }
    std::mt19937 random(seed);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(std::min(all.size(), many));
    return all;
}

}  // namespace

int main(int argc, char **argv) {
    const Cases cases = readCases(argc - 1, argv + 1);
    Cases judged = cases;
    judged.erase(referenceNetwork().name);
    std::map<QString, Model> models{{referenceNetwork().name, referenceNetwork()}};
    std::size_t tables = 0;
    for (const auto &[network, devices] : judged) {
        models[network] = loadModel(network).value();
        tables += devices.size();
    }
    if (tables < 4 || judged.size() == cases.size()) {
        std::fprintf(stderr, "Usage: predictor_errors FILE…, of the reference network, two others and two devices\n");
        return 2;
    }
    Errors again, factor, references, known, timed, timedAlone, strange, strangeAlone;
    std::map<int, Errors> chosen, unreferenced;
    std::map<QString, Errors> apart;  // of 8 probes, by device and by network
    Errors random, brief, alone, same, untimed;
    Told told, toldAlone, toldSame, toldUntimed;
    std::map<QString, std::map<QString, TimeTable>> inBrief, inBriefSame,
        inBriefUntimed;  // by network and device, without a reference
    double cost = 0, costs = 0;
    for (const auto &[network, devices] : judged) {
        const Model &model = models.at(network);
        for (const auto &[device, own] : devices) {
            count(again, own.second, own.first);
            const Knowledge knowledge = knowledgeWithout(cases, models, {device}, network);
            References others;
            for (const auto &[other, their] : devices) {
                if (other != device)
                    others.emplace_back(other, &their.first);
            }
            const References none{{QString(), nullptr}};
            const Case &reference = cases.at(referenceNetwork().name).at(device);
            Knowledge more = knowledge, moreSame = knowledge;
            time(more, cases, device, reference.second);
            time(moreSame, cases, device, reference.first);
            predictUnseen(strange, model, device, own, others, knowledge);
            predictUnseen(strangeAlone, model, device, own, {}, knowledge);
            predictUnseen(timed, model, device, own, others, more);
            predictUnseen(timedAlone, model, device, own, {}, more);
            predictUnseen(known, model, device, own, others, knowledgeWithout(cases, models, {}, network));
            const auto greedy = [](int many) {
                return [many](const TimesPredictor &predictor) { return predictor.probes(many); };
            };
            for (const int many : {4, 8, 16}) {
                predict(chosen[many], model, device, own, others, knowledge, greedy(many));
                if (many == 8) {
                    predict(apart[device], model, device, own, others, knowledge, greedy(many));
                    predict(apart[network], model, device, own, others, knowledge, greedy(many));
                }
                predict(unreferenced[many], model, device, own, none, knowledge, greedy(many));
            }
            predictInBrief(brief, told, model, device, own, own.second, others, more);
            inBrief[network][device] = predictInBrief(alone, toldAlone, model, device, own, own.second, {}, more);
            inBriefSame[network][device] = predictInBrief(same, toldSame, model, device, own, own.first, {}, moreSame);
            inBriefUntimed[network][device] =
                predictInBrief(untimed, toldUntimed, model, device, own, own.first, {}, knowledge);
            const std::size_t layers = model.layers.size(), batches = own.first.batch.size();
            for (unsigned seed = 1; seed <= 5; ++seed) {
                const std::vector<TimedUnit> units = randomUnits(layers, batches, 8, seed);
                predict(random, model, device, own, others, knowledge,
                        [&units](const TimesPredictor &) { return std::vector(units); });
            }
            const TimesPredictor predictor(model, DType::Float32, own.first.batch, std::nullopt,
                                           knowledge.prior(false));
            const auto probes = predictor.probes(8);
            count(factor, scaled(roofline(model, own.first.batch), own, probes), own.first);
            for (const auto &[other, times] : others)
                count(references, scaled(*times, own, probes), own.first);
            for (const TimedUnit &unit : probes)
                cost += seconds(own.first, unit.layer, unit.batch);
            for (std::size_t l = 0; l < layers; ++l) {
                for (std::size_t b = 0; b < batches; ++b)
                    costs += seconds(own.first, l, b);
            }
        }
    }
    std::printf("%zu networks, %zu pairs of network and device; errors in %%\n", judged.size(), tables);
    std::printf("%-44s %7s %7s %7s %7s\n", "", "unit", "p90", "stage", "mean");
    print("the measurement again", again);
    print("roofline x one factor, 8 probes", factor);
    print("reference x C_i (FTPipeHD), 8 probes", references);
    print("strange device, no reference, 0 probes", strangeAlone);
    print("strange device, 0 probes", strange);
    print("timed device, no reference, 0 probes", timedAlone);
    print("timed device, 0 probes", timed);
    print("device known by all networks, 0 probes", known);
    for (auto &[many, errors] : unreferenced)
        print(qPrintable(QStringLiteral("predictor, no reference, %1 probes").arg(many)), errors);
    for (auto &[many, errors] : chosen)
        print(qPrintable(QStringLiteral("predictor, %1 probes").arg(many)), errors);
    print("predictor, 8 random probes", random);
    print("timed device, one pass, 4 probes", brief);
    print("likewise, no reference", alone);
    print("likewise, read from what it is judged by", same);
    print("likewise, but a strange device", untimed);
    for (auto &[name, errors] : apart)
        print(qPrintable(QStringLiteral("8 probes, ") + name), errors);
    Errors before, after;  // a new device has come
    for (const auto &[network, devices] : judged) {
        for (const auto &[device, own] : devices) {
            for (const auto &[newcomer, its] : devices) {
                if (newcomer == device)
                    continue;
                References others;
                for (const auto &[other, their] : devices) {
                    if (other != device && other != newcomer)
                        others.emplace_back(other, &their.first);
                }
                const auto eight = [](const TimesPredictor &predictor) { return predictor.probes(8); };
                predict(before, models.at(network), device, own, others,
                        knowledgeWithout(cases, models, {device, newcomer}, network), eight);
                predict(after, models.at(network), device, own, others,
                        knowledgeWithout(cases, models, {device}, network), eight);
            }
        }
    }
    print("8 probes, before another device is known", before);
    print("8 probes, after it is known", after);
    for (const auto &[name, each] : {std::pair("with references", &told), std::pair("without", &toldAlone)}) {
        const auto good = std::count_if(each->errors.begin(), each->errors.end(),
                                        [](double error) { return error <= BriefProfile::mostError; });
        std::printf(
            "brief profiles %s say ± %.0f %% of the sum (median) and %td of %zu are within; %td are planned on\n", name,
            at(each->errors, 0.5), each->within, each->errors.size(), good);
    }
    std::vector<double> longer, longerSame, longerUntimed, again2;
    for (const auto &[network, devices] : judged) {
        const std::vector<std::pair<QString, Case>> all(devices.begin(), devices.end());
        for (std::size_t a = 0; a < all.size(); ++a) {
            for (std::size_t b = a + 1; b < all.size(); ++b) {
                for (std::size_t c = b + 1; c < all.size(); ++c) {
                    Home home;
                    std::vector<TimeTable> predicted, predictedSame, predictedUntimed, second;
                    for (const std::size_t i : {a, b, c}) {
                        home.emplace_back(all[i].first, &all[i].second);
                        predicted.push_back(inBrief[network][all[i].first]);
                        predictedSame.push_back(inBriefSame[network][all[i].first]);
                        predictedUntimed.push_back(inBriefUntimed[network][all[i].first]);
                        second.push_back(all[i].second.second);
                    }
                    if (const auto more = plannedLonger(home, predicted, models.at(network)))
                        longer.push_back(*more);
                    if (const auto more = plannedLonger(home, predictedSame, models.at(network)))
                        longerSame.push_back(*more);
                    if (const auto more = plannedLonger(home, predictedUntimed, models.at(network)))
                        longerUntimed.push_back(*more);
                    if (const auto more = plannedLonger(home, second, models.at(network)))
                        again2.push_back(*more);
                }
            }
        }
    }
    std::printf("rounds of %zu homes of three devices, longer than by plans on whole profiles (median, p90):\n",
                longer.size());
    std::printf(
        "  plans on the measurement again %.1f, %.1f; on brief profiles without a reference %.1f, %.1f; and on those "
        "read from what they are judged by %.1f, %.1f (strange devices %.1f, %.1f)\n",
        at(again2, 0.5), at(again2, 0.9), at(longer, 0.5), at(longer, 0.9), at(longerSame, 0.5), at(longerSame, 0.9),
        at(longerUntimed, 0.5), at(longerUntimed, 0.9));
    std::printf("8 probes pass through %.1f %% of a full profile's seconds\n", 100 * cost / costs);
    return 0;
}
