// Signs of life of a worker: from a thread that does nothing else, so that no long step and no full link delays them.
#pragma once

#include <QHostAddress>
#include <QThread>
#include <chrono>
#include <memory>

#include "core/base/error.h"
#include "core/wire/identity.h"

namespace hearth {

/// Listens for the coordinator's second connection. On it, every `interval`, goes the control message {"beat": true};
/// {"probe": 1} is answered at once by the same. A newer connection takes the place of the one before. Made and
/// destroyed in one thread.
class Heartbeat {
  public:
    static constexpr std::chrono::milliseconds interval{250};

    /// On the first free port of the range; only `coordinator` gets in. Error "wire.port-taken".
    static Result<std::unique_ptr<Heartbeat>> start(const Identity &identity, const Fingerprint &coordinator,
                                                    const QHostAddress &address, quint16 first, quint16 last);
    ~Heartbeat();
    Heartbeat(const Heartbeat &) = delete;
    Heartbeat &operator=(const Heartbeat &) = delete;

    quint16 port() const { return m_port; }

  private:
    class Heart;
    Heartbeat() = default;

    quint16 m_port = 0;
    Heart *m_heart = nullptr;  // lives in m_thread, and ends with it
    QThread m_thread;
};

}  // namespace hearth
