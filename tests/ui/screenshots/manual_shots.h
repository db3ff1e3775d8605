// The pictures of the manual.
#pragma once

#include "tests/ui/screenshots/scene.h"

namespace hearth::shots {

void shootManual(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded);

}  // namespace hearth::shots
