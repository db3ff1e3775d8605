#include "core/install/remote_programs.h"

#include <QRandomGenerator>

namespace hearth {
namespace {

/// Not to be met by chance, nor known before.
QByteArray marker(const char *what) {
    return QByteArrayLiteral("hearth-") + what + '-' +
           QByteArray::number(QRandomGenerator::system()->generate64(), 16) + ':';
}

}  // namespace

Result<RemoteOutput> RemotePrograms::run(const QStringList &words, const QByteArray &input,
                                         std::chrono::milliseconds deadline) {
    return m_host->run(words, input, deadline);
}

Result<RemoteCommand> RemotePrograms::rootCommand(const QStringList &words) {
    switch (m_plan.rights) {
        case Rights::Root:
            return RemoteCommand(words);
        case Rights::Sudo:
            return RemoteCommand(QStringList{QStringLiteral("sudo"), QStringLiteral("-n"), QStringLiteral("--")} +
                                 words);
        case Rights::SudoWithPassword: {
            // -k: it asks each time. Where sudo asks for no password after all, the program must not get it in its
            // place, so that each is sent when it is asked for: the password at the prompt, the input when sh runs.
            const QByteArray prompt = marker("password"), begun = marker("begun");
            RemoteCommand command(QStringList{QStringLiteral("env"), QStringLiteral("LC_ALL=C"), QStringLiteral("sudo"),
                                              QStringLiteral("-k"), QStringLiteral("-S"), QStringLiteral("-p"),
                                              QString::fromLatin1(prompt), QStringLiteral("--"), QStringLiteral("sh"),
                                              QStringLiteral("-c"), QStringLiteral("printf %s \"$0\" >&2; exec \"$@\""),
                                              QString::fromLatin1(begun)} +
                                  words);
            command.password = &m_sudoPassword;
            command.prompt = prompt;
            command.begun = begun;
            return command;
        }
        case Rights::None:
            break;
    }
    return fail(QStringLiteral("install.no-rights"),
                sentence("A step needs the rights of root on %1.").arg(m_target.host),
                m_sudoSaid.isEmpty() ? sentence("%1 is not root there and may not use sudo.").arg(m_facts.userName)
                                     : m_sudoSaid,
                sentence("Log in as root, or as somebody who may use sudo."));
}

Result<RemoteOutput> RemotePrograms::asRoot(const QStringList &words, const QByteArray &input,
                                            std::chrono::milliseconds deadline) {
    const auto command = rootCommand(words);
    return command ? m_host->run(*command, input, deadline) : tl::unexpected(command.error());
}

Result<RemoteCommand> RemotePrograms::packageCommand(const QStringList &words) {
    const bool isRoots = m_plan.package == PackageWay::Apt && m_plan.rights != Rights::None;
    return isRoots ? rootCommand(words) : RemoteCommand(words);
}

Result<RemoteOutput> RemotePrograms::asPackager(const QStringList &words) {
    const auto command = packageCommand(words);
    return command ? m_host->run(*command) : tl::unexpected(command.error());
}

Result<RemoteOutput> RemotePrograms::asAgent(const QStringList &words, const QByteArray &input) {
    if (m_plan.service != ServiceWay::System)
        return run(words, input);
    return asRoot(
        QStringList{QStringLiteral("runuser"), QStringLiteral("-u"), QStringLiteral("hearth"), QStringLiteral("--")} +
            words,
        input);
}

Result<RemoteOutput> RemotePrograms::script(const QByteArray &text, const QStringList &arguments) {
    return run(QStringList{QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(text), QStringLiteral("sh")} +
               arguments);
}

}  // namespace hearth
