// Sentences of core and its peers in the language of the window.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace hearth {

/// The source text translated (context "CoreWords"), its places filled, numbers as the language writes them. Words of
/// other programs, names, and sentences of a version that the window does not know stay as they are. GUI thread.
QString coreText(const Sentence &sentence);
/// What happened, why and what to do, each translated.
Error coreText(const Error &error);
/// The same in one paragraph.
QString errorText(const Error &error);

}  // namespace hearth
