// Safetensors files whose tensors stay on the disk until somebody asks for them.
#pragma once

#include "core/model/imported_model.h"

namespace hearth {

/// Reads the headers alone, with all checks of readSafetensors(). The files together are one source; errors: those of
/// readSafetensors(), a name in two of them. A tensor is read, not mapped: a file that was cut short meanwhile is an
/// error then, and no signal. Any thread.
Result<std::shared_ptr<const TensorSource>> openSafetensors(const QStringList &paths);

}  // namespace hearth
