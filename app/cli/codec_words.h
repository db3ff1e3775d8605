// `--codec` of the commands that plan or train.
#pragma once

#include <optional>

#include "app/cli/command.h"
#include "core/base/codec_choice.h"

namespace hearth {

void declareCodec(CommandArguments &words);
/// Nothing where it is not given. The error names the choices.
Result<std::optional<CodecChoice>> codecOf(const CommandArguments &words);

}  // namespace hearth
