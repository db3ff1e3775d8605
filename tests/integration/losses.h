// Whether this machine explains that a run has lost devices.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "tests/core/base/standstill.h"

namespace hearth {

/// Ids of devices, and why they are lost.
using Losses = QList<std::pair<QString, QString>>;

/// In words, those beside the `meant` ones: each of these may be lost once.
inline QString lossesBeside(QStringList meant, const Losses &losses) {
    QStringList words;
    for (const auto &[id, cause] : losses) {
        if (!meant.removeOne(id))
            words << QStringLiteral("Lost %1: %2").arg(id.left(8), cause);
    }
    return words.join(QLatin1Char(' '));
}

/// Whether there is another try, because of the machine. A device is lost when its heartbeats are missing for 1.6 s.
/// Its worker runs behind other programs and starves where the test does not, so it is evidence, too, that at least as
/// many threads wait for a processor as run. The load average tells that; /proc/pressure/cpu would also count threads
/// that wait because their cgroup has used up its quota, as they do in the lab.
inline bool machineExcuses(const QString &losses, const Standstill &machine, Tries &tries) {
    constexpr std::chrono::milliseconds losesDevices{1200};
    if (losses.isEmpty())
        return false;
    if (machine.longest() >= losesDevices)
        return tries.again(losses +
                           QStringLiteral(" The machine stood still for %1 ms.").arg(machine.longest().count()));
    const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    double load = 0;
    return ::getloadavg(&load, 1) == 1 && load >= 2 * processors &&
           tries.again(losses + QStringLiteral(" The load average is %1 on %2 processors.").arg(load).arg(processors));
}

}  // namespace hearth
