// `hearth label` and `hearth compare` over run folders: no agent is needed for them.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "core/history/run_label.h"
#include "tests/app/hearth_program.h"
#include "tests/core/history/run_writer.h"

using namespace hearth;
using namespace hearth::test;

class LabelCommandTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_state;
    const QString m_one = QStringLiteral("20261120-090000-aaaa"), m_other = QStringLiteral("20261121-090000-bbbb");

    void addRun(const QString &id, int batch, double loss) const {
        Job job;
        job.batch = batch;
        RunWriter run(m_state.filePath(QStringLiteral("runs")), id, job);
        run.begin();
        run.round(1, 2);
        run.round(2, loss);
    }
    RunLabel labelOf(const QString &run) const {
        return RunLabel::load(m_state.filePath(QStringLiteral("runs/") + run)).value_or(RunLabel());
    }
    Outcome hearth(const QStringList &words) const {
        return runHearth(words + QStringList{QStringLiteral("--state"), m_state.path()});
    }
    static QJsonObject jsonOf(const Outcome &outcome) {
        return QJsonDocument::fromJson(outcome.output.toUtf8()).object();
    }

  private Q_SLOTS:
    void initTestCase() {
        addRun(m_one, 64, 0.5);
        addRun(m_other, 128, 0.25);
    }

    void aRunIsNamedAndFoundByItsName() {
        QCOMPARE(hearth({QStringLiteral("label"), m_one, QStringLiteral("--name"), QStringLiteral("the first"),
                         QStringLiteral("--note"), QStringLiteral("old\nrouter")})
                     .status,
                 0);
        const Outcome told = hearth({QStringLiteral("label"), QStringLiteral("the first")});
        QCOMPARE(told.status, 0);
        QVERIFY2(told.output.contains(QLatin1String("the first")) && told.output.contains(QLatin1String("router")),
                 qPrintable(told.output));
        const QString none;
        QCOMPARE(
            hearth({QStringLiteral("label"), m_one, QStringLiteral("--name"), none, QStringLiteral("--note"), none})
                .status,
            0);
        QCOMPARE(labelOf(m_one), RunLabel());
    }

    void severalRunsAreTaggedAndStarred() {
        const Outcome done = hearth({QStringLiteral("label"), m_one, m_other, QStringLiteral("--tag"),
                                     QStringLiteral("paper,slow"), QStringLiteral("--star"), QStringLiteral("--json")});
        QCOMPARE(done.status, 0);
        QCOMPARE(jsonOf(done)[QLatin1String("labels")].toArray().size(), 2);
        QCOMPARE(hearth({QStringLiteral("label"), m_one, QStringLiteral("--untag"), QStringLiteral("slow"),
                         QStringLiteral("--unstar")})
                     .status,
                 0);
        QCOMPARE(labelOf(m_one).tags, QStringList{QStringLiteral("paper")});
        QVERIFY(!labelOf(m_one).starred);
        QCOMPARE(labelOf(m_other).tags, (QStringList{QStringLiteral("paper"), QStringLiteral("slow")}));
        QVERIFY(labelOf(m_other).starred);
    }

    void runsAreComparedByWhatDiffers() {
        const QJsonObject compared =
            jsonOf(hearth({QStringLiteral("compare"), m_one, m_other, QStringLiteral("--json")}));
        QCOMPARE(compared[QLatin1String("differing")].toArray(), QJsonArray{QStringLiteral("batch")});
        const QJsonObject second = compared[QLatin1String("runs")].toArray()[1].toObject();
        QCOMPARE(second[QLatin1String("values")].toObject()[QLatin1String("batch")].toInt(), 128);
        QCOMPARE(second[QLatin1String("loss")].toDouble(), 0.25);
        QVERIFY(second[QLatin1String("accuracy")].isNull());
        const Outcome table = hearth({QStringLiteral("compare"), m_one, m_other});
        QCOMPARE(table.status, 0);
        QVERIFY2(table.output.contains(QLatin1String("BATCH")), qPrintable(table.output));
    }

    void whatCannotBeIsRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const QString label = QStringLiteral("label"), compare = QStringLiteral("compare"),
                      name = QStringLiteral("--name"), tag = QStringLiteral("--tag");
        QTest::newRow("a name of two lines")
            << QStringList{label, m_one, name, QStringLiteral("a\nb")} << 1 << QStringLiteral("printable");
        QTest::newRow("a name that turns the direction")
            << QStringList{label, m_one, name, QStringLiteral("a\u202eb")} << 1 << QStringLiteral("printable");
        QTest::newRow("one name for two")
            << QStringList{label, m_one, m_other, name, QStringLiteral("a")} << 2 << QStringLiteral("--tag");
        QTest::newRow("a star and none") << QStringList{label, m_one, QStringLiteral("--star"),
                                                        QStringLiteral("--unstar")}
                                         << 2 << QStringLiteral("--unstar");
        QTest::newRow("a tag too long") << QStringList{label, m_one, tag, QString(61, QLatin1Char('a'))} << 1
                                        << QStringLiteral("60");
        QTest::newRow("nobody's run") << QStringList{label, QStringLiteral("nobody")} << 1
                                      << QStringLiteral("hearth runs");
        QTest::newRow("a path") << QStringList{label, QStringLiteral("../runs")} << 1 << QStringLiteral("hearth runs");
        QTest::newRow("one run to compare") << QStringList{compare, m_one} << 2 << QStringLiteral("two to 10");
        QTest::newRow("eleven runs to compare")
            << (QStringList{compare} + QStringList(11, m_one)) << 2 << QStringLiteral("11 runs");
        QTest::newRow("nobody's run to compare")
            << QStringList{compare, m_one, QStringLiteral("nobody")} << 1 << QStringLiteral("nobody");
    }
    void whatCannotBeIsRefused() {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        const RunLabel before = labelOf(m_one);
        const Outcome outcome = hearth(words);
        QCOMPARE(outcome.status, status);
        QVERIFY2(outcome.errors.contains(says), qPrintable(outcome.errors));
        QCOMPARE(labelOf(m_one), before);
    }
};

QTEST_GUILESS_MAIN(LabelCommandTest)
#include "label_command_test.moc"
