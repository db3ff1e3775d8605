// Opens a pinned mutual TLS connection.
#pragma once

#include <QString>
#include <chrono>
#include <functional>
#include <memory>

#include "core/base/error.h"
#include "core/wire/channel.h"
#include "core/wire/identity.h"

class QObject;

namespace hearth {

using DialCallback = std::function<void(Result<std::unique_ptr<Channel>>)>;
/// The key that somebody else than was expected has proved to have.
using WrongKey = std::function<void(const Fingerprint &shown)>;

/// For a device on the home network that is up: long enough for a sleeping Wi-Fi radio.
constexpr std::chrono::milliseconds defaultDialDeadline{8000};

/// Connects to `host` (name or address) and calls `callback` once, in the calling thread, where the channel will live:
/// with the channel after the peer has shown the key `expected` and has accepted ours, before any other byte was sent;
/// or with an error: "wire.unreachable", "wire.nobody-listens" (the device is there, the program is not),
/// "wire.wrong-identity" (`wrongKey`, if any, is called before), "wire.refused", "wire.deadline". Nothing happens any
/// more once `context` is gone.
void dialTls(const Identity &identity, const QString &host, quint16 port, const Fingerprint &expected,
             std::chrono::milliseconds deadline, QObject *context, DialCallback callback, WrongKey wrongKey = {});

}  // namespace hearth
