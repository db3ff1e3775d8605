// The errors of pairing, in words for a person.
#pragma once

#include <chrono>

#include "core/base/error.h"
#include "core/pairing/pairing_message.h"

namespace hearth {

/// Why this end has broken off; what is said on this device.
Error ownEnd(PairingEnd end);
/// Why the other end says that it has broken off.
Error theirEnd(PairingEnd end);
/// Both people agreed and this end trusts the other; whether that one has stored it, too, was not heard.
Error pairingUnsure();
Error pairingLost();
/// It owed an answer that no person has to give.
Error pairingSilent(std::chrono::milliseconds waited);
/// Another device of this home is called so already.
Error nameTaken(const QString &name);
/// A paired device is called so, has its place there, and has another key.
Error keyChanged(const QString &name);

}  // namespace hearth
