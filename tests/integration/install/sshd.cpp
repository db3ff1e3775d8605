#include "sshd.h"

#include <unistd.h>
#include <QDeadlineTimer>
#include <QDirIterator>
#include <QStandardPaths>
#include <QTest>

namespace hearth {
namespace {

constexpr int slow = 60'000;
constexpr int uid = 64123;  // nobody's on a Debian

// Private copies over the machine's files, seen by nobody else.
const char enterScript[] = R"sh(set -e
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir /run/sshd /run/own
# Temporary files of nobody else: this server's folder comes back where it was.
mount --bind "$0" /run/own
mount -t tmpfs tmpfs /tmp
mkdir -p "$0"
mount --move /run/own "$0"
if [ "$1" = system ]; then
  mkdir -p "$0/layers" /run/systemd/system
  mount -t tmpfs tmpfs "$0/layers"
  # What this machine's root runs at each login would run at each command.
  mount -t tmpfs -o mode=0700 tmpfs /root
  for name in etc usr var; do
    mkdir -p "$0/layers/$name/upper" "$0/layers/$name/work"
    mount -t overlay overlay -o "lowerdir=/$name,upperdir=$0/layers/$name/upper,workdir=$0/layers/$name/work" "/$name"
  done
  for name in passwd group shadow; do cat "$0/$name" >"/etc/$name"; done
  # What could be downloaded is nothing to these packages, and takes apt seconds to read.
  mount -t tmpfs tmpfs /var/lib/apt/lists
else
  if [ "$1" = services ]; then mkdir -p /run/systemd/system; fi
  for name in passwd group shadow; do mount --bind "$0/$name" "/etc/$name"; done
fi
exec /usr/sbin/sshd -D -e -f "$0/sshd_config")sh";

// A systemd of the user who logs in, for the one service.
const char userSystemctlScript[] = R"sh(unit="$HOME/.config/systemd/user/hearth-agent.service"
stop() {
  [ -e /tmp/user.pid ] || return 0
  pid=$(cat /tmp/user.pid); kill "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  rm -f /tmp/user.pid
}
case " $* " in
  *" show-environment "*) exit 0 ;;
  *" is-active "*) if [ -e /tmp/user.pid ]; then echo active; else echo inactive; exit 3; fi ;;
  *" is-enabled "*) if [ -e /tmp/user.enabled ]; then echo enabled; else exit 1; fi ;;
  *" disable --now "*) rm -f /tmp/user.enabled; stop ;;
  *" enable "*) touch /tmp/user.enabled ;;
  *" restart "*) stop
    eval "setsid $(sed -n 's/^ExecStart=//p' "$unit") >/tmp/user.log 2>&1 </dev/null &"
    echo $! >/tmp/user.pid ;;
esac)sh";

}  // namespace

QString missingForSshd() {
    if (::geteuid() != 0)
        return QStringLiteral("root");
    for (const char *program : {"/usr/sbin/sshd", "/usr/bin/unshare", "/usr/bin/ssh-keygen", "/usr/bin/dpkg-deb"}) {
        if (!QFile::exists(QLatin1String(program)))
            return QLatin1String(program);
    }
    QProcess probe;
    probe.start(QStringLiteral("unshare"),
                {QStringLiteral("--mount"), QStringLiteral("--pid"), QStringLiteral("--fork"), QStringLiteral("mount"),
                 QStringLiteral("-t"), QStringLiteral("proc"), QStringLiteral("proc"), QStringLiteral("/proc")});
    return probe.waitForFinished(slow) && probe.exitCode() == 0 ? QString() : QStringLiteral("namespaces");
}

QByteArray Sshd::run(const QString &program, const QStringList &words, const QByteArray &input) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, words);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(slow) || process.exitCode() != 0)
        qFatal("%s failed: %s", qPrintable(program), process.readAll().constData());
    return process.readAll();
}

void Sshd::writeFile(const QString &path, const QByteArray &content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", qPrintable(path));
}

