// Agents of the test's own process that pair with each other.
#pragma once

#include "played_home.h"
#include "tests/core/base/patience.h"

namespace hearth {

inline PairingService::Target targetOf(const Agent &agent) {
    const auto parts = splitAddress(agent.address());
    return {parts->host, parts->port};
}

/// Whether it trusts anybody.
inline bool isTrusted(const Agent &agent) {
    const auto store = TrustStore::load(agent.stateDir() + QStringLiteral("/trust.json"));
    return !store || !store->devices().empty();
}

/// As a person does who looks at what is there.
inline Result<void> acceptShown(PairingService &pairing) {
    const auto shown = Fingerprint::fromHex(pairing.status().fingerprint);
    return pairing.accept(shown.value_or(Fingerprint()));
}
inline Result<void> confirmShown(PairingService &pairing, bool match) {
    return pairing.confirm(match, pairing.status().code);
}

/// From "wants to pair" at `taker` to the end.
inline void pairNow(PairingService &beginner, PairingService &taker) {
    QTRY_COMPARE_WITH_TIMEOUT(taker.status().phase, PairingPhase::WantsToPair, patience);
    QVERIFY(acceptShown(taker));
    QTRY_COMPARE_WITH_TIMEOUT(beginner.status().phase, PairingPhase::Compare, patience);
    QTRY_COMPARE_WITH_TIMEOUT(taker.status().phase, PairingPhase::Compare, patience);
    QVERIFY(confirmShown(beginner, true));
    QVERIFY(confirmShown(taker, true));
    QTRY_COMPARE_WITH_TIMEOUT(beginner.status().phase, PairingPhase::Paired, patience);
    QTRY_COMPARE_WITH_TIMEOUT(taker.status().phase, PairingPhase::Paired, patience);
}

/// `other` is the agent of `taker`.
inline void pair(PairingService &beginner, PairingService &taker, const Agent &other) {
    QVERIFY(beginner.start({targetOf(other)}));
    pairNow(beginner, taker);
}

}  // namespace hearth
