#include "core/install/target_facts.h"

#include <QHash>
#include <QList>
#include <algorithm>

#include "core/base/sentence.h"

namespace hearth {
namespace {

constexpr qsizetype maximumAnswer = 4 << 20;
constexpr qsizetype maximumWord = 256;
constexpr qsizetype maximumRecord = 64 << 10;
constexpr char sectionMark[] = "== ";

/// Printable text of at most one line.
QString word(const QByteArray &bytes) {
    QString text = QString::fromUtf8(bytes.left(maximumWord)).trimmed();
    text.removeIf([](QChar c) { return !c.isPrint(); });
    return text;
}

QByteArray line(const QByteArray &text, qsizetype index) {
    return text.split('\n').value(index).trimmed();
}

QHash<QByteArray, QByteArray> sections(const QByteArray &answer) {
    QHash<QByteArray, QByteArray> found;
    QByteArray name;
    for (const QByteArray &each : answer.split('\n')) {
        if (each.startsWith(sectionMark)) {
            name = each.mid(qstrlen(sectionMark)).trimmed();
            found[name];  // there, also where nothing follows
        } else if (!name.isEmpty()) {
            found[name] += each + '\n';
        }
    }
    return found;
}

qint64 boundedNumber(const QByteArray &text) {
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    return ok && number >= 0 ? number : -1;
}

}  // namespace

QByteArray probeScript() {
    return R"sh(LC_ALL=C; export LC_ALL; exec 2>/dev/null
section() { printf '\n== %s\n' "$1"; }
section hearth-probe
section user; id -u; id -un; printf '%s\n' "$HOME"
section uname; uname -s; uname -m
section os-release; cat /etc/os-release
section libc; getconf GNU_LIBC_VERSION
section architecture; dpkg --print-architecture
section memory; head -n 5 /proc/meminfo
section home-disk; df -Pk "$HOME"
section system-disk; df -Pk /usr
section temporary-disk; df -Pk /tmp
section home-writable; file=$(mktemp -p "$HOME") && rm -f "$file" && echo yes
section systemd; [ -d /run/systemd/system ] && echo yes
section user-manager; systemctl --user show-environment >/dev/null </dev/null && echo yes
section sudo; if command -v sudo >/dev/null; then if sudo -n true </dev/null; then echo free; else echo password; fi; fi
section apt; command -v apt-get
section dpkg; command -v dpkg-deb
section tar; command -v tar && command -v gzip
section clock; date +%s
section installed; dpkg-query -W -f '${Version} ${db:Status-Abbrev}\n' hearth-agent
section record; head -c 65536 "$HOME/.local/share/hearth-install/record.json"
section identity; [ -e "$HOME/.local/share/hearth/key.pem" ] && echo yes
section shell; printf '%s\n' "$SHELL"
section system-service; systemctl is-enabled hearth-agent.service; systemctl is-active hearth-agent.service
section user-service; systemctl --user is-enabled hearth-agent.service; systemctl --user is-active hearth-agent.service
section agents; for folder in "$HOME/.local/share/hearth" /var/lib/hearth; do
  [ -r "$folder/agent.lock" ] && command -v flock >/dev/null && ! flock -n "$folder/agent.lock" true &&
    printf '%s\n' "$folder"; done
section ports; cat /proc/net/tcp /proc/net/tcp6
section end
)sh";
}

Result<TargetFacts> parseFacts(const QByteArray &answer) {
    const auto found = sections(answer.left(maximumAnswer));
    if (!found.contains("hearth-probe") || !found.contains("end")) {
        return fail(QStringLiteral("install.no-answer"), sentence("The device did not answer as a shell does."),
                    sentence("What it said begins with \"%1\".").arg(word(answer.left(60))),
                    sentence("Check that this user has a shell there, and that its profile prints nothing."));
    }
    const auto says = [&](const char *name, const char *what) { return found[name].trimmed() == what; };

    TargetFacts facts;
    facts.userId = static_cast<int>(std::min<qint64>(boundedNumber(line(found["user"], 0)), 0x7fffffff));
    facts.userName = word(line(found["user"], 1));
    facts.home = word(line(found["user"], 2));
    if (!facts.home.startsWith(QLatin1Char('/')))
        facts.home.clear();
    facts.system = word(line(found["uname"], 0));
    facts.machine = word(line(found["uname"], 1));
    facts.architecture = word(line(found["architecture"], 0));
    if (facts.architecture.isEmpty())
        facts.architecture = debianArchitecture(facts.machine);
    facts.osName = osReleaseValue(found["os-release"], "PRETTY_NAME");
    facts.osId = osReleaseValue(found["os-release"], "ID");
    facts.osVersion = osReleaseValue(found["os-release"], "VERSION_ID");
    facts.libc = libcVersion(found["libc"]);
    facts.memoryBytes = memoryTotal(found["memory"]);
    facts.homeFreeBytes = freeBytes(found["home-disk"]);
    facts.systemFreeBytes = freeBytes(found["system-disk"]);
    facts.temporaryFreeBytes = freeBytes(found["temporary-disk"]);
    facts.homeIsWritable = says("home-writable", "yes");
    facts.systemdRuns = says("systemd", "yes");
    facts.userManagerRuns = says("user-manager", "yes");
    facts.hasApt = !found["apt"].trimmed().isEmpty();
    facts.hasDpkg = !found["dpkg"].trimmed().isEmpty();
    facts.hasTar = found["tar"].trimmed().contains('\n');
    facts.sudo = says("sudo", "free")       ? SudoState::Free
                 : says("sudo", "password") ? SudoState::NeedsPassword
                                            : SudoState::None;
    if (const qint64 clock = boundedNumber(found["clock"].trimmed()); clock >= 0)
        facts.clock = clock;
    // "ii" and the like; a package that is only configured ("rc") is not there.
    if (const auto parts = line(found["installed"], 0).split(' '); parts.size() > 1 && parts[1].startsWith("ii"))
        facts.installedVersion = word(parts[0]);
    if (found["record"].size() <= maximumRecord)
        facts.record = found["record"].trimmed();
    facts.hasIdentity = says("identity", "yes");
    facts.loginShell = word(line(found["shell"], 0));
    facts.systemServiceEnabled = line(found["system-service"], 0) == "enabled";
    facts.systemServiceActive = line(found["system-service"], 1) == "active";
    facts.userServiceEnabled = line(found["user-service"], 0) == "enabled";
    facts.userServiceActive = line(found["user-service"], 1) == "active";
    for (const QByteArray &each : found["agents"].split('\n')) {
        if (const QString folder = word(each); !folder.isEmpty() && facts.runningAgents.size() < 2)
            facts.runningAgents << folder;
    }
    facts.listeningPorts = listeningPorts(found["ports"]);
    return facts;
}

