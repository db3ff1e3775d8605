// Installing where the Debian package is of no use, over a real SSH connection: the bundle that lies beside it.
#include <QTest>

#include "attempt.h"

using namespace hearth;

class InstallBundleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_sshd = std::make_unique<Sshd>();
        m_port = heldPort();
        m_home = FakeHome();
        m_person = FakePerson();
        m_folder = std::make_unique<QTemporaryDir>();
        offer(Sshd::package(), QStringLiteral("hearth-agent_0.1.0_%1.deb"));
        offer(Sshd::bundle(), QStringLiteral("hearth-agent-bundle_0.1.0_%1.tar.gz"));
    }
    void cleanup() { m_sshd.reset(); }

    void aBundleGoesWhereThePackageIsOfNoUse_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("an old C library") << QStringLiteral("getconf") << QByteArray("echo glibc 2.27");
        QTest::newRow("no libraries and no sudo")
            << QStringLiteral("dpkg-query") << QByteArray("[ \"$4\" != hearth-agent ] && echo 'libc6 ii '");
    }

    void aBundleGoesWhereThePackageIsOfNoUse() {
        QFETCH(QString, program);
        QFETCH(QByteArray, script);
        m_sshd->fake(program, script);
        m_sshd->start();
        const QStringList before = files();
        const auto installed = install();
        QVERIFY2(installed, why(installed));
        QVERIFY(isChosen());
        QCOMPARE(m_person.check(QStringLiteral("libraries"))->found, QStringLiteral("the bundle's own"));
        QVERIFY(isListening(m_port));
        // Only a bundle has its control file there.
        const QString control = m_sshd->path(QStringLiteral("home/.local/share/hearth-install/root/control"));
        QVERIFY(QFile::exists(control));

        m_person = FakePerson();
        const auto updated = install();
        QVERIFY2(updated, why(updated));
        QCOMPARE(updated->effect, InstallEffect::Nothing);  // it is the same
        QVERIFY(isChosen());
        QVERIFY(isListening(m_port));

        FakePerson person;
        const auto removed = Installer(m_sshd->target(), {}, m_home, person).uninstall();
        QVERIFY2(removed, why(removed));
        QTRY_VERIFY_WITH_TIMEOUT(!isListening(m_port), patience);
        QCOMPARE(files(), before);
    }

    void aComputerThatFitsGetsThePackage() {
        m_sshd->start();
        const auto installed = install();
        QVERIFY2(installed, why(installed));
        QVERIFY(!isChosen());
        QVERIFY(!QFile::exists(m_sshd->path(QStringLiteral("home/.local/share/hearth-install/root/control"))));
    }

    void withoutABundleItIsRefused() {
        for (const QFileInfo &file : QDir(m_folder->path()).entryInfoList({QStringLiteral("*.tar.gz")}))
            QVERIFY(QFile::remove(file.filePath()));
        m_sshd->fake(QStringLiteral("getconf"), "echo glibc 2.27");
        m_sshd->start();
        const QStringList before = files();
        const auto outcome = install();
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.libc"));
        QVERIFY(outcome.error().advice.contains(QStringLiteral("bundle")));
        QCOMPARE(files(), before);
    }

    void aBundleThatCannotStartIsUndone() {
        m_sshd->fake(QStringLiteral("getconf"), "echo glibc 2.27");
        m_sshd->fake(QStringLiteral("tar"), "echo 'tar: no space left' >&2; exit 2");
        m_sshd->start();
        const QStringList before = files();
        const auto outcome = install();
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, QStringLiteral("install.not-unpacked"));
        QVERIFY2(outcome.error().cause.contains(QStringLiteral("no space left")), why(outcome));
        QCOMPARE(files(), before);
    }

  private:
    void offer(const QString &file, const QString &name) {
        const QByteArray architecture =
            Sshd::run(QStringLiteral("dpkg"), {QStringLiteral("--print-architecture")}).trimmed();
        QVERIFY(QFile::copy(file, m_folder->filePath(name.arg(QString::fromLatin1(architecture)))));
    }
    Result<InstallResult> install() {
        InstallOptions options;
        options.packageFolders = {m_folder->path()};
        options.agentPort = m_port;
        return Installer(m_sshd->target(), options, m_home, m_person).install();
    }
    bool isChosen() const {
        return m_person.changes.join(QLatin1Char(' ')).contains(QStringLiteral("libraries of its own"));
    }
    QStringList files() const { return withoutFolders(m_sshd->homeTree()); }

    std::unique_ptr<Sshd> m_sshd;
    std::unique_ptr<QTemporaryDir> m_folder;
    FakePerson m_person;
    FakeHome m_home;
    quint16 m_port = 0;
};

int main(int argc, char **argv) {
    return runOverSshd<InstallBundleTest>(argc, argv);
}
#include "install_bundle_test.moc"
