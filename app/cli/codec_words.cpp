#include "app/cli/codec_words.h"

#include <utility>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

const QString optionName = QStringLiteral("codec");

}  // namespace

void declareCodec(CommandArguments &words) {
    words.value(optionName, codecChoiceNames().join(QLatin1Char('|')),
                QStringLiteral("compress what crosses between stages where links are slow: to 16 or 8 bits (auto), or "
                               "to 4 as well (strong); instead of the job's"));
}

Result<std::optional<CodecChoice>> codecOf(const CommandArguments &words) {
    if (!words.isSet(optionName))
        return std::nullopt;
    const QString given = words.get(optionName);
    const auto choice = codecChoiceFromName(given);
    if (choice)
        return choice;
    return fail(QStringLiteral("usage.wrong"), sentence("The option --codec does not take \"%1\".").arg(given.left(60)),
                QString(), didYouMean(given, codecChoiceNames()));
}

Result<Job> withCodec(Job job, const std::optional<CodecChoice> &choice) {
    job.codec = choice.value_or(job.codec);
    return job.validate().transform([&] { return std::move(job); });
}

}  // namespace hearth
