// What is looked for among runs, and what differs between their jobs.
#include <QJsonArray>
#include <QTest>

#include "core/history/job_values.h"
#include "core/history/run_query.h"
#include "core/run/job.h"

using namespace hearth;

class RunQueryTest : public QObject {
    Q_OBJECT

    static RunSummary run(int batch, double rate, const QString &tag = {}) {
        Job job;
        job.batch = batch;
        job.optimizer.learningRate = rate;
        RunSummary summary;
        summary.job = job.toJson();
        summary.accuracy = 0.85;
        summary.loss = 0.5;
        summary.label.name = QStringLiteral("first");
        if (!tag.isEmpty())
            summary.label.tags << tag;
        return summary;
    }

  private Q_SLOTS:
    void conditionsHold_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("holds");
        QTest::newRow("nothing asked") << QString() << true;
        QTest::newRow("words alone are no conditions") << QStringLiteral("router old") << true;
        QTest::newRow("greater") << QStringLiteral("batch>32") << true;
        QTest::newRow("not greater than itself") << QStringLiteral("batch>64") << false;
        QTest::newRow("at least") << QStringLiteral("batch>=64") << true;
        QTest::newRow("at most") << QStringLiteral("batch<=63") << false;
        QTest::newRow("equal as a number") << QStringLiteral("learning_rate=1e-1") << true;
        QTest::newRow("by its short name") << QStringLiteral("lr=0.1") << true;
        QTest::newRow("by its whole path") << QStringLiteral("optimizer.learning_rate<0.2") << true;
        QTest::newRow("a kind") << QStringLiteral("optimizer=SGD") << true;
        QTest::newRow("another kind") << QStringLiteral("optimizer=adam") << false;
        QTest::newRow("not of a kind") << QStringLiteral("optimizer!=adam") << true;
        QTest::newRow("several") << QStringLiteral("batch>32 lr=0.3") << false;
        QTest::newRow("accuracy as a part") << QStringLiteral("accuracy>0.8") << true;
        QTest::newRow("accuracy in percent") << QStringLiteral("accuracy>90") << false;
        QTest::newRow("a figure that is not known") << QStringLiteral("speed>0") << false;
        QTest::newRow("a tag") << QStringLiteral("tag=Paper") << true;
        QTest::newRow("not of a tag") << QStringLiteral("tag!=paper") << false;
        QTest::newRow("a name") << QStringLiteral("name=first") << true;
        QTest::newRow("what no job has") << QStringLiteral("mood=good") << false;
        QTest::newRow("not what no job has") << QStringLiteral("mood!=good") << true;
    }
    void conditionsHold() {
        QFETCH(QString, text);
        QFETCH(bool, holds);
        QCOMPARE(RunQuery(text).holdsFor(run(64, 0.1, QStringLiteral("paper"))), holds);
    }

    void wordsAreKeptApartFromConditions() {
        const RunQuery query(QStringLiteral("  old batch>64 <5 router="));
        QCOMPARE(query.words(), (QStringList{QStringLiteral("old"), QStringLiteral("<5"), QStringLiteral("router=")}));
    }

    void whatDiffersIsToldByItsPath() {
        const RunSummary a = run(64, 0.1), b = run(64, 0.2), c = run(32, 0.2), unknown;
        QCOMPARE(differingPaths({&a, &a}), QStringList());
        QCOMPARE(differingPaths({&a, &b}), QStringList{QStringLiteral("optimizer.learning_rate")});
        QCOMPARE(differingPaths({&a, &b, &c, &unknown}),
                 (QStringList{QStringLiteral("batch"), QStringLiteral("optimizer.learning_rate")}));
    }

    void valuesAreSetAndReadByPath() {
        QJsonObject job = withValue({}, QStringLiteral("optimizer.kind"), QStringLiteral("adam"));
        job = withValue(job, QStringLiteral("freeze"), QJsonArray{QStringLiteral("a")});
        QCOMPARE(valueAt(job, QStringLiteral("optimizer.kind")).toString(), QStringLiteral("adam"));
        QVERIFY(valueAt(job, QStringLiteral("optimizer")).isUndefined());
        QVERIFY(valueAt(job, QStringLiteral("nowhere.at.all")).isUndefined());
        QCOMPARE(valuesOf(job).keys(), (QStringList{QStringLiteral("freeze"), QStringLiteral("optimizer.kind")}));
        QCOMPARE(valueText(valueAt(job, QStringLiteral("freeze"))), QStringLiteral("[\"a\"]"));
    }
};

QTEST_GUILESS_MAIN(RunQueryTest)
#include "run_query_test.moc"
