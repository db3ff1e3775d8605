// What a crash leaves behind.
#pragma once

namespace hearth {

/// From now on neither this process nor what it starts leaves its memory behind when it crashes, as a file or with a
/// program of the system: there are keys in it. A debugger may still look. Process-wide, for good.
void leaveNoCoreDumps();

}  // namespace hearth
