// `hearth export`: the rounds of a run. What was trained: tests/integration.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "core/history/run_label.h"
#include "core/model/safetensors.h"
#include "tests/app/hearth_program.h"
#include "tests/core/history/run_writer.h"

using namespace hearth;
using namespace hearth::test;

class ExportCommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void eachFormIsWrittenOfARunUnderWay_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("file");  // that is there then
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("a table of rounds") << QStringLiteral("csv") << QStringLiteral("out") << QByteArray("told,2,1,");
        QTest::newRow("a table of devices")
            << QStringLiteral("devices-csv") << QStringLiteral("out") << QByteArray("device id");
        QTest::newRow("JSON Lines") << QStringLiteral("jsonl") << QStringLiteral("out") << QByteArray("\"_step\":2");
        QTest::newRow("TensorBoard") << QStringLiteral("tensorboard")
                                     << QStringLiteral("out/told/events.out.tfevents.1763629200.hearth")
                                     << QByteArray("training/loss");
        QTest::newRow("a report") << QStringLiteral("report") << QStringLiteral("out")
                                  << QByteArray("aria-label=\"Loss over rounds\"");
        QTest::newRow("a model card") << QStringLiteral("card") << QStringLiteral("out")
                                      << QByteArray("| Rounds | 2 |");
    }
    void eachFormIsWrittenOfARunUnderWay() {
        QFETCH(QString, form);
        QFETCH(QString, file);
        QFETCH(QByteArray, holds);
        const QTemporaryDir home;
        RunWriter run(home.filePath(QStringLiteral("runs")), QStringLiteral("told"));
        run.begin(QStringLiteral("2025-11-20T09:00:00Z"));
        run.round(1, 2);
        run.round(2, 1);
        const QString out = home.filePath(QStringLiteral("out"));
        const Outcome outcome =
            runHearth({QStringLiteral("export"), QStringLiteral("told"), QStringLiteral("--") + form, out,
                       QStringLiteral("--state"), home.path(), QStringLiteral("--json")});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
        QCOMPARE(QJsonDocument::fromJson(outcome.output.toUtf8()).object(), QJsonObject({{form, out}}));
        QFile written(home.filePath(file));
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().contains(holds));
    }

    void theLastWeightsAreWrittenOrTheBest_data() {
        QTest::addColumn<QStringList>("best");
        QTest::addColumn<QString>("round");
        QTest::addColumn<QString>("told");
        QTest::newRow("the last") << QStringList() << QStringLiteral("30") << QStringLiteral("after round 20: --best");
        QTest::newRow("the best") << QStringList{QStringLiteral("--best")} << QStringLiteral("20")
                                  << QStringLiteral("best evaluation, after round 20.");
    }
    void theLastWeightsAreWrittenOrTheBest() {
        QFETCH(QStringList, best);
        QFETCH(QString, round);
        QFETCH(QString, told);
        const QTemporaryDir home;
        const QString folder = home.filePath(QStringLiteral("runs/told/")), out = home.filePath(QStringLiteral("out"));
        QVERIFY(QDir().mkpath(folder));
        for (const auto &[name, value] : {std::pair("weights", 30), std::pair("best", 20)}) {
            auto tensor = NamedTensor{{}, DType::Float32, Buffer::allocate(sizeof(float))};
            tensor.spec.name = QString::number(value);
            tensor.spec.shape = {1};
            QVERIFY(writeSafetensors(folder + QLatin1String(name) + QStringLiteral(".safetensors"), {tensor},
                                     {{QStringLiteral("round"), QString::number(value)}}));
        }
        const Outcome outcome =
            runHearth(QStringList{QStringLiteral("export"), QStringLiteral("told"), QStringLiteral("--safetensors"),
                                  out, QStringLiteral("--state"), home.path()} +
                      best);
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.contains(told), qPrintable(outcome.errors));
        const auto written = readSafetensors(out);
        QVERIFY(written);
        QCOMPARE(written->front().spec.name, round);
    }

    void theFolderThatANetworkCameFromNeedNotBeNamed() {
        const QTemporaryDir home;
        const QString folder = home.filePath(QStringLiteral("runs/told/")),
                      brought = home.filePath(QStringLiteral("brought"));
        QVERIFY(QDir().mkpath(folder) && QDir().mkpath(brought));
        QFile config(brought + QStringLiteral("/config.json")), events(folder + QStringLiteral("events.jsonl"));
        QVERIFY(config.open(QIODevice::WriteOnly) && config.write("{\"model_type\":\"unheard-of\"}") > 0);
        event::Run run;
        run.id = QStringLiteral("told");
        run.origin = brought;
        QVERIFY(events.open(QIODevice::WriteOnly) && events.write(eventLine(1, 0, run) + '\n') > 0);
        config.close();
        events.close();
        auto tensor = NamedTensor{{}, DType::Float32, Buffer::allocate(sizeof(float))};
        tensor.spec.name = QStringLiteral("bias");
        tensor.spec.shape = {1};
        QVERIFY(writeSafetensors(folder + QStringLiteral("weights.safetensors"), {tensor}));
        const Outcome outcome =
            runHearth({QStringLiteral("export"), QStringLiteral("told"), QStringLiteral("--hugging-face"),
                       home.filePath(QStringLiteral("new")), QStringLiteral("--state"), home.path()});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.errors.contains(QStringLiteral("unheard-of")), qPrintable(outcome.errors));
    }

    void aRunIsFoundByItsName() {
        const QTemporaryDir home;
        RunWriter run(home.filePath(QStringLiteral("runs")), QStringLiteral("told"));
        run.begin();
        run.round(1, 2);
        RunLabel label;
        label.name = QStringLiteral("the first");
        QVERIFY(label.save(home.filePath(QStringLiteral("runs/told"))));
        const QString out = home.filePath(QStringLiteral("out"));
        const Outcome outcome = runHearth({QStringLiteral("export"), label.name, QStringLiteral("--csv"), out,
                                           QStringLiteral("--state"), home.path()});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
        QVERIFY(QFile::exists(out));
    }

    void whatCannotBeIsSaid_data() {
        addRefusalColumns();
        addRefusal("no form", "export told", 2, "--csv FILE");
        addRefusal("a run that there is not", "export told --csv /tmp/x --state /nonexistent", 1, "hearth runs");
        addRefusal("a report of no run", "export told --report /tmp/x --state /nonexistent", 1, "hearth runs");
        addRefusal("a way out of the folder", "export ../told --csv /tmp/x --state /nonexistent", 1, "hearth runs");
        addRefusal("a run without weights", "export told --onnx /tmp/x --state /nonexistent", 1, "no weights");
    }
    void whatCannotBeIsSaid() { checkRefusal(); }
};

QTEST_GUILESS_MAIN(ExportCommandTest)
#include "export_command_test.moc"
