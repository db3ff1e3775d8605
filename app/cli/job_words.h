// What a command says in place of what its job says: --codec, --gradient-codec, --local-steps,
// --precision and --patience.
#pragma once

#include <optional>

#include "app/cli/command.h"
#include "core/run/job.h"

namespace hearth {

/// Nothing where it is not given.
struct JobWords {
    std::optional<CodecChoice> codec;
    std::optional<const Codec *> gradientCodec;
    std::optional<Precision> precision;
    std::optional<int> localSteps;  // LocalSteps::every
    std::optional<qint64> patience;
};

void declareJobWords(CommandArguments &words);
/// The error names the choices.
Result<JobWords> jobWordsOf(const CommandArguments &words);
/// With what a plan does not depend on.
void declareTrainingWords(CommandArguments &words);
Result<JobWords> trainingWordsOf(const CommandArguments &words);
/// The job with these choices instead of its own. Error: it does not take them.
Result<Job> withWords(Job job, const JobWords &given);

}  // namespace hearth
