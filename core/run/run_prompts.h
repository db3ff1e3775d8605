// What a language model continues at every evaluation.
#pragma once

#include <memory>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/prompt_tokens.h"
#include "core/model/model.h"
#include "core/run/job.h"

namespace hearth {

/// Those of the job, or without any the beginning of the texts that it is evaluated on. None where the data are no
/// plain texts, or the network sees other things. Errors: "job.prompts": the job has some all the same, or one does
/// not fit the network; those of the tokenizer. Any thread; blocks.
Result<std::vector<PromptTokens>> promptsOf(const Job &job, const Model &model, const Dataset &data);

}  // namespace hearth
