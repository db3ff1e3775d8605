// Taking away from the device what an installation made there.
#include "core/base/sentence.h"
#include "core/install/installer.h"

namespace hearth {

Result<void> Installer::removeState() {
    const QStringList words{QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), m_plan.stateDir};
    const auto done = m_plan.service == ServiceWay::System ? m_there.asRoot(words) : m_there.run(words);
    return succeeded(done, {QStringLiteral("install.not-removed"),
                            sentence("The agent's state could not be removed from %1.").arg(m_target.host),
                            {},
                            sentence("Remove %1 there.").arg(m_plan.stateDir)});
}

Result<void> Installer::restoreState() {
    // An installation that broke off early has no agent yet, and has changed nothing of what is restored here.
    const auto isThere = m_there.script(R"([ -x "$1" ])", {m_plan.agentProgram});
    if (!isThere)
        return tl::unexpected(isThere.error());
    if (isThere->status != 0)
        return {};
    if (!m_record.nameBefore.isEmpty()) {
        if (const auto named = identityThere(m_record.nameBefore); !named)
            return tl::unexpected(named.error());
    }
    if (!m_record.madeTrust)
        return {};
    const auto own = m_home.identity();
    if (!own)
        return tl::unexpected(own.error());
    const auto done = m_there.asAgent({m_plan.agentProgram, QStringLiteral("distrust"), own->fingerprint.toHex(),
                                       QStringLiteral("--state"), m_plan.stateDir});
    return succeeded(done, {QStringLiteral("install.still-trusted"),
                            sentence("%1 still trusts this device.").arg(m_target.host),
                            {},
                            sentence("Run \"hearth-agent distrust %1 --state %2\" there.")
                                .arg(own->fingerprint.toHex(), m_plan.stateDir)});
}

Result<void> Installer::lookForRecord() {
    const auto answer = m_there.run({QStringLiteral("sh")}, probeScript());
    if (!answer)
        return tl::unexpected(answer.error());
    auto facts = parseFacts(answer->output);
    if (!facts)
        return tl::unexpected(facts.error());
    m_facts = std::move(*facts);
    if (m_facts.record.isEmpty()) {
        return fail(QStringLiteral("install.nothing-there"),
                    sentence("Nothing on %1 was installed by \"hearth install\".").arg(m_target.toString()),
                    sentence("There is no record of it in ~/.local/share/hearth-install."),
                    sentence("Log in as the user who installed it, or run \"apt-get purge hearth-agent\" there."));
    }
    auto record = InstallRecord::parse(m_facts.record);
    if (!record)
        return tl::unexpected(record.error());
    m_record = *record;
    m_earlier = std::move(*record);
    m_plan = planInstall(m_facts, m_options, &*m_earlier);
    m_plan.stateDir = m_record.stateDir;
    m_package.version = m_record.version;
    return {};
}

Result<void> Installer::removeEverything() {
    if (auto found = lookForRecord(); !found)
        return found;
    // The record was written by that computer: what it may take away from this home is named before.
    std::optional<QString> known;
    if (const auto fingerprint = Fingerprint::fromHex(m_record.fingerprint)) {
        const auto name = m_home.trustedName(*fingerprint);
        if (!name)
            return tl::unexpected(name.error());
        known = *name;
        m_device = {known.value_or(m_target.host), *fingerprint, {}};
    }
    if (auto good = checkRemovable(); !good)
        return good;
    QList<Sentence> changes;
    if (m_record.madePackage) {
        changes << sentence("The agent is stopped, and hearth-agent %1 is removed.").arg(m_record.version);
    } else {
        note(sentence("The package hearth-agent %1 was there before and stays.").arg(m_record.version));
        changes << m_notes.last();
    }
    if (m_record.madeState) {
        changes << sentence("Its key, trusted devices and runs in %1 are removed.").arg(m_record.stateDir);
    } else {
        note(sentence("%1 was there before and stays.").arg(m_record.stateDir));
        changes << m_notes.last();
    }
    if (known)
        changes << sentence("This home does not trust \"%1\" any more.").arg(*known);
    if (!m_dialogue.confirms(changes))
        return tl::unexpected(cancelledError());
    const bool isOfRoot = m_record.madePackage || (!m_record.copy.isEmpty() && m_plan.rights != Rights::None);
    const bool needsRoot = m_plan.service == ServiceWay::System || (m_plan.package == PackageWay::Apt && isOfRoot);
    if (needsRoot && m_plan.rights == Rights::SudoWithPassword) {
        if (auto asked = askForSudo(); !asked)
            return asked;
        if (!m_there.hasSudoPassword())
            m_plan.rights = Rights::None;
    }
    // Before anything is touched: half a removal is none.
    if (needsRoot) {
        if (const auto may = m_there.asRoot({QStringLiteral("true")}); !may)
            return tl::unexpected(may.error());
    }
    if (!m_record.madeState) {
        if (auto restored = restoreState(); !restored)
            return restored;
    }
    if (auto stopped = m_service.stop(); !stopped)
        return stopped;
    if (m_record.madePackage) {
        if (auto removed = removePackage(); !removed)
            return removed;
    }
    if (m_record.madeState) {
        if (auto removed = removeState(); !removed)
            return removed;
    }
    if (auto gone = removeEarlierCopy(); !gone)
        return gone;
    // Last: until here it can be tried again.
    const auto done = m_there.run({QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), m_plan.folder});
    if (!done)
        return tl::unexpected(done.error());
    return known ? m_home.forget(m_device.fingerprint) : Result<void>();
}

}  // namespace hearth
