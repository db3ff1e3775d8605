// The models behind History, and what it says in words.
#include <QAbstractItemModelTester>
#include <QSet>
#include <QTest>
#include <cmath>

#include "tests/ui/run_fixture.h"
#include "ui/history/runs_filter.h"
#include "ui/run/run_facts.h"
#include "ui/run/run_look.h"
#include "ui/run/runs_table_model.h"

using namespace hearth;

class RunsTableTest : public RunFixture {
    Q_OBJECT

    static RunRow row(const QString &id, const QString &state, double loss = 1) {
        RunRow row;
        row.run.id = id;
        row.run.folder = QStringLiteral("/runs/") + id;
        row.run.started = QStringLiteral("2026-11-21T09:45:00Z");
        row.run.model = QStringLiteral("fashion-cnn");
        row.run.data = QStringLiteral("fashion-mnist");
        row.run.devices = {QStringLiteral("laptop"), QStringLiteral("nano"), QStringLiteral("tx2")};
        row.run.rounds = 1200;
        row.run.wantedRounds = 5000;
        row.run.loss = loss;
        row.run.samplesPerSecond = 310.04;
        row.run.accuracy = 0.875;
        row.run.seconds = 125;
        row.run.lastSeq = 9;
        row.state = state;
        return row;
    }
    static QStringList ids(const QAbstractItemModel &model) {
        QStringList list;
        for (int i = 0; i < model.rowCount(); ++i)
            list << model.index(i, 0).data(RunsTableModel::IdRole).toString();
        return list;
    }
    /// Details as the index tells them, from events.
    RunDetails detailsOf(const std::vector<RunEvent> &events) const {
        RunDetails details;
        for (const RunEvent &one : events) {
            if (!std::holds_alternative<event::Round>(one.body) && !std::holds_alternative<event::Profile>(one.body))
                details.events.push_back(one);
        }
        return details;
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }

    void everyColumnSaysWhatItsTitlePromises() {
        RunsTableModel model;
        RunRow one = row(QStringLiteral("a"), QStringLiteral("interrupted"), 0.51234);
        one.run.label = {QStringLiteral("first"), {}, {QStringLiteral("a"), QStringLiteral("b")}, true};
        one.run.bytes = qint64{3} << 30;
        model.setRuns({one});
        QCOMPARE(model.index(0, RunsTableModel::Name).data().toString(), QStringLiteral("first"));
        QStringList texts;
        for (int column = RunsTableModel::State; column < RunsTableModel::ColumnCount; ++column)
            texts << model.headerData(column, Qt::Horizontal).toString() + QStringLiteral(": ") +
                         plain(model.index(0, column).data().toString());
        QCOMPARE(texts.join(QLatin1Char('\n')),
                 QStringLiteral("State: Interrupted\nModel: fashion-cnn\nData: fashion-mnist\nDevices: 3 devices\n"
                                "Rounds: 1,200 of 5,000\nSamples/s: 310\nLoss: 0.5123\nAccuracy: 87.5 %\n"
                                "Duration: 2 min 5 s\nSize: 3.0 GiB\nTags: a, b"));
        for (const auto role : {Qt::ToolTipRole, Qt::AccessibleTextRole})
            QCOMPARE(model.headerData(RunsTableModel::Star, Qt::Horizontal, role).toString(),
                     QStringLiteral("Starred"));
        QVERIFY(!model.index(0, RunsTableModel::State).data(Qt::DecorationRole).value<QIcon>().isNull());
        QVERIFY(
            model.index(0, RunsTableModel::Devices).data(Qt::ToolTipRole).toString().contains(QLatin1String("tx2")));
    }

