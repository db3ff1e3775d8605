// What other devices say of themselves, at a pace that everybody who hears of it can keep up with.
#pragma once

#include <QCborMap>
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>

#include "core/base/token_bucket.h"
#include "core/wire/identity.h"

namespace hearth {

/// Hands on the notes of each device, the first `burst` at once and then `perSecond`; beyond that the newest one waits
/// in place of those before it. What a device says is passed on to every coordinator and window, which a device must
/// not flood. Main thread.
class PacedNotes : public QObject {
  public:
    static constexpr double burst = 20;
    static constexpr double perSecond = 4;
    using Take = std::function<void(const Fingerprint &from, const QCborMap &note)>;

    explicit PacedNotes(Take take, QObject *parent = nullptr);
    void told(const Fingerprint &from, const QCborMap &note);
    /// What waits of this device is out of date.
    void drop(const Fingerprint &device);

  private:
    struct Device {
        TokenBucket pace{burst, perSecond};
        std::optional<QCborMap> waiting;
    };
    void handOn(const Fingerprint &from, Device &device);
    void handOnWaiting();

    Take m_take;
    std::map<Fingerprint, Device> m_devices;  // they stay: who links anew has no more notes for that
    QTimer m_timer;
};

}  // namespace hearth
