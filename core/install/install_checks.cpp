#include "core/install/install_checks.h"

#include <QSet>
#include <algorithm>

#include "core/base/sentence.h"

namespace hearth {
namespace {

// A worker takes some 200 MB before its first tensor.
constexpr qint64 leastMemory = qint64(512) << 20;
constexpr qint64 usefulMemory = qint64(1500) << 20;
// LibTorch with all that it needs, on a Debian that has none of it.
constexpr qint64 librariesBytes = qint64(1400) << 20;
// For runs and logs.
constexpr qint64 spareBytes = qint64(200) << 20;
// Certificates and the times of events; a second more or less is nothing.
constexpr qint64 clockTolerance = 300;

/// Without decimals, which languages write differently.
QString amount(qint64 bytes) {
    return bytes < qint64(10) << 30 ? QStringLiteral("%1 MiB").arg(bytes >> 20)
                                    : QStringLiteral("%1 GiB").arg(bytes >> 30);
}

struct Checks {
    std::vector<InstallCheck> list;

    void ok(const char *id, const QString &title, const Sentence &found) {
        list.push_back({QString::fromLatin1(id), title, CheckState::Ok, found, {}});
    }
    void bad(CheckState state, const char *id, const QString &title, const Sentence &found, const Sentence &what,
             const Sentence &cause, const Sentence &advice) {
        list.push_back({QString::fromLatin1(id), title, state, found,
                        Error{QStringLiteral("install.") + QString::fromLatin1(id), what, cause, advice}});
    }
};

QString nameOf(const TargetFacts &facts) {
    return facts.osName.isEmpty() ? facts.system : facts.osName;
}

void checkSystem(Checks &checks, const TargetFacts &facts, PackageKind kind) {
    const QString title = QStringLiteral("Operating system");
    const QString found = nameOf(facts);
    if (facts.system != QLatin1String("Linux")) {
        checks.bad(CheckState::Failed, "system", title, found, sentence("Hearth does not run on that device."),
                   sentence("Its system is \"%1\"; Hearth needs Linux.").arg(found),
                   sentence("Choose a device with Debian 12 or a relative of it."));
    } else if (kind == PackageKind::Bundle) {
        if (facts.hasTar)
            checks.ok("system", title, found);
        else
            checks.bad(CheckState::Failed, "system", title, found,
                       sentence("Hearth's bundle cannot be unpacked on that device."),
                       sentence("%1 has no tar, or no gzip.").arg(found), sentence("Install them there."));
    } else if (!facts.hasDpkg) {
        checks.bad(CheckState::Failed, "system", title, found,
                   sentence("Hearth's package cannot be unpacked on that device."),
                   sentence("%1 has no dpkg-deb.").arg(found), bundleAdvice());
    } else if (!isDebian12(facts)) {
        checks.bad(CheckState::Warning, "system", title, found, sentence("Hearth's packages are made for Debian 12."),
                   sentence("That device has %1.").arg(found),
                   sentence("If the agent does not start there, build the package on that device."));
    } else {
        checks.ok("system", title, found);
    }
}

void checkHome(Checks &checks, const TargetFacts &facts) {
    const QString title = QStringLiteral("Home folder");
    if (facts.home.isEmpty() || !facts.homeIsWritable) {
        checks.bad(CheckState::Failed, "home", title, sentence("%1, read-only").arg(facts.home),
                   sentence("Nothing can be written into the home folder of %1.").arg(facts.userName),
                   sentence("It is read-only, full, or belongs to another user; what is installed is recorded "
                            "there, so that it can be removed."),
                   sentence("Make %1 writable, or log in as another user.")
                       .arg(facts.home.isEmpty() ? QStringLiteral("it") : facts.home));
    } else {
        checks.ok("home", title, facts.home);
    }
}

void checkShell(Checks &checks, const TargetFacts &facts) {
    // csh and tcsh take no word of several lines, as scripts are.
    if (!facts.loginShell.endsWith(QLatin1String("csh")))
        return;
    checks.bad(CheckState::Failed, "shell", QStringLiteral("Login shell"), facts.loginShell,
               sentence("The login shell of %1 cannot be used.").arg(facts.userName),
               sentence("%1 reads commands in another way than sh.").arg(facts.loginShell),
               sentence("Log in as another user, or choose another shell there (\"chsh -s /bin/sh\")."));
}

void checkMemory(Checks &checks, const TargetFacts &facts) {
    const QString title = QStringLiteral("Memory"), found = amount(facts.memoryBytes);
    if (facts.memoryBytes == 0) {
        checks.bad(CheckState::Warning, "memory", title, QStringLiteral("unknown"),
                   sentence("Nobody knows how much memory that device has."),
                   sentence("Its /proc/meminfo was not readable."), sentence("Run free there."));
    } else if (facts.memoryBytes < leastMemory) {
        checks.bad(CheckState::Failed, "memory", title, found, sentence("That device has too little memory to train."),
                   sentence("It has %1; a worker that does nothing yet takes 200 MB.").arg(found),
                   sentence("Choose a device with 1 GB or more."));
    } else if (facts.memoryBytes < usefulMemory) {
        checks.bad(CheckState::Warning, "memory", title, found, sentence("That device has little memory."),
                   sentence("It has %1.").arg(found), sentence("Plans will give it only small layers, or none."));
    } else {
        checks.ok("memory", title, found);
    }
}

void checkService(Checks &checks, const TargetFacts &facts, const InstallPlan &plan) {
    const QString title = QStringLiteral("Service manager");
    switch (plan.service) {
        case ServiceWay::System:
            checks.ok("service", title, sentence("systemd, for the whole device"));
            return;
        case ServiceWay::User:
            checks.ok("service", title, sentence("systemd, for %1").arg(facts.userName));
            return;
        case ServiceWay::Plain:
            break;
    }
    checks.bad(CheckState::Warning, "service", title, sentence("none"),
               sentence("Nothing starts the agent again after a restart of that device."),
               facts.systemdRuns ? sentence("The systemd of %1 does not answer there.").arg(facts.userName)
                                 : sentence("systemd does not run there."),
               sentence("After a restart install again, or start \"%1 --state %2\" there.")
                   .arg(plan.agentProgram, plan.stateDir));
}

void checkRights(Checks &checks, const TargetFacts &facts, const InstallPlan &plan) {
    const QString title = QStringLiteral("Rights");
    switch (plan.rights) {
        case Rights::Root:
            checks.ok("rights", title, QStringLiteral("root"));
            return;
        case Rights::Sudo:
            checks.ok("rights", title, QStringLiteral("sudo"));
            return;
        case Rights::SudoWithPassword:
            checks.ok("rights", title, sentence("sudo, with a password"));
            return;
        case Rights::None:
            break;
    }
    checks.ok("rights", title, sentence("those of %1: only the home folder changes").arg(facts.userName));
}

void checkClock(Checks &checks, const TargetFacts &facts, qint64 clockHere) {
    const QString title = QStringLiteral("Clock");
    if (!facts.clock) {
        checks.ok("clock", title, QStringLiteral("unknown"));
        return;
    }
    const qint64 difference = *facts.clock - clockHere;
    const Sentence found = sentence("%1 s apart").arg(std::abs(difference));
    if (std::abs(difference) > clockTolerance) {
        checks.bad(CheckState::Warning, "clock", title, found,
                   sentence("The clocks of that device and of this one differ by %1 s.").arg(std::abs(difference)),
                   difference > 0 ? sentence("That one is ahead.") : sentence("That one is behind."),
                   sentence("Run \"timedatectl set-ntp true\" on both."));
    } else {
        checks.ok("clock", title, found);
    }
}

void checkExisting(Checks &checks, const TargetFacts &facts, const InstallPlan &plan) {
    const QString title = QStringLiteral("Earlier installation");
    if (plan.isOurs) {
        checks.ok("existing", title,
                  plan.isUpdate ? sentence("by hearth install; it is updated")
                                : sentence("by hearth install, broken off; it is finished"));
    } else if (plan.service != ServiceWay::System && facts.runningAgents.contains(plan.stateDir)) {
        checks.bad(CheckState::Failed, "existing", title, sentence("an agent that runs"),
                   sentence("%1 uses Hearth on that device already.").arg(facts.userName),
                   sentence("Its window is open there, or its agent was started by hand."),
                   sentence("Pair the two devices instead (\"hearth pair\"), or end Hearth there first."));
    } else if (!facts.installedVersion.isEmpty()) {
        checks.ok("existing", title, sentence("the package, version %1; it is kept").arg(facts.installedVersion));
    } else if (facts.hasIdentity) {
        checks.ok("existing", title, sentence("an agent's key; it stays as it is"));
    } else {
        checks.ok("existing", title, sentence("none"));
    }
}

void checkPort(Checks &checks, const TargetFacts &facts, const InstallPlan &plan) {
    const QString title = QStringLiteral("Port");
    // The service that is there already is started anew, on this port.
    const bool isOurs = plan.isOurs || (plan.service == ServiceWay::System && facts.systemServiceActive);
    if (facts.listeningPorts.contains(plan.agentPort) && !isOurs) {
        checks.bad(CheckState::Failed, "port", title, sentence("%1, taken").arg(plan.agentPort),
                   sentence("The agent cannot listen on port %1 of that device.").arg(plan.agentPort),
                   facts.runningAgents.isEmpty()
                       ? sentence("Another program listens there already.")
                       : sentence("Hearth runs there already, with its state in %1.").arg(facts.runningAgents.first()),
                   facts.runningAgents.isEmpty()
                       ? sentence("End that program, or choose another port with --agent-port.")
                       : sentence("Pair the two devices instead (\"hearth pair\"), or end Hearth there first."));
    } else {
        checks.ok("port", title, QString::number(plan.agentPort));
    }
}

void checkSpace(Checks &checks, const TargetFacts &facts, const InstallPlan &plan, const AgentPackage &package,
                bool needsLibraries) {
    const QString title = QStringLiteral("Free space");
    const bool forSystem = plan.package == PackageWay::Apt;
    const qint64 free = forSystem ? facts.systemFreeBytes : facts.homeFreeBytes;
    const qint64 needed =
        package.fileBytes + package.installedBytes + spareBytes + (forSystem && needsLibraries ? librariesBytes : 0);
    const QString place = forSystem ? QStringLiteral("/usr") : facts.home;
    const auto tooLittle = [&](qint64 there, const QString &where, qint64 wanted) {
        checks.bad(CheckState::Failed, "space", title, amount(there),
                   sentence("That device has too little space for Hearth."),
                   sentence("%1 are free in %2; %3 are needed.").arg(amount(there), where, amount(wanted)),
                   sentence("Free some space there."));
    };
    // apt-get takes the package from there.
    const bool isTight = forSystem && facts.temporaryFreeBytes >= 0 && facts.temporaryFreeBytes < package.fileBytes;
    if (free < 0) {
        checks.bad(CheckState::Warning, "space", title, QStringLiteral("unknown"),
                   sentence("Nobody knows how much space is free in %1.").arg(place),
                   sentence("Could not read free space."), sentence("Run df there."));
    } else if (free < needed) {
        tooLittle(free, place, needed);
    } else if (isTight) {
        tooLittle(facts.temporaryFreeBytes, QStringLiteral("/tmp"), package.fileBytes);
    } else {
        checks.ok("space", title, amount(free));
    }
}

}  // namespace

QString toWord(CheckState state) {
    return state == CheckState::Ok        ? QStringLiteral("ok")
           : state == CheckState::Warning ? QStringLiteral("warning")
                                          : QStringLiteral("failed");
}

QJsonObject InstallCheck::toJson() const {
    QJsonObject json{{QStringLiteral("id"), id},
                     {QStringLiteral("title"), title},
                     {QStringLiteral("state"), toWord(state)},
                     {QStringLiteral("found"), found.english()}};
    if (state != CheckState::Ok)
        json[QStringLiteral("problem")] = problem.toJson();
    return json;
}

std::vector<InstallCheck> checkTarget(const TargetFacts &facts, const InstallPlan &plan, PackageKind kind,
                                      qint64 clockHere) {
    Checks checks;
    checkSystem(checks, facts, kind);
    checkHome(checks, facts);
    checkShell(checks, facts);
    checkMemory(checks, facts);
    checkService(checks, facts, plan);
    checkRights(checks, facts, plan);
    checkExisting(checks, facts, plan);
    checkPort(checks, facts, plan);
    checkClock(checks, facts, clockHere);
    return checks.list;
}

std::vector<InstallCheck> checkPackage(const TargetFacts &facts, const InstallOptions &options, const InstallPlan &plan,
                                       const AgentPackage &package, const QStringList &missing) {
    Checks checks;
    const bool isApts = plan.package == PackageWay::Apt && (plan.isOurs || !facts.installedVersion.isEmpty());
    if (package.architecture != facts.architecture && package.architecture != QLatin1String("all")) {
        checks.bad(CheckState::Failed, "processor", QStringLiteral("Processor"), facts.machine,
                   sentence("The package does not fit the processor of that device."),
                   sentence("It is for %1, and that device is %2 (%3).")
                       .arg(package.architecture, facts.architecture, facts.machine),
                   sentence("Build Hearth on such a device (\"ninja package\"), for arm64 also here "
                            "(resources/packages/build-arm64), and choose that package (--package)."));
    } else {
        checks.ok("processor", QStringLiteral("Processor"), facts.architecture);
    }
    const auto libcText = [](const std::pair<int, int> &version) {
        return QStringLiteral("%1.%2").arg(version.first).arg(version.second);
    };
    if (facts.libc && package.minimumLibc && *facts.libc < *package.minimumLibc) {
        checks.bad(CheckState::Failed, "libc", QStringLiteral("C library"), libcText(*facts.libc),
                   sentence("The programs of the package cannot start on that device."),
                   sentence("Its C library is version %1; they need %2.")
                       .arg(libcText(*facts.libc), libcText(*package.minimumLibc)),
                   sentence("Upgrade it to Debian 12, build the package on that device, or put a bundle beside the "
                            "package (resources/packages/bundle)."));
    } else {
        checks.ok("libc", QStringLiteral("C library"),
                  facts.libc ? Sentence(libcText(*facts.libc)) : sentence("of unknown version"));
    }
    checkSpace(checks, facts, plan, package, !missing.isEmpty());
    if (package.kind == PackageKind::Bundle) {
        checks.ok("libraries", QStringLiteral("Libraries"), sentence("the bundle's own"));
    } else if (missing.isEmpty()) {
        checks.ok("libraries", QStringLiteral("Libraries"), sentence("all there"));
    } else if (!isDebian12(facts) && !isApts && options.packagePath.isEmpty()) {
        // apt-get knows other libraries there. One who chooses a file may have built it for that system.
        checks.bad(CheckState::Failed, "libraries", QStringLiteral("Libraries"),
                   sentence("%1 missing").arg(missing.size()),
                   sentence("Hearth's package cannot be installed on that device."),
                   sentence("It is made for Debian 12; %1 has other libraries.").arg(nameOf(facts)), bundleAdvice());
    } else if (plan.package == PackageWay::Apt) {
        checks.ok("libraries", QStringLiteral("Libraries"),
                  sentence("%1 {1|package is|packages are} installed, too").arg(missing.size()));
    } else {
        checks.bad(CheckState::Failed, "libraries", QStringLiteral("Libraries"),
                   sentence("%1 missing").arg(missing.size()),
                   sentence("Libraries that Hearth needs are not installed on that device."),
                   sentence("%1 cannot install them: that needs root or sudo.").arg(facts.userName),
                   sentence("Log in as root or as somebody with sudo, or have them installed there: apt-get "
                            "install %1")
                       .arg(missing.join(QLatin1Char(' '))));
    }
    return checks.list;
}

QStringList missingDependencies(const std::vector<QStringList> &dependencies, const QByteArray &installed) {
    QSet<QString> there;
    for (const QByteArray &line : installed.split('\n')) {
        const auto words = line.simplified().split(' ');
        if (words.size() >= 2 && words[1].startsWith("ii"))
            there.insert(QString::fromUtf8(words[0]));
    }
    QStringList missing;
    for (const QStringList &alternatives : dependencies) {
        if (std::none_of(alternatives.begin(), alternatives.end(),
                         [&](const QString &name) { return there.contains(name); }))
            missing << alternatives.first();
    }
    return missing;
}

}  // namespace hearth
