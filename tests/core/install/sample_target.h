// A computer as an installation finds it: what tests begin with.
#pragma once

#include "core/install/install_checks.h"

namespace hearth {

/// A Debian 12 on x86-64 with apt, where Anna has a home of her own and no service manager runs.
inline TargetFacts sampleTarget() {
    TargetFacts facts;
    facts.userId = 1000;
    facts.userName = QStringLiteral("anna");
    facts.home = QStringLiteral("/home/anna");
    facts.system = QStringLiteral("Linux");
    facts.machine = QStringLiteral("x86_64");
    facts.architecture = QStringLiteral("amd64");
    facts.osName = QStringLiteral("Debian GNU/Linux 12 (bookworm)");
    facts.osId = QStringLiteral("debian");
    facts.osVersion = QStringLiteral("12");
    facts.libc = std::pair(2, 36);
    facts.memoryBytes = qint64(8) << 30;
    facts.homeFreeBytes = facts.systemFreeBytes = qint64(20) << 30;
    facts.homeIsWritable = facts.hasApt = facts.hasDpkg = true;
    return facts;
}

}  // namespace hearth
