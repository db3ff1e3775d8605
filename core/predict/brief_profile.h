// What a device takes for a network that it has measured in brief: the rest is predicted. AccEPT-style.
#pragma once

#include "core/predict/times_predictor.h"
#include "core/profile/unit_seconds.h"

namespace hearth {

/// Another device that measured the network, and what is known of how the two differ.
struct PredictionBase {
    std::optional<TimeTable> times;  // nothing: the made-up device of LayerWork::seconds()
    RatioBeliefs beliefs;
};

/// First one pass over the whole network at few samples, which tells bytes and about how long each layer takes; then
/// the units that say most. Of several bases the one counts for which the measured times speak. Not thread-safe.
class BriefProfile {
  public:
    /// Rather all is measured than planned on times that may well be further off.
    static constexpr double mostError = 0.25;
    /// Samples of that pass, where a batch size has so many.
    static constexpr int fewSamples = 4;

    /// `batch` ascends; `bases` has one at least.
    BriefProfile(const Model &model, DType dtype, const std::vector<int> &batch,
                 const std::vector<PredictionBase> &bases);
    /// The batch size of that pass.
    int samples() const;
    /// All will be known within mostError once what is still missing is measured, unless that is a surprise. Where it
    /// will not, measuring in brief is in vain.
    bool isPromising() const;
    /// False: it is no pass over this network.
    bool takePass(const ModelProfile &pass);
    /// What to measure next: layers and samples.
    std::vector<UnitSeconds> probes(int count = TimesPredictor::usualProbes) const;
    void takeUnits(const std::vector<UnitSeconds> &units);
    /// Within mostError.
    bool isGoodEnough() const { return isGoodEnough(best().predict()); }
    /// The pass with the times of all batch sizes. After takePass().
    ModelProfile profile() const;

  private:
    const TimesPredictor &best() const;
    bool isGoodEnough(const TimeTable &times) const { return times.relativeError(m_batch.size() - 1) <= mostError; }
    void take(const UnitSeconds &unit);

    std::vector<int> m_batch;
    std::vector<TimesPredictor> m_predictors;
    ModelProfile m_pass;
};

}  // namespace hearth
