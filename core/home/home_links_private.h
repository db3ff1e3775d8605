// For the sources of HomeLinks alone.
#pragma once

#include "core/home/home_links.h"
#include "core/home/link_watch.h"
#include "core/wire/channel.h"

namespace hearth {

struct HomeLinks::Link {
    using Clock = std::chrono::steady_clock;

    std::unique_ptr<Channel> channel;
    std::unique_ptr<Rpc> rpc;
    bool dialled = false;
    bool told = false;
    QString instance;        // of the peer's process; before it told, of the one whose link this one replaced
    bool announced = false;  // others know the device as linked
    Clock::time_point since = Clock::now();
    LinkWatch watch{since, LinkWatch::calm};
};

}  // namespace hearth
