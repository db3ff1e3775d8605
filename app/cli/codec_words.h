// `--codec` of the commands that plan or train.
#pragma once

#include <optional>

#include "app/cli/command.h"
#include "core/run/job.h"

namespace hearth {

void declareCodec(CommandArguments &words);
/// Nothing where it is not given. The error names the choices.
Result<std::optional<CodecChoice>> codecOf(const CommandArguments &words);
/// The job with that choice instead of its own. Error: it does not take it.
Result<Job> withCodec(Job job, const std::optional<CodecChoice> &choice);

}  // namespace hearth
