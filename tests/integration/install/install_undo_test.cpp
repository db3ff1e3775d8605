// What was there before an installation is there after one that failed, was cancelled or was removed.
#include <QJsonDocument>
#include <QTest>

#include "attempt.h"

using namespace hearth;

class InstallUndoTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_sshd = std::make_unique<Sshd>();
        m_port = heldPort();
    }
    void cleanup() { m_sshd.reset(); }

    void anUpdateThatFailsChangesNothing_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<std::optional<InstallStep>>("cancelAt");
        QTest::addColumn<bool>("otherPort");
        const auto fails = [](const char *name, const char *program, const char *script) {
            QTest::newRow(name) << QString::fromLatin1(program) << QByteArray(script) << std::optional<InstallStep>()
                                << false;
        };
        const auto ends = [](const char *name, InstallStep step, bool otherPort = false) {
            QTest::newRow(name) << QString() << QByteArray() << std::optional(step) << otherPort;
        };
        fails("no space is left while it is unpacked", "dpkg-deb",
              "/usr/bin/dpkg-deb \"$@\"; echo 'No space left on device' >&2; exit 2");
        fails("the new one needs a library that is not there", "ldd", "echo 'libnew.so.1 => not found'");
        ends("the person cancels before it is unpacked", InstallStep::Package);
        ends("the person cancels before trust", InstallStep::Pair);
        ends("the person cancels before the service starts", InstallStep::Service);
        ends("the person cancels before the device is linked", InstallStep::Await);
        ends("the person cancels when it runs at another port", InstallStep::Await, true);
    }

    void anUpdateThatFailsChangesNothing() {
        QFETCH(QString, program);
        QFETCH(QByteArray, script);
        QFETCH(std::optional<InstallStep>, cancelAt);
        QFETCH(bool, otherPort);
        m_sshd->start();
        Attempt first(m_port);
        const auto installed = first.install(m_sshd->target());
        QVERIFY2(installed, why(installed));
        const QByteArray record = read(QStringLiteral("hearth-install/record.json"));
        const QByteArray agent =
            m_sshd->inside(QStringLiteral("stat -c '%i %s' %1/.local/share/hearth-install/root/usr/bin/hearth-agent")
                               .arg(m_sshd->home()));

        if (!program.isEmpty())
            m_sshd->fake(program, script);
        Attempt second(otherPort ? heldPort() : m_port, {}, QStringLiteral("0.2.0"));
        second.home.devices = first.home.devices;
        second.person.cancelAt = cancelAt;
        const auto outcome = second.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code,
                 cancelAt ? QStringLiteral("install.cancelled") : QStringLiteral("install.not-unpacked"));
        QVERIFY(second.person.was(InstallStep::Undo, InstallProgress::State::Done));
        QCOMPARE(read(QStringLiteral("hearth-install/record.json")), record);
        QCOMPARE(
            m_sshd->inside(QStringLiteral("stat -c '%i %s' %1/.local/share/hearth-install/root/usr/bin/hearth-agent")
                               .arg(m_sshd->home())),
            agent);
        QTRY_VERIFY_WITH_TIMEOUT(isListening(m_port), patience);
        QVERIFY(!otherPort || !isListening(second.options.agentPort));
        QCOMPARE(second.home.devices.size(), size_t(1));
        // And it can still be updated, and removed.
        if (!program.isEmpty())
            QVERIFY(QFile::remove(m_sshd->path(QStringLiteral("fakes/") + program)));
        Attempt third(m_port, {}, QStringLiteral("0.2.0"));
        third.home.devices = first.home.devices;
        const auto updated = third.install(m_sshd->target());
        QVERIFY2(updated, why(updated));
        QCOMPARE(updated->effect, InstallEffect::NewVersion);
    }

    void anAgentThatHadAKeyKeepsItAndItsNameAndTrust_data() {
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("when the installation is cancelled") << true;
        QTest::newRow("when it is removed") << false;
    }

    void anAgentThatHadAKeyKeepsItAndItsNameAndTrust() {
        QFETCH(bool, cancelled);
        m_sshd->start();
        m_sshd->insideAsUser(QStringLiteral("%1/hearth-agent init --name 'old name' >/dev/null").arg(programs()));
        const QByteArray key = read(QStringLiteral("hearth/key.pem"));
        QVERIFY(!key.isEmpty());
        Attempt one(m_port, QStringLiteral("new name"));
        if (cancelled)
            one.person.cancelAt = InstallStep::Await;
        const auto outcome = one.install(m_sshd->target());
        QCOMPARE(bool(outcome), !cancelled);
        if (!cancelled) {
            QCOMPARE(outcome->device, QStringLiteral("new name"));
            QVERIFY(read(QStringLiteral("hearth/trust.json")).contains(one.home.own.fingerprint.toHex().toLatin1()));
            const auto removed = one.uninstall(m_sshd->target());
            QVERIFY2(removed, why(removed));
            QVERIFY(!removed->notes.isEmpty());
        }
        QCOMPARE(read(QStringLiteral("hearth/key.pem")), key);
        QVERIFY(!read(QStringLiteral("hearth/trust.json")).contains(one.home.own.fingerprint.toHex().toLatin1()));
        QVERIFY(m_sshd->insideAsUser(QStringLiteral("%1/hearth-agent init").arg(programs())).contains("old name"));
        QVERIFY(one.home.devices.empty());
        QVERIFY(!isListening(m_port));
        QVERIFY(!QFile::exists(m_sshd->home() + QStringLiteral("/.local/share/hearth-install")));
    }

    void aTrustThatWasThereBeforeStays() {
        m_sshd->start();
        Attempt one(m_port);
        const QString file = m_sshd->path(QStringLiteral("laptop.json"));
        QFile identity(file);
        QVERIFY(identity.open(QIODevice::WriteOnly));
        identity.write(QJsonDocument(one.home.own.toJson()).toJson());
        identity.close();
        m_sshd->insideAsUser(QStringLiteral("%1/hearth-agent trust %2 2>/dev/null").arg(programs(), file));
        one.person.cancelAt = InstallStep::Await;
        QVERIFY(!one.install(m_sshd->target()));
        QVERIFY(read(QStringLiteral("hearth/trust.json")).contains(one.home.own.fingerprint.toHex().toLatin1()));
    }

    void whatBrokeOffIsUndoneByTheNextThatIsCancelled() {
        m_sshd->fake(QStringLiteral("dpkg-deb"),
                     "[ \"$1\" = -x ] && kill -9 $(cat /proc/$PPID/stat | cut -d' ' -f4); "
                     "exec /usr/bin/dpkg-deb \"$@\"");
        m_sshd->start();
        const QStringList before = m_sshd->homeTree();
        QVERIFY(!Attempt(m_port).install(m_sshd->target()));
        QCOMPARE(m_sshd->inside(QStringLiteral("find /tmp -name 'tmp.*'")), QByteArray());
        QVERIFY(QFile::remove(m_sshd->path(QStringLiteral("fakes/dpkg-deb"))));
        Attempt two(m_port);
        two.person.cancelAt = InstallStep::Await;
        QVERIFY(!two.install(m_sshd->target()));
        QCOMPARE(withoutFolders(m_sshd->homeTree()), withoutFolders(before));
        QVERIFY(!isListening(m_port));
    }

    void whatBrokeOffStaysRecordedWhenTheNextEndsEarly_data() {
        QTest::addColumn<InstallStep>("step");
        QTest::newRow("before it is unpacked") << InstallStep::Package;
        QTest::newRow("before trust") << InstallStep::Pair;
    }

    void whatBrokeOffStaysRecordedWhenTheNextEndsEarly() {
        QFETCH(InstallStep, step);
        m_sshd->start();
        Attempt first(m_port);
        const auto installed = first.install(m_sshd->target());
        QVERIFY2(installed, why(installed));
        // As where the connection was lost before the end.
        m_sshd->insideAsUser(
            QStringLiteral("sed -i 's/\"complete\": true/\"complete\": false/' "
                           "~/.local/share/hearth-install/record.json"));
        const QByteArray record = read(QStringLiteral("hearth-install/record.json"));
        QVERIFY(record.contains("\"complete\": false"));
        Attempt second(m_port);
        second.home.devices = first.home.devices;
        second.person.cancelAt = step;
        QVERIFY(!second.install(m_sshd->target()));
        QVERIFY(second.person.was(InstallStep::Undo, InstallProgress::State::Done));
        QCOMPARE(read(QStringLiteral("hearth-install/record.json")), record);
        QVERIFY(isListening(m_port));
        second.person = FakePerson();
        const auto removed = second.uninstall(m_sshd->target());
        QVERIFY2(removed, why(removed));
        QTRY_VERIFY_WITH_TIMEOUT(!isListening(m_port), patience);
    }

    void anAgentThatRunsThereIsLeftAlone() {
        m_sshd->start();
        m_sshd->insideAsUser(
            QStringLiteral("setsid %1/hearth-agent --no-mdns --listen 127.0.0.1:%2 >/tmp/agent.log 2>&1 "
                           "</dev/null & until %1/hearth-agent status >/dev/null 2>&1; do sleep 0.1; done")
                .arg(programs())
                .arg(m_port));
        const QStringList before = m_sshd->homeTree();
        Attempt one(heldPort());
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.existing"));
        QVERIFY(outcome.error().advice.contains(QStringLiteral("hearth pair")));
        QVERIFY(isListening(m_port));
        QCOMPARE(m_sshd->homeTree(), before);
    }

    void aUserWithSystemdGetsAServiceOfTheirOwn() {
        m_sshd->allowServicesOfUsers();
        m_sshd->start();
        const QStringList before = m_sshd->homeTree();
        Attempt one(m_port);
        const auto installed = one.install(m_sshd->target());
        QVERIFY2(installed, why(installed));
        QVERIFY(isListening(m_port));
        QCOMPARE(one.person.check(QStringLiteral("service"))->state, CheckState::Ok);
        QCOMPARE(m_sshd->inside(QStringLiteral("cat /tmp/loginctl.log")), QByteArray("enable-linger\n"));
        QVERIFY(m_sshd->inside(QStringLiteral("ls /tmp")).contains("user.enabled"));
        const auto removed = one.uninstall(m_sshd->target());
        QVERIFY2(removed, why(removed));
        QVERIFY(!isListening(m_port));
        QVERIFY(m_sshd->inside(QStringLiteral("cat /tmp/loginctl.log")).endsWith("disable-linger\n"));
        QVERIFY(!m_sshd->inside(QStringLiteral("ls /tmp")).contains("user.enabled"));
        QCOMPARE(withoutFolders(m_sshd->homeTree()), withoutFolders(before));
    }

    void aServiceThatSomebodyElseWroteIsNotOverwritten() {
        m_sshd->allowServicesOfUsers();
        m_sshd->start();
        m_sshd->insideAsUser(
            QStringLiteral("mkdir -p ~/.config/systemd/user && echo '[Service]' "
                           ">~/.config/systemd/user/hearth-agent.service"));
        Attempt one(m_port);
        const auto outcome = one.install(m_sshd->target());
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.no-unit"));
        QCOMPARE(m_sshd->insideAsUser(QStringLiteral("cat ~/.config/systemd/user/hearth-agent.service")),
                 QByteArray("[Service]\n"));
    }

    void lingeringThatIsRefusedIsSaidToTheEnd() {
        m_sshd->allowServicesOfUsers();
        m_sshd->fake(QStringLiteral("loginctl"), "echo 'Access denied' >&2; exit 1");
        m_sshd->start();
        const auto installed = Attempt(m_port).install(m_sshd->target());
        QVERIFY2(installed, why(installed));
        QCOMPARE(installed->notes.size(), 1);
        QVERIFY(installed->notes.first().contains(QStringLiteral("enable-linger guest")));
    }

  private:
    /// Where others than this test's user may start them, too: the build may lie in a home that is closed to them.
    QString programs() const {
        const QString folder = m_sshd->path(QStringLiteral("programs"));
        const QString copy = folder + QStringLiteral("/hearth-agent");
        if (QDir().mkpath(folder) && !QFile::exists(copy))
            QFile::copy(qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth-agent"), copy);
        return folder;
    }
    QByteArray read(const QString &name) const {
        QFile file(m_sshd->home() + QStringLiteral("/.local/share/") + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<Sshd> m_sshd;
    quint16 m_port = 0;
};

int main(int argc, char **argv) {
    return runOverSshd<InstallUndoTest>(argc, argv);
}
#include "install_undo_test.moc"
