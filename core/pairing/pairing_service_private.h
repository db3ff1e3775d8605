// The attempt under way, for the files of PairingService.
#pragma once

#include "core/pairing/pairing_service.h"

namespace hearth {

struct PairingService::Attempt {
    PairingRole role = PairingRole::Initiator;
    // Of one that begins here:
    std::vector<Target> targets;
    QString prefix;                                                   // of the fingerprint that is wanted
    std::size_t tried = 0;                                            // the one that is dialled, or was connected to
    std::unique_ptr<QObject> dialling = std::make_unique<QObject>();  // context of the dial
    Clock::time_point began = Clock::now();
    std::optional<Fingerprint> expected;  // whose connection takes the place of ours
    Clock::time_point expectedUntil;
    std::unique_ptr<StrangerLink> held;  // came while we dialled, perhaps from the very device
    Clock::time_point heldUntil;

    std::unique_ptr<StrangerLink> link;
    std::optional<PairingSession> session;
    bool isAccepted = false;  // a person here has begun or taken it
};

}  // namespace hearth
