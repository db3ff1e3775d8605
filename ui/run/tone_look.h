// What a tone looks like wherever events are shown.
#pragma once

#include "ui/base/widgets.h"
#include "ui/run/run_model.h"

namespace hearth {

ThemeColour toneColour(Tone tone);
/// The name of an icon; colour is never the only sign.
QString toneIcon(Tone tone);

}  // namespace hearth
