// Errors of predicted times, device and network both held out: `predictor_errors FILE…`, files of predictor_times named
// DEVICE.REPEAT.jsonl. Knowledge comes from the other devices and the other networks; a reference is another device
// that measured the network; probes are read from the second measurement, errors counted against the first.
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
#include "core/predict/times_predictor.h"

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

/// All but the device and the network.
Knowledge knowledgeWithout(const Cases &cases, const std::map<QString, Model> &models, const QString &device,
                           const QString &network) {
    Knowledge knowledge;
    for (const auto &[other, devices] : cases) {
        if (other == network)
            continue;
        for (auto a = devices.begin(); a != devices.end(); ++a) {
            if (a->first == device)
                continue;
            knowledge.learn(a->first, {}, compare(models.at(other), DType::Float32, a->second.first, std::nullopt));
            for (auto b = std::next(a); b != devices.end(); ++b) {
                if (b->first != device)
                    knowledge.learn(b->first, a->first,
                                    compare(models.at(other), DType::Float32, b->second.first, a->second.first));
            }
        }
    }
    return knowledge;
}

using Choose = std::function<std::vector<TimedUnit>(const TimesPredictor &)>;

/// Of all references the one that the probes speak for; the mean of all where there are none.
void predict(Errors &errors, const Model &model, const Case &own, const std::vector<const TimeTable *> &references,
             const Knowledge &knowledge, const Choose &choose) {
    double best = -1e300;
    PredictedTimes chosen;
    for (const TimeTable *reference : references) {
        TimesPredictor predictor(model, DType::Float32, own.first.batch,
                                 reference ? std::optional(*reference) : std::nullopt,
                                 knowledge.prior(reference != nullptr));
        const auto probes = choose(predictor);
        for (const TimedUnit &unit : probes)
            predictor.measured(unit, own.second.forward[unit.layer][unit.batch],
                               own.second.backward[unit.layer][unit.batch]);
        if (probes.empty())
            count(errors, predictor.predict().times, own.first);
        else if (predictor.evidence() > best) {
            best = predictor.evidence();
            chosen = predictor.predict();
        }
    }
    if (!chosen.times.batch.empty())
        count(errors, chosen.times, own.first, chosen.error);
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
    std::map<QString, Model> models;
    std::size_t tables = 0;
    for (const auto &[network, devices] : cases) {
        models[network] = loadModel(network).value();
        tables += devices.size();
    }
    if (tables < 4) {
        std::fprintf(stderr, "Usage: predictor_errors FILE…, of two networks and two devices at least\n");
        return 2;
    }
    Errors again, factor, references, network0;
    std::map<int, Errors> chosen, unreferenced;
    std::map<QString, Errors> apart;  // of 8 probes, by device and by network
    Errors random;
    double cost = 0, costs = 0;
    for (const auto &[network, devices] : cases) {
        const Model &model = models.at(network);
        for (const auto &[device, own] : devices) {
            count(again, own.second, own.first);
            const Knowledge knowledge = knowledgeWithout(cases, models, device, network);
            std::vector<const TimeTable *> others;
            for (const auto &[other, their] : devices) {
                if (other != device)
                    others.push_back(&their.first);
            }
            // A device that is known, and a network that is not: by the reference that leaves least open.
            const Knowledge more = knowledgeWithout(cases, models, {}, network);
            PredictedTimes least;
            for (const auto &[other, their] : devices) {
                if (other == device)
                    continue;
                const PredictedTimes known =
                    TimesPredictor(model, DType::Float32, own.first.batch, their.first, more.about(device, other))
                        .predict();
                if (least.times.batch.empty() || known.relativeError(0) < least.relativeError(0))
                    least = known;
            }
            count(network0, least.times, own.first);
            const auto greedy = [](int many) {
                return [many](const TimesPredictor &predictor) { return predictor.probes(many); };
            };
            for (const int many : {0, 4, 8, 16}) {
                predict(chosen[many], model, own, others, knowledge, greedy(many));
                if (many == 8) {
                    predict(apart[device], model, own, others, knowledge, greedy(many));
                    predict(apart[network], model, own, others, knowledge, greedy(many));
                }
                predict(unreferenced[many], model, own, {nullptr}, knowledge, greedy(many));
            }
            const std::size_t layers = model.layers.size(), batches = own.first.batch.size();
            for (unsigned seed = 1; seed <= 5; ++seed) {
                const std::vector<TimedUnit> units = randomUnits(layers, batches, 8, seed);
                predict(random, model, own, others, knowledge,
                        [&units](const TimesPredictor &) { return std::vector(units); });
            }
            const TimesPredictor predictor(model, DType::Float32, own.first.batch, std::nullopt,
                                           knowledge.prior(false));
            const auto probes = predictor.probes(8);
            count(factor, scaled(roofline(model, own.first.batch), own, probes), own.first);
            for (const TimeTable *other : others)
                count(references, scaled(*other, own, probes), own.first);
            for (const TimedUnit &unit : probes)
                cost += seconds(own.first, unit.layer, unit.batch);
            for (std::size_t l = 0; l < layers; ++l) {
                for (std::size_t b = 0; b < batches; ++b)
                    costs += seconds(own.first, l, b);
            }
        }
    }
    std::printf("%zu networks, %zu pairs of network and device; errors in %%\n", cases.size(), tables);
    std::printf("%-44s %7s %7s %7s %7s\n", "", "unit", "p90", "stage", "mean");
    print("the measurement again", again);
    print("roofline x one factor, 8 probes", factor);
    print("reference x C_i (FTPipeHD), 8 probes", references);
    for (auto &[many, errors] : unreferenced)
        print(qPrintable(QStringLiteral("predictor, no reference, %1 probes").arg(many)), errors);
    for (auto &[many, errors] : chosen)
        print(qPrintable(QStringLiteral("predictor, %1 probes").arg(many)), errors);
    print("predictor, 8 random probes", random);
    print("known device, 0 probes", network0);
    for (auto &[name, errors] : apart)
        print(qPrintable(QStringLiteral("8 probes, ") + name), errors);
    std::printf("8 probes pass through %.1f %% of a full profile's seconds\n", 100 * cost / costs);
    return 0;
}
