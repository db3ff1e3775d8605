// What other programs read of runs, but for tables (index_file_test, index_reading_test).
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <cmath>

#include "tests/core/history/index_fixture.h"

using namespace hearth;

namespace {

const double began = 1763629200;  // 2025-11-20T09:00:00Z

QList<QJsonObject> objectsOf(const QByteArray &lines) {
    QList<QJsonObject> objects;
    for (const QByteArray &line : lines.split('\n')) {
        if (!line.isEmpty())
            objects << QJsonDocument::fromJson(line).object();
    }
    return objects;
}

}  // namespace

class RunExportTest : public IndexFixture {
    Q_OBJECT

    void writeRun(const QString &id) {
        RunWriter run(runs(), id);
        run.begin(QStringLiteral("2025-11-20T09:00:00Z"));
        run.add(event::Evaluation{0, 0.1, 2.5});
        run.round(1, 2.25, 1, 64);
        run.round(2, std::nan(""), 1, 128);
        run.add(event::Evaluation{2, 0.75, std::nan("")});
    }

  private Q_SLOTS:
    void init() {
        begin();
        writeRun(QStringLiteral("a"));
        m_index->setFolders({runs()});
    }

    void jsonLinesTellWhatWasMeasured() {
        const QString path = m_dir->filePath(QStringLiteral("rounds.jsonl"));
        const auto written = m_index->exportRuns(RunExport::JsonLines, {QStringLiteral("a")}, path);
        QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QJsonObject> lines = objectsOf(file.readAll());
        QCOMPARE(lines.size(), 3);
        const auto number = [](const QJsonObject &of, const char *key) { return of[QLatin1String(key)].toDouble(-1); };
        QCOMPARE(lines[0].keys(),
                 QStringLiteral("_runtime,_step,_timestamp,accuracy,evaluation_loss,run").split(QLatin1Char(',')));
        QCOMPARE(number(lines[0], "_step"), 0);
        QCOMPARE(number(lines[0], "_runtime"), 3);
        QCOMPARE(number(lines[0], "_timestamp"), began + 3);
        QCOMPARE(number(lines[1], "loss"), 2.25);
        QCOMPARE(number(lines[1], "round_s"), 1.28);
        QCOMPARE(number(lines[1], "samples_per_s"), 64);
        QCOMPARE(lines[1][QLatin1String("run")].toString(), QStringLiteral("a"));
        QVERIFY(!lines[1].contains(QLatin1String("accuracy")));
        // What is no number is not told.
        QVERIFY(!lines[2].contains(QLatin1String("loss")));
        QCOMPARE(number(lines[2], "accuracy"), 0.75);
        QVERIFY(!lines[2].contains(QLatin1String("evaluation_loss")));
    }

    void tensorBoardReadsAFolderOfEachRun() {
        writeRun(QStringLiteral("b"));
        const QString folder = m_dir->filePath(QStringLiteral("board"));
        for (int again = 0; again < 2; ++again) {  // the second one replaces the first one's files
            const auto written =
                m_index->exportRuns(RunExport::TensorBoard, {QStringLiteral("a"), QStringLiteral("b")}, folder);
            QVERIFY2(written, written ? "" : qPrintable(written.error().toString()));
        }
        QCOMPARE(QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                 QStringLiteral("a,b").split(QLatin1Char(',')));
        for (const char *run : {"a", "b"}) {
            const QDir one(QDir(folder).filePath(QLatin1String(run)));
            const QStringList files = one.entryList(QDir::Files);
            QCOMPARE(files, QStringList{QStringLiteral("events.out.tfevents.1763629200.hearth")});
            QProcess python;
            python.start(QStringLiteral(HEARTH_PYTHON),
                         {QStringLiteral(HEARTH_TENSOR_BOARD_READER), one.filePath(files.first())});
            QVERIFY(python.waitForFinished(60000));
            QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
            const QList<QJsonObject> events = objectsOf(python.readAllStandardOutput());
            QCOMPARE(events.size(), 4);
            QCOMPARE(events[0][QLatin1String("version")].toString(), QStringLiteral("brain.Event:2"));
            QCOMPARE(events[0][QLatin1String("time")].toDouble(), began);
            const auto told = [&events](int event) { return events[event][QLatin1String("told")].toObject(); };
            QCOMPARE(events[1][QLatin1String("step")].toInt(), 0);
            QCOMPARE(told(1).keys(), QStringLiteral("evaluation/accuracy,evaluation/loss").split(QLatin1Char(',')));
            QCOMPARE(events[2][QLatin1String("step")].toInt(), 1);
            QCOMPARE(events[2][QLatin1String("time")].toDouble(), began + 3.5);
            QCOMPARE(told(2)[QLatin1String("training/loss")].toDouble(), 2.25);
            QCOMPARE(told(2)[QLatin1String("speed/samples per second")].toDouble(), 64);
            QCOMPARE(told(3)[QLatin1String("evaluation/accuracy")].toDouble(), 0.75);
            QVERIFY(!told(3).contains(QLatin1String("training/loss")));
        }
    }

    void aFolderThatCannotBeMadeIsSaid() {
        const QString file = m_dir->filePath(QStringLiteral("file"));
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        const auto written = m_index->exportRuns(RunExport::TensorBoard, {QStringLiteral("a")}, file);
        QVERIFY(!written);
        QCOMPARE(written.error().code, QStringLiteral("history.not-exported"));
        QVERIFY(written.error().what.contains(file));
    }

    void aRunThatNobodyKnowsIsAnError_data() {
        QTest::addColumn<QString>("id");
        QTest::newRow("one that is not there") << QStringLiteral("c");
        QTest::newRow("a way out of the folder") << QStringLiteral("../runs/a");
        QTest::newRow("no name") << QString();
    }
    void aRunThatNobodyKnowsIsAnError() {
        QFETCH(QString, id);
        const auto written = m_index->exportRuns(RunExport::JsonLines, {id}, m_dir->filePath(QStringLiteral("x")));
        QVERIFY(!written);
        QCOMPARE(written.error().code, QStringLiteral("history.unknown"));
        QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("x"))));
    }
};

QTEST_GUILESS_MAIN(RunExportTest)
#include "run_export_test.moc"
