// What is done on which computer, and what is checked before.
#include <QTest>
#include <algorithm>

#include "core/install/install_checks.h"
#include "core/install/install_record.h"
#include "core/install/ssh_host.h"
#include "tests/core/install/sample_target.h"

using namespace hearth;

namespace {

constexpr qint64 now = 1'800'000'000;

TargetFacts debian() {
    TargetFacts facts = sampleTarget();
    facts.systemdRuns = facts.userManagerRuns = true;
    facts.sudo = SudoState::Free;
    facts.clock = now;
    return facts;
}

AgentPackage package() {
    AgentPackage package;
    package.version = QStringLiteral("0.1.0");
    package.architecture = QStringLiteral("amd64");
    package.fileBytes = 2 << 20;
    package.installedBytes = 8 << 20;
    package.minimumLibc = std::pair(2, 36);
    return package;
}

std::vector<InstallCheck> allChecks(const TargetFacts &facts, const AgentPackage &version, const QStringList &missing,
                                    const InstallOptions &options = {}) {
    const InstallPlan plan = planInstall(facts, options);
    auto checks = checkTarget(facts, plan, version.kind, now);
    const auto more = checkPackage(facts, options, plan, version, missing);
    checks.insert(checks.end(), more.begin(), more.end());
    return checks;
}

}  // namespace

class InstallPlanTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void eachKindOfComputerHasItsWay_data() {
        QTest::addColumn<TargetFacts>("facts");
        QTest::addColumn<bool>("forThisUser");
        QTest::addColumn<Rights>("rights");
        QTest::addColumn<PackageWay>("package");
        QTest::addColumn<ServiceWay>("service");
        const auto row = [](const char *name, TargetFacts facts, bool forThisUser, Rights rights, PackageWay package,
                            ServiceWay service) {
            QTest::newRow(name) << facts << forThisUser << rights << package << service;
        };
        TargetFacts facts = debian();
        row("somebody with sudo", facts, false, Rights::Sudo, PackageWay::Apt, ServiceWay::System);
        row("somebody with sudo who wants nothing outside the home", facts, true, Rights::None, PackageWay::HomeFolder,
            ServiceWay::User);
        facts.sudo = SudoState::NeedsPassword;
        row("somebody with sudo and a password", facts, false, Rights::SudoWithPassword, PackageWay::Apt,
            ServiceWay::System);
        facts.sudo = SudoState::None;
        row("somebody without rights", facts, false, Rights::None, PackageWay::HomeFolder, ServiceWay::User);
        facts.userManagerRuns = false;
        row("somebody without rights whose systemd does not answer", facts, false, Rights::None, PackageWay::HomeFolder,
            ServiceWay::Plain);
        facts.systemdRuns = false;
        row("somebody in a container", facts, false, Rights::None, PackageWay::HomeFolder, ServiceWay::Plain);
        facts.installedVersion = QStringLiteral("0.1.0");
        row("somebody for whom it is installed already", facts, false, Rights::None, PackageWay::Apt,
            ServiceWay::Plain);
        facts = debian();
        facts.userId = 0;
        facts.sudo = SudoState::None;
        row("root", facts, false, Rights::Root, PackageWay::Apt, ServiceWay::System);
        facts.systemdRuns = facts.userManagerRuns = false;
        row("root in a container", facts, false, Rights::Root, PackageWay::Apt, ServiceWay::Plain);
        facts.hasApt = false;
        row("root of a system without apt", facts, false, Rights::Root, PackageWay::HomeFolder, ServiceWay::Plain);
    }

    void eachKindOfComputerHasItsWay() {
        QFETCH(TargetFacts, facts);
        QFETCH(bool, forThisUser);
        InstallOptions options;
        options.forThisUser = forThisUser;
        const InstallPlan plan = planInstall(facts, options);
        QTEST(plan.rights, "rights");
        QTEST(plan.package, "package");
        QTEST(plan.service, "service");
        QCOMPARE(plan.stateDir, plan.service == ServiceWay::System ? QStringLiteral("/var/lib/hearth")
                                                                   : QStringLiteral("/home/anna/.local/share/hearth"));
        QVERIFY(plan.agentProgram.startsWith(plan.package == PackageWay::Apt
                                                 ? QStringLiteral("/usr/bin/")
                                                 : QStringLiteral("/home/anna/.local/share/hearth-install/")));
        QVERIFY(plan.changes(facts, package()).size() >= 4);
    }

    void anEarlierInstallationIsUpdatedAsItWasMade() {
        InstallRecord earlier;
        earlier.package = PackageWay::HomeFolder;
        earlier.service = ServiceWay::Plain;
        earlier.agentPort = 5000;
        // What broke off is gone on with; it may be undone, other than what was whole.
        QVERIFY(planInstall(debian(), {}, &earlier).isOurs);
        QVERIFY(!planInstall(debian(), {}, &earlier).isUpdate);
        earlier.isUpdate = true;
        QVERIFY(planInstall(debian(), {}, &earlier).isUpdate);
        earlier.isUpdate = false;
        earlier.isComplete = true;
        const InstallPlan plan = planInstall(debian(), {}, &earlier);
        QVERIFY(plan.isUpdate);
        QCOMPARE(plan.package, PackageWay::HomeFolder);
        QCOMPARE(plan.service, ServiceWay::Plain);
        QCOMPARE(plan.agentPort, quint16(5000));
        InstallOptions options;
        options.agentPort = 6000;
        QCOMPARE(planInstall(debian(), options, &earlier).agentPort, quint16(6000));
    }

    void whatAptHasStaysWhereNothingIsNewer_data() {
        QTest::addColumn<QString>("installed");
        QTest::addColumn<QString>("sha256");
        QTest::addColumn<SudoState>("sudo");
        QTest::addColumn<bool>("stays");
        const QString same(64, QLatin1Char('a')), other(64, QLatin1Char('b'));
        const auto row = [](const char *name, const char *installed, const QString &sha256, bool stays,
                            SudoState sudo = SudoState::Free) {
            QTest::newRow(name) << QString::fromLatin1(installed) << sha256 << sudo << stays;
        };
        row("an older one", "0.1.0+6", other, false);
        row("an older one, and nobody may replace it", "0.1.0+6", other, true, SudoState::None);
        row("the same one", "0.1.0+7", same, true);
        row("the same version of other sources", "0.1.0+7", other, false);
        row("the same version, which an administrator installed", "0.1.0+7", QString(), true);
        row("a newer one", "0.1.0+10", other, true);
        row("none", "", QString(), false);
    }

    void whatAptHasStaysWhereNothingIsNewer() {
        QFETCH(QString, installed);
        QFETCH(QString, sha256);
        QFETCH(SudoState, sudo);
        TargetFacts facts = debian();
        facts.installedVersion = installed;
        facts.sudo = sudo;
        InstallRecord earlier;
        earlier.package = PackageWay::Apt;
        earlier.isComplete = true;
        earlier.sha256 = sha256;
        AgentPackage other = package();
        other.version = QStringLiteral("0.1.0+7");
        other.sha256 = QByteArray(64, 'a');
        QTEST(planInstall(facts, {}, &earlier).keeps(facts, other), "stays");
    }

    void aGoodComputerPassesEverything() {
        for (const InstallCheck &check : allChecks(debian(), package(), {}))
            QVERIFY2(check.state == CheckState::Ok, qPrintable(check.id + check.problem.toString()));
    }

    void whatIsWrongIsSaidWithItsCure_data() {
        QTest::addColumn<TargetFacts>("facts");
        QTest::addColumn<AgentPackage>("version");
        QTest::addColumn<QStringList>("missing");
        QTest::addColumn<QString>("id");
        QTest::addColumn<CheckState>("state");
        const auto row = [](const char *name, const TargetFacts &facts, const char *id, CheckState state,
                            const AgentPackage &version = package(), const QStringList &missing = {}) {
            QTest::newRow(name) << facts << version << missing << QString::fromLatin1(id) << state;
        };
        TargetFacts facts = debian();
        facts.system = QStringLiteral("FreeBSD");
        row("another system", facts, "system", CheckState::Failed);
        facts = debian();
        facts.hasDpkg = false;
        row("no dpkg", facts, "system", CheckState::Failed);
        facts = debian();
        facts.osVersion = QStringLiteral("11");
        row("another Debian", facts, "system", CheckState::Warning);
        facts = debian();
        facts.homeIsWritable = false;
        row("a read-only home", facts, "home", CheckState::Failed);
        facts = debian();
        facts.memoryBytes = 256 << 20;
        row("too little memory", facts, "memory", CheckState::Failed);
        facts.memoryBytes = qint64(1) << 30;
        row("little memory", facts, "memory", CheckState::Warning);
        facts.memoryBytes = 0;
        row("unknown memory", facts, "memory", CheckState::Warning);
        facts = debian();
        facts.systemFreeBytes = 50 << 20;
        row("no space", facts, "space", CheckState::Failed);
        facts.systemFreeBytes = qint64(1) << 30;
        row("no space for the libraries", facts, "space", CheckState::Failed, package(),
            {QStringLiteral("libtorch1.13")});
        facts.systemFreeBytes = -1;
        row("unknown space", facts, "space", CheckState::Warning);
        facts = debian();
        facts.temporaryFreeBytes = package().fileBytes - 1;
        row("no space for the copy", facts, "space", CheckState::Failed);
        facts = debian();
        facts.systemdRuns = facts.userManagerRuns = false;
        row("no systemd", facts, "service", CheckState::Warning);
        facts = debian();
        facts.listeningPorts = {47600};
        row("a port that is taken", facts, "port", CheckState::Failed);
        facts = debian();
        facts.clock = now + 3600;
        row("a clock that is ahead", facts, "clock", CheckState::Warning);
        facts.clock = now - 3600;
        row("a clock that is behind", facts, "clock", CheckState::Warning);
        facts = debian();
        facts.libc = std::pair(2, 31);
        row("an old C library", facts, "libc", CheckState::Failed);
        facts = debian();
        facts.machine = QStringLiteral("aarch64");
        facts.architecture = QStringLiteral("arm64");
        row("another processor", facts, "processor", CheckState::Failed);
        facts = debian();
        facts.sudo = SudoState::None;
        row("no libraries and nobody who could install them", facts, "libraries", CheckState::Failed, package(),
            {QStringLiteral("libtorch1.13"), QStringLiteral("libqt6core6")});
    }

    void whatIsWrongIsSaidWithItsCure() {
        QFETCH(TargetFacts, facts);
        QFETCH(AgentPackage, version);
        QFETCH(QStringList, missing);
        QFETCH(QString, id);
        QFETCH(CheckState, state);
        int wrong = 0;
        for (const InstallCheck &check : allChecks(facts, version, missing)) {
            if (check.state == CheckState::Ok)
                continue;
            ++wrong;
            QCOMPARE(check.id, id);
            QCOMPARE(check.state, state);
            QVERIFY(!check.problem.what.isEmpty() && !check.problem.cause.isEmpty() && !check.problem.advice.isEmpty());
            QVERIFY(check.problem.cause.endsWith(QLatin1Char('.')));
            QCOMPARE(check.problem.code, QStringLiteral("install.") + id);
        }
        QCOMPARE(wrong, 1);
    }

    void onAnotherSystemOnlyABundleHelps_data() {
        QTest::addColumn<SudoState>("sudo");
        QTest::addColumn<QString>("installed");
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("with sudo") << SudoState::Free << QString() << QString() << true;
        QTest::newRow("without") << SudoState::None << QString() << QString() << true;
        QTest::newRow("but not where apt has one already")
            << SudoState::Free << QStringLiteral("0.1.0") << QString() << false;
        QTest::newRow("nor where somebody chooses a package, which may be made for it")
            << SudoState::Free << QString() << QStringLiteral("/a/b.deb") << false;
    }

    void onAnotherSystemOnlyABundleHelps() {
        QFETCH(SudoState, sudo);
        QFETCH(QString, installed);
        QFETCH(QString, chosen);
        QFETCH(bool, isRefused);
        TargetFacts facts = debian();
        facts.osId = QStringLiteral("ubuntu");
        facts.osName = QStringLiteral("Ubuntu 24.04 LTS");
        facts.sudo = sudo;
        facts.installedVersion = installed;
        InstallOptions options;
        options.packagePath = chosen;
        const auto checks = allChecks(facts, package(), {QStringLiteral("libtorch1.13")}, options);
        const InstallCheck &libraries = checks.back();
        QCOMPARE(libraries.id, QStringLiteral("libraries"));
        QCOMPARE(libraries.state == CheckState::Failed, isRefused);
        if (isRefused) {
            QVERIFY(libraries.problem.cause.contains(QStringLiteral("Ubuntu 24.04 LTS")));
            QVERIFY(libraries.problem.advice.contains(QStringLiteral("resources/packages/bundle build/release")));
        }
    }

    void aBundleAsksForLittle() {
        TargetFacts facts = debian();
        facts.osId = QStringLiteral("fedora");
        facts.libc = std::pair(2, 27);
        facts.hasApt = facts.hasDpkg = false;
        facts.hasTar = true;
        AgentPackage bundle = package();
        bundle.kind = PackageKind::Bundle;
        bundle.minimumLibc.reset();
        for (const InstallCheck &check : allChecks(facts, bundle, {}))
            QVERIFY2(check.state == CheckState::Ok, qPrintable(check.id + check.problem.toString()));
        facts.hasTar = false;
        QCOMPARE(allChecks(facts, bundle, {}).front().problem.code, QStringLiteral("install.system"));
        const QList<Sentence> changes = planInstall(facts, {}).changes(facts, bundle);
        QVERIFY(changes.front().contains(QStringLiteral("libraries of its own")));
    }

    void aPackageIsOfNoUseWhereItCannotRun_data() {
        QTest::addColumn<TargetFacts>("facts");
        QTest::addColumn<QStringList>("missing");
        QTest::addColumn<bool>("isUseless");
        const QStringList some{QStringLiteral("libtorch1.13")};
        TargetFacts facts = debian();
        QTest::newRow("a Debian 12 with all libraries") << facts << QStringList() << false;
        QTest::newRow("a Debian 12 where they can be installed") << facts << some << false;
        facts.sudo = SudoState::None;
        QTest::newRow("a Debian 12 without rights") << facts << some << true;
        facts = debian();
        facts.osVersion = QStringLiteral("13");
        QTest::newRow("a newer Debian, which has other libraries") << facts << some << true;
        QTest::newRow("a newer Debian that has them nevertheless") << facts << QStringList() << false;
        facts.libc = std::pair(2, 31);
        QTest::newRow("an older C library") << facts << QStringList() << true;
        facts.libc.reset();
        QTest::newRow("a C library of unknown version") << facts << QStringList() << false;
    }

    void aPackageIsOfNoUseWhereItCannotRun() {
        QFETCH(TargetFacts, facts);
        QFETCH(QStringList, missing);
        QTEST(isOfNoUse(package(), facts, planInstall(facts, {}), missing), "isUseless");
    }

    void whoseAgentRunsThereDecides_data() {
        QTest::addColumn<bool>("serviceRuns");
        QTest::addColumn<bool>("forThisUser");
        QTest::addColumn<QString>("running");
        QTest::addColumn<QString>("wrong");
        const QString home = QStringLiteral("/home/anna/.local/share/hearth"),
                      system = QStringLiteral("/var/lib/hearth");
        QTest::newRow("the service of the system, which is started anew") << true << false << system << QString();
        QTest::newRow("a person's own beside a service of the system")
            << false << false << home << QStringLiteral("port");
        QTest::newRow("that of the person who logs in") << false << true << home << QStringLiteral("existing port");
        QTest::newRow("the system's where the home is to have one") << true << true << system << QStringLiteral("port");
        QTest::newRow("none, but another program has the port")
            << false << false << QString() << QStringLiteral("port");
    }

    void whoseAgentRunsThereDecides() {
        QFETCH(bool, serviceRuns);
        QFETCH(bool, forThisUser);
        QFETCH(QString, running);
        TargetFacts facts = debian();
        facts.listeningPorts = {47600};
        facts.hasIdentity = true;
        facts.systemServiceActive = serviceRuns;
        if (!running.isEmpty())
            facts.runningAgents << running;
        InstallOptions options;
        options.forThisUser = forThisUser;
        QStringList wrong;
        for (const InstallCheck &check : allChecks(facts, package(), {}, options)) {
            if (check.state == CheckState::Failed)
                wrong << check.id;
        }
        QTEST(wrong.join(QLatin1Char(' ')), "wrong");
    }

    void aShellThatReadsOtherwiseIsRefused() {
        TargetFacts facts = debian();
        facts.loginShell = QStringLiteral("/bin/tcsh");
        const auto checks = allChecks(facts, package(), {});
        QVERIFY(std::any_of(checks.begin(), checks.end(), [](const InstallCheck &check) {
            return check.id == QLatin1String("shell") && check.state == CheckState::Failed;
        }));
    }

    void missingDependenciesAreThoseWithoutAnyAlternative() {
        const std::vector<QStringList> wanted{{QStringLiteral("a")},
                                              {QStringLiteral("b"), QStringLiteral("c")},
                                              {QStringLiteral("d"), QStringLiteral("e")},
                                              {QStringLiteral("f")}};
        QCOMPARE(missingDependencies(wanted, "a ii \nc ii \nd un \ne rc \nf hi\n"),
                 (QStringList{QStringLiteral("d"), QStringLiteral("f")}));
        QCOMPARE(missingDependencies({}, ""), QStringList());
    }

    void targetsAreReadStrictly_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("user");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");  // -1: refused
        const auto row = [](const char *text, const char *user, const char *host, int port) {
            QTest::newRow(*text ? text : "nothing")
                << QString::fromUtf8(text) << QString::fromLatin1(user) << QString::fromLatin1(host) << port;
        };
        row("anna@nano-1", "anna", "nano-1", 0);
        row("nano-1.local", "", "nano-1.local", 0);
        row("pi@192.168.1.7:2222", "pi", "192.168.1.7", 2222);
        row("root@[fe80::1%eth0]:22", "root", "fe80::1%eth0", 22);
        row("[::1]", "", "::1", 0);
        row("", "", "", -1);
        row("@host", "", "", -1);
        row("anna@", "", "", -1);
        row("-oProxyCommand=x", "", "", -1);
        row("anna@-x", "", "", -1);
        row("anna@host:0", "", "", -1);
        row("anna@host:65536", "", "", -1);
        row("anna@host:ssh", "", "", -1);
        row("an na@host", "", "", -1);
        row("anna@host;reboot", "", "", -1);
        row("anna@[host]", "", "", -1);
        row("anna@::1", "", "", -1);
    }

    void targetsAreReadStrictly() {
        QFETCH(QString, text);
        QFETCH(int, port);
        const auto target = SshTarget::parse(text);
        if (port < 0) {
            QVERIFY(!target);
            QCOMPARE(target.error().code, QStringLiteral("install.bad-target"));
            return;
        }
        QVERIFY(target);
        QTEST(target->user, "user");
        QTEST(target->host, "host");
        QCOMPARE(int(target->port), port);
        QCOMPARE(SshTarget::parse(target->toString())->host, target->host);
    }
};

QTEST_GUILESS_MAIN(InstallPlanTest)
#include "install_plan_test.moc"
