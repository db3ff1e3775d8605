// How the learning rate changes over a run.
#pragma once

#include <QJsonObject>

#include "core/base/error.h"

namespace hearth {

/// The optimizer's learning rate is multiplied by a factor that is a pure function of the round, so any round can be
/// replayed. JSON: {"kind":"cosine","warmup_rounds":100,"last":0.1}. Plain value, any thread.
struct RateSchedule {
    enum class Kind : quint8 {
        Constant,
        Linear,    // from 1 in a straight line to `last`
        Cosine,    // from 1 along half a cosine to `last`
        Steps,     // times `drop` after every `every` rounds
        OneCycle,  // up from 1/25, down to 1/250000, both along half a cosine: torch's OneCycleLR (Smith and Topin
                   // 2018)
    };
    Kind kind = Kind::Constant;
    qint64 warmupRounds = 0;  // before all else the factor grows to 1 in a straight line; none in OneCycle
    double last = 0;          // Linear, Cosine: what the round after the last one would have
    qint64 every = 1000;      // Steps
    double drop = 0.1;        // Steps

    bool operator==(const RateSchedule &) const = default;
    /// Of round `round` (from 1) out of `rounds`; rounds beyond them have what the last one has.
    double factor(qint64 round, qint64 rounds) const;
    /// The same for rounds that are made of so many steps, each with a factor of its own: lengths are in steps.
    RateSchedule inSteps(int perRound) const;

    /// `source` and `path` are what errors name ("job.json", "/schedule").
    static Result<RateSchedule> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;
};

}  // namespace hearth
