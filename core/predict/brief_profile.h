// What a device takes for a network that it has measured in brief: the rest is predicted. AccEPT-style.
#pragma once

#include <algorithm>

#include "core/predict/times_predictor.h"
#include "core/profile/unit_seconds.h"

namespace hearth {

/// Another device that measured the network, and what is known of how the two differ.
struct PredictionBase {
    std::optional<TimeTable> times;  // nothing: the made-up device of LayerWork::seconds()
    RatioBeliefs beliefs;
};

/// First one pass over the whole network at about as many samples as a device has of a micro-batch, which tells bytes
/// and how long each layer takes there; then the units that say most. Of several bases the one counts for which the
/// measured times speak. Not thread-safe.
class BriefProfile {
  public:
    /// Rather all is measured than planned on times that may well be further off.
    static constexpr double mostError = 0.25;
    /// Of a first plan before anything of the network is measured: its rounds soon tell how far off it was.
    static constexpr double mostErrorOfGuess = 0.75;
    /// Where all passes of a whole profile, about a dozen at each batch size, are expected to take less, nothing is
    /// gained.
    static constexpr double leastWhole = 2;
    static constexpr int passesOfWhole = 12;
    /// What all that takes may be waited for, where training does.
    static constexpr double shortWhole = 5;
    /// Samples of that pass: the largest batch size by this at most, while it is expected to take no longer than that;
    /// but so many always, where a batch size has them.
    static constexpr int partOfBatch = 8;
    static constexpr double secondsOfPass = 0.5;
    static constexpr int fewSamples = 4;
    /// No pass is of more samples, where the largest batch size is this.
    static constexpr int mostSamples(int largest) {
        return std::max(std::min(fewSamples, largest), largest / partOfBatch);
    }
    /// Of single units after it. Fewer may be longer ones, and those of the largest batch sizes say most.
    static constexpr int probeCount = 4;

    /// `batch` ascends; `bases` has one at least.
    BriefProfile(const Model &model, DType dtype, const std::vector<int> &batch,
                 const std::vector<PredictionBase> &bases);
    /// The batch size of that pass.
    int samples() const { return m_samples; }
    /// All will be known within mostError once what is still missing is measured, unless that is a surprise, and a
    /// whole profile takes leastWhole. Else measuring in brief is in vain.
    bool isPromising() const;
    /// False: it is no pass over this network.
    bool takePass(const ModelProfile &pass);
    /// What to measure next: layers and samples.
    std::vector<UnitSeconds> probes() const;
    void takeUnits(const std::vector<UnitSeconds> &units);
    /// Within mostError.
    bool isGoodEnough() const { return isGoodEnough(best().predict()); }
    /// Seconds that a whole profile is expected to take.
    double wholeSeconds() const { return wholeSeconds(best().predict()); }
    /// The pass with the times of all batch sizes. After takePass().
    ModelProfile profile() const;

  private:
    const TimesPredictor &best() const;
    double wholeSeconds(const TimeTable &times) const;
    bool isGoodEnough(const TimeTable &times) const { return times.relativeError(m_batch.size() - 1) <= mostError; }
    void take(const UnitSeconds &unit);

    std::vector<int> m_batch;
    std::vector<TimesPredictor> m_predictors;
    int m_samples = 0;
    ModelProfile m_pass;
};

}  // namespace hearth
