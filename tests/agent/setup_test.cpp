// hearth-agent as scripts use it: init, trust, status, and the daemon between them.
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <memory>

namespace {

constexpr int slow = 60'000;

struct Outcome {
    int status = -1;
    QByteArray output;
    QString errors;
    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
};

std::unique_ptr<QProcess> start(const QStringList &words) {
    auto process = std::make_unique<QProcess>();
    process->start(qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth-agent"), words);
    return process;
}

Outcome run(const QStringList &words) {
    const auto process = start(words);
    if (!process->waitForFinished(slow))
        return {};
    return {process->exitCode(), process->readAllStandardOutput(), QString::fromUtf8(process->readAllStandardError())};
}

}  // namespace

class SetupTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void initMakesAnIdentityOnceAndPrintsIt() {
        const QStringList words{QStringLiteral("init"),          QStringLiteral("--state"), state("one"),
                                QStringLiteral("--name"),        QStringLiteral("one"),     QStringLiteral("--listen"),
                                QStringLiteral("10.1.2.3:47600")};
        const Outcome first = run(words);
        QCOMPARE(first.status, 0);
        QCOMPARE(first.json()[QLatin1String("format")].toString(), QStringLiteral("hearth-identity/1"));
        QCOMPARE(first.json()[QLatin1String("name")].toString(), QStringLiteral("one"));
        QCOMPARE(first.json()[QLatin1String("fingerprint")].toString().size(), 64);
        QCOMPARE(first.json()[QLatin1String("addresses")].toArray(), QJsonArray{QStringLiteral("10.1.2.3:47600")});
        QCOMPARE(run(words).json(), first.json());
    }