Sshd::Sshd() {
    QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7755));
    for (const char *name : {"home", "fakes", "ssh"})
        QDir().mkpath(path(QLatin1String(name)));
    QFile::setPermissions(path(QStringLiteral("ssh")), QFile::Permissions(0x7700));
    if (::chown(QFile::encodeName(home()).constData(), uid, uid) != 0)
        qFatal("chown failed");
    makeNewHostKey();
    run(QStringLiteral("ssh-keygen"),
        {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"), QStringLiteral("-N"), QString(),
         QStringLiteral("-f"), path(QStringLiteral("ssh/id_ed25519"))});
    QFile::copy(path(QStringLiteral("ssh/id_ed25519.pub")), path(QStringLiteral("authorized_keys")));
    writeAccounts();
    m_port = heldPort();
    write(QStringLiteral("sshd_config"),
          QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2/host_key\nPidFile none\nUsePAM no\n"
                         "StrictModes no\nPasswordAuthentication yes\nKbdInteractiveAuthentication no\n"
                         "AuthorizedKeysFile %2/authorized_keys\nPrintMotd no\n"
                         "SetEnv PATH=%2/fakes:/usr/sbin:/usr/bin:/sbin:/bin\nMaxStartups 100\n")
              .arg(QString::number(m_port), m_folder.path())
              .toUtf8());
}

Sshd::~Sshd() {
    m_process.kill();
    m_process.waitForFinished(slow);
}

void Sshd::writeAccounts() {
    const QByteArray hash =
        run(QStringLiteral("openssl"), {QStringLiteral("passwd"), QStringLiteral("-6"), QLatin1String(password)})
            .trimmed();
    const std::pair<const char *, QByteArray> lines[] = {
        {"passwd", QByteArray(user) + ":x:64123:64123::" + home().toUtf8() + ":/bin/sh\n"},
        {"group", QByteArray(user) + ":x:64123:\n"},
        {"shadow", QByteArray(user) + ':' + hash + ":19000:0:99999:7:::\n"}};
    for (const auto &[name, line] : lines) {
        QFile file(QStringLiteral("/etc/") + QLatin1String(name));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("/etc/%s cannot be read", name);
        write(QLatin1String(name), file.readAll() + line);
    }
}

void Sshd::makeNewHostKey() {
    QFile::remove(path(QStringLiteral("host_key")));
    run(QStringLiteral("ssh-keygen"),
        {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"), QStringLiteral("-N"), QString(),
         QStringLiteral("-f"), path(QStringLiteral("host_key"))});
}

void Sshd::allowChangesOfTheSystem() {
    m_mode = QStringLiteral("system");
    QFile played(QStringLiteral(HEARTH_SOURCE_DIR "/tests/lab/hearthlab/walk/systemctl"));
    if (!played.open(QIODevice::ReadOnly))
        qFatal("there is no systemctl to play");
    fake(QStringLiteral("systemctl"), played.readAll());
}

void Sshd::allowServicesOfUsers() {
    m_mode = QStringLiteral("services");
    fake(QStringLiteral("systemctl"), userSystemctlScript);
    fake(QStringLiteral("loginctl"), "echo \"$@\" >>/tmp/loginctl.log");
}

void Sshd::start() {
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished(slow);
    }
    m_process.setStandardErrorFile(path(QStringLiteral("sshd.log")));
    // It ends with this program, also where that crashes.
    m_process.start(
        QStringLiteral("setpriv"),
        {QStringLiteral("--pdeathsig"), QStringLiteral("KILL"), QStringLiteral("unshare"), QStringLiteral("--mount"),
         QStringLiteral("--pid"), QStringLiteral("--fork"), QStringLiteral("--kill-child"), QStringLiteral("sh"),
         QStringLiteral("-c"), QLatin1String(enterScript), m_folder.path(), m_mode});
    const auto answers = [this] {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, m_port);
        return socket.waitForConnected(1000) && socket.waitForReadyRead(1000);
    };
    if (!QTest::qWaitFor(answers, slow))
        qFatal("sshd does not answer");
}

SshTarget Sshd::target(bool withKey) const {
    SshTarget target;
    target.user = QLatin1String(user);
    target.host = QStringLiteral("127.0.0.1");
    target.port = m_port;
    target.sshFolder = path(QStringLiteral("ssh"));
    if (!withKey)
        QFile::remove(path(QStringLiteral("ssh/id_ed25519")));
    return target;
}

SshTarget Sshd::targetAsRoot() const {
    SshTarget root = target();
    root.user = QStringLiteral("root");
    return root;
}

void Sshd::fake(const QString &program, const QByteArray &script) {
    const QString name = QStringLiteral("fakes/") + program;
    write(name, "#!/bin/sh\n" + script + '\n');
    QFile::setPermissions(path(name), QFile::Permissions(0x7755));
}

