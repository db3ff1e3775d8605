#include "ui/job/kept_job.h"

#include <QJsonArray>
#include <QVariant>

#include "core/base/json_reader.h"
#include "ui/job/job_numbers.h"

namespace hearth {
namespace {

QStringList keptTexts(const QJsonArray &array) {
    return QVariant(array.toVariantList()).toStringList();
}

Result<void> checkKeptNumbers(const QJsonObject &numbers, const QString &source) {
    JsonReader reader(numbers, source, QStringLiteral("/numbers"));
    for (const JobNumber &number : jobNumbers()) {
        if (reader.value(number.key).isDouble())
            reader.number(number.key, number.minimum, number.maximum);
        else
            reader.string(number.key, {});
    }
    return reader.finish();
}

}  // namespace

QJsonObject KeptJob::toJson() const {
    // A job that contradicts itself, or has a pattern that is none, is not read: what does that stands beside it.
    Job job = choices;
    job.precision = Job().precision;
    job.optimizer.nesterov = job.optimizer.relativeStep = false;
    job.freeze.clear();
    if (job.adapters)
        job.adapters->targets.clear();
    const QStringList targets = choices.adapters ? choices.adapters->targets : QStringList();
    return {{QStringLiteral("job"), job.toJson()},
            {QStringLiteral("precision"), precisionName(choices.precision)},
            {QStringLiteral("nesterov"), choices.optimizer.nesterov},
            {QStringLiteral("relative_step"), choices.optimizer.relativeStep},
            {QStringLiteral("freeze"), QJsonArray::fromStringList(choices.freeze)},
            {QStringLiteral("targets"), QJsonArray::fromStringList(targets)},
            {QStringLiteral("numbers"), numbers}};
}

Result<KeptJob> KeptJob::fromJson(const QJsonObject &json, const QString &source) {
    JsonReader reader(json, source);
    const QJsonObject job = reader.object("job"), numbers = reader.object("numbers");
    const QString precision = reader.choice("precision", precisionNames());
    const bool nesterov = reader.boolean("nesterov"), relativeStep = reader.boolean("relative_step");
    const QStringList freeze = keptTexts(reader.array("freeze")), targets = keptTexts(reader.array("targets"));
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    if (auto fine = checkKeptNumbers(numbers, source); !fine)
        return tl::unexpected(fine.error());
    auto choices = Job::fromJson(job, source);
    if (!choices)
        return tl::unexpected(choices.error());
    choices->precision = precisionFromName(precision).value_or(choices->precision);
    choices->optimizer.nesterov = nesterov;
    choices->optimizer.relativeStep = relativeStep;
    choices->freeze = freeze;
    if (choices->adapters)
        choices->adapters->targets = targets;
    return KeptJob{std::move(*choices), numbers};
}

}  // namespace hearth
