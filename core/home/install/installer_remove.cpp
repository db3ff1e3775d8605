// Taking away from the device what an installation made there.
#include <QRegularExpression>

#include "core/home/install/installer.h"

namespace hearth {
namespace {

/// Of what apt would remove because nothing needs it any more ("Remv libx [1.0]").
QStringList unneeded(const QByteArray &simulation) {
    static const QRegularExpression line(QStringLiteral("^(?:Remv|Purg) ([a-z0-9][a-z0-9+.-]+)"),
                                         QRegularExpression::MultilineOption);
    QStringList names;
    for (auto each = line.globalMatch(QString::fromUtf8(simulation)); each.hasNext();)
        names << each.next().captured(1);
    return names;
}

}  // namespace

Result<void> Installer::removePackage() {
    if (m_plan.package == PackageWay::HomeFolder)
        return {};  // it lies in the folder that goes anyway
    const QStringList apt{QStringLiteral("env"), QStringLiteral("DEBIAN_FRONTEND=noninteractive"),
                          QStringLiteral("apt-get"), QStringLiteral("-q")};
    const auto purge = [&](const QStringList &names) -> Result<void> {
        const auto done =
            asRoot(apt + QStringList{QStringLiteral("purge"), QStringLiteral("-y"), QStringLiteral("--")} + names, {},
                   packageDeadline);
        if (!done)
            return tl::unexpected(done.error());
        if (done->status == 0)
            return {};
        return fail(QStringLiteral("install.not-removed"),
                    QStringLiteral("The package could not be removed from %1.").arg(m_target.host), lastWords(*done),
                    QStringLiteral("Run \"apt-get purge hearth-agent\" there."));
    };
    if (auto purged = purge({QStringLiteral("hearth-agent")}); !purged)
        return purged;
    // Of what came with it, what nobody has come to need since.
    const auto simulation =
        run({QStringLiteral("apt-get"), QStringLiteral("-s"), QStringLiteral("-q"), QStringLiteral("autoremove")});
    if (!simulation)
        return tl::unexpected(simulation.error());
    QStringList names = unneeded(simulation->output);
    names.removeIf([this](const QString &name) { return !m_record.newPackages.contains(name); });
    return names.isEmpty() ? Result<void>() : purge(names);
}

Result<void> Installer::removeState() {
    const QStringList words{QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), m_plan.stateDir};
    const auto done = m_plan.service == ServiceWay::System ? asRoot(words) : run(words);
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.not-removed"),
                QStringLiteral("The agent's state could not be removed from %1.").arg(m_target.host), lastWords(*done),
                QStringLiteral("Remove %1 there.").arg(m_plan.stateDir));
}

Result<void> Installer::removeEverything() {
    const auto answer = run({QStringLiteral("sh")}, probeScript());
    if (!answer)
        return tl::unexpected(answer.error());
    auto facts = parseFacts(answer->output);
    if (!facts)
        return tl::unexpected(facts.error());
    m_facts = std::move(*facts);
    if (m_facts.record.isEmpty()) {
        return fail(
            QStringLiteral("install.nothing-there"),
            QStringLiteral("Nothing on %1 was installed by \"hearth install\".").arg(m_target.toString()),
            QStringLiteral("There is no record of it in ~/.local/share/hearth-install."),
            QStringLiteral("Log in as the user who installed it, or run \"apt-get purge hearth-agent\" there."));
    }
    auto record = InstallRecord::parse(m_facts.record);
    if (!record)
        return tl::unexpected(record.error());
    m_record = *record;
    m_earlier = std::move(*record);
    m_plan = planInstall(m_facts, m_options, &*m_earlier);
    m_plan.stateDir = m_record.stateDir;
    m_package.version = m_record.version;
    // The record was written by that computer: what it may take away from this home is named before.
    std::optional<QString> known;
    if (const auto fingerprint = Fingerprint::fromHex(m_record.fingerprint)) {
        const auto name = m_home.trustedName(*fingerprint);
        if (!name)
            return tl::unexpected(name.error());
        known = *name;
        m_device = {known.value_or(m_target.host), *fingerprint, {}};
    }
    QStringList changes{
        QStringLiteral("The agent is stopped, and hearth-agent %1 is removed.").arg(m_record.version),
        m_record.madeState
            ? QStringLiteral("Its key, trusted devices and runs in %1 are removed.").arg(m_record.stateDir)
            : QStringLiteral("%1 was there before and stays.").arg(m_record.stateDir)};
    if (known)
        changes << QStringLiteral("This home does not trust \"%1\" any more.").arg(*known);
    if (!m_dialogue.confirms(changes))
        return tl::unexpected(cancelledError());
    const bool needsRoot =
        m_plan.service == ServiceWay::System || (m_plan.package == PackageWay::Apt && m_record.madePackage);
    if (needsRoot && m_plan.rights == Rights::SudoWithPassword) {
        if (auto asked = askForSudo(); !asked)
            return asked;
    }
    if (auto stopped = stopService(); !stopped)
        return stopped;
    if (m_record.madePackage) {
        if (auto removed = removePackage(); !removed)
            return removed;
    }
    if (m_record.madeState) {
        if (auto removed = removeState(); !removed)
            return removed;
    }
    // Last: until here it can be tried again.
    const auto done = run({QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), m_plan.folder});
    if (!done)
        return tl::unexpected(done.error());
    return known ? m_home.forget(m_device.fingerprint) : Result<void>();
}

}  // namespace hearth
