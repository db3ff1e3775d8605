#include "core/wire/admission_gate.h"

#include <algorithm>

namespace hearth {

QHostAddress plainAddress(const QHostAddress &address) {
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    if (isV4)
        return QHostAddress(v4);
    QHostAddress plain = address;
    plain.setScopeId(QString());
    return plain;
}

AdmissionGate::Decision AdmissionGate::admit(const QHostAddress &from, Clock::time_point now) {
    const QHostAddress address = plainAddress(from);
    const bool known = m_known.contains(address);
    const auto refused = [](const QString &reason) { return Decision{std::nullopt, std::nullopt, reason}; };
    if (!address.isLoopback()) {
        const auto same = std::count_if(m_places.begin(), m_places.end(),
                                        [&address](const Place &place) { return place.address == address; });
        if (same >= maximumPerAddress)
            return refused(QStringLiteral("This address has %1 unfinished connections.").arg(same));
        if (!known && !takeToken(now))
            return refused(QStringLiteral("More than %1 connections came within a second.").arg(maximumPerSecond));
    }
    const auto reserved =
        std::count_if(m_places.begin(), m_places.end(), [](const Place &place) { return place.reserved; });
    const auto open = static_cast<qsizetype>(m_places.size()) - reserved;
    Decision decision;
    bool inReserved = false;
    if (open >= maximumTotal) {
        if (!known)
            return refused(QStringLiteral("There are %1 unfinished connections.").arg(open));
        inReserved = true;
        if (reserved >= placesForKnown) {
            const auto oldest =
                std::find_if(m_places.begin(), m_places.end(), [](const Place &place) { return place.reserved; });
            decision.evict = oldest->id;
            m_places.erase(oldest);
        }
    }
    decision.place = ++m_lastId;
    m_places.push_back({m_lastId, address, inReserved});
    return decision;
}

void AdmissionGate::leave(quint64 place) {
    std::erase_if(m_places, [place](const Place &candidate) { return candidate.id == place; });
}

void AdmissionGate::setKnownAddresses(const QList<QHostAddress> &addresses) {
    m_known.clear();
    for (const QHostAddress &address : addresses)
        m_known.append(plainAddress(address));
}

bool AdmissionGate::takeToken(Clock::time_point now) {
    std::erase_if(m_recent, [now](Clock::time_point at) { return now - at >= std::chrono::seconds(1); });
    if (m_recent.size() >= maximumPerSecond)
        return false;
    m_recent.push_back(now);
    return true;
}

}  // namespace hearth
