#include "ui/job/kept_job.h"

#include "core/base/json_reader.h"
#include "ui/job/job_numbers.h"

namespace hearth {
namespace {

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
    return {{QStringLiteral("job"), choices.toJson()}, {QStringLiteral("numbers"), numbers}};
}

Result<KeptJob> KeptJob::fromJson(const QJsonObject &json, const QString &source) {
    JsonReader reader(json, source);
    const QJsonObject job = reader.object("job"), numbers = reader.object("numbers");
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    if (auto fine = checkKeptNumbers(numbers, source); !fine)
        return tl::unexpected(fine.error());
    return Job::fromJson(job, source).map([&numbers](const Job &choices) { return KeptJob{choices, numbers}; });
}

}  // namespace hearth
