// Installing over a real SSH connection, into the home of a user of our own on this machine.
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "attempt.h"

using namespace hearth;

class InstallTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_sshd = std::make_unique<Sshd>();
        m_port = heldPort();
    }
    void cleanup() { m_sshd.reset(); }

    void itInstallsUpdatesAndRemoves() {
        m_sshd->start();
        const QStringList before = m_sshd->homeTree();
        Attempt first = attempt();
        const auto installed = first.install(m_sshd->target());
        QVERIFY2(installed, why(installed));
        QCOMPARE(installed->effect, InstallEffect::NewDevice);
        QCOMPARE(installed->address, QStringLiteral("127.0.0.1:%1").arg(m_port));
        QCOMPARE(first.home.devices.size(), size_t(1));
        QVERIFY(isListening(m_port));
        QCOMPARE(first.person.check(QStringLiteral("service"))->state, CheckState::Warning);
        QVERIFY(first.person.changes.join(QLatin1Char(' ')).contains(QString::number(m_port)));
        // The device trusts this home, by the fingerprint that came through the SSH session.
        const QByteArray trusted = read(QStringLiteral("home/.local/share/hearth/trust.json"));
        QVERIFY2(trusted.contains(first.home.own.fingerprint.toHex().toLatin1()), trusted.constData());
        QVERIFY(trusted.contains("127.0.0.1:47600"));

        Attempt second = attempt();
        second.home.devices = first.home.devices;
        second.options.packagePath = m_sshd->package(QStringLiteral("0.2.0"));
        second.options.agentPort = 0;
        const auto updated = second.install(m_sshd->target());
        QVERIFY2(updated, why(updated));
        QCOMPARE(updated->effect, InstallEffect::NewVersion);
        QCOMPARE(updated->fingerprint, installed->fingerprint);
        QCOMPARE(updated->version, QStringLiteral("0.2.0"));
        QVERIFY(isListening(m_port));
        QVERIFY(!QFile::exists(m_sshd->path(QStringLiteral("home/.local/share/hearth-install/root.old"))));
        QVERIFY(!QFile::exists(m_sshd->path(QStringLiteral("home/.local/share/hearth-install/copy"))));

        const auto removed = second.uninstall(m_sshd->target());
        QVERIFY2(removed, why(removed));
        QTRY_VERIFY_WITH_TIMEOUT(!isListening(m_port), patience);
        QVERIFY(second.home.devices.empty());
        QCOMPARE(second.home.wordsOfRemoval, 1);
        QCOMPARE(withoutFolders(m_sshd->homeTree()), withoutFolders(before));
        QCOMPARE(m_sshd->inside(QStringLiteral("find /tmp -name 'tmp.*'")), QByteArray());

        const auto again = second.uninstall(m_sshd->target());
        QVERIFY(!again);
        QCOMPARE(again.error().code, QStringLiteral("install.nothing-there"));
    }

    void cancellingUndoesEverything_data() {
        QTest::addColumn<InstallStep>("step");
        QTest::newRow("before it logs in") << InstallStep::LogIn;
        QTest::newRow("before it looks") << InstallStep::Inspect;
        QTest::newRow("before consent") << InstallStep::Confirm;
        QTest::newRow("before copying") << InstallStep::Copy;
        QTest::newRow("before unpacking") << InstallStep::Package;
        QTest::newRow("before trust") << InstallStep::Pair;
        QTest::newRow("before the service starts") << InstallStep::Service;
        QTest::newRow("before the device is linked") << InstallStep::Await;
    }

    void cancellingUndoesEverything() {
        QFETCH(InstallStep, step);
        m_sshd->start();
        const QStringList before = m_sshd->homeTree();
        Attempt one = attempt();
        one.person.cancelAt = step;
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.cancelled"));
        QCOMPARE(withoutFolders(m_sshd->homeTree()), withoutFolders(before));
        QVERIFY(one.home.devices.empty());
        QCOMPARE(one.home.wordsOfRemoval, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!isListening(m_port), patience);
        // And what was broken off can be done.
        Attempt two = attempt();
        const auto installed = two.install(m_sshd->target());
        QVERIFY2(installed, why(installed));
    }

    void aLostConnectionIsFinishedByTheNext() {
        m_sshd->start();
        Attempt one = attempt();
        // The session ends while the program is unpacked: nothing can be undone any more.
        m_sshd->fake(QStringLiteral("dpkg-deb"),
                     "[ \"$1\" = -x ] && kill -9 $(cat /proc/$PPID/stat | cut -d' ' -f4); "
                     "exec /usr/bin/dpkg-deb \"$@\"");
        const auto broken = one.install(m_sshd->target());
        QVERIFY(!broken);
        QVERIFY2(broken.error().code == QLatin1String("ssh.lost") ||
                     broken.error().code == QLatin1String("install.not-unpacked"),
                 why(broken));
        QVERIFY(QFile::remove(m_sshd->path(QStringLiteral("fakes/dpkg-deb"))));
        Attempt two = attempt();
        const auto installed = two.install(m_sshd->target());
        QVERIFY2(installed, why(installed));
        QVERIFY(isListening(m_port));
    }

    void aHostIsRememberedAndOneThatChangedIsRefused() {
        m_sshd->start();
        Attempt one = attempt();
        one.person.trustsHost = false;
        auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("ssh.host-key-unknown"));
        QVERIFY(outcome.error().cause.contains(one.person.shown.fingerprint));
        const QByteArray printed = Sshd::run(QStringLiteral("ssh-keygen"),
                                             {QStringLiteral("-lf"), m_sshd->path(QStringLiteral("host_key.pub"))});
        QVERIFY2(printed.contains(one.person.shown.fingerprint.toLatin1()), printed.constData());
        QVERIFY(!QFile::exists(m_sshd->knownHosts()));

        one.person.trustsHost = true;
        one.person.consents = false;
        outcome = one.install(m_sshd->target());
        QCOMPARE(outcome.error().code, QStringLiteral("install.cancelled"));
        QVERIFY(QFile::exists(m_sshd->knownHosts()));

        m_sshd->makeNewHostKey();
        m_sshd->start();
        const SshTarget target = m_sshd->target();
        Attempt two = attempt();
        outcome = two.install(target);
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("ssh.host-key-changed"));
        QVERIFY2(
            outcome.error().advice.contains(
                QStringLiteral("ssh-keygen -R '[127.0.0.1]:%1' -f '%2'").arg(target.port).arg(m_sshd->knownHosts())),
            why(outcome));
        QVERIFY(two.person.asked.empty());

        // Who says which key it must be is asked nothing, and believes no other.
        Attempt three = attempt();
        three.options.hostKey = one.person.shown.fingerprint;
        outcome = three.install(target);
        QCOMPARE(outcome.error().code, QStringLiteral("ssh.host-key-wrong"));
        QVERIFY(outcome.error().cause.contains(one.person.shown.fingerprint));
        QVERIFY(!outcome.error().advice.contains(QStringLiteral("SHA256:")));
    }

    void passwordsAreAskedForThreeTimes() {
        m_sshd->start();
        Attempt one = attempt();
        one.person.passwords = {"wrong", Sshd::password};
        const auto good = one.install(m_sshd->target(false));
        QVERIFY2(good, why(good));
        QCOMPARE(one.person.asked.size(), size_t(2));

        Attempt two = attempt();
        two.person.passwords = {"a", "b", "c", Sshd::password};
        const auto bad = two.install(m_sshd->target(false));
        QVERIFY(!bad);
        QCOMPARE(bad.error().code, QStringLiteral("ssh.not-logged-in"));
        QCOMPARE(two.person.asked.size(), size_t(3));
        QVERIFY(bad.error().advice.contains(QStringLiteral("ssh-copy-id")));

        Attempt three = attempt();
        const auto none = three.install(m_sshd->target(false));
        QVERIFY(!none);
        QVERIFY(none.error().cause.contains(QStringLiteral("no password")));
    }

    void aHostThatIsNotThereIsSaid() {
        Attempt one = attempt();
        SshTarget target = m_sshd->target();
        target.port = heldPort();
        const auto outcome = one.install(target);
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("ssh.unreachable"));
        QVERIFY(!outcome.error().cause.isEmpty() && !outcome.error().advice.isEmpty());
    }

    void whatIsInTheWayIsSaidAndNothingChanges_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("check");
        const auto row = [](const char *name, const char *program, const char *script, const char *check) {
            QTest::newRow(name) << QString::fromLatin1(program) << QByteArray(script) << QString::fromLatin1(check);
        };
        row("no space", "df",
            "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/x 9 8 1 99% /'", "space");
        row("another processor", "dpkg", "echo arm64", "processor");
        row("an old C library", "getconf", "echo glibc 2.28", "libc");
        row("no libraries and no sudo", "dpkg-query", "[ \"$4\" != hearth-agent ] && echo 'libc6 ii '", "libraries");
        row("another system", "uname", "echo FreeBSD", "system");
        row("too little memory", "head",
            "if [ \"$1\" = -n ]; then echo 'MemTotal: 99999 kB'; else exec /usr/bin/head \"$@\"; fi", "memory");
        row("a read-only home", "mktemp", "exit 1", "home");
    }

    void whatIsInTheWayIsSaidAndNothingChanges() {
        QFETCH(QString, program);
        QFETCH(QByteArray, script);
        QFETCH(QString, check);
        m_sshd->fake(program, script);
        m_sshd->start();
        const QStringList before = m_sshd->homeTree();
        Attempt one = attempt();
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.") + check);
        QVERIFY(!outcome.error().cause.isEmpty() && !outcome.error().advice.isEmpty());
        QCOMPARE(one.person.check(check)->state, CheckState::Failed);
        QVERIFY(one.person.changes.isEmpty());
        QCOMPARE(m_sshd->homeTree(), before);
    }

    void aHomeThatReallyIsReadOnlyIsSaid() {
        QFile::setPermissions(m_sshd->home(), QFile::Permissions(0x5555));
        m_sshd->start();
        Attempt one = attempt();
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.home"));
    }

    void aPortThatIsTakenIsSaid() {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost, m_port));
        m_sshd->start();
        Attempt one = attempt();
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.port"));
        QVERIFY(outcome.error().advice.contains(QStringLiteral("--agent-port")));
    }

    void aDamagedCopyIsNoticed() {
        m_sshd->fake(QStringLiteral("sha256sum"), "echo 0000 x");
        m_sshd->start();
        const QStringList before = m_sshd->homeTree();
        Attempt one = attempt();
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.damaged-copy"));
        QCOMPARE(withoutFolders(m_sshd->homeTree()), withoutFolders(before));
    }

    void anAgentThatDoesNotStartIsUndone() {
        m_sshd->fake(QStringLiteral("setsid"), "echo 'no such luck' >>$HOME/.local/share/hearth/agent.log");
        m_sshd->start();
        const QStringList before = m_sshd->homeTree();
        Attempt one = attempt();
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.not-started"));
        QVERIFY2(outcome.error().cause.contains(QStringLiteral("no such luck")), why(outcome));
        QVERIFY(one.person.was(InstallStep::Undo, InstallProgress::State::Done));
        QCOMPARE(withoutFolders(m_sshd->homeTree()), withoutFolders(before));
        QVERIFY(one.home.devices.empty());
    }

    void aDeviceThatCannotBeLinkedStaysInstalled() {
        m_sshd->start();
        Attempt one = attempt();
        one.home.link = fail(QStringLiteral("install.not-linked"), QStringLiteral("x"));
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.not-linked"));
        QVERIFY(isListening(m_port));
        QCOMPARE(one.home.devices.size(), size_t(1));
    }

    void withSudoItUsesApt_data() {
        QTest::addColumn<QByteArray>("sudo");
        QTest::addColumn<QByteArrayList>("passwords");
        const QByteArray skip = "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"";
        QTest::newRow("without a password") << "[ \"$*\" = '-n true' ] && exit 0; " + skip << QByteArrayList();
        QTest::newRow("with one that is asked for twice")
            << QByteArray(
                   "[ \"$1\" = -n ] && exit 1; while [ \"$1\" != -- ]; do [ \"$1\" = -p ] && ask=$2; shift; done; shift; "
                   "for try in 1 2 3; do printf %s \"$ask\" >&2; read -r word || exit 1; "
                   "[ \"$word\" = tell ] && exec \"$@\"; done; exit 1")
            << QByteArrayList{"wrong", "tell"};
    }

    void withSudoItUsesApt() {
        QFETCH(QByteArray, sudo);
        QFETCH(QByteArrayList, passwords);
        m_sshd->fake(QStringLiteral("sudo"), sudo);
        // It fails in its own way, so that the machine keeps its packages.
        const QString log = m_sshd->path(QStringLiteral("home/apt.log"));
        m_sshd->fake(QStringLiteral("apt-get"), "echo \"$@\" >>" + log.toUtf8() +
                                                    "; case \"$*\" in *install*) "
                                                    "echo 'E: Broken packages' >&2; exit 100;; esac");
        m_sshd->start();
        Attempt one = attempt();
        one.person.passwords = passwords;
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.apt-failed"));
        QVERIFY(outcome.error().cause.contains(QStringLiteral("Broken packages")));
        QCOMPARE(one.person.asked.size(), size_t(passwords.size()));
        const QByteArray said = read(QStringLiteral("home/apt.log"));
        // Tried before it is done; and nothing that failed when it was tried has to be undone.
        QVERIFY2(said.contains("-s install -y --no-install-recommends --no-remove /tmp/tmp."), said.constData());
        QVERIFY2(!said.contains("purge"), said.constData());
        QVERIFY(!said.contains("tell"));
        QVERIFY(!QFile::exists(m_sshd->path(QStringLiteral("home/.local/share/hearth-install"))));
    }

    void aSudoPasswordThatNobodyAsksForReachesNobody() {
        // As where it asks no password for this one program.
        m_sshd->fake(QStringLiteral("sudo"),
                     "[ \"$1\" = -n ] && exit 1; while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"");
        const QString log = m_sshd->path(QStringLiteral("home/input.log"));
        m_sshd->fake(QStringLiteral("true"), "cat >>" + log.toUtf8());
        m_sshd->start();
        Attempt one = attempt();
        one.person.passwords = {"tell"};
        one.person.consents = false;
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.cancelled"));
        QCOMPARE(one.person.asked, std::vector{PasswordKind::Sudo});
        QVERIFY(QFile::exists(log));
        QCOMPARE(read(QStringLiteral("home/input.log")), QByteArray());
    }

    void aSudoPasswordThatNobodyKnowsMeansTheHomeFolder() {
        m_sshd->fake(QStringLiteral("sudo"), "exit 1");
        m_sshd->start();
        Attempt one = attempt();
        const auto installed = one.install(m_sshd->target());
        QVERIFY2(installed, why(installed));
        QCOMPARE(one.person.asked, std::vector{PasswordKind::Sudo});
        QVERIFY(
            QFile::exists(m_sshd->path(QStringLiteral("home/.local/share/hearth-install/root/usr/bin/hearth-agent"))));
    }

  private:
    Attempt attempt() const { return Attempt(m_port, QStringLiteral("a \"strange\" $(name)")); }
    QByteArray read(const QString &name) const {
        QFile file(m_sshd->path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<Sshd> m_sshd;
    quint16 m_port = 0;
};

int main(int argc, char **argv) {
    return runOverSshd<InstallTest>(argc, argv);
}
#include "install_test.moc"
