// What the home knows about one device: a value for lists, cards, plans and events.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_port.h"
#include "core/home/device_kind.h"
#include "core/home/device_limits.h"
#include "core/home/graphics_card.h"

namespace hearth {

enum class DeviceState {
    Ready,     // its agent answers and is free or training
    Training,  // a worker of a run lives there
    Resting,   // it answers, and its owner lets it take no work now
    Leaving,   // it answers, takes no new work, and ends once its workers have been relieved
    Lost,      // trusted, and not reachable now
};
QString toWord(DeviceState state);  // "ready", "training", "resting", "leaving", "lost"
/// Ready or Training: a new run may use it.
bool takesWork(DeviceState state);
/// Resting or Leaving: what it has is still there, and it is to be relieved in order.
bool isDraining(DeviceState state);
DeviceState deviceStateFromWord(const QString &word);

/// Plain value, any thread. Fields that come from another device are clipped and never used as paths or markup.
struct DeviceInfo {
    QString id;                  // fingerprint, 64 lower-case hex digits; empty is invalid
    QString name;                // "local-2"
    QString address;             // "127.0.0.1:40121" of its agent as seen from here; empty where unknown
    QStringList otherAddresses;  // where else it may be, as the agent that tells this remembers
    DeviceState state = DeviceState::Lost;
    qint64 since = 0;        // ms since 1970 by the clock of the agent that tells this; 0: it has not answered it yet
    bool self = false;       // the device whose agent tells this
    qint64 agentPid = 0;     // only where the device is this machine, else 0
    qint64 memoryBytes = 0;  // what a worker may use of what it computes in: the card's, or the processor's
    int threads = 0;         // what a worker may use
    int cores = 0;
    DeviceLimits limits;      // set by its owner; memory and threads above keep to them
    bool limitsKnown = true;  // false: it has some that this version does not understand, and `limits` says nothing
    Rest rest = Rest::None;   // why it is resting
    DeviceKind kind = DeviceKind::Unknown;
    std::optional<bool> onBattery;  // nullopt: it has no battery, or nothing is known of one
    QString processor;
    std::optional<GraphicsCard> card;  // nullopt: nothing is known of any
    QString version;                   // of its agent
    Sentence lastError;                // empty where all is well
    Sentence alarm;  // somebody else passed for it lately: when, where, what to do; no trouble of its own

    bool operator==(const DeviceInfo &) const = default;
    /// The host name and port of `address`, without the brackets of IPv6.
    QString host() const;
    quint16 port() const;

    QCborMap toCbor() const;
    QJsonObject toJson() const;
    /// Bounds every field; an id that is no fingerprint is an error.
    static Result<DeviceInfo> fromCbor(const QCborMap &map);
};

/// Why those that rest do, each by its name; empty where none rests or says why.
Sentence restCauses(const std::vector<DeviceInfo> &devices);

/// As many other devices as a home has at most: of no more is taken where a device sees them.
constexpr qsizetype mostPlacesSeen = 256;

/// Where agents listen, for firewalls; workers follow it.
constexpr quint16 agentPort = 47600;
/// What a person writes for an agent's address: "nano-1", "192.168.1.5", "[fe80::1]:47601"; with agentPort where no
/// port is given.
Result<QString> agentAddress(const QString &word);

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::DeviceInfo)
