#include "timings.h"

#include <QFile>
#include <algorithm>
#include <cstdio>

#include "core/base/json_reader.h"
#include "core/model/catalogue.h"

namespace hearth::bench {
namespace {

TimeTable inFewSizes(const TimeTable &table) {
    TimeTable few{{benchmarkBatch.begin(), benchmarkBatch.end()}, {}, {}};
    for (std::size_t l = 0; l < table.forward.size(); ++l) {
        auto &forward = few.forward.emplace_back();
        auto &backward = few.backward.emplace_back();
        for (const int samples : few.batch) {
            forward.push_back(table.forward[l][columnOf(table, samples)]);
            backward.push_back(table.backward[l][columnOf(table, samples)]);
        }
    }
    return few;
}

void learnPairs(Knowledge &knowledge, const Model &model, const CasesOfNetwork &cases, const QStringList &without) {
    for (auto a = cases.begin(); a != cases.end(); ++a) {
        if (without.contains(a->first))
            continue;
        knowledge.learn(a->first, {}, compare(model, DType::Float32, a->second.first, std::nullopt));
        for (auto b = std::next(a); b != cases.end(); ++b) {
            if (!without.contains(b->first))
                knowledge.learn(b->first, a->first, compare(model, DType::Float32, b->second.first, a->second.first));
        }
    }
}

}  // namespace

Timings readTimings(int count, char **paths) {
    Timings timings;
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
            Case &each = timings.networks[profile->model][profile->device];
            (second ? each.second : each.first) = profile->times;
        }
    }
    for (auto &[network, devices] : timings.networks) {
        std::erase_if(devices, [](const auto &entry) {
            return entry.second.first.batch.empty() || entry.second.first.batch != entry.second.second.batch;
        });
    }
    timings.benchmark = timings.networks[benchmarkNetwork().name];
    timings.networks.erase(benchmarkNetwork().name);
    for (auto &[device, own] : timings.benchmark)
        own = {inFewSizes(own.first), inFewSizes(own.second)};
    for (const auto &[network, devices] : timings.networks)
        timings.models[network] = loadModel(network).value();
    return timings;
}

double seconds(const TimeTable &table, std::size_t layer, std::size_t batch) {
    return table.forward[layer][batch] + table.backward[layer][batch];
}

std::size_t columnOf(const TimeTable &table, int samples) {
    return static_cast<std::size_t>(std::ranges::find(table.batch, samples) - table.batch.begin());
}

Knowledge knowledgeWithout(const Timings &timings, const QStringList &devices, const QString &network) {
    Knowledge knowledge;
    learnPairs(knowledge, benchmarkNetwork(), timings.benchmark, devices);
    for (const auto &[other, cases] : timings.networks) {
        if (other != network)
            learnPairs(knowledge, timings.models.at(other), cases, devices);
    }
    return knowledge;
}

void learnBenchmark(Knowledge &knowledge, const Timings &timings, const QString &device, const TimeTable &seen) {
    knowledge.learn(device, {}, compare(benchmarkNetwork(), DType::Float32, seen, std::nullopt));
    for (const auto &[other, their] : timings.benchmark) {
        if (other != device)
            knowledge.learn(device, other, compare(benchmarkNetwork(), DType::Float32, seen, their.first));
    }
}

}  // namespace hearth::bench
