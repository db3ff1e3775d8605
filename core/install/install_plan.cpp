#include "core/install/install_plan.h"

#include "core/base/sentence.h"
#include "core/install/install_record.h"

namespace hearth {
namespace {

constexpr quint16 usualAgentPort = 47600;

Rights rightsOf(const TargetFacts &facts, const InstallOptions &options) {
    if (options.forThisUser)
        return Rights::None;
    if (facts.isRoot())
        return Rights::Root;
    switch (facts.sudo) {
        case SudoState::Free:
            return Rights::Sudo;
        case SudoState::NeedsPassword:
            return Rights::SudoWithPassword;
        case SudoState::None:
            break;
    }
    return Rights::None;
}

}  // namespace

QString toWord(PackageWay way) {
    return way == PackageWay::Apt ? QStringLiteral("apt") : QStringLiteral("home-folder");
}

QString toWord(ServiceWay way) {
    switch (way) {
        case ServiceWay::System:
            return QStringLiteral("system");
        case ServiceWay::User:
            return QStringLiteral("user");
        case ServiceWay::Plain:
            break;
    }
    return QStringLiteral("plain");
}

InstallPlan planInstall(const TargetFacts &facts, const InstallOptions &options, const InstallRecord *earlier) {
    InstallPlan plan;
    plan.rights = rightsOf(facts, options);
    plan.folder = facts.home + QStringLiteral("/.local/share/hearth-install");
    if (earlier) {
        plan.isOurs = true;
        plan.isUpdate = earlier->isComplete || earlier->isUpdate;
        plan.package = earlier->package;
        plan.service = earlier->service;
        plan.sha256 = earlier->sha256;
    } else {
        // One that an administrator has installed is used as it is.
        const bool isThere = !facts.installedVersion.isEmpty() && !options.forThisUser;
        if ((plan.rights != Rights::None && facts.hasApt) || isThere)
            plan.package = PackageWay::Apt;
        if (plan.package == PackageWay::Apt && plan.rights != Rights::None && facts.systemdRuns)
            plan.service = ServiceWay::System;
        else if (facts.systemdRuns && facts.userManagerRuns)
            plan.service = ServiceWay::User;
    }
    plan.agentPort = options.agentPort != 0 ? options.agentPort : earlier ? earlier->agentPort : usualAgentPort;
    plan.stateDir = plan.service == ServiceWay::System ? QStringLiteral("/var/lib/hearth")
                                                       : facts.home + QStringLiteral("/.local/share/hearth");
    const QString prefix =
        plan.package == PackageWay::Apt ? QStringLiteral("/usr") : plan.folder + QStringLiteral("/root/usr");
    plan.agentProgram = prefix + QStringLiteral("/bin/hearth-agent");
    return plan;
}

bool isOfNoUse(const AgentPackage &package, const TargetFacts &facts, const InstallPlan &plan,
               const QStringList &missing) {
    if (facts.libc && package.minimumLibc && *facts.libc < *package.minimumLibc)
        return true;
    return !missing.isEmpty() && (plan.package == PackageWay::HomeFolder || !isDebian12(facts));
}

bool InstallPlan::keeps(const TargetFacts &facts, const AgentPackage &other) const {
    if (package != PackageWay::Apt || facts.installedVersion.isEmpty())
        return false;
    if (rights == Rights::None || isOlderVersion(other.version, facts.installedVersion))
        return true;
    // Whoever changes the sources and commits nothing makes other packages of the same version.
    return facts.installedVersion == other.version && (sha256.isEmpty() || sha256.toLatin1() == other.sha256);
}

QList<Sentence> InstallPlan::changes(const TargetFacts &facts, const AgentPackage &version) const {
    QList<Sentence> list;
    if (package == PackageWay::Apt) {
        if (facts.installedVersion.isEmpty())
            list << sentence("The package hearth-agent %1 and the libraries that it needs are installed.")
                        .arg(version.version);
        else if (keeps(facts, version))
            list << sentence("The package hearth-agent %1 that is there is used.").arg(facts.installedVersion);
        else if (version.version == facts.installedVersion)
            list << sentence("The package hearth-agent %1 takes the place of another one of this version.")
                        .arg(version.version);
        else
            list << sentence("The package hearth-agent %1 takes the place of %2.")
                        .arg(version.version, facts.installedVersion);
    } else {
        list << (version.kind == PackageKind::Bundle
                     ? sentence("hearth-agent %1 and libraries of its own are unpacked into %2.")
                     : sentence("hearth-agent %1 is unpacked into %2."))
                    .arg(version.version, folder);
    }
    switch (service) {
        case ServiceWay::System:
            list << sentence("The system service hearth-agent runs as user hearth, also after a restart.");
            break;
        case ServiceWay::User:
            list << sentence("A service of %1 runs the agent, also after a restart and while nobody is logged in.")
                        .arg(facts.userName);
            break;
        case ServiceWay::Plain:
            list << sentence(
                "The agent is started in the background; after a restart of the device somebody has "
                "to start it again, as there is no systemd that could.");
            break;
    }
    list << sentence("It listens on port %1; its key, its trusted devices and runs are in %2.")
                .arg(agentPort)
                .arg(stateDir);
    list << sentence("That device and this one trust each other.");
    return list;
}

}  // namespace hearth
