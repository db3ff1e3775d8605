#include "app/cli/job_words.h"

#include <utility>

#include "core/base/json_reader.h"
#include "core/plan/gradient_codec.h"

namespace hearth {
namespace {

const QString codecName = QStringLiteral("codec"), precisionOption = QStringLiteral("precision"),
              gradientOption = QStringLiteral("gradient-codec"), patienceOption = QStringLiteral("patience"),
              localOption = QStringLiteral("local-steps");

std::optional<const Codec *> gradientCodecFromName(const QString &name) {
    const Codec *codec = GradientCodec::fromName(name);
    return codec ? std::optional(codec) : std::nullopt;
}

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
    words.value(
        gradientOption, GradientCodec::names().join(QLatin1Char('|')),
        QStringLiteral("round gradients to 8 bits where devices of a group sum them (bfp8); instead of the job's"));
    words.value(localOption, QStringLiteral("N"),
                QStringLiteral("every device holds the whole network, and weights are averaged after N batches, which "
                               "are one round; instead of the job's"));
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
    const auto gradients = choiceOf(words, gradientOption, GradientCodec::names(), gradientCodecFromName);
    if (!gradients)
        return tl::unexpected(gradients.error());
    const auto steps = words.integer(localOption, LocalSteps::leastEvery, LocalSteps::mostEvery, LocalSteps().every);
    if (!steps)
        return tl::unexpected(steps.error());
    JobWords given{*codec, *gradients, *precision, std::nullopt, std::nullopt};
    if (words.isSet(localOption))
        given.localSteps = static_cast<int>(*steps);
    return given;
}

void declareTrainingWords(CommandArguments &words) {
    declareJobWords(words);
    words.value(patienceOption, QStringLiteral("N"),
                QStringLiteral("end after N evaluations in a row without a better one; instead of the job's"));
}

Result<JobWords> trainingWordsOf(const CommandArguments &words) {
    const auto patience = words.integer(patienceOption, 0, Job::mostRounds, 0);
    if (!patience)
        return tl::unexpected(patience.error());
    auto given = jobWordsOf(words);
    if (given && words.isSet(patienceOption))
        given->patience = *patience;
    return given;
}

Result<Job> withWords(Job job, const JobWords &given) {
    job.codec = given.codec.value_or(job.codec);
    job.gradientCodec = given.gradientCodec.value_or(job.gradientCodec);
    job.precision = given.precision.value_or(job.precision);
    job.patience = given.patience.value_or(job.patience);
    if (given.localSteps) {
        job.localSteps = job.localSteps.value_or(LocalSteps());
        job.localSteps->every = *given.localSteps;
    }
    return job.validate().transform([&] { return std::move(job); });
}

}  // namespace hearth
