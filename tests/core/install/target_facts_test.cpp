// What a computer tells about itself, well-formed and not.
#include <QProcess>
#include <QTest>

#include "core/install/target_facts.h"

using namespace hearth;

class TargetFactsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theScriptTellsAboutThisComputer() {
        QProcess shell;
        shell.start(QStringLiteral("sh"), QStringList());
        shell.write(probeScript());
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished());
        const auto facts = parseFacts(shell.readAllStandardOutput());
        QVERIFY2(facts, qPrintable(facts ? QString() : facts.error().toString()));
        QCOMPARE(facts->system, QStringLiteral("Linux"));
        QVERIFY(!facts->architecture.isEmpty());
        QVERIFY(facts->userId >= 0);
        QVERIFY(facts->memoryBytes > 0);
        QVERIFY(facts->homeFreeBytes >= 0);
        QVERIFY(facts->temporaryFreeBytes >= 0);
        QVERIFY(facts->clock.has_value());
    }

    void whatIsNoAnswerIsSaid() {
        for (const QByteArray &text : {QByteArray(), QByteArray("This account is not available.\n"),
                                       QByteArray("\n== hearth-probe\nbroken off")}) {
            const auto facts = parseFacts(text);
            QVERIFY(!facts);
            QCOMPARE(facts.error().code, QStringLiteral("install.no-answer"));
        }
    }

    void whatAProfilePrintsIsNoHarm() {
        const auto facts =
            parseFacts("Welcome!\n== not ours\n\n== hearth-probe\n\n== user\n1000\nanna\n/home/anna\n\n== end\n");
        QVERIFY(facts);
        QCOMPARE(facts->userId, 1000);
        QCOMPARE(facts->home, QStringLiteral("/home/anna"));
    }

    void anEmptyAnswerKnowsNothing() {
        const auto facts = parseFacts("== hearth-probe\n== end\n");
        QVERIFY(facts);
        QCOMPARE(facts->userId, -1);
        QVERIFY(facts->home.isEmpty());
        QCOMPARE(facts->homeFreeBytes, qint64(-1));
        QVERIFY(!facts->libc && !facts->clock && facts->sudo == SudoState::None && !facts->homeIsWritable);
    }

    void aHomeThatIsNoPathIsNone() {
        const auto facts = parseFacts("== hearth-probe\n== user\n1\nx\n-rf\n== end\n");
        QVERIFY(facts);
        QVERIFY(facts->home.isEmpty());
    }

    void onlyAPackageThatIsThereCounts() {
        const auto version = [](const QByteArray &line) {
            return parseFacts("== hearth-probe\n== installed\n" + line + "\n== end\n")->installedVersion;
        };
        QCOMPARE(version("0.1.0 ii "), QStringLiteral("0.1.0"));
        QCOMPARE(version("0.1.0 rc "), QString());
        QCOMPARE(version(""), QString());
    }

    void valuesOfOsRelease_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("value");
        QTest::newRow("plain") << QByteArray("NAME=x\nID=debian\n") << QStringLiteral("debian");
        QTest::newRow("in quotes") << QByteArray("ID=\"debian\"") << QStringLiteral("debian");
        QTest::newRow("in single quotes") << QByteArray("ID='a b'") << QStringLiteral("a b");
        QTest::newRow("another key that ends alike") << QByteArray("VERSION_ID=12") << QString();
        QTest::newRow("an open quote") << QByteArray("ID=\"debian") << QStringLiteral("\"debian");
        QTest::newRow("a lone quote") << QByteArray("ID=\"") << QStringLiteral("\"");
        QTest::newRow("control characters") << QByteArray("ID=a\x1b[31mb") << QStringLiteral("a[31mb");
        QTest::newRow("nothing") << QByteArray() << QString();
    }

    void valuesOfOsRelease() {
        QFETCH(QByteArray, text);
        QFETCH(QString, value);
        QCOMPARE(osReleaseValue(text, "ID"), value);
    }

    void memory_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("as Linux says it")
            << QByteArray("MemTotal:       16384 kB\nMemFree: 1 kB\n") << qint64(16384 * 1024);
        QTest::newRow("no number") << QByteArray("MemTotal: many kB\n") << qint64(0);
        QTest::newRow("negative") << QByteArray("MemTotal: -5 kB\n") << qint64(0);
        QTest::newRow("beyond all bounds") << QByteArray("MemTotal: 9223372036854775807 kB\n") << qint64(0);
        QTest::newRow("not there") << QByteArray("MemFree: 5 kB\n") << qint64(0);
    }

    void memory() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, bytes);
        QCOMPARE(memoryTotal(text), bytes);
    }

    void freeSpace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("bytes");
        const QByteArray head = "Filesystem 1024-blocks Used Available Capacity Mounted on\n";
        QTest::newRow("as POSIX says it") << head + "/dev/sda1 100 60 40 60% /home\n" << qint64(40 * 1024);
        QTest::newRow("a file system with spaces") << head + "my disk 100 60 7 60% /mnt/a b\n" << qint64(7 * 1024);
        QTest::newRow("full") << head + "/dev/sda1 100 100 0 100% /\n" << qint64(0);
        QTest::newRow("only the head") << head << qint64(-1);
        QTest::newRow("no percentage") << head + "/dev/sda1 100 60 40 - /\n" << qint64(-1);
        QTest::newRow("a percentage alone") << head + "60%\n" << qint64(-1);
        QTest::newRow("nothing") << QByteArray() << qint64(-1);
    }

    void freeSpace() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, bytes);
        QCOMPARE(freeBytes(text), bytes);
    }

    void versionsOfTheCLibrary() {
        QCOMPARE(libcVersion("glibc 2.36\n"), std::optional(std::pair(2, 36)));
        for (const char *bad : {"", "musl 1.2", "glibc", "glibc 2", "glibc x.y", "glibc -1.2", "glibc 2.36 extra"})
            QVERIFY2(!libcVersion(bad), bad);
    }

    void portsThatListen() {
        const QByteArray text =
            "  sl  local_address rem_address   st\n"
            "   0: 0100007F:B9F0 00000000:0000 0A 00000000:00000000\n"
            "   1: 0100007F:1234 0100007F:B9F0 01 00000000:00000000\n"
            "   2: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A x\n"
            "   3: nonsense 0A 0A 0A\n   4: 0100007F:0000 x 0A\n";
        QCOMPARE(listeningPorts(text), (QSet<quint16>{47600, 22}));
    }

    void namesOfArchitectures() {
        QCOMPARE(debianArchitecture(QStringLiteral("x86_64")), QStringLiteral("amd64"));
        QCOMPARE(debianArchitecture(QStringLiteral("aarch64")), QStringLiteral("arm64"));
        QCOMPARE(debianArchitecture(QStringLiteral("vax")), QString());
    }
};

QTEST_GUILESS_MAIN(TargetFactsTest)
#include "target_facts_test.moc"
