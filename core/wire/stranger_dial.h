// Opens a TLS connection to a device whose key is not known yet, for pairing.
#pragma once

#include <QString>
#include <chrono>
#include <functional>
#include <memory>

#include "core/base/error.h"
#include "core/wire/identity.h"
#include "core/wire/stranger_link.h"

namespace hearth {

using StrangerCallback = std::function<void(Result<std::unique_ptr<StrangerLink>>)>;

/// Connects to `host` (name or address) and calls `callback` once, in the calling thread: with a link whose peer has
/// proved some P-256 key, which is all that is known of it; or with an error: "wire.unreachable",
/// "wire.nobody-listens", "wire.handshake-failed" (also a key that is not accepted), "wire.no-pairing" (it speaks TLS,
/// but offers no pairing), "wire.deadline". Nothing happens any more once `context` is gone.
void dialStranger(const Identity &identity, const QString &host, quint16 port, std::chrono::milliseconds deadline,
                  QObject *context, StrangerCallback callback);

}  // namespace hearth
