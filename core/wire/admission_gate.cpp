#include "core/wire/admission_gate.h"

#include <algorithm>

#include "core/base/sentence.h"

namespace hearth {

template <class May>
std::optional<quint64> AdmissionGate::makeRoom(May may) {
    auto chosen = std::find_if(m_places.begin(), m_places.end(),
                               [&](const Place &place) { return !place.saidHello && may(place); });
    if (chosen == m_places.end())
        chosen = std::find_if(m_places.begin(), m_places.end(), may);
    if (chosen == m_places.end())
        return std::nullopt;
    const quint64 id = chosen->id;
    m_places.erase(chosen);
    return id;
}

AdmissionGate::Decision AdmissionGate::admit(const QHostAddress &from, Standing standing) {
    const QHostAddress address = plainAddress(from);
    const auto isSame = [&address](const Place &place) { return place.address == address; };
    const auto isStranger = [](const Place &place) { return place.standing != Standing::Known; };
    Decision decision;
    if (standing != Standing::Local) {
        const auto same = std::count_if(m_places.begin(), m_places.end(), isSame);
        if (same >= maximumPerAddress && standing == Standing::Stranger) {
            decision.reason = sentence("This address has %1 unfinished connections.").arg(same);
            return decision;
        }
        if (same >= maximumPerAddress)
            decision.evict = makeRoom(isSame);
    }
    const auto strangers = std::count_if(m_places.begin(), m_places.end(), isStranger);
    const bool isFull = m_places.size() >= maximumTotal;
    if (!decision.evict && (isFull || (standing != Standing::Known && strangers >= maximumStrangers))) {
        decision.evict = makeRoom(isStranger);
        if (!decision.evict && standing == Standing::Known)
            decision.evict = makeRoom([](const Place &) { return true; });
        if (!decision.evict) {
            decision.reason = sentence("There are %1 unfinished connections.").arg(m_places.size());
            return decision;
        }
    }
    decision.place = ++m_lastId;
    m_places.push_back({m_lastId, address, standing});
    return decision;
}

bool AdmissionGate::beginHandshake(quint64 id, Clock::time_point now) {
    const auto place =
        std::find_if(m_places.begin(), m_places.end(), [id](const Place &candidate) { return candidate.id == id; });
    if (place == m_places.end())
        return false;
    if (place->standing == Standing::Stranger && !m_handshakes.take(now))
        return false;
    place->saidHello = true;
    return true;
}

void AdmissionGate::leave(quint64 place) {
    std::erase_if(m_places, [place](const Place &candidate) { return candidate.id == place; });
}

}  // namespace hearth
