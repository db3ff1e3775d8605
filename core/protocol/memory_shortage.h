// How much memory a worker wanted and how much it may have, at the moment when it was refused.
#pragma once

#include <QCborMap>
#include <QtGlobal>
#include <optional>

namespace hearth {

/// Bytes of the whole process: what the libraries take is included in both. Plain value, any thread.
struct MemoryShortage {
    qint64 neededBytes = 0;     // at least: a larger need may have come later
    qint64 availableBytes = 0;  // the limit, or what the process held when the system gave no more
    bool operator==(const MemoryShortage &) const = default;

    QCborMap toCbor() const;
    /// Nothing where the amounts make no sense: needed is more than available, and available more than nothing.
    static std::optional<MemoryShortage> fromCbor(const QCborMap &map);
};

}  // namespace hearth
