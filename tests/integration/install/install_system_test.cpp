// Installing for a whole computer, with the real apt-get and dpkg: as root, below whom all changes vanish afterwards.
#include <QFile>
#include <QTest>

#include "attempt.h"

using namespace hearth;

class InstallSystemTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_sshd = std::make_unique<Sshd>();
        m_sshd->allowChangesOfTheSystem();
        m_sshd->start();
        m_port = heldPort();
        m_home = FakeHome();
        m_person = FakePerson();
    }
    void cleanup() { m_sshd.reset(); }

    void rootGetsAServiceOfTheSystem() {
        const QByteArray accounts = m_sshd->inside(QStringLiteral("cat /etc/passwd /etc/group"));
        const auto installed = install(QStringLiteral("0.1.0"));
        QVERIFY2(installed, why(installed));
        QCOMPARE(package(), QByteArray("0.1.0 ii"));
        QCOMPARE(m_sshd->inside(QStringLiteral("stat -c '%U %a' /var/lib/hearth/key.pem /var/lib/hearth")).trimmed(),
                 QByteArray("hearth 600\nhearth 710"));
        QVERIFY(isListening(m_port));
        const QByteArray log = m_sshd->inside(QStringLiteral("cat /root/systemctl.log"));
        QVERIFY2(log.contains("enable hearth-agent.service"), log.constData());
        const QByteArray trusted = m_sshd->inside(QStringLiteral("cat /var/lib/hearth/trust.json"));
        QVERIFY(trusted.contains(m_home.own.fingerprint.toHex().toLatin1()));

        const auto updated = install(QStringLiteral("0.2.0"));
        QVERIFY2(updated, why(updated));
        QCOMPARE(updated->effect, InstallEffect::NewVersion);
        QCOMPARE(updated->fingerprint, installed->fingerprint);
        QCOMPARE(package(), QByteArray("0.2.0 ii"));
        QVERIFY(isListening(m_port));

        const auto removed = uninstall();
        QVERIFY2(removed, why(removed));
        QVERIFY(!isListening(m_port));
        QVERIFY(m_home.devices.empty());
        QCOMPARE(package(), QByteArray());
        QCOMPARE(traces(), QByteArray());
        QCOMPARE(m_sshd->inside(QStringLiteral("cat /etc/passwd /etc/group")), accounts);
    }

    void anotherPackageOfTheSameVersionIsInstalledAndTheSameOneIsNot() {
        const auto installed = install(QStringLiteral("0.1.0"));
        QVERIFY2(installed, why(installed));
        const auto same = install(QStringLiteral("0.1.0"));
        QVERIFY2(same, why(same));
        QCOMPARE(same->effect, InstallEffect::Nothing);
        QVERIFY(m_person.changes.join(QLatin1Char(' ')).contains(QStringLiteral("0.1.0 that is there is used")));

        const QString tree = m_sshd->path(QStringLiteral("tree")), file = m_sshd->path(QStringLiteral("other.deb"));
        Sshd::run(QStringLiteral("dpkg-deb"), {QStringLiteral("--raw-extract"), Sshd::package(), tree});
        QVERIFY(QFile::copy(QStringLiteral("/etc/hostname"), tree + QStringLiteral("/usr/bin/hearth-extra")));
        Sshd::run(QStringLiteral("dpkg-deb"),
                  {QStringLiteral("-Zgzip"), QStringLiteral("-z1"), QStringLiteral("--root-owner-group"),
                   QStringLiteral("--build"), tree, file});
        const auto other = installFile(file);
        QVERIFY2(other, why(other));
        QCOMPARE(other->effect, InstallEffect::NewVersion);
        QCOMPARE(package(), QByteArray("0.1.0 ii"));
        QVERIFY(!m_sshd->inside(QStringLiteral("ls /usr/bin/hearth-extra")).isEmpty());
        QVERIFY(isListening(m_port));
    }

    void anOlderPackageTakesTheNewerOnesPlaceNot() {
        QVERIFY(install(QStringLiteral("0.2.0")));
        const auto kept = install(QStringLiteral("0.1.0"));
        QVERIFY2(kept, why(kept));
        QCOMPARE(kept->effect, InstallEffect::Nothing);
        QCOMPARE(kept->version, QStringLiteral("0.2.0"));
        QCOMPARE(package(), QByteArray("0.2.0 ii"));
        QVERIFY(!kept->notes.isEmpty());
        QVERIFY(kept->notes.front().contains(QStringLiteral("update this computer")));
    }

    void whatFailsIsUndone_data() {
        QTest::addColumn<InstallStep>("step");
        QTest::newRow("while apt-get works") << InstallStep::Undo;
        QTest::newRow("before trust") << InstallStep::Pair;
        QTest::newRow("before the service starts") << InstallStep::Service;
        QTest::newRow("before the device is linked") << InstallStep::Await;
    }

    void whatFailsIsUndone() {
        QFETCH(InstallStep, step);
        const QByteArray accounts = m_sshd->inside(QStringLiteral("cat /etc/passwd /etc/group"));
        // apt-get is never broken off, and what it has done is undone.
        if (step == InstallStep::Undo)
            m_person.cancelAtText = QStringLiteral("installing it");
        else
            m_person.cancelAt = step;
        const auto outcome = install(QStringLiteral("0.1.0"));
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.cancelled"));
        QVERIFY(m_person.was(InstallStep::Undo, InstallProgress::State::Done));
        QCOMPARE(package(), QByteArray());
        QCOMPARE(traces(), QByteArray());
        QCOMPARE(m_sshd->inside(QStringLiteral("cat /etc/passwd /etc/group")), accounts);
        QVERIFY(m_home.devices.empty());
        QVERIFY(!isListening(m_port));
    }

    void thePackageOfOneThatBrokeOffGoesWithTheNextThatIsCancelled() {
        const auto installed = install(QStringLiteral("0.1.0"));
        QVERIFY2(installed, why(installed));
        // As where the connection was lost before the end.
        m_sshd->inside(
            QStringLiteral("sed -i 's/\"complete\": true/\"complete\": false/' "
                           "$(find /root -path '*/hearth-install/record.json')"));
        m_person = FakePerson();
        m_person.cancelAt = InstallStep::Await;
        const auto outcome = install(QStringLiteral("0.1.0"));
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.cancelled"));
        QVERIFY(m_person.was(InstallStep::Undo, InstallProgress::State::Done));
        QCOMPARE(package(), QByteArray());
        QCOMPARE(traces(), QByteArray());
        QVERIFY(!isListening(m_port));
    }

    void whatOneThatBrokeOffHadCopiedGoes_data() {
        QTest::addColumn<bool>("removes");
        QTest::newRow("with the next installation") << false;
        QTest::newRow("with its removal") << true;
    }

    void whatOneThatBrokeOffHadCopiedGoes() {
        QFETCH(bool, removes);
        const auto installed = install(QStringLiteral("0.1.0"));
        QVERIFY2(installed, why(installed));
        const QString record = QStringLiteral("$(find /root -path '*/hearth-install/record.json')");
        QVERIFY(!m_sshd->inside(QStringLiteral("cat ") + record).contains("\"copy\""));
        m_sshd->inside(QStringLiteral("mkdir -m 700 /tmp/tmp.left0; echo x >/tmp/tmp.left0/package.deb; sed -i "
                                      "'s|\"complete\": true|\"complete\": false, \"copy\": \"/tmp/tmp.left0\"|' ") +
                       record);
        QVERIFY(m_sshd->inside(QStringLiteral("cat ") + record).contains("/tmp/tmp.left0"));
        const auto next = removes ? uninstall() : install(QStringLiteral("0.1.0"));
        QVERIFY2(next, why(next));
        QCOMPARE(m_sshd->inside(QStringLiteral("find /tmp -name 'tmp.*'")), QByteArray());
    }

    void aPackageOfTheAdministratorStays_data() {
        QTest::addColumn<bool>("runs");
        QTest::newRow("which nobody uses") << false;
        QTest::newRow("whose service runs") << true;
    }

    void aPackageOfTheAdministratorStays() {
        QFETCH(bool, runs);
        installByHand(QStringLiteral("0.3.0"));
        if (runs) {
            m_sshd->inside(
                QStringLiteral(
                    "%1; folder=/etc/systemd/system/hearth-agent.service.d; mkdir -p $folder; printf "
                    "'[Service]\\nExecStart=\\nExecStart=/usr/bin/hearth-agent --state /var/lib/hearth --listen "
                    "127.0.0.1:%2\\n' >$folder/00-own.conf; install -d -m 0710 -o hearth -g hearth /var/lib/hearth; "
                    "systemctl enable hearth-agent.service; systemctl restart hearth-agent.service; "
                    "until [ -S /var/lib/hearth/agent.sock ]; do sleep 0.1; done")
                    .arg(asRoot())
                    .arg(heldPort()));
        }
        const auto installed = install(QStringLiteral("0.2.0"));
        QVERIFY2(installed, why(installed));
        QVERIFY(m_person.changes.join(QLatin1Char(' ')).contains(QStringLiteral("0.3.0 that is there is used")));
        QVERIFY(isListening(m_port));
        const auto removed = uninstall();
        QVERIFY2(removed, why(removed));
        QCOMPARE(package(), QByteArray("0.3.0 ii"));
        QVERIFY(!isListening(m_port));
        QCOMPARE(m_sshd->inside(QStringLiteral("ls /run")).contains("agent.pid"), runs);
        QCOMPARE(m_sshd->inside(QStringLiteral("ls /run")).contains("enabled"), runs);
        const QByteArray trusted = m_sshd->inside(QStringLiteral("cat /var/lib/hearth/trust.json 2>/dev/null || true"));
        QVERIFY(!trusted.contains(m_home.own.fingerprint.toHex().toLatin1()));
    }

    void aKeyThatOutlivedItsPackageStays() {
        installByHand(QStringLiteral("0.3.0"));
        m_sshd->inside(QStringLiteral("install -d -m 0710 -o hearth -g hearth /var/lib/hearth; runuser -u hearth -- "
                                      "hearth-agent init --state /var/lib/hearth >/dev/null; %1; dpkg -r hearth-agent "
                                      ">/dev/null 2>&1")
                           .arg(asRoot()));
        const QByteArray key = m_sshd->inside(QStringLiteral("cat /var/lib/hearth/key.pem"));
        QCOMPARE(package(), QByteArray());
        m_person.cancelAt = InstallStep::Await;
        QVERIFY(!install(QStringLiteral("0.1.0")));
        QCOMPARE(m_sshd->inside(QStringLiteral("cat /var/lib/hearth/key.pem")), key);
        m_person = FakePerson();
        const auto installed = install(QStringLiteral("0.1.0"));
        QVERIFY2(installed, why(installed));
        const auto removed = uninstall();
        QVERIFY2(removed, why(removed));
        QCOMPARE(package(), QByteArray());
        QCOMPARE(m_sshd->inside(QStringLiteral("cat /var/lib/hearth/key.pem")), key);
    }

    void whatRootInstallsNobodyElseCanChange() {
        // A sudo, and an apt-get that tells whose the files are that it gets.
        m_sshd->inside(QStringLiteral("install -m 4755 /usr/bin/setpriv /usr/local/bin/elevate"));
        m_sshd->fake(QStringLiteral("sudo"),
                     "[ \"$*\" = '-n true' ] && exit 0; while [ \"$1\" != -- ]; do shift; done; shift; "
                     "exec /usr/local/bin/elevate --reuid 0 --regid 0 --clear-groups \"$@\"");
        m_sshd->fake(QStringLiteral("apt-get"),
                     "{ for word; do case $word in /tmp/*) stat -c '%U' \"$word\" \"${word%/*}\" "
                     ";; esac; done; } >>/root/apt.owners; "
                     "[ \"$1\" = -s ] || exit 100");
        InstallOptions options;
        options.packagePath = Sshd::package();
        options.agentPort = m_port;
        const auto outcome = Installer(m_sshd->target(), options, m_home, m_person).install();
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.apt-failed"));
        const QByteArrayList owners = m_sshd->inside(QStringLiteral("cat /root/apt.owners")).trimmed().split('\n');
        QVERIFY(owners.size() >= 4);
        QCOMPARE(owners.count("root"), owners.size());
        QCOMPARE(m_sshd->inside(QStringLiteral("find /tmp -name 'tmp.*'")), QByteArray());
    }

    void aPersonCalledHearthIsLeftAlone() {
        m_sshd->inside(QStringLiteral("echo 'hearth:x:1500:1500::/home/hearth:/bin/sh' >>/etc/passwd"));
        const auto outcome = install(QStringLiteral("0.1.0"));
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.apt-failed"));
        QVERIFY2(outcome.error().cause.contains(QStringLiteral("user \"hearth\" already whose home")), why(outcome));
        QVERIFY(m_person.was(InstallStep::Undo, InstallProgress::State::Done));
        QCOMPARE(package(), QByteArray());
        QVERIFY(m_sshd->inside(QStringLiteral("cat /etc/passwd")).contains("hearth:x:1500:"));
    }

    void whatNeedsThePackageKeepsIt() {
        const auto installed = install(QStringLiteral("0.1.0"));
        QVERIFY2(installed, why(installed));
        // As somebody would who installs the window later.
        m_sshd->inside(
            QStringLiteral("%1; mkdir -p /root/w/DEBIAN; printf 'Package: window\\nVersion: 1\\nArchitecture: all\\n"
                           "Maintainer: X <x@hearth.invalid>\\nDepends: hearth-agent\\nDescription: x\\n' "
                           ">/root/w/DEBIAN/control; dpkg-deb -b /root/w /root/w.deb >/dev/null; "
                           "dpkg -i /root/w.deb >/dev/null 2>&1")
                .arg(asRoot()));
        const auto outcome = uninstall();
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.still-needed"));
        QVERIFY(outcome.error().cause.contains(QStringLiteral("window")));
        QVERIFY(isListening(m_port));
        m_sshd->inside(QStringLiteral("%1; dpkg -P window >/dev/null 2>&1").arg(asRoot()));
        const auto removed = uninstall();
        QVERIFY2(removed, why(removed));
    }

  private:
    Result<InstallResult> install(const QString &version) { return installFile(Sshd::package(version)); }
    Result<InstallResult> installFile(const QString &file) {
        InstallOptions options;
        options.packagePath = file;
        options.agentPort = m_port;
        const auto outcome = Installer(m_sshd->targetAsRoot(), options, m_home, m_person).install();
        m_person.cancelAt.reset();
        return outcome;
    }
    Result<InstallResult> uninstall() {
        FakePerson person;
        return Installer(m_sshd->targetAsRoot(), {}, m_home, person).uninstall();
    }
    /// For scripts that run what maintainers' scripts of packages run.
    QString asRoot() const { return QStringLiteral("PATH=%1:$PATH").arg(m_sshd->path(QStringLiteral("fakes"))); }
    void installByHand(const QString &version) const {
        const QString file = m_sshd->path(QStringLiteral("hearth-agent_%1.deb").arg(version));
        QVERIFY(QFile::copy(Sshd::package(version), file));
        m_sshd->inside(QStringLiteral("%1 dpkg -i %2 >/dev/null 2>&1").arg(asRoot(), file));
    }
    QByteArray package() const {
        return m_sshd
            ->inside(QStringLiteral(
                "dpkg-query -W -f '${Version} ${db:Status-Abbrev}' hearth-agent 2>/dev/null | grep ii || true"))
            .trimmed();
    }
    /// What was written that is called after Hearth, but the diaries of the tools. Character devices stand for what was
    /// removed.
    QByteArray traces() const {
        return m_sshd
            ->inside(QStringLiteral("cd %1; find etc usr var /root -iname '*hearth*' ! -type c "
                                    "-not -path '*/upper/log/*' -not -path '*/upper/cache/*' -print")
                         .arg(m_sshd->path(QStringLiteral("layers"))))
            .trimmed();
    }

    std::unique_ptr<Sshd> m_sshd;
    FakePerson m_person;
    FakeHome m_home;
    quint16 m_port = 0;
};

int main(int argc, char **argv) {
    return runOverSshd<InstallSystemTest>(argc, argv);
}
#include "install_system_test.moc"
