// What a home has learned of how much longer its devices take than others.
#pragma once

#include <QJsonObject>
#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/predict/ratio_belief.h"

namespace hearth {

/// One layer at one number of samples, timed on a device and on its reference.
struct ObservedUnit {
    Features features{};
    double forward = 0, backward = 0;  // log(seconds on the device / seconds on the reference)
};

/// The variance that the units leave around the line, about what was believed before.
double noiseAround(const RatioBelief &belief, const std::vector<ObservedUnit> &units, double ObservedUnit::*value);

/// Beliefs of pairs of devices, and of devices and the made-up one of LayerWork::seconds() (an empty `against`). What
/// is believed of a pair that was never seen follows from those that were. Plain value, any thread.
class Knowledge {
  public:
    struct Pair {
        QString device, against;
        RatioBeliefs beliefs;
    };
    /// Of one more profile, what was learned before counts so much.
    static constexpr double kept = 0.98;
    static constexpr double ofOtherNetworks = 0.04;
    static constexpr std::size_t mostPairs = 64;
    static constexpr qint64 mostFileBytes = 1 << 20;

    /// Takes up what one profile, some probes or a trace tell; the pair learned longest ago makes room.
    void learn(const QString &device, const QString &against, const std::vector<ObservedUnit> &units);
    /// What is believed of the two, in this order; the prior where they are no known pair.
    RatioBeliefs about(const QString &device, const QString &against) const;
    /// The same of a network that the device is about to measure: of what others told, `ofOtherNetworks` counts. Layers
    /// of one network have more in common than the features say, so that many of others would outweigh its own.
    RatioBeliefs beforeMeasuring(const QString &device, const QString &against) const;
    /// Of devices that nobody knows yet. Between two devices the mean is 0: neither comes first.
    RatioBeliefs prior(bool againstDevice) const;
    const std::vector<Pair> &pairs() const { return m_pairs; }
    /// Of pairs that only the other one knows, as long as there is room.
    void join(const Knowledge &other);

    /// hearth-predictor/1.
    QJsonObject toJson() const;
    /// May come from another device: beliefs that are none, or beyond RatioBelief's limits, are errors.
    static Result<Knowledge> fromJson(const QJsonObject &object, const QString &source);
    /// Nothing known where there is no file, or a damaged one.
    static Knowledge load(const QString &path);
    Result<void> save(const QString &path) const;

  private:
    const Pair *find(const QString &device, const QString &against) const;

    std::vector<Pair> m_pairs;  // those learned last come last
};

}  // namespace hearth
