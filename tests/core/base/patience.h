// How long tests wait for what comes soon.
#pragma once

namespace hearth {

/// Milliseconds: enough on a loaded machine, and under sanitizers. Only a hang is caught.
inline constexpr int patience = 60'000;

}  // namespace hearth
