// The numbers of a job that can be typed.
#pragma once

#include <QLocale>
#include <functional>
#include <optional>
#include <vector>

#include "core/run/job.h"

namespace hearth {

enum class JobField {
    LoraRank,
    LoraAlpha,
    LoraDropout,
    AdapterFeatures,
    Rounds,
    Epochs,
    Batch,
    MicroBatch,
    LearningRate,
    Momentum,
    Beta1,
    Beta2,
    Epsilon,
    WeightDecay,
    WarmupRounds,
    LastRate,
    DropEvery,
    Drop,
    EvaluateEvery,
    Validation,
    Patience,
    Seed
};

/// How one number is written into a job, and between which bounds it lies. Any thread.
struct JobNumber {
    JobField field;
    const char *key;  // by which it is kept, as in a job's file
    bool whole;
    double minimum, maximum;
    bool minimumAllowed;
    bool optional;
    std::function<std::optional<double>(const Job &)> get;
    std::function<void(Job &, std::optional<double>)> set;

    bool allows(double value) const {
        return value <= maximum && (value > minimum || (minimumAllowed && value == minimum));
    }
    /// Nothing where it is no number.
    std::optional<double> valueOf(const QString &text, const QLocale &locale) const;
    /// As a person of this language writes it; empty where there is none.
    QString textOf(const Job &job, const QLocale &locale) const;
    /// What is no number stays as it is.
    QString rewritten(const QString &text, const QLocale &from, const QLocale &to) const;
    QString written(double value, const QLocale &locale) const;
};

/// All of them.
const std::vector<JobNumber> &jobNumbers();

}  // namespace hearth
