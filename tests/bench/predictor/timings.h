// What predictor_times has timed, and what a home would know of it.
#pragma once

#include <map>

#include "core/predict/home_prediction.h"

namespace hearth::bench {

/// One network on one device: probes are read from the second measurement, errors counted against the first.
struct Case {
    TimeTable first, second;
};
using CasesOfNetwork = std::map<QString, Case>;  // by device

struct Timings {
    std::map<QString, CasesOfNetwork> networks;  // by name
    std::map<QString, Model> models;             // likewise
    CasesOfNetwork benchmark;                    // the benchmark network, at benchmarkBatch
};

/// Of files named DEVICE.REPEAT.jsonl; devices that miss one of the two measurements are left out.
Timings readTimings(int count, char **paths);
/// Both passes.
double seconds(const TimeTable &table, std::size_t layer, std::size_t batch);
std::size_t columnOf(const TimeTable &table, int samples);

/// What all devices but these tell, of the benchmark network and of all networks but this one.
Knowledge knowledgeWithout(const Timings &timings, const QStringList &devices, const QString &network);
/// A device takes so long for the benchmark network: beside the others of the home, as a run learns it.
void learnBenchmark(Knowledge &knowledge, const Timings &timings, const QString &device, const TimeTable &seen);

}  // namespace hearth::bench