    void aRunWithoutALineThatCanBeReadSaysSo() {
        RunsTableModel model;
        RunRow damaged = row(QStringLiteral("a"), QString());
        const auto stateOf = [&](qint64 badLines, const QString &state) {
            damaged.run.badLines = badLines;
            damaged.state = state;
            model.setRuns({damaged});
            return model.index(0, RunsTableModel::State).data().toString();
        };
        QCOMPARE(stateOf(0, QString()), QStringLiteral("–"));
        QCOMPARE(stateOf(1, QString()), QStringLiteral("Not readable"));
        QCOMPARE(stateOf(1, QStringLiteral("finished")), QStringLiteral("Finished"));
    }

    void aNameIsReadWholeBesideItsNote_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("note");
        QTest::addColumn<QString>("tip");
        QTest::newRow("neither") << QString() << QString() << QString();
        QTest::newRow("a name") << "first" << QString() << "first";
        QTest::newRow("a note") << QString() << "with the old router"
                                << "with the old router";
        QTest::newRow("both") << "first"
                              << "with the old router"
                              << "first\nwith the old router";
    }
    void aNameIsReadWholeBesideItsNote() {
        QFETCH(QString, name);
        QFETCH(QString, note);
        QFETCH(QString, tip);
        RunsTableModel model;
        RunRow one = row(QStringLiteral("a"), QStringLiteral("finished"));
        one.run.label.name = name;
        one.run.label.note = note;
        model.setRuns({one});
        QCOMPARE(model.index(0, RunsTableModel::Name).data(Qt::ToolTipRole).toString(), tip);
    }

    void whatWasNeverMeasuredIsADash() {
        RunsTableModel model;
        RunRow empty;
        empty.run.id = QStringLiteral("a");
        model.setRuns({empty});
        for (const int column : {RunsTableModel::State, RunsTableModel::Speed, RunsTableModel::Loss,
                                 RunsTableModel::Accuracy, RunsTableModel::Size})
            QCOMPARE(model.index(0, column).data().toString(), QStringLiteral("–"));
    }

    void rowsStayWhereTheyAreWhileRunsComeGoAndGrow() {
        RunsTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const RunRow a = row(QStringLiteral("a"), QStringLiteral("finished"));
        RunRow b = row(QStringLiteral("b"), QStringLiteral("training"));
        const RunRow c = row(QStringLiteral("c"), QStringLiteral("failed"));
        model.setRuns({a, b});
        const QPersistentModelIndex ofB = model.index(1, 0);
        b.run.rounds = 1300;
        b.run.lastSeq = 10;
        model.setRuns({c, b, a});
        QCOMPARE(ids(model), QStringList({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
        QCOMPARE(model.index(ofB.row(), RunsTableModel::Rounds).data().toString(), QStringLiteral("1,300 of 5,000"));
        model.setRuns({c, b});
        QCOMPARE(ofB.row(), 0);
        model.setRuns({});
        QVERIFY(!ofB.isValid());
    }

    void aRunThatGrowsTellsNothingOfItsNameAndTags() {
        RunsTableModel model;
        model.setJobColumns({QStringLiteral("batch")});
        RunRow live = row(QStringLiteral("a"), QStringLiteral("training"));
        model.setRuns({live});
        QSet<int> told;
        connect(&model, &QAbstractItemModel::dataChanged, this,
                [&told](const QModelIndex &first, const QModelIndex &last) {
                    for (int column = first.column(); column <= last.column(); ++column)
                        told << column;
                });
        live.run.lastSeq = 10;
        model.setRuns({live});
        QVERIFY(told.contains(RunsTableModel::Started) && told.contains(RunsTableModel::Length));
        QVERIFY(told.contains(RunsTableModel::ColumnCount));
        QVERIFY(!told.contains(RunsTableModel::Name) && !told.contains(RunsTableModel::Tags));
        told.clear();
        live.run.bytes = 1000;
        model.setRuns({live});
        QVERIFY(told.contains(RunsTableModel::Size));
        live.run.label.name = QStringLiteral("mine");
        model.setRuns({live});
        QVERIFY(told.contains(RunsTableModel::Name) && told.contains(RunsTableModel::Tags));
    }

    void searchFindsAllWordsAnywhere_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("found");
        QTest::newRow("nothing asked") << ""
                                       << "a b";
        QTest::newRow("a device") << "TX2"
                                  << "a b";
        QTest::newRow("a model and a state") << "cnn failed"
                                             << "b";
        QTest::newRow("an id") << "a fashion"
                               << "a b";
        QTest::newRow("a day") << "11/21/26"
                               << "a b";
        QTest::newRow("what is nowhere") << "cnn mnist pie"
                                         << "";
    }
    void searchFindsAllWordsAnywhere() {
        QFETCH(QString, words);
        QFETCH(QString, found);
        RunsTableModel model;
        RunsFilter filter;
        QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filter.setSourceModel(&model);
        model.setRuns(
            {row(QStringLiteral("a"), QStringLiteral("finished")), row(QStringLiteral("b"), QStringLiteral("failed"))});
        filter.setWords(words);
        QCOMPARE(ids(filter).join(QLatin1Char(' ')), found);
    }

    void statesFallIntoThree_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<int>("kind");
        using States = RunsFilter::States;
        for (const char *state : {"profiling", "planning", "training", "paused", "recovering"})
            QTest::newRow(state) << state << static_cast<int>(States::UnderWay);
        for (const char *state : {"interrupted", "failed", "stopped"})
            QTest::newRow(state) << state << static_cast<int>(States::Broken);
        QTest::newRow("finished") << "finished" << static_cast<int>(States::Finished);
    }
    void statesFallIntoThree() {
        QFETCH(QString, state);
        QFETCH(int, kind);
        RunsTableModel model;
        RunsFilter filter;
        filter.setSourceModel(&model);
        model.setRuns({row(QStringLiteral("a"), state)});
        using States = RunsFilter::States;
        for (const States states : {States::All, States::UnderWay, States::Finished, States::Broken}) {
            filter.setStates(states);
            QCOMPARE(filter.rowCount(), states == States::All || static_cast<int>(states) == kind ? 1 : 0);
        }
    }

    void whatIsNotKnownComesLastBothWays() {
        RunsTableModel model;
        RunsFilter filter;
        filter.setSourceModel(&model);
        model.setRuns({row(QStringLiteral("none"), QStringLiteral("failed"), std::nan("")),
                       row(QStringLiteral("low"), QStringLiteral("finished"), 0.09),
                       row(QStringLiteral("high"), QStringLiteral("finished"), 10)});
        filter.sort(RunsTableModel::Loss, Qt::AscendingOrder);
        QCOMPARE(ids(filter).join(QLatin1Char(' ')), QStringLiteral("low high none"));
        filter.sort(RunsTableModel::Loss, Qt::DescendingOrder);
        QCOMPARE(ids(filter).join(QLatin1Char(' ')), QStringLiteral("high low none"));
    }

    void sizesAreNumbers() {
        RunsTableModel model;
        RunsFilter filter;
        filter.setSourceModel(&model);
        std::vector<RunRow> rows;
        for (const auto &[id, bytes] : {std::pair("unknown", qint64{-1}), std::pair("large", qint64{3} << 30),
                                        std::pair("small", qint64{900} << 10)}) {
            rows.push_back(row(QString::fromLatin1(id), QStringLiteral("finished")));
            rows.back().run.bytes = bytes;
        }
        model.setRuns(rows);
        filter.sort(RunsTableModel::Size, Qt::AscendingOrder);
        QCOMPARE(ids(filter).join(QLatin1Char(' ')), QStringLiteral("small large unknown"));
        filter.sort(RunsTableModel::Size, Qt::DescendingOrder);
        QCOMPARE(ids(filter).join(QLatin1Char(' ')), QStringLiteral("large small unknown"));
        const QVariant cell = model.index(0, RunsTableModel::Size).data(Qt::TextAlignmentRole),
                       title = model.headerData(RunsTableModel::Size, Qt::Horizontal, Qt::TextAlignmentRole);
        QVERIFY(cell.value<Qt::Alignment>().testFlag(Qt::AlignRight));
        QVERIFY(title.value<Qt::Alignment>().testFlag(Qt::AlignRight));
    }

    void aRunThatNobodyWorksOnIsInterrupted_data() {
        QTest::addColumn<bool>("told");
        QTest::addColumn<bool>("known");
        QTest::addColumn<bool>("live");
        QTest::addColumn<int>("age");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("state");
        QTest::addColumn<double>("roundSeconds");
        QTest::newRow("the home has not told yet") << false << false << false << 900 << "training"
                                                   << "training" << 1.0;
        QTest::newRow("the home says that it is live") << true << true << true << 900 << "training"
                                                       << "training" << 1.0;
        QTest::newRow("the home says that it is not") << true << true << false << 0 << "interrupted"
                                                      << "training" << 1.0;
        QTest::newRow("the home says that it is not, though paused") << true << true << false << 0 << "interrupted"
                                                                     << "paused" << 1.0;
        QTest::newRow("of another home, heard of just now") << true << false << false << 10 << "training"
                                                            << "training" << 1.0;
        QTest::newRow("of another home, silent for long") << true << false << false << 900 << "interrupted"
                                                          << "training" << 1.0;
        QTest::newRow("of another home, whose rounds take minutes") << true << false << false << 900 << "training"
                                                                    << "training" << 300.0;
        QTest::newRow("of another home, silent for many rounds") << true << false << false << 3600 << "interrupted"
                                                                 << "training" << 300.0;
        QTest::newRow("of another home, paused over night") << true << false << false << 36000 << "paused"
                                                            << "paused" << 1.0;
    }
    void aRunThatNobodyWorksOnIsInterrupted() {
        QFETCH(bool, told);
        QFETCH(bool, known);
        QFETCH(bool, live);
        QFETCH(int, age);
        QFETCH(QString, shown);
        QFETCH(QString, state);
        QFETCH(double, roundSeconds);
        const QDateTime now = QDateTime::fromString(QStringLiteral("2026-11-21T12:00:00Z"), Qt::ISODate);
        RunSummary run;
        run.id = QStringLiteral("a");
        run.state = state;
        run.rounds = 10;
        run.seconds = 10 * roundSeconds;
        run.modified = now.addSecs(-age).toMSecsSinceEpoch();
        RunInfo info;
        info.id = run.id;
        info.live = live;
        RunsUnderWay underWay;
        if (told)
            underWay.set(known ? std::vector<RunInfo>{info} : std::vector<RunInfo>{});
        QCOMPARE(underWay.stateOf(run, now), shown);
        run.state = QStringLiteral("stopped");
        QCOMPARE(underWay.stateOf(run, now), QStringLiteral("stopped"));
        QVERIFY(!underWay.isLive(run, now));
        // Who worked on it may not have ended yet.
        QCOMPARE(underWay.isHeld(run, now), told && known && live);
    }

    void plansAreToldInWords() {
        ShownRun run{detailsOf(m_events), QStringLiteral("finished")};
        const auto sections = factsOf({run});
        const auto plans = std::ranges::find(sections, QStringLiteral("Plans"), &FactSection::title);
        QVERIFY(plans != sections.end());
        QCOMPARE(plans->facts.size(), std::size_t{1});
        QCOMPARE(plans->facts[0].label, QStringLiteral("From round 1 on"));
        QCOMPARE(
            plans->facts[0].values.constFirst(),
            QStringLiteral("Layers conv1 to conv2 on local-2 (9 samples) and local-1 (7 samples); layers conv3 to "
                           "classifier on local-3. Made by the planner “Asteroid (MobiCom 2024)”, 8 × 16 samples."));
    }

    void ofVeryManyPlansTheMiddleIsLeftOut() {
        std::vector<RunEvent> events = m_events;
        const auto first = std::ranges::find_if(
            events, [](const RunEvent &one) { return std::holds_alternative<event::Plan>(one.body); });
        QVERIFY(first != events.end());
        event::Plan plan = std::get<event::Plan>(first->body);
        for (int i = 2; i <= 300; ++i) {
            plan.round = i;
            events.push_back(make(static_cast<quint64>(10000 + i), plan));
        }
        RunDetails details = detailsOf(events);
        // Some were left out of the events before.
        details.summary.plans = 400;
        const auto sections = factsOf({{details, QStringLiteral("finished")}});
        const auto plans = std::ranges::find(sections, QStringLiteral("Plans"), &FactSection::title);
        QVERIFY(plans != sections.end());
        QCOMPARE(plans->facts.size(), std::size_t{1 + 1 + 7});
        QCOMPARE(plans->facts[0].label, QStringLiteral("From round 1 on"));
        QCOMPARE(plans->facts[1].values, QStringList{QStringLiteral("392 plans in between are left out here.")});
        QVERIFY(plans->facts[2].label.startsWith(QLatin1String("From round 294 on")));
        QVERIFY(plans->facts.back().label.startsWith(QLatin1String("From round 300 on")));
    }

    void thePlanThatTheUserGaveIsFoundAndOthersAreNot_data() {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<bool>("given");
        QTest::newRow("the planner's") << "first" << false;
        QTest::newRow("the user's") << "user" << true;
    }
    void thePlanThatTheUserGaveIsFoundAndOthersAreNot() {
        QFETCH(QString, reason);
        QFETCH(bool, given);
        std::vector<RunEvent> events = m_events;
        event::Plan first;
        for (RunEvent &one : events) {
            if (auto *plan = std::get_if<event::Plan>(&one.body)) {
                plan->reason = reason;
                first = *plan;
            }
        }
        // A change during the run is not what it was started with.
        first.reason = QStringLiteral("user");
        events.push_back(make(9999, first));
        const auto found = givenPlan(detailsOf(events));
        QCOMPARE(found.has_value(), given);
        QVERIFY(!given || found->stages.size() == 2);
    }

    void whatCannotBeComparedIsSaid_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("said");
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("another model") << "model"
                                       << "The models differ (fashion-cnn, other)";
        QTest::newRow("other data") << "data"
                                    << "The data differ (fashion-mnist, other)";
        QTest::newRow("another batch") << "batch"
                                       << "A round has 128 samples in one run and 64 in the other";
        QTest::newRow("no round") << "rounds"
                                  << "finished no round";
        QTest::newRow("no evaluation") << "accuracy"
                                       << "was never evaluated";
    }
    void aRunThatCannotBeReadIsCalledByItsId() {
        RunSummary run;
        run.id = QStringLiteral("20261121-094500-7c1e");
        QCOMPARE(runTitle(run), run.id);
        run.label.name = QStringLiteral("the first");
        QCOMPARE(runTitle(run), run.label.name);
    }

    void whatCannotBeComparedIsSaid() {
        QFETCH(QString, what);
        QFETCH(QString, said);
        RunDetails a;
        a.summary.model = QStringLiteral("fashion-cnn");
        a.summary.data = QStringLiteral("fashion-mnist");
        a.summary.batch = 128;
        a.loss = a.accuracy = {{1, 1, 1}};
        RunDetails b = a;
        if (what == QLatin1String("model"))
            b.summary.model = QStringLiteral("other");
        else if (what == QLatin1String("data"))
            b.summary.data = QStringLiteral("other");
        else if (what == QLatin1String("batch"))
            b.summary.batch = 64;
        else if (what == QLatin1String("rounds"))
            b.loss.clear();
        else if (what == QLatin1String("accuracy"))
            b.accuracy.clear();
        const QStringList limits = comparisonLimits(a, b);
        QCOMPARE(limits.size(), said.isEmpty() ? 0 : 1);
        QVERIFY(said.isEmpty() || limits.constFirst().contains(said));
    }
};

QTEST_MAIN(RunsTableTest)
#include "runs_table_test.moc"
