// Times of a network on a device that measured few of its layers, or none. AccEPT-style.
#pragma once

#include <optional>
#include <vector>

#include "core/predict/knowledge.h"
#include "core/profile/cost_source.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// A layer at a number of samples.
struct TimedUnit {
    std::size_t layer = 0;
    std::size_t batch = 0;  // index of a batch size
    bool operator==(const TimedUnit &) const = default;
};

/// Not thread-safe; holds what it needs.
class TimesPredictor {
  public:
    /// How far what other devices know may move a prediction: from the reference where nothing was measured here, from
    /// the median of what was measured else.
    static constexpr double mostFactor = 64, mostFactorOfMeasured = 8;
    /// No probe takes more than this part of the seconds of all units, shared by the number of probes, while there are
    /// shorter ones.
    static constexpr double mostOfWhole = 0.2;

    /// `reference` is the complete table of a device that measured this network, of any batch sizes, else nothing: then
    /// `beliefs` are against the made-up device. `batch` ascends.
    TimesPredictor(const Model &model, DType dtype, std::vector<int> batch, const std::optional<TimeTable> &reference,
                   const RatioBeliefs &beliefs);
    /// Which units say most: greedily what leaves the least variance over all units, each weighted by the square root
    /// of its time. What was measured already is none of them; fewer than `count` where there are no more.
    std::vector<TimedUnit> probes(int count) const;
    /// Seconds above 0; both are taken up at once.
    void measured(const TimedUnit &unit, double forward, double backward);
    /// Complete, with errors; halves of backward passes are not known.
    TimeTable predict() const;
    std::size_t layerCount() const { return m_features.size(); }
    /// log of how likely the beliefs held what was measured: tells the better of two references.
    double evidence() const { return m_evidence; }
    /// All that was measured, to learn from.
    std::vector<ObservedUnit> observed() const;

  private:
    struct Direction {
        RatioBelief belief;
        double ObservedUnit::*value;
        double median = 0;  // of what was measured
    };
    struct Measured {
        TimedUnit unit;
        double forward = 0, backward = 0;
        ObservedUnit observed;
    };
    const Features &featuresOf(const TimedUnit &unit) const { return m_features[unit.layer][unit.batch]; }
    const LayerSeconds &referenceOf(const TimedUnit &unit) const { return m_reference[unit.layer][unit.batch]; }
    /// What is believed of one direction by now, measurements included.
    struct Line {
        const Direction &direction;
        WeightBelief weights;
        double noise = 0;
    };
    Line lineOf(const Direction &direction) const;
    WeightBelief::Estimate estimate(const Line &line, const TimedUnit &unit) const;

    std::vector<int> m_batch;
    std::vector<std::size_t> m_alike;  // by layer: the first that is like it
    std::vector<std::vector<Features>> m_features;
    std::vector<std::vector<LayerSeconds>> m_reference;
    Direction m_forward, m_backward;
    std::vector<Measured> m_measured;
    double m_evidence = 0;
};

/// By unit the median of what several predict, its error likewise: a single one may be far off. All are of the same
/// layers and batch sizes; one at least.
TimeTable middleOf(const std::vector<TimeTable> &predictions);

/// What two complete tables of one network tell of the devices, at the batch sizes that both have; against
/// LayerWork::seconds() where there is no `against`. One unit of layers that are alike; none that was predicted.
std::vector<ObservedUnit> compare(const Model &model, DType dtype, const TimeTable &device,
                                  const std::optional<TimeTable> &against);

}  // namespace hearth
