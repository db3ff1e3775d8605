// `hearth plan` from problem to plan, by its words and files.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/hearth_program.h"

using namespace hearth::test;

namespace {

QJsonObject object(const QString &text) {
    return QJsonDocument::fromJson(text.toUtf8()).object();
}

bool write(const QString &path, const QString &text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0;
}

}  // namespace

class PlanCommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void wrongWordsAreExplained_data() {
        addRefusalColumns();
        addRefusal("nothing to plan", "plan", 2, "--environment");
        addRefusal("two things to plan", "plan p.json --environment A", 2, "one of");
        addRefusal("an unknown home", "plan --environment E", 2, "A, B, C, D");
        addRefusal("links of no rate", "plan --environment A --link 0", 2, "above 0");
        addRefusal("links that are no number", "plan --environment A --link nan", 2, "above 0");
        addRefusal("a negative batch", "plan --environment A --batch -4", 2, "from 1");
        addRefusal("a misspelt network", "plan --environment A --model bert-smal", 1, "\"bert-small\"");
        addRefusal("a network for a problem from a file", "plan p.json --model bert-small", 2, "--environment only");
        addRefusal("a misspelt direction", "plan --environment A --duplex ful", 2, "\"full\"");
        addRefusal("a precision that there is not", "plan --job j --precision half", 2, "float32, float64, bfloat16");
        addRefusal("a precision for measured times", "plan --environment A --precision bfloat16", 2, "--job");
        addRefusal("a codec of gradients that is no choice", "plan --environment A --gradient-codec bfp4", 2,
                   "none, bfp8");
        addRefusal("local steps of one", "plan --environment A --local-steps 1", 2, "2");
        addRefusal("rounds that are too long", "plan --environment A --batch 1024 --local-steps 65", 1, "65536");
        addRefusal("a planner that cuts the network", "plan --environment A --local-steps 8 --planner gpipe", 1,
                   "hearth, single, dp, eddl");
        addRefusal("a codec beside local steps", "plan --environment A --local-steps 8 --codec auto", 2,
                   "--codec does not go with --local-steps");
        addRefusal("a codec that is no choice", "plan --environment A --codec zip", 2, "none, auto, strong");
        addRefusal("no time at all", "plan --environment A --time 0", 2, "above 0");
        addRefusal("half a step", "plan --environment A --steps 0.5", 2, "whole number");
        addRefusal("one planner of all", "plan --environment A --compare --planner dp", 2, "--planner does not go");
        addRefusal("a job by a home of the papers", "plan --environment A --state /tmp", 2, "--job only");
        addRefusal("a batch that BatchNorm cannot train on", "plan --environment A --model mobilenetv2 --batch 1", 1,
                   "2 samples or more");
        addRefusal("a profile of unknown batches", "plan --environment A --pipedream p.txt", 2, "--profiled-batch");
        addRefusal("a profile without a home", "plan p.json --pipedream p.txt --profiled-batch 8", 2,
                   "--environment only");
        addRefusal("a profile and a model",
                   "plan --environment A --pipedream p.txt --profiled-batch 8 --model resnet50", 2,
                   "one of --model and --pipedream");
        addRefusal("a profile that is not there", "plan --environment A --pipedream /nowhere.txt --profiled-batch 8", 1,
                   "/nowhere.txt");
        addRefusal("a problem that is not there", "plan /nowhere.json", 1, "/nowhere");
        addRefusal("a place that cannot be written", "plan --environment A --problem-out /nowhere/p.json", 1,
                   "/nowhere/p.json");
    }

    void wrongWordsAreExplained() { checkRefusal(); }

    void aJobsModelLiesBesideIt() {
        const QTemporaryDir folder;
        const QString job = folder.filePath(QStringLiteral("job.json")),
                      model = folder.filePath(QStringLiteral("n.json"));
        QVERIFY(write(job, QStringLiteral(R"({"format": "hearth-job/1", "model": "n.json"} )")));
        QVERIFY(write(model, QStringLiteral("{")));
        const Outcome refused = runHearth(wordsOf(QStringLiteral("plan --job")) + QStringList{job});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains(model), qPrintable(refused.errors));
    }

    void aProblemTakenElsewhereGivesTheSamePrediction_data() {
        QTest::addColumn<QStringList>("source");
        QTest::newRow("an analytic network")
            << wordsOf(QStringLiteral("--environment B --link 100 --model bert-small"));
        QTest::newRow("a model of the catalogue")
            << wordsOf(QStringLiteral("--environment C --link 1000 --model resnet50 --batch 32"));
        QTest::newRow("full-duplex links")
            << wordsOf(QStringLiteral("--environment D --model mobilenetv2-cifar --duplex full"));
    }

    void aProblemTakenElsewhereGivesTheSamePrediction() {
        QFETCH(QStringList, source);
        const QTemporaryDir folder;
        const QString problem = folder.filePath(QStringLiteral("problem.json"));
        const QString plan = folder.filePath(QStringLiteral("plan.json"));
        const Outcome made =
            runHearth(wordsOf(QStringLiteral("plan")) + source +
                      wordsOf(QStringLiteral("--planner asteroid --json --problem-out")) + QStringList{problem});
        QCOMPARE(made.status, 0);
        QVERIFY(write(plan, made.output));
        const Outcome judged = runHearth(wordsOf(QStringLiteral("plan --evaluate")) + QStringList{plan, problem} +
                                         wordsOf(QStringLiteral("--json")));
        QVERIFY2(judged.status == 0, qPrintable(judged.errors));
        QJsonObject before = object(made.output), after = object(judged.output);
        QJsonObject predicted = before[QLatin1String("prediction")].toObject();
        for (const char *search : {"planning_s", "gap", "proved_optimal"})
            predicted.remove(QLatin1String(search));
        QJsonObject again = after[QLatin1String("prediction")].toObject();
        again.remove(QLatin1String("proved_optimal"));
        QCOMPARE(again, predicted);
        QVERIFY(again[QLatin1String("round_s")].toDouble() > 0);
        before.remove(QLatin1String("prediction"));
        after.remove(QLatin1String("prediction"));
        QCOMPARE(after, before);
    }

    void aProfileByPipedreamIsPlanned() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("profile.txt"));
        QVERIFY(write(path, QStringLiteral("node1 -- Conv -- forward_compute_time=3.0, backward_compute_time=6.0, "
                                           "activation_size=4096.0, parameter_size=400.0\n"
                                           "node2 -- Linear -- forward_compute_time=1.0, backward_compute_time=2.0, "
                                           "activation_size=64.0, parameter_size=40.0\n\tnode1 -- node2\n")));
        const Outcome outcome =
            runHearth(wordsOf(QStringLiteral("plan --environment B --profiled-batch 16 --profiled-on tx2 --planner "
                                             "single --json --pipedream")) +
                      QStringList{path});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
        const QJsonObject plan = object(outcome.output);
        QCOMPARE(plan[QLatin1String("model")][QLatin1String("layers")].toInt(), 2);
        QVERIFY(plan[QLatin1String("prediction")][QLatin1String("round_s")].toDouble() > 0);
    }

    void aComparisonIsSortedAndJudged() {
        const QStringList words =
            wordsOf(QStringLiteral("plan --environment D --link 100 --model mobilenetv2-cifar --steps 2000 --compare"));
        const Outcome json = runHearth(words + wordsOf(QStringLiteral("--json")));
        QCOMPARE(json.status, 0);
        const QJsonObject comparison = object(json.output);
        QCOMPARE(comparison[QLatin1String("format")].toString(), QStringLiteral("hearth-comparison/1"));
        const QJsonArray plans = comparison[QLatin1String("plans")].toArray();
        QVERIFY(plans.size() >= 3);
        double last = 0;
        QStringList names;
        for (const QJsonValue &value : plans) {
            const QJsonObject prediction = value[QLatin1String("prediction")].toObject();
            QVERIFY(prediction[QLatin1String("round_s")].toDouble() >= last);
            last = prediction[QLatin1String("round_s")].toDouble();
            names << value[QLatin1String("planner")].toString();
        }
        QVERIFY(names.contains(QStringLiteral("asteroid")) && names.contains(QStringLiteral("single")));

        const Outcome table = runHearth(words);
        QCOMPARE(table.status, 0);
        const QStringList lines = table.output.split(QLatin1Char('\n'));
        QVERIFY(lines.first().startsWith(QStringLiteral("planner")));
        for (const char *column : {"samples/s", "round s", "x best", "stages", "devices", "micro-batch", "peak memory",
                                   "MB per round", "planning s", "fits", "proved"})
            QVERIFY2(lines.first().contains(QLatin1String(column)), column);
        for (const QString &name : names)
            QVERIFY2(table.output.contains(QLatin1Char('\n') + name), qPrintable(name));
    }

    void whatDoesNotFitIsMarked() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("problem.json"));
        QCOMPARE(runHearth(wordsOf(QStringLiteral("plan --environment A --planner single --problem-out")) +
                           QStringList{path})
                     .status,
                 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject problem = object(QString::fromUtf8(file.readAll()));
        QJsonArray devices = problem[QLatin1String("devices")].toArray();
        for (qsizetype i = 0; i < devices.size(); ++i) {
            QJsonObject device = devices[i].toObject();
            device[QLatin1String("memory_bytes")] = 151000000;
            devices[i] = device;
        }
        problem[QLatin1String("devices")] = devices;
        QVERIFY(write(path, QString::fromUtf8(QJsonDocument(problem).toJson())));
        const Outcome outcome = runHearth({QStringLiteral("plan"), path, QStringLiteral("--compare")});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.output.contains(QStringLiteral("single does not fit: nano-0 needs ")),
                 qPrintable(outcome.output));
        QVERIFY2(outcome.output.contains(QStringLiteral("(151,000,000 bytes)")), qPrintable(outcome.output));
        QVERIFY2(outcome.output.contains(QStringLiteral("asteroid has no plan: ")), qPrintable(outcome.output));
    }

    void theProblemOfTheManualHasAPlan() {
        QFile page(QStringLiteral(HEARTH_MANUAL "/plan.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll()), fence = QStringLiteral("```");
        const QString problem =
            text.section(QStringLiteral("## Problem"), 1).section(fence, 1, 1).mid(QStringLiteral("json").size());
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("problem.json"));
        QVERIFY(write(path, problem));
        const Outcome outcome = runHearth({QStringLiteral("plan"), path});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
    }

    void explanationsGoWhereTheyDoNotDisturb() {
        const QStringList words =
            wordsOf(QStringLiteral("plan --environment B --model bert-small --planner asteroid --explain"));
        const Outcome people = runHearth(words);
        QCOMPARE(people.status, 0);
        QVERIFY(people.output.contains(QStringLiteral("limit")));
        const Outcome json = runHearth(words + wordsOf(QStringLiteral("--json")));
        QCOMPARE(object(json.output)[QLatin1String("format")].toString(), QStringLiteral("hearth-plan/1"));
        QVERIFY(json.errors.contains(QStringLiteral("limit")));
    }
};

QTEST_GUILESS_MAIN(PlanCommandTest)
#include "plan_command_test.moc"
