// A run on many devices, made from a recorded one of few.
#pragma once

#include "tests/ui/fake_home.h"

namespace hearth::shots {

struct RunOfTwelve {
    std::vector<DeviceInfo> devices;
    std::vector<RunEvent> events;
};

/// The recorded run's job and stages as if twelve devices had taken part, with figures that differ.
RunOfTwelve runOfTwelve(const std::vector<RunEvent> &recorded);

}  // namespace hearth::shots
