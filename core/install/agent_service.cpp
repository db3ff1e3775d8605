#include "core/install/agent_service.h"

namespace hearth {
namespace {

constexpr quint16 portOfTheUnit = 47600;
const QString unit = QStringLiteral("hearth-agent.service");
const QString dropIn = QStringLiteral("/etc/systemd/system/hearth-agent.service.d");

// Only started where nobody else starts it; a session that ends does not end it.
const QByteArray startAgent = R"sh(log="$2/agent.log"; umask 077
setsid nohup "$1" --state "$2" --listen "$3" >>"$log" 2>&1 </dev/null &)sh";

const QByteArray isThere = R"sh(for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  if "$1" status --state "$2" >/dev/null 2>&1; then exit 0; fi
  sleep 0.5
done
exit 1)sh";

const QByteArray writeUserUnit = R"sh(set -e; umask 022
folder="$HOME/.config/systemd/user"; file="$folder/hearth-agent.service"
if [ -e "$file" ] && ! grep -q 'Written by "hearth install"' "$file"; then
  echo "$file was written by somebody else." >&2; exit 4
fi
mkdir -p "$folder"; cat >"$file.new"; mv "$file.new" "$file")sh";

// The service is again as it was: $1 is "enabled" and $2 "active" where it was that before.
const QByteArray restoreSystemService = R"sh(rm -f "$3/hearth-install.conf"; rmdir "$3" 2>/dev/null
systemctl daemon-reload
[ "$1" = enabled ] || systemctl disable hearth-agent.service 2>/dev/null
if [ "$2" = active ]; then systemctl restart hearth-agent.service
else systemctl stop hearth-agent.service 2>/dev/null; ! systemctl is-active --quiet hearth-agent.service; fi)sh";

const QByteArray removeUserUnit = R"sh(file="$HOME/.config/systemd/user/hearth-agent.service"
if [ -e "$file" ] && ! grep -q 'Written by "hearth install"' "$file"; then exit 0; fi
systemctl --user disable --now hearth-agent.service 2>/dev/null
if systemctl --user is-active --quiet hearth-agent.service; then exit 1; fi
rm -f "$file"
systemctl --user daemon-reload 2>/dev/null
if [ "$1" = linger ]; then loginctl disable-linger 2>/dev/null; fi
true)sh";

// "leave" returns when nobody is left; it fails where none runs.
const QByteArray leave = R"sh([ -x "$1" ] || exit 0
"$1" leave --state "$2" 2>/dev/null
! "$1" status --state "$2" >/dev/null 2>&1)sh";

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

Result<void> AgentService::start() {
    switch (m_of.plan.service) {
        case ServiceWay::System:
            return startOfSystem();
        case ServiceWay::User:
            return startOfUser();
        case ServiceWay::Plain:
            break;
    }
    return startAlone();
}

Result<void> AgentService::startOfSystem() {
    // Only what differs from the package's unit is written.
    const bool isUsual = m_of.plan.agentPort == portOfTheUnit;
    const QByteArray text = "[Service]\nExecStart=\nExecStart=" + m_of.plan.agentProgram.toUtf8() +
                            " --state /var/lib/hearth --group-socket --listen " + listenOn(m_of.plan.agentPort) + '\n';
    const auto done = m_of.there.asRoot(
        {QStringLiteral("sh"), QStringLiteral("-c"),
         QStringLiteral("set -e; file=\"$2/hearth-install.conf\"\n"
                        "if [ \"$3\" = usual ]; then rm -f \"$file\"; "
                        "else mkdir -p \"$2\"; cat >\"$file.new\"; mv \"$file.new\" \"$file\"; fi\n"
                        "systemctl daemon-reload; systemctl enable \"$1\"; systemctl restart "
                        "\"$1\""),
         QStringLiteral("sh"), unit, dropIn, isUsual ? QStringLiteral("usual") : QStringLiteral("own")},
        isUsual ? QByteArray() : text);
    return succeeded(done, {QStringLiteral("install.not-started"),
                            sentence("The service hearth-agent did not start on %1.").arg(m_of.target.host),
                            {},
                            sentence("See \"journalctl -u hearth-agent\" there.")});
}

