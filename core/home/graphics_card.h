// The graphics card of a device, and whether training computes on it.
#pragma once

#include <QCborMap>
#include <QString>
#include <optional>

#include "core/base/sentence.h"

namespace hearth {

/// Plain value, any thread.
struct GraphicsCard {
    QString name;                           // "NVIDIA GeForce RTX 3060"; empty where only the cause is known
    qint64 memoryBytes = 0;                 // all that it has; 0: unknown
    QString driver;                         // its version, "580.159"; empty: unknown
    Sentence cause;                         // why training computes on the processor; empty: it computes on the card
    Sentence trouble;                       // what its owner asked for and it does not do; empty where all is well
    std::optional<double> wattsLimit = {};  // more it does not take; nullopt: unknown

    bool operator==(const GraphicsCard &) const = default;
    bool computes() const { return cause.isEmpty(); }
    QCborMap toCbor() const;
    /// Of a peer: bounds every field.
    static GraphicsCard fromCbor(const QCborMap &map);
};

/// "Computes on NVIDIA GeForce RTX 3060, 12 GiB; driver 580.159.", or that it does not, and why.
Sentence computesOn(const GraphicsCard &card);

}  // namespace hearth
