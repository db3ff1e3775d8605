// Letting a device rest, wherever in the window somebody asks for it.
#pragma once

namespace hearth {

class HomeSource;
struct DeviceInfo;

/// Whether its limits can be set from here: what cannot be reached cannot be told, and limits that are not understood
/// would be lost.
bool takesLimits(const DeviceInfo &device);
/// It rests until somebody resumes it, or goes on where it was paused. Its other limits stay.
void switchPause(HomeSource &home, const DeviceInfo &device);

}  // namespace hearth
