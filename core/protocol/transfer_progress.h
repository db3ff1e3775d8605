// What a worker says about its transfers while they go on.
#pragma once

#include <QCborMap>
#include <QMap>
#include <QString>

namespace hearth {

/// Fewer bytes than this are no transfer but questions and answers.
inline constexpr quint64 leastProgress = 4096;

/// Plain value, any thread.
struct TransferProgress {
    qint64 movedBytes = 0;          // sent and received since the last time
    QMap<QString, qint64> waiting;  // not delivered yet, by the peer's fingerprint in hex

    QCborMap toCbor() const;
    /// Words of a peer: amounts that make no sense count as nothing.
    static TransferProgress fromCbor(const QCborMap &map);
};

}  // namespace hearth
