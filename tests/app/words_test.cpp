// The app's program without a display: commands, bad input, exit status.
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/hearth_program.h"

using namespace hearth::test;

class WordsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyCommandHasHelp_data() {
        QTest::addColumn<QString>("command");
        for (const char *command : {"accept-plan", "apply",  "attach", "checkpoint", "demo",    "devices", "evaluate",
                                    "export",      "ignore", "leave",  "model",      "pause",   "plan",    "profile",
                                    "rename",      "runs",   "save",   "stop",       "support", "train"})
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
        addRefusalColumns();
        addRefusal("a misspelt command", "trian", 2, "\"train\"");
        addRefusal("a misspelt option", "demo --devises 3", 2, "\"--devices\"");
        addRefusal("an interval that is no number", "demo --headless --checkpoint-every often", 2, "minutes (5m)");
        addRefusal("an interval past all counting", "demo --headless --checkpoint-every 400000000000000000m", 2,
                   "thousand million");
        addRefusal("a patience that is no number", "demo --headless --patience soon", 2, "--patience");
        addRefusal("no device", "demo --headless --devices 0", 2, "from 1 to 64");
        addRefusal("an unknown model", "demo --headless --model fashion-cmm", 1, "fashion-cnn");
        addRefusal("a job that is not there", "demo /nowhere.json --headless", 1, "/nowhere.json");
        addRefusal("weights that are not there", "demo --headless --weights /nowhere.st", 1, "/nowhere.st");
        addRefusal("a place that cannot be written", "demo --headless --save /nowhere/w.st", 1, "/nowhere/w.st");
        addRefusal("a trace that cannot be written", "demo --headless --trace /nowhere/t.json", 1, "/nowhere/t.json");
        addRefusal("a folder in place of a trace", "train --trace /tmp", 1, "--trace");
        addRefusal("a plan for a job that is not there", "plan --job /nowhere.json", 1, "/nowhere.json");
        addRefusal("a plan for a job by a misspelt planner", "plan --job /nowhere.json --planner sngle", 2,
                   "\"single\"");
        addRefusal("a fabric that reaches too far", "demo --headless --trusted-fabric netwerk", 2, "\"network\"");
        addRefusal("a fabric without a reach", "train --trusted-fabric=", 2, "--trusted-fabric is empty");
        addRefusal("a job without a name", "train ", 2, "JOB is empty");
        addRefusal("weights without a name", "demo --headless --weights ", 2, "--weights is empty");
        addRefusal("devices without a name", "train --devices=", 2, "--devices is empty");
        addRefusal("devices that are commas alone", "profile --devices ,,", 2, "--devices does not take");
        addRefusal("a sweep of a job without a name", "sweep --set batch=1 --job ", 2, "--job is empty");
        addRefusal("an unknown measure of a sweep", "sweep --set batch=1 --by accurcy", 2, "\"accuracy\"");
        addRefusal("a measure beside a sweep's file", "sweep rates.json --by loss", 2, "FILE and --by do not go");
        addRefusal("other values for a sweep that goes on", "sweep --resume rates --set batch=1", 2,
                   "--resume and --set do not go");
        addRefusal("another name for a sweep that goes on", "sweep --resume rates --name other", 2,
                   "--resume and --name do not go");
        addRefusal("a file for a sweep that goes on", "sweep rates.json --resume rates", 2,
                   "--resume and rates.json do not go");
        addRefusal("no devices for a sweep that goes on", "sweep --resume rates --devices ,", 2,
                   "--devices does not take");
        addRefusal("no run named", "attach", 2, "RUN");
        addRefusal("a sweep of nothing", "sweep", 2, "--set batch=32,64");
        addRefusal("a sweep of what no job has", "sweep --set bach=1", 2, "batch");
        addRefusal("a name of data that is a path", "data add a/b /tmp", 2, "no name for data");
        addRefusal("a part of no weights", "demo --headless --partial", 2, "--partial needs --weights");
        addRefusal("a part of no weights, in a home", "train --partial", 2, "--partial needs --weights");
        addRefusal("a batch of nothing", "model mlp --batch 4", 2, "--memory only");
        addRefusal("adapters of nothing", "model mlp --adapters lora", 2, "--memory only");
        addRefusal("a label of no table", "data list --label kind", 2, "hearth data add");
        addRefusal("a task of a data set that goes", "data remove rows --task regression", 2, "hearth data add");
        addRefusal("two lists of devices", "devices --diagnose --computers", 2, "does not go with --computers");
        addRefusal("merged adapters of a table", "export RUN --csv /tmp/x --merge", 2, "form of the weights");
        addRefusal("the best weights of a table", "export RUN --csv /tmp/x --best", 2, "form of the weights");
        addRefusal("tokens without a prompt", "predict RUN file --tokens 4", 2, "--prompt only");
        addRefusal("classes of a prompt", "predict RUN --prompt once --top 2", 2, "does not go with --prompt");
        addRefusal("more memory than can be counted", "limits --memory 9999999T", 2, "from 1 MiB to 1024 TiB");
        addRefusal("no memory at all", "limits --memory 0MiB", 2, "from 1 MiB to 1024 TiB");
        addRefusal("an end of no pause", "limits --for 1h", 2, "how long --pause lasts");
        addRefusal("a pause for no time", "limits --pause --for soon", 2, "30m, 1h, or 2d");
        addRefusal("an option of no command", "--bogus", 2, "\"hearth --help\" tells");
        addRefusal("a window without a display", "--state /nowhere", 1, "no display");
        addRefusal("a device without its new name", "rename nano-1", 2, "NAME");
        addRefusal("a name that looks like a key",
                   "rename nano-1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 2,
                   "cannot look like a fingerprint");
    }

    void wrongWordsAreExplained() { checkRefusal(); }

    void aSupportBundleIsMadeWhereNoAgentAnswersToo() {
        const QTemporaryDir home;
        const QString bundle = home.filePath(QStringLiteral("bundle.tar.gz"));
        const Outcome outcome = runHearth({QStringLiteral("support"), bundle, QStringLiteral("--state"), home.path()});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
        QVERIFY2(outcome.output.contains(QStringLiteral("versions.txt")), qPrintable(outcome.output));
        QVERIFY2(outcome.errors.contains(QStringLiteral("The devices are left out.")), qPrintable(outcome.errors));
        QVERIFY(QFileInfo(bundle).size() > 0);
    }

    void aDisplayThatCannotBeUsedIsExplained_data() {
        QTest::addColumn<QString>("display");
        QTest::addColumn<QString>("says");
        QTest::newRow("one that is empty") << QStringLiteral("") << QStringLiteral("There is no display here.");
        QTest::newRow("one that does not answer") << QStringLiteral(":9977") << QStringLiteral("DISPLAY is \":9977\"");
    }
    void aDisplayThatCannotBeUsedIsExplained() {
        QFETCH(QString, display);
        QFETCH(QString, says);
        const QTemporaryDir home;
        const Outcome outcome = runHearth({QStringLiteral("--state"), home.path()}, true, display);
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.errors.contains(says), qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.contains(QStringLiteral("hearth demo --headless")), qPrintable(outcome.errors));
    }

    void aDemoStaysInTheTerminalByOneDashToo() {
        // A window would say that no display answers.
        const Outcome outcome =
            runHearth(wordsOf(QStringLiteral("demo -headless --save /nowhere/w.st")), true, QStringLiteral(":9977"));
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.errors.contains(QStringLiteral("/nowhere/w.st")), qPrintable(outcome.errors));
    }

    void outputThatCannotBeWrittenIsAnError_data() {
        QTest::addColumn<QString>("words");
        for (const char *words : {"--help", "--version", "plan --help", "model mlp --json"})
            QTest::newRow(words) << QString::fromLatin1(words);
    }
    void outputThatCannotBeWrittenIsAnError() {
        QFETCH(QString, words);
        const Outcome outcome = runHearth(wordsOf(words), false);
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.errors.contains(QStringLiteral("could not be written")), qPrintable(outcome.errors));
    }

    void whatIsCountedIsOneOrSeveral_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("says");
        QTest::newRow("one sample") << QStringLiteral("model mlp --memory --batch 1") << QStringLiteral("1 sample at");
        QTest::newRow("two samples") << QStringLiteral("model mlp --memory --batch 2")
                                     << QStringLiteral("2 samples at");
    }
    void whatIsCountedIsOneOrSeveral() {
        QFETCH(QString, words);
        QFETCH(QString, says);
        const Outcome outcome = runHearth(wordsOf(words));
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.output.contains(says), qPrintable(outcome.output));
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
