// How fast the devices of a home reach each other ("links" of hearth-problem/1).
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/error.h"

namespace hearth {

enum class Duplex { Full, Half };

/// Plain values, any thread. Rates in bytes per second, latencies in seconds, one way. A pair that is not listed takes
/// `fallback`; without a fallback it is unreachable, as is a pair with rate 0.
struct LinkProfile {
    struct Link {
        double bytesPerSecond = 0;
        double latencySeconds = 0;
        Duplex duplex = Duplex::Full;
        bool operator==(const Link &) const = default;
    };
    /// A network card that is slower than the links through it, or that hangs on a shared medium.
    struct Nic {
        QString id;  // of the device
        std::optional<double> upBytesPerSecond;
        std::optional<double> downBytesPerSecond;
        std::optional<Duplex> duplex;  // absent: as the fallback
        QString medium;                // empty: its own cable
        bool operator==(const Nic &) const = default;
    };
    /// Air or a bus: all transfers of its members share it.
    struct Medium {
        QString id;
        double bytesPerSecond = 0;
        bool operator==(const Medium &) const = default;
    };
    /// One direction between two devices.
    struct Pair {
        QString from;
        QString to;
        double bytesPerSecond = 0;             // 0: unreachable
        std::optional<double> latencySeconds;  // absent: as the fallback
        bool operator==(const Pair &) const = default;
    };

    std::optional<Link> fallback;  // "default"
    std::vector<Nic> nics;
    std::vector<Medium> media;
    std::vector<Pair> pairs;

    bool operator==(const LinkProfile &) const = default;
    QJsonObject toJson() const;
    static Result<LinkProfile> fromJson(const QJsonObject &object, const QString &source, const QString &path);
};

}  // namespace hearth
