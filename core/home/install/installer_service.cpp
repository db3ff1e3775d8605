// The agent as a service of the device: of the system, of a user, or just started.
#include "core/home/install/installer.h"

namespace hearth {
namespace {

constexpr quint16 portOfTheUnit = 47600;
const QString unit = QStringLiteral("hearth-agent.service");
const QString dropIn = QStringLiteral("/etc/systemd/system/hearth-agent.service.d");

// Only started where nobody else starts it; a session that ends does not end it.
const QByteArray start = R"sh(log="$2/agent.log"; umask 077
setsid nohup "$1" --state "$2" --listen "$3" >>"$log" 2>&1 </dev/null &)sh";

const QByteArray isThere = R"sh(for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  if "$1" status --state "$2" >/dev/null 2>&1; then exit 0; fi
  sleep 0.5
done
tail -n 3 "$2/agent.log" >&2 2>/dev/null || true
exit 1)sh";

const QByteArray writeUserUnit = R"sh(set -e; umask 022
folder="$HOME/.config/systemd/user"; mkdir -p "$folder"
cat >"$folder/hearth-agent.service.new"; mv "$folder/hearth-agent.service.new" "$folder/hearth-agent.service")sh";

const QByteArray removeUserUnit = R"sh(systemctl --user disable --now hearth-agent.service 2>/dev/null
rm -f "$HOME/.config/systemd/user/hearth-agent.service"
systemctl --user daemon-reload 2>/dev/null
if [ "$1" = linger ]; then loginctl disable-linger 2>/dev/null; fi
true)sh";

/// A word of a unit file: systemd's own quotes, and nothing that it expands.
QByteArray unitWord(const QString &text) {
    QByteArray word = text.toUtf8();
    word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    return '"' + word + '"';
}

QByteArray listenOn(quint16 port) {
    return QByteArrayLiteral("[::]:") + QByteArray::number(port);
}

}  // namespace

Result<void> Installer::startService() {
    onUndo(InstallStep::Service, [this] { return m_earlier ? Result<void>() : stopService(); });
    Result<void> started;
    switch (m_plan.service) {
        case ServiceWay::System:
            started = startSystemService();
            break;
        case ServiceWay::User:
            started = startUserService();
            break;
        case ServiceWay::Plain:
            started = startPlain();
            break;
    }
    return started ? awaitAgent() : started;
}

Result<void> Installer::startSystemService() {
    if (m_plan.agentPort != portOfTheUnit) {
        const QByteArray text = "[Service]\nExecStart=\nExecStart=" + m_plan.agentProgram.toUtf8() +
                                " --state /var/lib/hearth --group-socket --listen " + listenOn(m_plan.agentPort) + '\n';
        const auto written =
            asRoot({QStringLiteral("sh"), QStringLiteral("-c"),
                    QStringLiteral("mkdir -p \"$1\" && cat >\"$1/hearth-install.conf\""), QStringLiteral("sh"), dropIn},
                   text);
        if (!written)
            return tl::unexpected(written.error());
    }
    const auto done =
        asRoot({QStringLiteral("sh"), QStringLiteral("-c"),
                QStringLiteral("systemctl daemon-reload && systemctl enable \"$1\" && systemctl restart \"$1\""),
                QStringLiteral("sh"), unit});
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.not-started"),
                QStringLiteral("The service hearth-agent did not start on %1.").arg(m_target.host), lastWords(*done),
                QStringLiteral("See \"journalctl -u hearth-agent\" there."));
}

Result<void> Installer::startUserService() {
    const QByteArray text =
        "# Written by \"hearth install\".\n[Unit]\nDescription=Hearth agent\n\n[Service]\nExecStart=" +
        unitWord(m_plan.agentProgram) + " --state " + unitWord(m_plan.stateDir) + " --listen " +
        listenOn(m_plan.agentPort) +
        "\nUMask=0077\nRestart=on-failure\nRestartSec=2\nTimeoutStopSec=30\nKillMode=mixed\n"
        "OOMPolicy=continue\nNoNewPrivileges=yes\n\n[Install]\nWantedBy=default.target\n";
    const auto written = run({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(writeUserUnit)}, text);
    if (!written)
        return tl::unexpected(written.error());
    // Without lingering the agent ends with the last session of its user.
    const auto lingers = script(
        "if [ -e \"/var/lib/systemd/linger/$(id -un)\" ]; then echo already; "
        "else loginctl enable-linger && echo made; fi",
        {});
    if (!lingers)
        return tl::unexpected(lingers.error());
    const QByteArray said = lingers->output.trimmed();
    if (said == "made") {
        m_record.madeLinger = true;
        if (auto saved = saveRecord(); !saved)
            return saved;
    } else if (said != "already") {
        tell(InstallStep::Service, InstallProgress::State::Moving,
             QStringLiteral("The agent will end when %1 logs out there: lingering could not be turned on. %2")
                 .arg(m_facts.userName, lastWords(*lingers)));
    }
    const auto done = script(
        "systemctl --user daemon-reload && systemctl --user enable \"$1\" && "
        "systemctl --user restart \"$1\"",
        {unit});
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.not-started"),
                QStringLiteral("The service of %1 did not start on %2.").arg(m_facts.userName, m_target.host),
                lastWords(*done), QStringLiteral("See \"journalctl --user -u hearth-agent\" there."));
}

Result<void> Installer::startPlain() {
    // An older one gives way to what was installed just now; where none runs this does nothing.
    if (const auto left =
            run({m_plan.agentProgram, QStringLiteral("leave"), QStringLiteral("--state"), m_plan.stateDir});
        !left)
        return tl::unexpected(left.error());
    const auto done =
        script(start, {m_plan.agentProgram, m_plan.stateDir, QString::fromLatin1(listenOn(m_plan.agentPort))});
    return done ? Result<void>() : tl::unexpected(done.error());
}

Result<void> Installer::awaitAgent() {
    const auto done = asAgent({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(isThere),
                               QStringLiteral("sh"), m_plan.agentProgram, m_plan.stateDir});
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.not-started"),
                QStringLiteral("The agent on %1 was started, and does not answer.").arg(m_target.host),
                lastWords(*done), QStringLiteral("See its log there, in %1 or by journalctl.").arg(m_plan.stateDir));
}

Result<void> Installer::stopService() {
    switch (m_plan.service) {
        case ServiceWay::System: {
            const auto done =
                asRoot({QStringLiteral("sh"), QStringLiteral("-c"),
                        QStringLiteral("systemctl disable --now \"$1\"; rm -f \"$2/hearth-install.conf\"; "
                                       "rmdir \"$2\" 2>/dev/null; systemctl daemon-reload"),
                        QStringLiteral("sh"), unit, dropIn});
            return done ? Result<void>() : tl::unexpected(done.error());
        }
        case ServiceWay::User: {
            const auto done =
                script(removeUserUnit, {m_record.madeLinger ? QStringLiteral("linger") : QStringLiteral("keep")});
            return done ? Result<void>() : tl::unexpected(done.error());
        }
        case ServiceWay::Plain:
            break;
    }
    // Fails where none runs any more.
    const auto done = run({m_plan.agentProgram, QStringLiteral("leave"), QStringLiteral("--state"), m_plan.stateDir});
    return done ? Result<void>() : tl::unexpected(done.error());
}

}  // namespace hearth
