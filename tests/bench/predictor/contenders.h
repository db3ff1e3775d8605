// Ways to predict what a device takes for a network that it has not measured, or not wholly.
#pragma once

#include <functional>

#include "timings.h"

namespace hearth::bench {

/// One network on one device, and what tells of it.
struct Held {
    const Model &model;
    QString device;
    const Case &own;
    /// Devices that measured the network.
    std::vector<std::pair<QString, const TimeTable *>> references;
};

/// As a home is told: by its devices that measured the network, and by the made-up one.
TimeTable predictUnseen(const Held &held, const Knowledge &knowledge);

using Choose = std::function<std::vector<TimedUnit>(const TimesPredictor &)>;
Choose greedy(int many);
/// By probes alone: of all references (of the made-up device, where there are none) the one that they speak for.
TimeTable predictByProbes(const Held &held, const Knowledge &knowledge, const Choose &choose);

/// As a run measures: one pass, and probes, read from `seen`.
TimeTable predictInBrief(const Held &held, const Knowledge &knowledge, const TimeTable &seen);

/// The reference times the median factor of the units in `probes`.
TimeTable scaled(const TimeTable &reference, const Case &own, const std::vector<TimedUnit> &probes);
TimeTable roofline(const Model &model, const std::vector<int> &batch);
std::vector<TimedUnit> randomUnits(std::size_t layers, std::size_t batches, std::size_t many, unsigned seed);

}  // namespace hearth::bench