Result<void> AgentService::startOfUser() {
    const QByteArray text =
        "# Written by \"hearth install\".\n[Unit]\nDescription=Hearth agent\n\n[Service]\nExecStart=" +
        unitWord(m_of.plan.agentProgram) + " --state " + unitWord(m_of.plan.stateDir) + " --listen " +
        listenOn(m_of.plan.agentPort) +
        "\nUMask=0077\nRestart=on-failure\nRestartSec=2\nTimeoutStopSec=30\nKillMode=mixed\n"
        "OOMPolicy=continue\nNoNewPrivileges=yes\n\n[Install]\nWantedBy=default.target\n";
    const auto written =
        m_of.there.run({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(writeUserUnit)}, text);
    if (!written)
        return tl::unexpected(written.error());
    if (written->status != 0) {
        return fail(QStringLiteral("install.no-unit"),
                    sentence("The service of %1 could not be set up on %2.").arg(m_of.facts.userName, m_of.target.host),
                    endOfOutput(*written),
                    sentence("Remove it there, or make ~/.config/systemd/user writable; then try again."));
    }
    // Without lingering the agent ends with the last session of its user.
    const auto lingers = m_of.there.script(
        "if [ -e \"/var/lib/systemd/linger/$(id -un)\" ]; then echo already; "
        "else loginctl enable-linger && echo made; fi",
        {});
    if (!lingers)
        return tl::unexpected(lingers.error());
    const QByteArray said = lingers->output.trimmed();
    if (said == "made") {
        m_of.record.madeLinger = true;
        if (auto saved = m_of.save(); !saved)
            return saved;
    } else if (said != "already") {
        m_of.note(sentence("The agent ends when %1 logs out on %2: lingering could not be turned on. Run \"sudo "
                           "loginctl enable-linger %1\" there.")
                      .arg(m_of.facts.userName, m_of.target.host));
    }
    const auto done = m_of.there.script(
        "systemctl --user daemon-reload && systemctl --user enable \"$1\" && "
        "systemctl --user restart \"$1\"",
        {unit});
    return succeeded(done,
                     {QStringLiteral("install.not-started"),
                      sentence("The service of %1 did not start on %2.").arg(m_of.facts.userName, m_of.target.host),
                      {},
                      sentence("See \"journalctl --user -u hearth-agent\" there.")});
}

Result<void> AgentService::startAlone() {
    // An older one gives way to what was installed just now; where none runs this does nothing.
    const auto left = m_of.there.script(leave, {m_of.plan.agentProgram, m_of.plan.stateDir});
    if (!left)
        return tl::unexpected(left.error());
    const auto done = m_of.there.script(
        startAgent, {m_of.plan.agentProgram, m_of.plan.stateDir, QString::fromLatin1(listenOn(m_of.plan.agentPort))});
    return done ? Result<void>() : tl::unexpected(done.error());
}

RemoteOutput AgentService::lastOfLog() {
    const QStringList journal{QStringLiteral("journalctl"), QStringLiteral("-n"),  QStringLiteral("3"),
                              QStringLiteral("-o"),         QStringLiteral("cat"), QStringLiteral("--no-pager")};
    Result<RemoteOutput> said;
    switch (m_of.plan.service) {
        case ServiceWay::System:
            said = m_of.there.asRoot(journal + QStringList{QStringLiteral("-u"), unit});
            break;
        case ServiceWay::User:
            said = m_of.there.run(journal + QStringList{QStringLiteral("--user"), QStringLiteral("-u"), unit});
            break;
        case ServiceWay::Plain:
            said = m_of.there.run({QStringLiteral("tail"), QStringLiteral("-n"), QStringLiteral("3"),
                                   m_of.plan.stateDir + QStringLiteral("/agent.log")});
            break;
    }
    return said.value_or(RemoteOutput{});
}

Result<void> AgentService::await() {
    const auto done = m_of.there.asAgent({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(isThere),
                                          QStringLiteral("sh"), m_of.plan.agentProgram, m_of.plan.stateDir});
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.not-started"),
                sentence("The agent on %1 was started, and does not answer.").arg(m_of.target.host),
                endOfOutput(lastOfLog()),
                sentence("See its log there, in %1 or by journalctl.").arg(m_of.plan.stateDir));
}

Result<void> AgentService::stop() {
    Result<RemoteOutput> done;
    switch (m_of.plan.service) {
        case ServiceWay::System:
            done =
                m_of.there.asRoot({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(restoreSystemService),
                                   QStringLiteral("sh"), m_of.record.wasEnabled ? QStringLiteral("enabled") : QString(),
                                   m_of.record.wasActive ? QStringLiteral("active") : QString(), dropIn});
            break;
        case ServiceWay::User:
            done = m_of.there.script(removeUserUnit,
                                     {m_of.record.madeLinger ? QStringLiteral("linger") : QStringLiteral("keep")});
            break;
        case ServiceWay::Plain:
            done = m_of.there.script(leave, {m_of.plan.agentProgram, m_of.plan.stateDir});
            break;
    }
    return succeeded(done, {QStringLiteral("install.not-stopped"),
                            sentence("The agent on %1 could not be stopped.").arg(m_of.target.host),
                            {},
                            sentence("End it there, then try again.")});
}

}  // namespace hearth