QString Sshd::package(const QString &version) {
    static const QTemporaryDir folder;  // each is made once
    const QString file = folder.filePath(QStringLiteral("hearth-agent_%1.deb").arg(version));
    if (QFile::exists(file))
        return file;
    const QString tree = folder.filePath(version);
    const QString from = QStringLiteral(HEARTH_SOURCE_DIR "/resources/packages/agent/");
    for (const char *name :
         {"/DEBIAN", "/usr/bin", "/usr/libexec/hearth", "/usr/lib/sysusers.d", "/usr/lib/systemd/system"})
        QDir().mkpath(tree + QLatin1String(name));
    // The worker would bring all of LibTorch; here it has only to be a program whose libraries are there.
    const QString agent = qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth-agent");
    for (const char *name : {"/usr/bin/hearth-agent", "/usr/libexec/hearth/hearth-worker"})
        run(QStringLiteral("strip"), {QStringLiteral("-o"), tree + QLatin1String(name), agent});
    for (const char *name : {"postinst", "prerm", "postrm"})
        QFile::copy(from + QLatin1String(name), tree + QStringLiteral("/DEBIAN/") + QLatin1String(name));
    QFile::copy(from + QStringLiteral("sysusers.conf"), tree + QStringLiteral("/usr/lib/sysusers.d/hearth-agent.conf"));
    QFile unit(from + QStringLiteral("system.service.in"));
    if (!unit.open(QIODevice::ReadOnly))
        qFatal("there is no unit");
    writeFile(tree + QStringLiteral("/usr/lib/systemd/system/hearth-agent.service"),
              unit.readAll().replace("@HEARTH_BINDIR@", "/usr/bin"));
    const QByteArray architecture = run(QStringLiteral("dpkg"), {QStringLiteral("--print-architecture")}).trimmed();
    writeFile(tree + QStringLiteral("/DEBIAN/control"),
              "Package: hearth-agent\nVersion: " + version.toUtf8() + "\nArchitecture: " + architecture +
                  "\nMaintainer: Hearth <x@hearth.invalid>\nInstalled-Size: 4000\n"
                  "Depends: libc6 (>= 2.36), libqt6network6\nDescription: test\n");
    run(QStringLiteral("dpkg-deb"), {QStringLiteral("-Zgzip"), QStringLiteral("-z1"),
                                     QStringLiteral("--root-owner-group"), QStringLiteral("--build"), tree, file});
    return file;
}

QString Sshd::bundle(const QString &version) {
    static const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("hearth-agent-bundle_%1.tar.gz").arg(version));
    if (QFile::exists(file))
        return file;
    const QString tree = folder.filePath(version);
    const QByteArray architecture = run(QStringLiteral("dpkg"), {QStringLiteral("--print-architecture")}).trimmed();
    QDir().mkpath(tree);
    run(QStringLiteral("dpkg-deb"), {QStringLiteral("-x"), package(version), tree});
    writeFile(tree + QStringLiteral("/control"), "Package: hearth-agent\nVersion: " + version.toUtf8() +
                                                     "\nArchitecture: " + architecture + "\nInstalled-Size: 4000\n");
    run(QStringLiteral("tar"),
        {QStringLiteral("-czf"), file, QStringLiteral("-C"), tree, QStringLiteral("control"), QStringLiteral("usr")});
    return file;
}

QStringList Sshd::homeTree() const {
    QStringList tree;
    for (QDirIterator at(home(), QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
         at.hasNext();) {
        const QFileInfo info(at.next());
        tree << QStringLiteral("%1 %2")
                    .arg(QDir(home()).relativeFilePath(info.filePath()))
                    .arg(info.isFile() ? info.size() : -1);
    }
    tree.sort();
    return tree;
}

QByteArray Sshd::enter(const QStringList &words) const {
    // The first process in there is the child of unshare.
    const QByteArray child =
        run(QStringLiteral("cat"), {QStringLiteral("/proc/%1/task/%1/children").arg(m_process.processId())}).trimmed();
    return run(QStringLiteral("nsenter"), QStringList{QStringLiteral("--target"), QString::fromLatin1(child),
                                                      QStringLiteral("--mount"), QStringLiteral("--pid")} +
                                              words);
}

QByteArray Sshd::inside(const QString &script) const {
    return enter({QStringLiteral("sh"), QStringLiteral("-c"), script});
}

QByteArray Sshd::insideAsUser(const QString &script) const {
    return enter({QStringLiteral("runuser"), QStringLiteral("-u"), QLatin1String(user), QStringLiteral("--"),
                  QStringLiteral("env"), QStringLiteral("HOME=") + home(), QStringLiteral("sh"), QStringLiteral("-c"),
                  script});
}

}  // namespace hearth
