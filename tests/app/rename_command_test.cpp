// `hearth rename` with an agent of this process.
#include <QJsonDocument>
#include <QProcess>

#include "tests/core/agent/played_home.h"

using namespace hearth;

class RenameCommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_other = Identity::generate(QStringLiteral("nano-1"))->fingerprint();
        QVERIFY(m_home.agent->trust().add({QStringLiteral("nano-1"), m_other, {}}));
    }
    void cleanup() { m_home = {}; }

    void aDeviceIsListedAndChosenByItsNewName() {
        const Told renamed = tell({QStringLiteral("rename"), QStringLiteral("nano-1"), QStringLiteral("Kitchen")});
        QCOMPARE(renamed.status, 0);
        QVERIFY(renamed.output.contains(QStringLiteral("nano-1 is called Kitchen here now")));
        QVERIFY(tell({QStringLiteral("devices")}).output.contains(QStringLiteral("Kitchen")));
        // By the new one, and by its key.
        const Told again = tell(
            {QStringLiteral("rename"), QStringLiteral("Kitchen"), QStringLiteral("Hall"), QStringLiteral("--json")});
        const QJsonObject json = QJsonDocument::fromJson(again.output.toUtf8()).object();
        QCOMPARE(json[QStringLiteral("device")].toString(), m_other.toHex());
        QCOMPARE(json[QStringLiteral("name")].toString(), QStringLiteral("Hall"));
        QCOMPARE(tell({QStringLiteral("rename"), m_other.toHex(), QStringLiteral("Attic")}).status, 0);
        QCOMPARE(m_home.agent->devices().back().name, QStringLiteral("Attic"));
    }

    void aDeviceIsChosenByTheDigitsThatAreListed() {
        QString key = m_other.toHex().left(16);
        for (const int place : {12, 8, 4})
            key.insert(place, QLatin1Char(' '));
        const Told listed = tell({QStringLiteral("devices")});
        QVERIFY2(listed.output.contains(key), qPrintable(listed.output));
        QCOMPARE(tell({QStringLiteral("rename"), key, QStringLiteral("Cellar")}).status, 0);
        QCOMPARE(m_home.agent->devices().back().name, QStringLiteral("Cellar"));
    }

    void thisDeviceMayBeRenamedToo() {
        const Told renamed = tell({QStringLiteral("rename"), QStringLiteral("one"), QStringLiteral("Laptop")});
        QCOMPARE(renamed.status, 0);
        QVERIFY(renamed.output.contains(QStringLiteral("keep the name")));
        QCOMPARE(m_home.agent->name(), QStringLiteral("Laptop"));
    }

    void whatCannotBeIsSaid_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("tells");
        QTest::newRow("a device that is none")
            << QStringList{QStringLiteral("nano-2"), QStringLiteral("x")} << 1 << QStringLiteral("nano-1");
        QTest::newRow("a name that is taken") << QStringList{QStringLiteral("nano-1"), QStringLiteral("One")} << 1
                                              << QStringLiteral("called \"One\" already");
        QTest::newRow("a name that cannot be shown")
            << QStringList{QStringLiteral("nano-1"), QStringLiteral("a\tb")} << 2 << QStringLiteral("printable");
    }

    void whatCannotBeIsSaid() {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, tells);
        const Told told = tell(QStringList{QStringLiteral("rename")} + words);
        QCOMPARE(told.status, status);
        QVERIFY2(told.errors.contains(tells), qPrintable(told.errors));
        QCOMPARE(m_home.agent->devices().back().name, QStringLiteral("nano-1"));
    }

  private:
    struct Told {
        int status = -1;
        QString output, errors;
    };
    Told tell(const QStringList &words) const {
        QProcess process;
        process.start(qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth"),
                      words + QStringList{QStringLiteral("--state"), m_home.agent->stateDir()});
        // The agent it speaks to is in this process, so the event loop runs on.
        if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, PlayedHome::patience))
            return {};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    Fingerprint m_other;
};

QTEST_GUILESS_MAIN(RenameCommandTest)
#include "rename_command_test.moc"
