// How programs are run on the device: as the person, as root, as the agent's user.
#include "core/home/install/installer.h"

namespace hearth {

Result<RemoteOutput> Installer::run(const QStringList &words, const QByteArray &input,
                                    std::chrono::milliseconds deadline) {
    return m_host->run(words, input, deadline);
}

Result<RemoteOutput> Installer::asRoot(const QStringList &words, const QByteArray &input,
                                       std::chrono::milliseconds deadline) {
    switch (m_plan.rights) {
        case Rights::Root:
            return run(words, input, deadline);
        case Rights::Sudo:
            return run(QStringList{QStringLiteral("sudo"), QStringLiteral("-n"), QStringLiteral("--")} + words, input,
                       deadline);
        case Rights::SudoWithPassword: {
            // -k: it asks each time, so that the password never reaches the program in its place.
            // Reserved, so that growing leaves no copy behind.
            QByteArray withPassword;
            withPassword.reserve(m_sudoPassword.size() + 1 + input.size());
            withPassword.append(m_sudoPassword.data(), m_sudoPassword.size());
            withPassword += '\n';
            withPassword += input;
            const Secret wiped(std::move(withPassword));
            return run(QStringList{QStringLiteral("env"), QStringLiteral("LC_ALL=C"), QStringLiteral("sudo"),
                                   QStringLiteral("-k"), QStringLiteral("-S"), QStringLiteral("-p"), QString(),
                                   QStringLiteral("--")} +
                           words,
                       QByteArray::fromRawData(wiped.data(), wiped.size()), deadline);
        }
        case Rights::None:
            break;
    }
    return fail(QStringLiteral("install.no-rights"),
                QStringLiteral("A step needs the rights of root on %1.").arg(m_target.host),
                m_sudoSaid.isEmpty()
                    ? QStringLiteral("%1 is not root there and may not use sudo.").arg(m_facts.userName)
                    : m_sudoSaid,
                QStringLiteral("Log in as root, or as somebody who may use sudo."));
}

Result<RemoteOutput> Installer::asAgent(const QStringList &words, const QByteArray &input) {
    if (m_plan.service != ServiceWay::System)
        return run(words, input);
    return asRoot(
        QStringList{QStringLiteral("runuser"), QStringLiteral("-u"), QStringLiteral("hearth"), QStringLiteral("--")} +
            words,
        input);
}

Result<RemoteOutput> Installer::script(const QByteArray &text, const QStringList &arguments) {
    return run(QStringList{QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(text), QStringLiteral("sh")} +
               arguments);
}

}  // namespace hearth
