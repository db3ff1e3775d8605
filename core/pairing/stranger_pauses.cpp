#include "core/pairing/stranger_pauses.h"

#include <algorithm>

namespace hearth {
namespace {

QHostAddress networkOf(const QHostAddress &address) {
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    if (isV4)
        return QHostAddress(v4);
    Q_IPV6ADDR bytes = address.toIPv6Address();
    std::fill(std::begin(bytes.c) + 8, std::end(bytes.c), quint8(0));
    return QHostAddress(bytes);
}

}  // namespace

void StrangerPauses::left(const QHostAddress &address, Time now) {
    std::erase_if(m_pauses, [now](const Pause &pause) { return pause.backoff.isOver(now); });
    const QHostAddress network = networkOf(address);
    const auto known = std::ranges::find(m_pauses, network, &Pause::network);
    Pause pause = known == m_pauses.end() ? Pause{network, Backoff(m_times)} : *known;
    if (known != m_pauses.end())
        m_pauses.erase(known);
    else if (m_pauses.size() >= maximumNetworks)
        m_pauses.erase(m_pauses.begin());
    pause.backoff.fail(now);
    m_pauses.push_back(pause);
}

void StrangerPauses::paired(const QHostAddress &address) {
    std::erase_if(m_pauses, [network = networkOf(address)](const Pause &pause) { return pause.network == network; });
}

std::chrono::milliseconds StrangerPauses::wait(const QHostAddress &address, Time now) const {
    const auto known = std::ranges::find(m_pauses, networkOf(address), &Pause::network);
    return known == m_pauses.end() ? std::chrono::milliseconds(0) : known->backoff.wait(now);
}

}  // namespace hearth
