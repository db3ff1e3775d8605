// Several sentences in a row.
#pragma once

#include <QList>

#include "core/base/sentence.h"

namespace hearth {

/// "a, b, c" with `between` = ", "; each keeps its parts. Any thread.
Sentence listed(const QList<Sentence> &sentences, const char *between = " ");

}  // namespace hearth