bool isDebian12(const TargetFacts &facts) {
    return facts.osId == QLatin1String("debian") && facts.osVersion == QLatin1String("12");
}

QString osReleaseValue(const QByteArray &text, const QByteArray &key) {
    for (const QByteArray &each : text.split('\n')) {
        if (!each.startsWith(key + '='))
            continue;
        QByteArray value = each.mid(key.size() + 1).trimmed();
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
            value = value.sliced(1, value.size() - 2);
        return word(value);
    }
    return {};
}

qint64 memoryTotal(const QByteArray &meminfo) {
    for (const QByteArray &each : meminfo.split('\n')) {
        if (!each.startsWith("MemTotal:"))
            continue;
        const qint64 kibibytes = boundedNumber(each.mid(9).trimmed().split(' ').value(0));
        return kibibytes > 0 && kibibytes < (qint64(1) << 50) ? kibibytes * 1024 : 0;
    }
    return 0;
}

qint64 freeBytes(const QByteArray &df) {
    // Of the POSIX form the fourth number of the last line; a name of the device may have spaces, so count from behind.
    const auto lines = df.trimmed().split('\n');
    const auto words = lines.last().simplified().split(' ');
    const auto percent =
        std::find_if(words.begin(), words.end(), [](const QByteArray &each) { return each.endsWith('%'); });
    if (lines.size() < 2 || percent == words.end() || percent == words.begin())
        return -1;
    const qint64 kibibytes = boundedNumber(*std::prev(percent));
    return kibibytes >= 0 && kibibytes < (qint64(1) << 50) ? kibibytes * 1024 : -1;
}

std::optional<std::pair<int, int>> libcVersion(const QByteArray &text) {
    const auto words = text.trimmed().split(' ');
    if (words.size() != 2 || words[0] != "glibc")
        return std::nullopt;
    const auto parts = words[1].split('.');
    bool majorOk = false, minorOk = false;
    const int major = parts.value(0).toInt(&majorOk), minor = parts.value(1).toInt(&minorOk);
    if (!majorOk || !minorOk || major < 0 || minor < 0)
        return std::nullopt;
    return std::pair(major, minor);
}

QSet<quint16> listeningPorts(const QByteArray &procNetTcp) {
    constexpr char listening[] = "0A";
    QSet<quint16> ports;
    for (const QByteArray &each : procNetTcp.split('\n')) {
        const auto words = each.simplified().split(' ');
        const QByteArray local = words.value(1);
        if (words.value(3) != listening)
            continue;
        bool ok = false;
        const ushort port = local.mid(local.indexOf(':') + 1).toUShort(&ok, 16);
        if (ok && port != 0)
            ports.insert(port);
    }
    return ports;
}

QString debianArchitecture(const QString &machine) {
    static const QHash<QString, QString> names{
        {QStringLiteral("x86_64"), QStringLiteral("amd64")},    {QStringLiteral("aarch64"), QStringLiteral("arm64")},
        {QStringLiteral("armv7l"), QStringLiteral("armhf")},    {QStringLiteral("armv6l"), QStringLiteral("armel")},
        {QStringLiteral("i686"), QStringLiteral("i386")},       {QStringLiteral("ppc64le"), QStringLiteral("ppc64el")},
        {QStringLiteral("riscv64"), QStringLiteral("riscv64")}, {QStringLiteral("s390x"), QStringLiteral("s390x")}};
    return names.value(machine);
}

}  // namespace hearth
