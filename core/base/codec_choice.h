// What a person allows for cuts between stages.
#pragma once

#include <QStringList>
#include <optional>
#include <vector>

#include "core/base/codec.h"

namespace hearth {

enum class CodecChoice {
    None,   // tensors cross as they are: the exact mathematics of one device
    Auto,   // rounded to 16 or to 8 bits where that makes rounds shorter
    Strong  // to 4 bits as well
};

/// "none", "auto", "strong".
QStringList codecChoiceNames();
QString codecChoiceName(CodecChoice choice);
std::optional<CodecChoice> codecChoiceFromName(const QString &name);

/// Beside none, the least lossy first.
std::vector<const Codec *> levelsOf(CodecChoice choice);

}  // namespace hearth