    void initTellsTheAddressesOfTheMomentAndNotOfTheAgentsStart_data() {
        QTest::addColumn<QString>("listens");
        QTest::addColumn<bool>("isTold");  // that it is on loopback
        QTest::newRow("on all addresses") << QStringLiteral("0.0.0.0") << false;
        QTest::newRow("on one address") << QStringLiteral("127.0.0.1") << true;
    }
    void initTellsTheAddressesOfTheMomentAndNotOfTheAgentsStart() {
        QFETCH(QString, listens);
        const auto agent = start({QStringLiteral("--state"), state("one"), QStringLiteral("--listen"),
                                  listens + QStringLiteral(":0"), QStringLiteral("--no-mdns")});
        QVERIFY(agent->waitForReadyRead(slow));
        // As an agent writes it that starts before there is a network.
        QFile file(state("one") + QStringLiteral("/agent.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject about = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        const QString port = QString::number(about[QLatin1String("port")].toInt());
        const QString loopback = QStringLiteral("127.0.0.1:") + port;
        about[QLatin1String("address")] = loopback;
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(about).toJson());
        file.close();
        const Outcome told = run({QStringLiteral("init"), QStringLiteral("--state"), state("one")});
        const QJsonArray addresses = told.json()[QLatin1String("addresses")].toArray();
        QTEST(addresses.contains(loopback), "isTold");
        for (const QJsonValue address : addresses)
            QVERIFY2(address.toString().endsWith(QLatin1Char(':') + port), qPrintable(address.toString()));
        agent->terminate();
        QVERIFY(agent->waitForFinished(slow));
    }

    void wrongWordsAreWrongUsage_data() {
        QTest::addColumn<QStringList>("words");
        const auto list = [](const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
        QTest::newRow("an unknown command") << list("inti");
        QTest::newRow("an unknown option") << list("--stat x");
        QTest::newRow("no file to trust") << list("trust");
        QTest::newRow("no device to distrust") << list("distrust");
        QTest::newRow("one word too many") << list("status now");
        QTest::newRow("one word too many to leave") << list("leave now");
        QTest::newRow("no port") << list("--listen 127.0.0.1");
        QTest::newRow("threads that are no number") << list("--threads many");
    }

    void wrongWordsAreWrongUsage() {
        QFETCH(QStringList, words);
        const Outcome outcome = run(words);
        QCOMPARE(outcome.status, 2);
        QVERIFY(!outcome.errors.isEmpty());
    }

    void filesThatAreNoIdentityAreRefused() {
        const QString path = m_folder->filePath(QStringLiteral("bad.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":\"hearth-identity/1\",\"name\":\"x\",\"fingerprint\":\"00\"}");
        file.close();
        const Outcome outcome = run({QStringLiteral("trust"), path, QStringLiteral("--state"), state("one")});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.errors.contains(QStringLiteral("fingerprint")), qPrintable(outcome.errors));
        QVERIFY(!QFile::exists(state("one") + QStringLiteral("/trust.json")));
    }

    void statusWithoutAnAgentSaysSo() {
        const Outcome outcome = run({QStringLiteral("status"), QStringLiteral("--state"), state("one")});
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.errors.contains(QStringLiteral("No agent answers")));
    }

    void trustReachesARunningAgent() {
        const auto agent = start({QStringLiteral("--state"), state("one"), QStringLiteral("--name"),
                                  QStringLiteral("one"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
        QVERIFY(agent->waitForReadyRead(slow));
        const Outcome two = run({QStringLiteral("init"), QStringLiteral("--state"), state("two"),
                                 QStringLiteral("--name"), QStringLiteral("two")});
        const QString path = m_folder->filePath(QStringLiteral("two.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(two.output);
        file.close();
        QCOMPARE(run({QStringLiteral("trust"), path, QStringLiteral("--state"), state("one")}).status, 0);
        const Outcome status = run({QStringLiteral("status"), QStringLiteral("--state"), state("one")});
        QCOMPARE(status.status, 0);
        const QJsonArray devices = status.json()[QLatin1String("devices")].toArray();
        QCOMPARE(devices.size(), 2);
        QCOMPARE(devices[1].toObject()[QLatin1String("name")].toString(), QStringLiteral("two"));
        QCOMPARE(devices[1].toObject()[QLatin1String("state")].toString(), QStringLiteral("lost"));

        // A second agent for the same folder gives way.
        const Outcome second =
            run({QStringLiteral("--state"), state("one"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
        QCOMPARE(second.status, 1);
        QVERIFY(second.errors.contains(QStringLiteral("already runs")));

        agent->terminate();
        QVERIFY(agent->waitForFinished(slow));
        QCOMPARE(agent->exitCode(), 0);
        QVERIFY(!QFile::exists(state("one") + QStringLiteral("/agent.json")));
    }

    void aDeviceIsDistrustedByItsNameOrItsKey_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<bool>("running");
        for (const bool running : {false, true}) {
            const char *agent = running ? "an agent runs" : "no agent runs";
            for (const char *how : {"name", "key", "key in groups", "groups as words of their own"})
                QTest::addRow("%s, %s", how, agent) << QString::fromLatin1(how) << running;
        }
    }
    void aDeviceIsDistrustedByItsNameOrItsKey() {
        QFETCH(QString, how);
        QFETCH(bool, running);
        const QString key = trustIn("one", "Anna's box");
        trustIn("one", "other");
        QCOMPARE(trustedBy("one"), (QStringList{QStringLiteral("Anna's box"), QStringLiteral("other")}));
        QStringList groups;
        for (int i = 0; i < 64; i += 4)
            groups << key.mid(i, 4).toUpper();
        QStringList words{QStringLiteral("distrust"), QStringLiteral("--state"), state("one")};
        if (how == QLatin1String("name"))
            words << QStringLiteral("Anna's box");
        else if (how == QLatin1String("key"))
            words << key;
        else if (how == QLatin1String("key in groups"))
            words << groups.join(QLatin1Char(' '));
        else
            words << groups;
        std::unique_ptr<QProcess> agent;
        if (running) {
            agent = start({QStringLiteral("--state"), state("one"), QStringLiteral("--listen"),
                           QStringLiteral("127.0.0.1:0"), QStringLiteral("--no-mdns")});
            QVERIFY(agent->waitForReadyRead(slow));
        }
        const Outcome outcome = run(words);
        if (agent) {
            agent->terminate();
            QVERIFY(agent->waitForFinished(slow));
        }
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.contains(QStringLiteral("Anna's box is not trusted any more")),
                 qPrintable(outcome.errors));
        QCOMPARE(trustedBy("one"), QStringList{QStringLiteral("other")});
    }

    void aDeviceToDistrustThatIsNotClearIsAsked_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("cure");
        QTest::newRow("none of this name") << QStringLiteral("laptob") << QStringLiteral("Did you mean \"laptop\"?");
        QTest::newRow("too few digits") << QStringLiteral("12ab 34cd") << QStringLiteral("laptop, twin, twin");
        QTest::newRow("two of this name") << QStringLiteral("twin") << QStringLiteral("Name it by its fingerprint");
    }
    void aDeviceToDistrustThatIsNotClearIsAsked() {
        QFETCH(QString, word);
        QFETCH(QString, cure);
        trustIn("one", "laptop");
        const QString key = trustIn("one", "twin");
        const QString other = trustIn("one", "twin");
        const Outcome outcome = run({QStringLiteral("distrust"), word, QStringLiteral("--state"), state("one")});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.errors.contains(cure), qPrintable(outcome.errors));
        QCOMPARE(outcome.errors.contains(key) && outcome.errors.contains(other), word == QLatin1String("twin"));
        QCOMPARE(trustedBy("one").size(), 3);
    }

    void aDeviceThatIsCalledAsTheKeyOfAnotherIsNotTakenForIt() {
        const QString key = trustIn("one", "laptop");
        const QString other = trustIn("one", qPrintable(key));
        const Outcome unclear = run({QStringLiteral("distrust"), key, QStringLiteral("--state"), state("one")});
        QCOMPARE(unclear.status, 1);
        QVERIFY2(unclear.errors.contains(QStringLiteral("the fingerprint of laptop")), qPrintable(unclear.errors));
        QVERIFY2(unclear.errors.contains(other), qPrintable(unclear.errors));
        QCOMPARE(trustedBy("one").size(), 2);
        QCOMPARE(run({QStringLiteral("distrust"), other, QStringLiteral("--state"), state("one")}).status, 0);
        QCOMPARE(trustedBy("one"), QStringList{QStringLiteral("laptop")});
    }

    void aNameMayLookLikeAnOption() {
        trustIn("one", "-x");
        const Outcome outcome = run({QStringLiteral("distrust"), QStringLiteral("--state"), state("one"),
                                     QStringLiteral("--"), QStringLiteral("-x")});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
        QVERIFY(trustedBy("one").isEmpty());
    }

    void aKeyThatNobodyTrustsIsNoError() {
        const Outcome outcome =
            run({QStringLiteral("distrust"), QString(64, QLatin1Char('a')), QStringLiteral("--state"), state("one")});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.errors.contains(QStringLiteral("was not trusted")), qPrintable(outcome.errors));
    }

    void aCrashWritesNoKeyToTheDisk() {
        // Where somebody has allowed all that they may.
        rlimit limit{};
        QCOMPARE(::getrlimit(RLIMIT_CORE, &limit), 0);
        if (limit.rlim_max < 2)
            QSKIP("nothing here leaves core dumps");
        limit.rlim_cur = limit.rlim_max;
        QCOMPARE(::setrlimit(RLIMIT_CORE, &limit), 0);
        const auto agent = start({QStringLiteral("--state"), state("one"), QStringLiteral("--listen"),
                                  QStringLiteral("127.0.0.1:0"), QStringLiteral("--no-mdns")});
        QVERIFY(agent->waitForReadyRead(slow));
        rlimit its{};
        QCOMPARE(::prlimit(static_cast<pid_t>(agent->processId()), RLIMIT_CORE, nullptr, &its), 0);
        QCOMPARE(its.rlim_cur, rlim_t{1});
        QCOMPARE(its.rlim_max, rlim_t{1});
        agent->terminate();
        QVERIFY(agent->waitForFinished(slow));
    }

    void anAgentThatIsToldToLeaveEnds() {
        const auto agent =
            start({QStringLiteral("--state"), state("one"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
        QVERIFY(agent->waitForReadyRead(slow));
        const Outcome left = run({QStringLiteral("leave"), QStringLiteral("--state"), state("one")});
        QVERIFY2(left.status == 0, qPrintable(left.errors));
        QVERIFY(agent->waitForFinished(slow));
        QCOMPARE(agent->exitCode(), 0);

        const Outcome nobody = run({QStringLiteral("leave"), QStringLiteral("--state"), state("one")});
        QCOMPARE(nobody.status, 1);
        QVERIFY2(nobody.errors.contains(state("one")), qPrintable(nobody.errors));
    }

    void keysOfRunsThatNobodyCoordinatesAnyMoreGo() {
        const QString run = state("one") + QStringLiteral("/runs/20260101-120000-abcd");
        const auto launch = [this] {
            return start(
                {QStringLiteral("--state"), state("one"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
        };
        auto agent = launch();
        QVERIFY(agent->waitForReadyRead(slow));
        QVERIFY(QDir().mkpath(run));
        for (const char *name : {"/coordinator.pem", "/events.jsonl"}) {
            QFile file(run + QLatin1String(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        agent->kill();
        QVERIFY(agent->waitForFinished(slow));
        agent = launch();
        QVERIFY(agent->waitForReadyRead(slow));
        QVERIFY(!QFile::exists(run + QStringLiteral("/coordinator.pem")));
        QVERIFY(QFile::exists(run + QStringLiteral("/events.jsonl")));
        agent->terminate();
        QVERIFY(agent->waitForFinished(slow));
    }

    void theSocketIsOfTheUserOrOfTheGroupToo_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("forGroup");
        QTest::newRow("only of the user where nothing is said") << QStringList() << false;
        QTest::newRow("of the group, too, where that is asked")
            << QStringList{QStringLiteral("--group-socket")} << true;
    }

    void theSocketIsOfTheUserOrOfTheGroupToo() {
        QFETCH(QStringList, words);
        QFETCH(bool, forGroup);
        const auto agent = start(QStringList{QStringLiteral("--state"), state("one"), QStringLiteral("--listen"),
                                             QStringLiteral("127.0.0.1:0")} +
                                 words);
        QVERIFY(agent->waitForReadyRead(slow));
        const QFile::Permissions permissions = QFile::permissions(state("one") + QStringLiteral("/agent.sock"));
        QCOMPARE(permissions.testFlag(QFile::ReadGroup), forGroup);
        QCOMPARE(permissions.testFlag(QFile::WriteGroup), forGroup);
        QVERIFY(!(permissions & (QFile::ReadOther | QFile::WriteOther)));
        agent->terminate();
        QVERIFY(agent->waitForFinished(slow));
    }

    void anEphemeralAgentNeverRemovesWhatWasThere() {
        QVERIFY(QDir().mkdir(state("one")));
        QFile file(state("one") + QStringLiteral("/letter.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const Outcome outcome = run({QStringLiteral("--state"), state("one"), QStringLiteral("--ephemeral")});
        QCOMPARE(outcome.status, 2);
        QVERIFY(outcome.errors.contains(QStringLiteral("--ephemeral")));
        QVERIFY(file.exists());
    }

    void anEphemeralAgentEndsWithItsParentAndLeavesNothing() {
        const auto agent =
            start({QStringLiteral("--state"), state("one"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                   QStringLiteral("--parent-pipe"), QStringLiteral("--ephemeral"), QStringLiteral("--no-mdns")});
        QVERIFY(agent->waitForReadyRead(slow));
        agent->closeWriteChannel();
        QVERIFY(agent->waitForFinished(slow));
        QCOMPARE(agent->exitCode(), 0);
        QVERIFY(!QDir(state("one")).exists());
    }

  private:
    /// Lets the device of that state folder trust a new one, and returns its fingerprint.
    QString trustIn(const char *trusting, const char *name) {
        const QString own = QStringLiteral("new-%1").arg(++m_made);
        const Outcome made =
            run({QStringLiteral("init"), QStringLiteral("--state"), m_folder->filePath(own), QStringLiteral("--name"),
                 QString::fromLatin1(name), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:9")});
        QFile file(m_folder->filePath(own + QStringLiteral(".json")));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no file");
        file.write(made.output);
        file.close();
        run({QStringLiteral("trust"), file.fileName(), QStringLiteral("--state"), state(trusting)});
        return made.json()[QLatin1String("fingerprint")].toString();
    }
    QStringList trustedBy(const char *name) const {
        QFile file(state(name) + QStringLiteral("/trust.json"));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        QStringList names;
        const QJsonObject store = QJsonDocument::fromJson(file.readAll()).object();
        for (const QJsonValue device : store[QLatin1String("devices")].toArray())
            names << device[QLatin1String("name")].toString();
        names.sort();
        return names;
    }

    QString state(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    std::unique_ptr<QTemporaryDir> m_folder;
    int m_made = 0;  // names of state folders
};

QTEST_GUILESS_MAIN(SetupTest)
#include "setup_test.moc"
