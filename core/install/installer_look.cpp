// The steps up to a person's consent: they change nothing on the device.
#include <QDateTime>
#include <algorithm>

#include "core/base/sentence.h"
#include "core/install/installer.h"

namespace hearth {

Result<void> Installer::connect() {
    auto host = SshHost::connect(m_target, [this] { return isCancelled(); });
    if (!host)
        return tl::unexpected(host.error());
    m_there.setHost(std::move(*host));
    return {};
}

Result<void> Installer::checkHostKey() {
    const auto key = m_there.host().hostKey();
    if (!key)
        return tl::unexpected(key.error());
    if (!m_options.hostKey.isEmpty() && m_options.hostKey != key->fingerprint) {
        return fail(QStringLiteral("ssh.host-key-wrong"),
                    sentence("%1 has another host key than the one it must have.").arg(m_target.host),
                    sentence("It shows %1 %2, and %3 was expected: somebody may be in between. Nothing was sent "
                             "to it.")
                        .arg(key->kind, key->fingerprint, m_options.hostKey),
                    sentence("Compare with \"ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub\" on the device "
                             "itself."));
    }
    switch (key->state) {
        case SshHostKey::State::Known:
            return {};
        case SshHostKey::State::Changed:
            return fail(QStringLiteral("ssh.host-key-changed"),
                        sentence("%1 is not the computer that it was: its host key has changed.").arg(m_target.host),
                        sentence("Somebody may be listening in between, or the device was set up anew. It shows "
                                 "%1 %2 now. Nothing was sent to it.")
                            .arg(key->kind, key->fingerprint),
                        sentence("Compare with \"ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub\" on the device "
                                 "itself. Only if they are the same, forget the old one with \"%1\".")
                            .arg(m_target.forgetHostKey()));
        case SshHostKey::State::Unknown:
            break;
    }
    if (m_options.hostKey.isEmpty() && !m_dialogue.acceptsHostKey(*key)) {
        if (isCancelled())
            return tl::unexpected(cancelledError());
        return fail(QStringLiteral("ssh.host-key-unknown"),
                    sentence("%1 has never been seen before, and nobody confirmed its host key.").arg(m_target.host),
                    sentence("It shows %1 %2.").arg(key->kind, key->fingerprint),
                    sentence("See on the device itself what it must be (\"ssh-keygen -lf "
                             "/etc/ssh/ssh_host_ed25519_key.pub\"), then confirm it, or give that with --host-key."));
    }
    return m_there.host().rememberHostKey();
}

Result<void> Installer::logIn() {
    int passphrases = 0;
    const auto byKeys = m_there.host().authenticateByKeys([&](const QString &prompt) {
        return ++passphrases > maximumPasswords ? std::nullopt
                                                : m_dialogue.password(PasswordKind::KeyFile, prompt, passphrases);
    });
    if (!byKeys)
        return tl::unexpected(byKeys.error());
    if (*byKeys)
        return {};
    bool asked = false;
    for (int attempt = 1; m_there.host().takesPassword() && attempt <= maximumPasswords; ++attempt) {
        const auto password = m_dialogue.password(PasswordKind::LogIn, m_target.toString(), attempt);
        if (!password)
            break;
        asked = true;
        const auto accepted = m_there.host().authenticateByPassword(*password);
        if (!accepted)
            return tl::unexpected(accepted.error());
        if (*accepted)
            return {};
    }
    if (isCancelled())
        return tl::unexpected(cancelledError());
    return fail(QStringLiteral("ssh.not-logged-in"), sentence("%1 did not let us in.").arg(m_target.toString()),
                asked ? sentence("The password was not accepted.")
                : m_there.host().takesPassword()
                    ? sentence("None of your keys was accepted, and there was no password.")
                    : sentence("None of your keys was accepted, and it takes no passwords."),
                sentence("Check the user's name and the password, or copy your key there with \"ssh-copy-id %1\".")
                    .arg(m_target.toString()));
}

Result<void> Installer::report(const std::vector<InstallCheck> &checks) {
    Result<void> outcome;
    for (const InstallCheck &check : checks) {
        m_dialogue.progress({InstallStep::Inspect, InstallProgress::State::Moving, {}, -1, check});
        if (check.state == CheckState::Failed && outcome)
            outcome = tl::unexpected(check.problem);
    }
    return outcome;
}

Result<void> Installer::askForSudo() {
    for (int attempt = 1; attempt <= maximumPasswords; ++attempt) {
        auto password = m_dialogue.password(PasswordKind::Sudo,
                                            QStringLiteral("%1 on %2").arg(m_facts.userName, m_target.host), attempt);
        if (isCancelled())
            return tl::unexpected(cancelledError());
        if (!password)
            break;
        m_there.setSudoPassword(std::move(*password));
        const auto tried = m_there.asRoot({QStringLiteral("true")});
        if (!tried)
            return tl::unexpected(tried.error());
        if (tried->status == 0)
            return {};
        // Another password will not help somebody who may not use sudo, or not without a terminal.
        if (tried->errors.contains("sudoers") || tried->errors.contains("may not run") ||
            tried->errors.contains("a terminal is required") || tried->errors.contains("you must have a tty")) {
            m_there.setSudoSaid(endOfOutput(*tried));
            break;
        }
    }
    m_there.setSudoPassword({});
    return {};
}

Result<void> Installer::inspect() {
    const qint64 before = QDateTime::currentSecsSinceEpoch();
    const auto answer = m_there.run({QStringLiteral("sh")}, probeScript());
    if (!answer)
        return tl::unexpected(answer.error());
    const qint64 clockHere = (before + QDateTime::currentSecsSinceEpoch()) / 2;
    auto facts = parseFacts(answer->output);
    if (!facts)
        return tl::unexpected(facts.error());
    m_facts = std::move(*facts);
    if (!m_facts.record.isEmpty()) {
        auto earlier = InstallRecord::parse(m_facts.record);
        if (!earlier) {
            return fail(QStringLiteral("install.bad-record"),
                        sentence("The record of an earlier installation on %1 cannot be used.").arg(m_target.host),
                        earlier.error().toSentence(),
                        sentence("Look at ~/.local/share/hearth-install/record.json there, and remove the folder if "
                                 "it is of no use."));
        }
        m_earlier = std::move(*earlier);
    }
    const auto plan = [this] { m_plan = planInstall(m_facts, m_options, m_earlier ? &*m_earlier : nullptr); };
    plan();
    auto missing = choosePackage();
    plan();
    if (missing && m_plan.rights == Rights::SudoWithPassword) {
        if (auto asked = askForSudo(); !asked)
            return asked;
        // Without it there is still what needs no rights.
        m_options.forThisUser = !m_there.hasSudoPassword();
        plan();
        if (m_plan.rights == Rights::None) {
            missing = choosePackage();
            plan();
        }
    }
    if (m_plan.service == ServiceWay::System) {
        // Kept when a package was removed, and nobody but root sees it.
        const auto key = m_there.asRoot(
            {QStringLiteral("test"), QStringLiteral("-e"), m_plan.stateDir + QStringLiteral("/key.pem")});
        if (!key)
            return tl::unexpected(key.error());
        m_facts.hasIdentity = key->status == 0;
    }
    if (auto good = report(checkTarget(m_facts, m_plan, m_package.kind, clockHere)); !good)
        return good;
    if (!missing)
        return tl::unexpected(missing.error());
    m_needsLibraries = !missing->isEmpty();
    return report(checkPackage(m_facts, m_options, m_plan, m_package, *missing));
}

Result<QStringList> Installer::missingFor(const AgentPackage &package) {
    QStringList words{QStringLiteral("dpkg-query"), QStringLiteral("-W"), QStringLiteral("-f"),
                      QStringLiteral("${Package} ${db:Status-Abbrev}\n")};
    for (const QStringList &alternatives : package.dependencies)
        words += alternatives;
    // It fails where it does not know one of them, and tells of the others anyway.
    const auto installed = m_there.run(words);
    if (!installed)
        return tl::unexpected(installed.error());
    return missingDependencies(package.dependencies, installed->output);
}

Result<QStringList> Installer::choosePackage() {
    const bool isAsked = !m_options.packagePath.isEmpty();
    const QStringList folders = m_options.packageFolders.isEmpty() ? packageFolders() : m_options.packageFolders;
    auto package = isAsked ? readAgentPackage(m_options.packagePath) : findAgentPackage(folders, m_facts.architecture);
    QStringList missing;
    if (package && package->kind == PackageKind::Debian) {
        auto found = missingFor(*package);
        if (!found)
            return found;
        missing = std::move(*found);
    }
    // What apt has installed stays apt's.
    const bool isApts = m_plan.package == PackageWay::Apt && (m_earlier || !m_facts.installedVersion.isEmpty());
    if (!isAsked && !isApts && (!package || isOfNoUse(*package, m_facts, m_plan, missing))) {
        if (auto bundle = findAgentPackage(folders, m_facts.architecture, PackageKind::Bundle)) {
            package = std::move(bundle);
            missing.clear();
        }
    }
    if (!package) {
        Error error = package.error();
        if (!isAsked && !isDebian12(m_facts) && error.code == QLatin1String("install.no-package"))
            error.advice = bundleAdvice();  // a package would be of no use
        return tl::unexpected(error);
    }
    m_package = std::move(*package);
    if (m_package.kind == PackageKind::Bundle) {
        if (isApts) {
            return fail(QStringLiteral("install.bundle-over-package"),
                        sentence("The bundle cannot take the place of the package on %1.").arg(m_target.host),
                        sentence("hearth-agent is installed there by apt."),
                        sentence("Remove it first (--uninstall), or choose a Debian package (--package)."));
        }
        m_options.forThisUser = true;
    }
    return missing;
}

Result<void> Installer::confirm() {
    if (m_dialogue.confirms(m_plan.changes(m_facts, m_package)))
        return {};
    return tl::unexpected(cancelledError());
}

}  // namespace hearth
