// Whether this machine explains that a run has lost devices.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <chrono>
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
/// Its worker runs behind other programs and starves where the test does not, so it is evidence, too, that for as long
/// at least as many threads waited for a processor as ran. The load average, a mean of a minute, shows that too late;
/// /proc/pressure/cpu would also count threads that wait because their cgroup has used up its quota, as in the lab.
inline bool machineExcuses(const QString &losses, const Standstill &machine, Tries &tries) {
    constexpr std::chrono::milliseconds losesDevices{1200};
    if (losses.isEmpty())
        return false;
    if (machine.longest() >= losesDevices)
        return tries.again(losses +
                           QStringLiteral(" The machine stood still for %1 ms.").arg(machine.longest().count()));
    const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    const double runnable = machine.mostRunnable();
    return runnable >= 2 * processors &&
           tries.again(losses +
                       QStringLiteral(" %1 threads shared %2 processors.").arg(runnable, 0, 'f', 1).arg(processors));
}

}  // namespace hearth
