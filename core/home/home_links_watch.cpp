// Whether linked devices are still there.
#include <algorithm>

#include "core/base/sentence.h"
#include "core/home/home_links_private.h"
#include "core/wire/stream_channel.h"

namespace hearth {

void HomeLinks::watchLinks() {
    // Sending may find out that a link is dead, which takes it out of the map.
    std::vector<Fingerprint> linked;
    for (const auto &[device, link] : m_links)
        linked.push_back(device);
    for (const Fingerprint &device : linked) {
        if (const auto link = m_links.find(device); link != m_links.end())
            watchLink(device, *link->second);
    }
    if (m_links.empty()) {
        m_watchTimer.stop();
        return;
    }
    // An agent at rest wakes up for its beats alone.
    const bool isCalm =
        std::all_of(m_links.begin(), m_links.end(), [](const auto &each) { return each.second->watch.isCalm(); });
    if (const auto next = isCalm ? LinkWatch::calm.beat : LinkWatch::tick; m_watchTimer.intervalAsDuration() != next)
        m_watchTimer.setInterval(next);
}

void HomeLinks::watchLink(const Fingerprint &device, Link &link) {
    const auto *stream = qobject_cast<StreamChannel *>(link.channel.get());
    const TcpFigures figures = stream ? stream->figures() : TcpFigures{link.channel->bytesReceived(), {}, true, {}};
    const LinkWatch::Signs signs{figures.segmentsArrived, figures.allDelivered, figures.roundTrip,
                                 [stream] { return stream ? stream->segmentsBetweenEnds() : std::nullopt; },
                                 figures.sinceData};
    switch (link.watch.check(Link::Clock::now(), signs, m_watchTimer.intervalAsDuration())) {
        case LinkWatch::Order::Wait:
            break;
        case LinkWatch::Order::Beat:
            link.rpc->notify(QStringLiteral("beat"));
            break;
        case LinkWatch::Order::Probe:
            link.rpc->notify(QStringLiteral("probe"));
            break;
        case LinkWatch::Order::Cut:
            drop(device, {QStringLiteral("link.silent"), sentence("The device does not answer any more."),
                          sentence("Nothing came from it for %1 s.")
                              .arg(Sentence::quantity(static_cast<double>(link.watch.silence().count()) / 1000, 1)),
                          sentence("Check that it is awake and in the network.")});
            break;
    }
}

}  // namespace hearth
