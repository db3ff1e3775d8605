// The app's program without a display: commands, bad input, exit status.
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/hearth_program.h"

using hearth::test::Outcome;
using hearth::test::runHearth;

class WordsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyCommandHasHelp_data() {
        QTest::addColumn<QString>("command");
        for (const char *command :
             {"attach", "demo", "devices", "evaluate", "model", "pause", "plan", "profile", "runs", "stop", "train"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }

    void everyCommandHasHelp() {
        QFETCH(QString, command);
        QVERIFY(runHearth({QStringLiteral("--help")}).output.contains(QStringLiteral("  ") + command));
        const Outcome help = runHearth({command, QStringLiteral("--help")});
        QCOMPARE(help.status, 0);
        QVERIFY(help.output.contains(QStringLiteral("hearth ") + command));
        QVERIFY(help.errors.isEmpty());
    }

    void wrongWordsAreExplained_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const auto list = [](const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
        QTest::newRow("a misspelt command") << list("trian") << 2 << QStringLiteral("\"train\"");
        QTest::newRow("a misspelt option") << list("demo --devises 3") << 2 << QStringLiteral("\"--devices\"");
        QTest::newRow("no device") << list("demo --headless --devices 0") << 2 << QStringLiteral("from 1 to 64");
        QTest::newRow("an unknown model")
            << list("demo --headless --model fashion-cmm") << 1 << QStringLiteral("fashion-cnn");
        QTest::newRow("a job that is not there")
            << list("demo /nowhere.json --headless") << 1 << QStringLiteral("/nowhere.json");
        QTest::newRow("weights that are not there")
            << list("demo --headless --weights /nowhere.st") << 1 << QStringLiteral("/nowhere.st");
        QTest::newRow("a place that cannot be written")
            << list("demo --headless --save /nowhere/w.st") << 1 << QStringLiteral("/nowhere/w.st");
        QTest::newRow("a plan for a job that is not there")
            << list("plan --job /nowhere.json") << 1 << QStringLiteral("/nowhere.json");
        QTest::newRow("a plan for a job by a misspelt planner")
            << list("plan --job /nowhere.json --planner sngle") << 2 << QStringLiteral("\"single\"");
        QTest::newRow("no run named") << list("attach") << 2 << QStringLiteral("RUN");
    }

    void wrongWordsAreExplained() {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Outcome outcome = runHearth(words);
        QCOMPARE(outcome.status, status);
        QVERIFY2(outcome.errors.contains(says), qPrintable(outcome.errors));
        QVERIFY2(outcome.output.isEmpty(), qPrintable(outcome.output));
    }

    void aJobWithAWrongKeyNamesFileKeyAndNearestWord() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("job.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":\"hearth-job/1\",\"round\":5}");
        file.close();
        const Outcome outcome = runHearth({QStringLiteral("demo"), path, QStringLiteral("--headless")});
        QCOMPARE(outcome.status, 1);
        for (const QString &part : {path, QStringLiteral("\"/round\""), QStringLiteral("\"rounds\"")})
            QVERIFY2(outcome.errors.contains(part), qPrintable(outcome.errors));
    }
};

QTEST_GUILESS_MAIN(WordsTest)
#include "words_test.moc"
