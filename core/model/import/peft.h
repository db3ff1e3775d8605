// LoRA as Hugging Face's library PEFT keeps it: https://huggingface.co/docs/peft/developer_guides/checkpoint
#pragma once

#include "core/model/import/hugging_face.h"

namespace hearth {

/// Writes adapter_config.json and adapter_model.safetensors to `to`, which is made and must be empty: what
/// PeftModel.from_pretrained() puts beside the network of the folder `from`. Whole modules go with it
/// ("modules_to_save") where they were trained, where the folder has no weights for them, and where PEFT looks for them
/// anyway. `model` is the network with LoRA, `weights` are all of its tensors by name. Errors: "adapters.none";
/// "adapters.not-linear"; "peft.module", a trained tensor that PEFT cannot keep beside the network; those of a folder
/// and of weights that are another network's, after which nothing is left of what was written. Any thread.
Result<void> exportPeft(const QString &from, const HeadOptions &options, const Model &model,
                        const std::vector<NamedTensor> &weights, const QString &to);

}  // namespace hearth
