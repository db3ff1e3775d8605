// Devices and computers that announce themselves in the home network, as lists, windows and terminals show them.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <vector>

#include "core/base/error.h"
#include "core/home/ignore_list.h"

namespace hearth {

enum class NearbyState {
    Found,   // not one of this home
    Paired,  // the digits are those of a trusted device
    Clone,   // more than one host announces these digits, or another host announces this device's own
    Ignored  // a person does not want to hear of it
};
QString toWord(NearbyState state);  // "found", "paired", "clone", "ignored"

/// One key that is announced. Everything in it is somebody's word, bounded and cleaned; only a pinned connection tells
/// who it is. Plain value.
struct NearbyDevice {
    QString prefix;         // first digits of the fingerprint
    QString name;           // plain text; of a trusted device the name by which it is trusted; may be empty
    QStringList addresses;  // "host:port", at most 8; link-local ones with their scope
    QStringList hosts;      // who announces it, first seen first; at most 4
    int version = 0;        // of the announcement
    NearbyState state = NearbyState::Found;
    qint64 since = 0;  // milliseconds since 1970, UTC

    bool operator==(const NearbyDevice &) const = default;
    QCborMap toCbor() const;
    QJsonObject toJson() const;
    /// Bounds every field; a prefix that is none is an error.
    static Result<NearbyDevice> fromCbor(const QCborMap &map);
};

/// A computer that Hearth may be installed on. Everything in it is somebody's word, bounded and cleaned; the key of its
/// SSH server tells who it is. Plain value.
struct FoundComputer {
    QString name;            // plain text; may be empty
    QString host;            // "nano-1.local", plain text; tells it from others
    QStringList addresses;   // as Avahi has resolved them, the first one to try first; at most 8
    quint16 sshPort = 0;     // 0: it does not announce SSH
    bool hasHearth = false;  // a device of this home or nearby has this host name or one of the addresses

    bool operator==(const FoundComputer &) const = default;
    QCborMap toCbor() const;
    /// Bounds every field; a computer without an address is an error.
    static Result<FoundComputer> fromCbor(const QCborMap &map);
};

enum class DiscoveryState {
    Off,       // the agent was told not to
    Starting,  // on the way
    Absent,    // there is no Avahi daemon, or no system bus
    Running,
    Failed,  // the daemon is there and refuses
};
QString toWord(DiscoveryState state);

/// How this agent takes part in discovery. Plain value.
struct DiscoveryStatus {
    DiscoveryState state = DiscoveryState::Off;
    QString announcedAs;     // the name, once it stands; empty: this device is not announced
    bool isRenamed = false;  // the name was taken: announcedAs is another than the device's
    bool isEchoed = false;   // the daemon tells this device's own announcement back
    bool isCrowded = false;  // there are more announcements than are looked at
    QString daemon;          // "avahi 0.8"
    Sentence cause;          // of Absent and Failed

    bool operator==(const DiscoveryStatus &) const = default;
    QCborMap toCbor() const;
    static DiscoveryStatus fromCbor(const QCborMap &map);
};

struct Nearby {
    static constexpr std::size_t maximumStrangers = 256;  // beside the trusted ones

    std::vector<NearbyDevice> devices;
    DiscoveryStatus status;
    std::vector<IgnoredDevice> ignored{};    // also those that are not there now; longest ignored first
    std::vector<FoundComputer> computers{};  // while somebody looks for them; those without Hearth first, by name

    bool operator==(const Nearby &) const = default;
    QCborMap toCbor() const;
    static Nearby fromCbor(const QCborMap &map);
};

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::Nearby)
