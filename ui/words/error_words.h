// Errors of core in the language of the window.
#pragma once

#include "core/plan/edit/refusal.h"

namespace hearth {

/// One paragraph: what, cause and advice, with numbers and bytes as the window writes them; devices by their ids. In
/// English, as core says it, where core tells no parts.
QString errorText(const EditRefusal &refusal);
/// The same where the parts did not travel with it: by its code, if that has only one reason, without parts; else
/// sentence by sentence, as far as they are known.
QString errorText(const Error &error);

}  // namespace hearth
