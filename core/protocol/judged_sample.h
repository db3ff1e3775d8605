// What an evaluation says of single samples.
#pragma once

#include <QCborArray>
#include <QJsonArray>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// Plain value, any thread. Where a sample has one label, that and the answer are numbers of classes (of a yes or a no
/// 1 and 0), or the numbers themselves; where it has several, as a text has, they are NaN.
struct JudgedSample {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    qint64 sample = 0;  // of its split, from 0
    double loss = 0;    // mean of what it counts
    double label = none, answer = none;
    double certainty = none;  // of the answer, 0…1; NaN for numbers
    bool isWrong = false;     // answers of classes, yes or no alone

    bool hasAnswer() const { return answer == answer; }
    /// [sample, loss, label, answer, certainty, wrong]; a number that is none is null.
    QJsonArray toJson() const;
    /// Nothing where numbers make no sense.
    static std::optional<JudgedSample> fromJson(const QJsonArray &numbers);
    static QCborArray toCbor(const std::vector<JudgedSample> &samples);
    /// Error "run.bad-report" where numbers make no sense.
    static Result<std::vector<JudgedSample>> fromCbor(const QCborArray &numbers);
};

/// The order of the samples that a network finds hardest: those with equal losses by number. A loss that is no number
/// is above all others.
bool isHarder(const JudgedSample &a, const JudgedSample &b);

/// Whether the answer to this one of `samples` is followed from evaluation to evaluation: a few are, spread over them.
bool isWatched(qint64 sample, qint64 samples);

/// Of a worker's part what others need to know: the wrong ones, the hardest, and those that are watched of `total`.
std::vector<JudgedSample> worthTelling(std::vector<JudgedSample> judged, qint64 total);

}  // namespace hearth
