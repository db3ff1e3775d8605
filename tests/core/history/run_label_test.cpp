// What people write on runs: kept beside the run, and read with it.
#include <QDir>

#include "tests/core/base/small_disk.h"
#include "tests/core/history/index_fixture.h"

using namespace hearth;

class RunLabelTest : public IndexFixture {
    Q_OBJECT

    QString folder(const QString &id = QStringLiteral("a")) const { return runs() + QLatin1Char('/') + id; }
    void addRun() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 0.5);
    }

  private Q_SLOTS:
    void init() { begin(); }

    void aLabelIsReadWithItsRunAndTheRunStaysAsItIs() {
        addRun();
        QFile events(folder() + QStringLiteral("/events.jsonl"));
        QVERIFY(events.open(QIODevice::ReadOnly));
        const QByteArray before = events.readAll();
        QCOMPARE(only().label, RunLabel());
        LabelChange change;
        change.name = QStringLiteral("  first try ");
        change.note = QStringLiteral("two\r\nlines\n");
        change.tags = {QStringLiteral("b"), QStringLiteral("a"), QStringLiteral("b")};
        change.starred = true;
        QVERIFY(change.applyTo(folder()));
        const RunLabel wanted{QStringLiteral("first try"),
                              QStringLiteral("two\nlines"),
                              {QStringLiteral("a"), QStringLiteral("b")},
                              true};
        QCOMPARE(stored().label, wanted);
        QCOMPARE(details().summary.label, wanted);
        QVERIFY(events.seek(0));
        QCOMPARE(events.readAll(), before);
    }

    void whatIsNotNamedStays() {
        addRun();
        QVERIFY((LabelChange{QStringLiteral("name"), {}, {QStringLiteral("x"), QStringLiteral("y")}, {}, {}})
                    .applyTo(folder()));
        QVERIFY((LabelChange{{}, {}, {QStringLiteral("z")}, {QStringLiteral("x")}, true}).applyTo(folder()));
        QCOMPARE(only().label,
                 (RunLabel{QStringLiteral("name"), {}, {QStringLiteral("y"), QStringLiteral("z")}, true}));
    }

    void theJobIsReadWithTheRun() {
        Job job;
        job.batch = 77;
        RunWriter run(runs(), QStringLiteral("a"), job);
        run.begin();
        QCOMPARE(only().job, job.toJson());
    }

    void whatNoLabelHoldsIsRefused_data() {
        QTest::addColumn<LabelChange>("change");
        const auto name = [](const QString &text) { return LabelChange{text, {}, {}, {}, {}}; };
        const auto tag = [](const QString &text) { return LabelChange{{}, {}, {text}, {}, {}}; };
        QTest::newRow("a name of two lines") << name(QStringLiteral("a\nb"));
        QTest::newRow("a name that turns the direction") << name(QStringLiteral("a\u202eb"));
        QTest::newRow("a name that goes from right to left by a mark") << name(QStringLiteral("a\u200fb"));
        QTest::newRow("a name too long") << name(QString(201, QLatin1Char('a')));
        QTest::newRow("a note with a control character") << LabelChange{{}, QStringLiteral("a\x1b[2J"), {}, {}, {}};
        QTest::newRow("a note too long") << LabelChange{{}, QString(10001, QLatin1Char('a')), {}, {}, {}};
        QTest::newRow("a tag with a space") << tag(QStringLiteral("a b"));
        QTest::newRow("a tag with a comma") << tag(QStringLiteral("a,b"));
        QTest::newRow("an empty tag") << tag(QString());
    }
    void whatNoLabelHoldsIsRefused() {
        QFETCH(LabelChange, change);
        addRun();
        const auto changed = change.applyTo(folder());
        QVERIFY(!changed);
        QCOMPARE(changed.error().code, QStringLiteral("label.bad"));
        QCOMPARE(only().label, RunLabel());
    }

    void namesOfAllScriptsAreTaken_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("Hebrew") << QStringLiteral("ניסיון");
        QTest::newRow("Persian with a joiner") << QStringLiteral("می\u200cخواهم");
        QTest::newRow("a family of one picture") << QStringLiteral("👩\u200d👧");
    }
    void namesOfAllScriptsAreTaken() {
        QFETCH(QString, name);
        addRun();
        QVERIFY((LabelChange{name, {}, {}, {}, {}}).applyTo(folder()));
        QCOMPARE(only().label.name, name);
    }

    void aFileThatIsNoLabelIsSaidAndKept() {
        addRun();
        const QString path = folder() + QStringLiteral("/label.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"format":"hearth-label/1","mood":"good"})");
        file.close();
        QCOMPARE(only().label, RunLabel());
        const auto changed = LabelChange{QStringLiteral("name"), {}, {}, {}, {}}.applyTo(folder());
        QVERIFY(!changed);
        QVERIFY2(changed.error().toString().contains(path), qPrintable(changed.error().toString()));
        QVERIFY(changed.error().toString().contains(QLatin1String("mood")));
    }

    void aLabelThatCannotBeWrittenIsSaid() {
        addRun();
        const SmallDisk full(0);
        const auto changed = LabelChange{QStringLiteral("name"), {}, {}, {}, {}}.applyTo(folder());
        QVERIFY(!changed);
        QCOMPARE(changed.error().code, QStringLiteral("label.unsaved"));
    }

    void aFolderThatIsGoneIsNotMadeAgain() {
        const auto changed = LabelChange{QStringLiteral("name"), {}, {}, {}, {}}.applyTo(folder());
        QVERIFY(!changed);
        QCOMPARE(changed.error().code, QStringLiteral("label.unsaved"));
        QVERIFY(!QFileInfo::exists(folder()));
    }
};

QTEST_GUILESS_MAIN(RunLabelTest)
#include "run_label_test.moc"
