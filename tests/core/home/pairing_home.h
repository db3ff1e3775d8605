// Agents of the test's own process that pair with each other.
#pragma once

#include "played_home.h"

namespace hearth {

constexpr int patience = PlayedHome::patience;

inline PairingService::Target targetOf(const Agent &agent) {
    const auto parts = splitAddress(agent.address());
    return {parts->host, parts->port};
}

/// Whether it trusts anybody.
inline bool isTrusted(const Agent &agent) {
    const auto store = TrustStore::load(agent.stateDir() + QStringLiteral("/trust.json"));
    return !store || !store->devices().empty();
}

/// From "wants to pair" at `taker` to the end.
inline void pairNow(PairingService &beginner, PairingService &taker) {
    QTRY_COMPARE_WITH_TIMEOUT(taker.status().phase, PairingPhase::WantsToPair, patience);
    QVERIFY(taker.accept());
    QTRY_COMPARE_WITH_TIMEOUT(beginner.status().phase, PairingPhase::Compare, patience);
    QTRY_COMPARE_WITH_TIMEOUT(taker.status().phase, PairingPhase::Compare, patience);
    QVERIFY(beginner.confirm(true));
    QVERIFY(taker.confirm(true));
    QTRY_COMPARE_WITH_TIMEOUT(beginner.status().phase, PairingPhase::Paired, patience);
    QTRY_COMPARE_WITH_TIMEOUT(taker.status().phase, PairingPhase::Paired, patience);
}

/// `other` is the agent of `taker`.
inline void pair(PairingService &beginner, PairingService &taker, const Agent &other) {
    QVERIFY(beginner.start({targetOf(other)}));
    pairNow(beginner, taker);
}

}  // namespace hearth
