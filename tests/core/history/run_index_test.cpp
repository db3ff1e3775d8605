// What History's index reads from run directories.
#include <QTest>
#include <cmath>

#include "tests/core/history/index_fixture.h"

using namespace hearth;

class RunIndexTest : public IndexFixture {
    Q_OBJECT

    static QStringList kinds(const RunDetails &details) {
        QStringList names;
        for (const RunEvent &one : details.events)
            names << eventKind(one.body);
        return names;
    }
    static void writeBeside(const RunWriter &run, const QString &name, int bytes) {
        QFile file(QFileInfo(run.path()).path() + QLatin1Char('/') + name);
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(QByteArray(bytes, 'x')), qint64{bytes});
    }

  private Q_SLOTS:
    void init() { begin(QStringLiteral("history.sqlite")); }

    void whoRestedAllTheTimeTookNoPart() {
        RunWriter run(runs(), QStringLiteral("a"), Job());
        run.begin();
        QCOMPARE(only().devices, QStringList({QStringLiteral("laptop"), QStringLiteral("nano")}));
        event::Round round;
        round.round = 1;
        round.roundS = 1;
        round.devices[QString(64, QLatin1Char('b'))] = {};
        run.add(round);
        QCOMPARE(only().devices, QStringList(QStringLiteral("nano")));
    }

    void aFinishedRunIsListedWithItsFigures() {
        Job job;
        job.batch = 64;
        job.rounds = 3;
        RunWriter run(runs(), QStringLiteral("a"), job);
        run.begin();
        run.round(1, 2.5, 1, 100);
        run.round(2, 1.5, 1, 200);
        run.add(event::Evaluation{2, 0.5, 1.4});
        run.round(3, 1.75, 1, 200);
        run.add(event::Evaluation{3, 0.45, 1.6});
        run.add(event::Warning{QStringLiteral("w"), {}, {}});
        run.add(event::Finished{3, 160, QStringLiteral("00")});
        run.add(event::State{QStringLiteral("finished")});
        const RunSummary summary = only();
        QCOMPARE(summary.id, QStringLiteral("a"));
        QCOMPARE(summary.state, QStringLiteral("finished"));
        QCOMPARE(summary.started, QStringLiteral("2026-11-20T09:00:00Z"));
        QCOMPARE(summary.model, job.model);
        QCOMPARE(summary.data, job.dataText());
        QCOMPARE(summary.optimizer, QStringLiteral("sgd"));
        QCOMPARE(summary.learningRate, 0.05);
        QCOMPARE(summary.batch, 64);
        QCOMPARE(summary.wantedRounds, 3);
        QCOMPARE(summary.devices, QStringList({QStringLiteral("laptop"), QStringLiteral("nano")}));
        QCOMPARE(summary.rounds, 3);
        QCOMPARE(summary.firstLoss, 2.5);
        QCOMPARE(summary.loss, 1.75);
        QCOMPARE(summary.lowestLoss, 1.5);
        QCOMPARE(summary.accuracy, 0.45);
        QCOMPARE(summary.bestAccuracy, 0.5);
        QCOMPARE(summary.samplesPerSecond, 160.0);
        QCOMPARE(summary.seconds, 0.5 * static_cast<double>(run.seq()));
        QCOMPARE(summary.plans, 1);
        QCOMPARE(summary.warnings, 1);
        QCOMPARE(summary.lastSeq, run.seq());
        QCOMPARE(summary.badLines, 0);
    }

    void aRunThatSaysNothingYetHasNoFigures() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        const RunSummary summary = only();
        QCOMPARE(summary.rounds, 0);
        QVERIFY(std::isnan(summary.loss) && std::isnan(summary.lowestLoss) && std::isnan(summary.accuracy) &&
                std::isnan(summary.samplesPerSecond));
        QVERIFY(details().loss.empty());
    }

    void aCrashedRunKeepsTheStateItHadAndItsSpeedOverAllRounds() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2, 1, 100);
        run.round(2, 1, 1, 300);
        const RunSummary summary = only();
        QCOMPARE(summary.state, QStringLiteral("training"));
        // Two batches, one in a third of the other's time.
        QCOMPARE(summary.samplesPerSecond, 150.0);
    }

    void theNewestRunComesFirst() {
        RunWriter first(runs(), QStringLiteral("a"));
        first.begin(QStringLiteral("2026-11-20T09:00:00Z"));
        RunWriter second(runs(), QStringLiteral("b"));
        second.begin(QStringLiteral("2026-11-21T09:00:00Z"));
        const auto all = list();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].id, QStringLiteral("b"));
    }

    void aRunUnderWayIsReadFromWhereItWasLeft() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        for (int round = 1; round <= 1500; ++round)
            run.round(round, 10.0 / round);
        QCOMPARE(only().rounds, 1500);
        const qint64 before = QFileInfo(run.path()).size();
        run.round(1501, 0.001);
        QVERIFY(m_index->beginUpdate({runs()}));
        QCOMPARE(m_index->progress().second, QFileInfo(run.path()).size() - before);
        QCOMPARE(only().rounds, 1501);
        QCOMPARE(only().lowestLoss, 0.001);
        QCOMPARE(details().loss.back().round, 1501.0);
    }

    void theSizeOfARunIsThatOfAllItsFiles() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        writeBeside(run, QStringLiteral("weights.safetensors"), 1000);
        writeBeside(run, QStringLiteral("checkpoints/7/.part"), 234);
        QVERIFY(QFile::link(run.path(), runs() + QStringLiteral("/a/link")));
        QCOMPARE(only().bytes, 1234 + QFileInfo(run.path()).size());
    }

    void theSizeOfARunIsLookedAtAsOftenAsItsEvents() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        const qint64 before = only().bytes;
        writeBeside(run, QStringLiteral("weights.safetensors"), 1000);
        QCOMPARE(only().bytes, before);
        run.round(1, 2);
        QCOMPARE(only().bytes, 1000 + QFileInfo(run.path()).size());
    }

    void anUnchangedRunIsNotReadAgain() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        QCOMPARE(list().size(), std::size_t{1});
        QVERIFY(m_index->beginUpdate({runs()}));
        QCOMPARE(m_index->progress().second, 0);
        const auto more = m_index->step();
        QVERIFY(more && !*more);
    }

    void halfALineIsLeftForTheNextTime() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        event::Round second;
        second.round = 2;
        second.loss = 1;
        const QByteArray line = eventLine(run.seq() + 1, 9, second) + '\n';
        run.raw(line.left(line.size() / 2));
        RunSummary summary = only();
        QCOMPARE(summary.rounds, 1);
        QCOMPARE(summary.badLines, 0);
        run.raw(line.mid(line.size() / 2));
        summary = only();
        QCOMPARE(summary.rounds, 2);
        QCOMPARE(summary.loss, 1.0);
        QCOMPARE(summary.badLines, 0);
    }

    void halfALineThatTheAgentCutsOffDoesNotMatter() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        const qint64 whole = QFileInfo(run.path()).size();
        run.raw("{\"seq\":6,\"t\":3,\"event\":\"round\",\"rou");
        QCOMPARE(only().state, QStringLiteral("training"));
        QVERIFY(QFile::resize(run.path(), whole));
        run.add(event::State{QStringLiteral("failed")});
        const RunSummary summary = only();
        QCOMPARE(summary.state, QStringLiteral("failed"));
        QCOMPARE(summary.badLines, 0);
    }

    void aBadLineIsCountedAndTheRestIsRead_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("no JSON") << QByteArray("what is this?");
        QTest::newRow("an array") << QByteArray("[1,2]");
        QTest::newRow("an event without a number") << QByteArray("{\"event\":\"state\",\"state\":\"failed\"}");
        QTest::newRow("an empty line") << QByteArray();
        QTest::newRow("bytes of a disk that failed") << QByteArray(5000, '\0');
        QTest::newRow("longer than any event") << QByteArray(17 << 20, 'x');
    }
    void aBadLineIsCountedAndTheRestIsRead() {
        QFETCH(QByteArray, line);
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        run.raw(line + '\n');
        run.round(2, 1);
        const RunSummary summary = only();
        QCOMPARE(summary.badLines, 1);
        QCOMPARE(summary.rounds, 2);
        QCOMPARE(summary.state, QStringLiteral("training"));
    }

    void anEventOfALaterVersionIsNoBadLine() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.raw("{\"seq\":6,\"t\":3,\"event\":\"party\",\"guests\":12}\n");
        QCOMPARE(only().badLines, 0);
        QCOMPARE(only().lastSeq, quint64{6});
    }

    void eventsToldTwiceCountOnce() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.add(event::Lost{QString(64, QLatin1Char('b')), 1, QStringLiteral("silent")});
        run.raw(eventLine(run.seq(), 3, event::Lost{QString(64, QLatin1Char('b')), 1, {}}) + '\n');
        QCOMPARE(only().losses, 1);
    }

    void anAccuracyThatWasNotMeasuredIsUnknown() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        run.add(event::Evaluation{1, std::nan(""), 0.5});
        QVERIFY(std::isnan(only().accuracy) && std::isnan(only().bestAccuracy));
        QVERIFY(details().accuracy.empty());
    }

    void theDetailsTellWhatMattersInOrder() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.add(event::Profile{QString(64, QLatin1Char('a')), 1, 40});
        run.add(event::Worker{QString(64, QLatin1Char('a')), 12});
        run.round(1, 2);
        run.round(2, 2);
        run.add(event::Replica{QString(64, QLatin1Char('a')), 0, 2});
        run.add(event::Checkpoint{2, 100});
        run.add(event::Evaluation{2, 0.5, 1});
        event::Evaluation withText{2, 0.5, 1};
        withText.continued = {{QStringLiteral("Once"), QStringLiteral(" upon")}};
        run.add(withText);
        run.add(event::Suspect{QString(64, QLatin1Char('b'))});
        run.add(event::State{QStringLiteral("recovering")});
        QCOMPARE(list().size(), std::size_t{1});
        const RunDetails found = details();
        QCOMPARE(kinds(found).join(QLatin1Char(' ')),
                 QStringLiteral("run device device plan state round evaluation suspect state"));
        const auto *round = std::get_if<event::Round>(&found.events[5].body);
        QVERIFY(round != nullptr);
        QCOMPARE(round->round, 2);
        QCOMPARE(found.eventsLeftOut, 0);
    }

    void whatCardsTookIsAddedUp() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        QVERIFY(std::isnan(only().joules));
        run.rounds(3, [](event::Round &round) {
            round.roundS = 2;
            event::RoundDevice card;
            card.card.watts = 150;
            round.devices = {{QString(64, QLatin1Char('a')), card}, {QString(64, QLatin1Char('b')), {}}};
        });
        QCOMPARE(only().joules, 900.0);
    }

    void ofVeryManyEventsTheMiddleIsLeftOut() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        for (int i = 0; i < 1000; ++i)
            run.add(event::Warning{QString::number(i), {}, {}});
        QCOMPARE(only().warnings, 1000);
        const RunDetails found = details();
        QCOMPARE(found.events.size(), std::size_t{500});
        QCOMPARE(found.eventsLeftOut, 505);
        QCOMPARE(kinds(found).constFirst(), QStringLiteral("run"));
        QCOMPARE(std::get<event::Warning>(found.events.back().body).what, QStringLiteral("999"));
    }

    void ofVeryManyRoundsTheCurveKeepsLowsAndHighs() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.rounds(100000, [](event::Round &round) {
            round.loss = round.round == 70001 ? 99 : round.round == 30003 ? -1 : 1;
            round.samplesPerS = 10;
        });
        QCOMPARE(only().rounds, 100000);
        const RunDetails found = details();
        QVERIFY2(found.loss.size() <= 4000 && found.loss.size() >= 1000,
                 qPrintable(QString::number(found.loss.size())));
        const auto has = [&](double round, double value) {
            return std::any_of(found.loss.begin(), found.loss.end(),
                               [&](const CurvePoint &point) { return point.round == round && point.value == value; });
        };
        QVERIFY(has(70001, 99));
        QVERIFY(has(30003, -1));
        QCOMPARE(found.loss.front().round, 1.0);
    }

    void aRunWhoseFolderIsGoneIsForgotten() {
        {
            RunWriter run(runs(), QStringLiteral("a"));
            run.begin();
        }
        QCOMPARE(list().size(), std::size_t{1});
        QVERIFY(QDir(runs() + QStringLiteral("/a")).removeRecursively());
        QVERIFY(list().empty());
        const auto missing = m_index->details(QStringLiteral("a"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, QStringLiteral("history.unknown"));
    }

    void aRunThatIsAnotherOneByNowIsReadAnew_data() {
        QTest::addColumn<int>("rounds");
        QTest::newRow("with a shorter file") << 1;
        QTest::newRow("with a longer file") << 500;
    }
    void aRunThatIsAnotherOneByNowIsReadAnew() {
        QFETCH(int, rounds);
        {
            RunWriter run(runs(), QStringLiteral("a"));
            run.begin();
            for (int round = 1; round <= 100; ++round)
                run.round(round, 1);
        }
        QCOMPARE(only().rounds, 100);
        QVERIFY(QDir(runs() + QStringLiteral("/a")).removeRecursively());
        Job other;
        other.model = QStringLiteral("other");
        RunWriter run(runs(), QStringLiteral("a"), other);
        run.begin();
        for (int round = 1; round <= rounds; ++round)
            run.round(round, 4);
        const RunSummary summary = only();
        QCOMPARE(summary.model, QStringLiteral("other"));
        QCOMPARE(summary.rounds, rounds);
        QCOMPARE(summary.lowestLoss, 4.0);
    }

    void whatOnlyMeasuredOrPlannedIsNotListed() {
        RunWriter(runs(), QStringLiteral("a")).begin();
        for (const char *only : {"measure", "plan"}) {
            RunWriter run(runs(), QLatin1String(only));
            run.add(event::Run{
                QLatin1String(only), QStringLiteral("2026-11-20T09:00:00Z"), Job().toJson(), {}, QLatin1String(only)});
            run.add(event::State{QStringLiteral("finished")});
        }
        QCOMPARE(only().id, QStringLiteral("a"));
    }

    void whatIsNoRunIsLeftAlone() {
        QDir().mkpath(runs() + QStringLiteral("/empty"));
        QDir().mkpath(runs() + QStringLiteral("/No Run"));
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        QCOMPARE(list().size(), std::size_t{1});
    }

    void aCancelledUpdateGoesOnLater() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.rounds(60000);
        int looks = 0;
        const auto cancelled = m_index->update({runs()}, [&looks] { return ++looks > 2; });
        QVERIFY(cancelled && !*cancelled);
        const qint64 some = m_index->list().value_or(std::vector<RunSummary>()).at(0).rounds;
        QVERIFY(some > 0 && some < 60000);
        QCOMPARE(only().rounds, 60000);
        QCOMPARE(details().loss.front().round, 1.0);
    }
};

QTEST_GUILESS_MAIN(RunIndexTest)
#include "run_index_test.moc"
