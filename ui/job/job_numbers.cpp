#include "ui/job/job_numbers.h"

#include <type_traits>

#include "core/model/model.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr double mostRounds = 100'000'000;
constexpr double mostBatch = 1 << 20;

}  // namespace

const std::vector<JobNumber> &jobNumbers() {
    const auto optimizer = [](JobField field, const char *key, double OptimizerSpec::*member, double maximum,
                              bool zero) {
        return JobNumber{field,
                         key,
                         false,
                         0,
                         maximum,
                         zero,
                         false,
                         [member](const Job &job) { return std::optional(job.optimizer.*member); },
                         [member](Job &job, std::optional<double> value) { job.optimizer.*member = *value; }};
    };
    const auto schedule = [](JobField field, const char *key, double RateSchedule::*member) {
        return JobNumber{field,
                         key,
                         false,
                         0,
                         1,
                         true,
                         false,
                         [member](const Job &job) { return std::optional(job.schedule.*member); },
                         [member](Job &job, std::optional<double> value) { job.schedule.*member = *value; }};
    };
    const auto scheduleRounds = [](JobField field, const char *key, qint64 RateSchedule::*member, double minimum) {
        return JobNumber{
            field,
            key,
            true,
            minimum,
            mostRounds,
            true,
            false,
            [member](const Job &job) { return std::optional(static_cast<double>(job.schedule.*member)); },
            [member](Job &job, std::optional<double> value) { job.schedule.*member = static_cast<qint64>(*value); }};
    };
    const auto adapters = [](JobField field, const char *key, auto AdapterSpec::*member, double minimum, double maximum,
                             bool whole) {
        using Value = std::remove_reference_t<decltype(std::declval<AdapterSpec>().*member)>;
        return JobNumber{field,
                         key,
                         whole,
                         minimum,
                         maximum,
                         true,
                         false,
                         [member](const Job &job) {
                             const AdapterSpec spec = job.adapters.value_or(AdapterSpec());
                             return std::optional(static_cast<double>(spec.*member));
                         },
                         [member](Job &job, std::optional<double> value) {
                             if (job.adapters)
                                 (*job.adapters).*member = static_cast<Value>(*value);
                         }};
    };
    static const std::vector<JobNumber> list{
        adapters(JobField::LoraRank, "rank", &AdapterSpec::rank, 1, ModelLimits::dimension, true),
        adapters(JobField::LoraAlpha, "alpha", &AdapterSpec::alpha, 0, AdapterSpec::mostAlpha, false),
        adapters(JobField::LoraDropout, "dropout", &AdapterSpec::dropout, 0, AdapterSpec::mostDropout, false),
        adapters(JobField::AdapterFeatures, "features", &AdapterSpec::features, 1, ModelLimits::dimension, true),
        {JobField::Rounds, "rounds", true, 1, mostRounds, true, false,
         [](const Job &job) { return std::optional(static_cast<double>(job.rounds.value_or(*Job().rounds))); },
         [](Job &job, std::optional<double> value) { job.rounds = static_cast<qint64>(*value); }},
        {JobField::Epochs, "epochs", true, 1, mostRounds, true, false,
         [](const Job &job) { return std::optional(static_cast<double>(job.epochs.value_or(1))); },
         [](Job &job, std::optional<double> value) { job.epochs = static_cast<qint64>(*value); }},
        {JobField::Batch, "batch", true, 1, mostBatch, true, false,
         [](const Job &job) { return std::optional(static_cast<double>(job.batch)); },
         [](Job &job, std::optional<double> value) { job.batch = static_cast<int>(*value); }},
        {JobField::MicroBatch, "micro_batch", true, 1, mostBatch, true, true,
         [](const Job &job) { return job.microBatch ? std::optional<double>(*job.microBatch) : std::nullopt; },
         [](Job &job, std::optional<double> value) {
             job.microBatch = value ? std::optional(static_cast<int>(*value)) : std::nullopt;
         }},
        optimizer(JobField::LearningRate, "learning_rate", &OptimizerSpec::learningRate, 100, false),
        optimizer(JobField::Momentum, "momentum", &OptimizerSpec::momentum, 0.999999, true),
        optimizer(JobField::Beta1, "beta1", &OptimizerSpec::beta1, 0.999999, true),
        optimizer(JobField::Beta2, "beta2", &OptimizerSpec::beta2, 0.999999, true),
        optimizer(JobField::Epsilon, "epsilon", &OptimizerSpec::epsilon, 1, false),
        optimizer(JobField::WeightDecay, "weight_decay", &OptimizerSpec::weightDecay, 1, true),
        scheduleRounds(JobField::WarmupRounds, "warmup_rounds", &RateSchedule::warmupRounds, 0),
        schedule(JobField::LastRate, "last", &RateSchedule::last),
        scheduleRounds(JobField::DropEvery, "every", &RateSchedule::every, 1),
        schedule(JobField::Drop, "drop", &RateSchedule::drop),
        {JobField::EvaluateEvery, "evaluate_every", true, 0, mostRounds, true, false,
         [](const Job &job) { return std::optional(static_cast<double>(job.evaluateEvery)); },
         [](Job &job, std::optional<double> value) { job.evaluateEvery = static_cast<qint64>(*value); }},
        {JobField::Validation, "validation", false, 0, Job::mostValidation, true, false,
         [](const Job &job) { return std::optional(job.validation); },
         [](Job &job, std::optional<double> value) { job.validation = *value; }},
        {JobField::Patience, "patience", true, 0, mostRounds, true, false,
         [](const Job &job) { return std::optional(static_cast<double>(job.patience)); },
         [](Job &job, std::optional<double> value) { job.patience = static_cast<qint64>(*value); }},
        {JobField::Seed, "seed", true, 0, static_cast<double>(TrainingSpec::maximumSeed), true, false,
         [](const Job &job) { return std::optional(static_cast<double>(job.seed)); },
         [](Job &job, std::optional<double> value) { job.seed = static_cast<quint64>(*value); }},
    };
    return list;
}

std::optional<double> JobNumber::valueOf(const QString &text, const QLocale &locale) const {
    if (!whole)
        return typedFraction(text, locale);
    bool isNumber = false;
    const qlonglong value = locale.toLongLong(text.trimmed(), &isNumber);
    return isNumber ? std::optional(static_cast<double>(value)) : std::nullopt;
}

QString JobNumber::rewritten(const QString &text, const QLocale &from, const QLocale &to) const {
    const std::optional<double> value = valueOf(text, from);
    return value ? written(*value, to) : text;
}

QString JobNumber::textOf(const Job &job, const QLocale &locale) const {
    const std::optional<double> value = get(job);
    return value ? written(*value, locale) : QString();
}

QString JobNumber::written(double value, const QLocale &locale) const {
    return whole ? locale.toString(static_cast<qlonglong>(value)) : fractionText(value, locale);
}

}  // namespace hearth
