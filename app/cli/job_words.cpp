#include "app/cli/job_words.h"

#include <utility>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

const QString codecName = QStringLiteral("codec"), precisionOption = QStringLiteral("precision");

template <typename Choice>
Result<std::optional<Choice>> choiceOf(const CommandArguments &words, const QString &option, const QStringList &names,
                                       std::optional<Choice> (*fromName)(const QString &)) {
    if (!words.isSet(option))
        return std::nullopt;
    const QString given = words.get(option);
    if (const auto choice = fromName(given))
        return choice;
    return fail(QStringLiteral("usage.wrong"),
                sentence("The option --%1 does not take \"%2\".").arg(option, given.left(60)), QString(),
                didYouMean(given, names));
}

}  // namespace

void declareJobWords(CommandArguments &words) {
    words.value(codecName, codecChoiceNames().join(QLatin1Char('|')),
                QStringLiteral("compress what crosses between stages where links are slow: to 16 or 8 bits (auto), or "
                               "to 4 as well (strong); instead of the job's"));
    words.value(precisionOption, precisionNames().join(QLatin1Char('|')),
                QStringLiteral("what is computed in; bfloat16: large products, on devices that are faster in it; "
                               "instead of the job's"));
}

Result<JobWords> jobWordsOf(const CommandArguments &words) {
    const auto codec = choiceOf(words, codecName, codecChoiceNames(), codecChoiceFromName);
    if (!codec)
        return tl::unexpected(codec.error());
    const auto precision = choiceOf(words, precisionOption, precisionNames(), precisionFromName);
    if (!precision)
        return tl::unexpected(precision.error());
    return JobWords{*codec, *precision};
}

Result<Job> withWords(Job job, const JobWords &given) {
    job.codec = given.codec.value_or(job.codec);
    job.precision = given.precision.value_or(job.precision);
    return job.validate().transform([&] { return std::move(job); });
}

}  // namespace hearth
