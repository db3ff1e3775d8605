// What was trained, in the forms that other programs read.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// Where weights lie, and where the network that they belong to is described. Plain value.
struct WeightsSource {
    QString weightsPath;
    QString runFolder;  // empty: a file of weights
    QString from;       // as a job would name the network; may be empty for a run
};

/// The Hugging Face folder that the network of a run came from, as a job names it; empty where it came from none, or an
/// older version of Hearth began the run. Any thread; blocks.
QString originOfRun(const QString &runFolder);

/// An ONNX file; safetensors under the names that the weights came with, both of a run with NetworkUse::metadata(), as
/// far as it can be read; the Hugging Face folder that the network came from once more; LoRA alone, as Hugging Face's
/// PEFT reads it.
enum class WeightsForm { Onnx, Safetensors, HuggingFace, Peft };

/// What becomes of LoRA: it stays beside the weights, becomes a part of them, or does where there is some. PEFT takes
/// it as it is.
enum class LoraUse { Beside, Merged, MergedIfAny };

/// Writes a file, or a folder; the last two need `from`. `beside`, where given, becomes the file of weights that an
/// ONNX file of more than 2 GiB names, which has to go with it. Errors: those of reading and writing;
/// "adapters.no-place"; "adapters.none", where LoRA is to be merged and is none. Any thread; blocks.
Result<void> exportWeights(const WeightsSource &source, WeightsForm form, LoraUse lora, const QString &path,
                           QString *beside = nullptr);

}  // namespace hearth
