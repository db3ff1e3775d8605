// What an evaluation counts, in sums that shares of any size add up to.
#pragma once

#include <QCborMap>
#include <map>
#include <optional>

#include "core/base/error.h"
#include "core/model/loss_facts.h"

namespace hearth {

/// Of some of the test set's samples; those of two parts together are the sums of both, so that no share weighs more
/// than its samples. Plain value, any thread.
struct EvaluationTally {
    struct OfClass {
        qint64 right = 0, answered = 0, labelled = 0;
        bool operator==(const OfClass &) const = default;
    };
    /// With more classes no table of them is kept.
    static constexpr int mostClasses = 1000;

    double lossSum = 0;
    qint64 correct = 0;                // of what the loss counts
    std::optional<qint64> amongFive;   // the right class is one of the five likeliest; where there are more
    std::optional<double> distances;   // from answers to labels, where these are numbers
    std::map<int, OfClass> classes{};  // that occur; of a yes or a no 1 alone

    bool operator==(const EvaluationTally &) const = default;
    void add(const EvaluationTally &part);
    QCborMap toCbor() const;
    /// Error where numbers make no sense.
    static Result<EvaluationTally> fromCbor(const QCborMap &map);
};

/// What a person is told of an evaluation; nothing where it means nothing for the loss. Plain value.
struct EvaluationScores {
    double loss = 0;      // mean of all that the loss counts
    double accuracy = 0;  // 0…1; NaN where answers are neither right nor wrong
    std::optional<double> top5 = {};
    /// Of the second of two classes, or of a yes; of more classes the mean of all that occur.
    std::optional<double> f1 = {};
    std::optional<double> perplexity = {};  // where every token has a label
    std::optional<double> meanAbsoluteError = {};

    /// `output` is the network's per sample, `counted` what the loss counts in all. `deviation` is what a learnt 1 is
    /// in the unit of the data, in which the absolute error is told.
    static EvaluationScores of(const LossFacts &loss, const Shape &output, const EvaluationTally &tally, qint64 counted,
                               double deviation = 1);
};

}  // namespace hearth
