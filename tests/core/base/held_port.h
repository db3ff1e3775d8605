// A port of loopback that stays this program's while nobody listens there.
#pragma once

#include <QDir>
#include <QLockFile>
#include <QTcpServer>
#include <memory>
#include <vector>

namespace hearth {

/// A port at which nobody listens; another call gives another one, and 0 means that there is none left. Linux gives
/// ports from 32768 on to whoever asks for any, so these are below it, and locks keep other tests away from them until
/// this program ends.
inline quint16 heldPort() {
    constexpr quint16 first = 21000, end = 32000;
    static std::vector<std::unique_ptr<QLockFile>> held;
    static quint16 next = first;
    for (; next < end; ++next) {
        auto lock =
            std::make_unique<QLockFile>(QDir::temp().filePath(QStringLiteral("hearth-test-port-%1.lock").arg(next)));
        lock->setStaleLockTime(0);
        QTcpServer probe;
        if (!lock->tryLock(0) || !probe.listen(QHostAddress::LocalHost, next))
            continue;
        held.push_back(std::move(lock));
        return next++;
    }
    return 0;
}

}  // namespace hearth
