// Installing for a whole computer, with the real apt-get and dpkg: as root, below whom all changes vanish afterwards.
#include <QTest>

#include "fakes.h"
#include "sshd.h"

using namespace hearth;

class InstallSystemTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_sshd = std::make_unique<Sshd>();
        m_sshd->allowChangesOfTheSystem();
        m_sshd->start();
        m_port = Sshd::freePort();
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
        QVERIFY(listens());
        const QByteArray log = m_sshd->inside(QStringLiteral("cat /root/systemctl.log"));
        QVERIFY2(log.contains("enable hearth-agent.service"), log.constData());
        const QByteArray trusted = m_sshd->inside(QStringLiteral("cat /var/lib/hearth/trust.json"));
        QVERIFY(trusted.contains(m_home.own.fingerprint.toHex().toLatin1()));

        const auto updated = install(QStringLiteral("0.2.0"));
        QVERIFY2(updated, why(updated));
        QVERIFY(updated->isUpdate);
        QCOMPARE(updated->fingerprint, installed->fingerprint);
        QCOMPARE(package(), QByteArray("0.2.0 ii"));
        QVERIFY(listens());

        FakePerson person;
        const auto removed = Installer(m_sshd->targetAsRoot(), {}, m_home, person).uninstall();
        QVERIFY2(removed, why(removed));
        QVERIFY(!listens());
        QVERIFY(m_home.devices.empty());
        QCOMPARE(package(), QByteArray());
        QCOMPARE(traces(), QByteArray());
        QCOMPARE(m_sshd->inside(QStringLiteral("cat /etc/passwd /etc/group")), accounts);
    }

    void whatFailsIsUndone_data() {
        QTest::addColumn<InstallStep>("step");
        QTest::newRow("before trust") << InstallStep::Pair;
        QTest::newRow("before the service starts") << InstallStep::Service;
        QTest::newRow("before the device is linked") << InstallStep::Await;
    }

    void whatFailsIsUndone() {
        QFETCH(InstallStep, step);
        const QByteArray accounts = m_sshd->inside(QStringLiteral("cat /etc/passwd /etc/group"));
        m_person.cancelAt = step;
        const auto outcome = install(QStringLiteral("0.1.0"));
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.cancelled"));
        QVERIFY(m_person.was(InstallStep::Undo, InstallProgress::State::Done));
        QCOMPARE(package(), QByteArray());
        QCOMPARE(traces(), QByteArray());
        QCOMPARE(m_sshd->inside(QStringLiteral("cat /etc/passwd /etc/group")), accounts);
        QVERIFY(m_home.devices.empty());
        QVERIFY(!listens());
    }

    void aPackageOfTheAdministratorStays() {
        const QString file = m_sshd->path(QStringLiteral("hearth-agent_0.3.0.deb"));
        QVERIFY(QFile::copy(Sshd::package(QStringLiteral("0.3.0")), file));
        m_sshd->inside(QStringLiteral("PATH=%1:$PATH dpkg -i %2 >/dev/null 2>&1")
                           .arg(m_sshd->path(QStringLiteral("fakes")), file));
        const auto installed = install(QStringLiteral("0.2.0"));
        QVERIFY2(installed, why(installed));
        QVERIFY(m_person.changes.join(QLatin1Char(' ')).contains(QStringLiteral("0.3.0 that is there is used")));
        FakePerson person;
        const auto removed = Installer(m_sshd->targetAsRoot(), {}, m_home, person).uninstall();
        QVERIFY2(removed, why(removed));
        QCOMPARE(package(), QByteArray("0.3.0 ii"));
        QVERIFY(!listens());
    }

  private:
    Result<InstallResult> install(const QString &version) {
        InstallOptions options;
        options.packagePath = Sshd::package(version);
        options.agentPort = m_port;
        const auto outcome = Installer(m_sshd->targetAsRoot(), options, m_home, m_person).install();
        m_person.cancelAt.reset();
        return outcome;
    }
    QByteArray package() const {
        return m_sshd
            ->inside(QStringLiteral(
                "dpkg-query -W -f '${Version} ${db:Status-Abbrev}' hearth-agent 2>/dev/null | grep ii || true"))
            .trimmed();
    }
    /// Anything that is called after Hearth, but the diaries of the tools.
    QByteArray traces() const {
        return m_sshd
            ->inside(QStringLiteral("find /etc /usr /var /root -xdev -iname '*hearth*' -not -path '/var/log/*' "
                                    "-not -path '/var/cache/*'"))
            .trimmed();
    }
    bool listens() const {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, m_port);
        return socket.waitForConnected(1000);
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
