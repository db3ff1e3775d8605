// What is shown about a run equals its event stream.
#include <QTest>
#include <cmath>

#include "tests/ui/fake_home.h"
#include "ui/event_sentences.h"
#include "ui/format.h"
#include "ui/run_model.h"

using namespace hearth;

class RunModelTest : public QObject {
    Q_OBJECT

    std::vector<RunEvent> m_events;
    std::unique_ptr<Language> m_language;

    void replay(RunModel &run) const {
        for (const RunEvent &one : m_events)
            run.add(one);
    }
    static RunEvent make(quint64 seq, RunEventBody body) { return {seq, 1.0, std::move(body), {}}; }

    /// With ordinary spaces where units are held to their numbers.
    static QString plain(QString text) { return text.replace(QChar(QChar::Nbsp), QLatin1Char(' ')); }

  private Q_SLOTS:
    void initTestCase() {
        m_language = std::make_unique<Language>(QLocale(QLocale::English, QLocale::UnitedStates));
        m_events = RecordedRun::load();
        QVERIFY(m_events.size() > 100);
    }

    void cleanupTestCase() { m_language.reset(); }

    void everyRoundOfTheStreamIsAPoint() {
        RunModel run;
        replay(run);
        std::size_t at = 0;
        for (const RunEvent &one : m_events) {
            const auto *round = std::get_if<event::Round>(&one.body);
            if (round == nullptr)
                continue;
            QVERIFY(at < run.rounds().size());
            const RoundPoint &point = run.rounds()[at++];
            QCOMPARE(point.round, round->round);
            QCOMPARE(point.t, one.t);
            QCOMPARE(point.loss, round->loss);
            QCOMPARE(point.samplesPerSecond, round->samplesPerS);
            QCOMPARE(point.predicted, 128 / round->predictedRoundS);
        }
        QCOMPARE(at, run.rounds().size());
        QCOMPARE(run.completedRounds(), qint64{60});
        QCOMPARE(run.totalRounds(), qint64{60});
        QCOMPARE(run.evaluations().size(), std::size_t{3});
        QCOMPARE(run.evaluations().back().accuracy, 0.8103);
        QCOMPARE(run.state(), QStringLiteral("finished"));
        QVERIFY(!run.isLive());
    }

    void repeatedEventsCountOnce() {
        RunModel run;
        replay(run);
        const std::size_t rounds = run.rounds().size(), sentences = run.sentences().size();
        replay(run);
        QCOMPARE(run.rounds().size(), rounds);
        QCOMPARE(run.sentences().size(), sentences);
    }

    void thePlanTellsStagesAndTheRoundsTellSpeed() {
        RunModel run;
        replay(run);
        QVERIFY(run.plan());
        QCOMPARE(run.plan()->stages.size(), std::size_t{2});
        const QString second = run.plan()->stages[1].shares[0].device;
        QCOMPARE(run.stageOf(second), std::optional<int>(1));
        QCOMPARE(run.deviceName(second), QStringLiteral("local-3"));
        QVERIFY(run.measuredSpeed(second) > 1e8);
        QCOMPARE(run.stageOf(QStringLiteral("nobody")), std::optional<int>());
        QCOMPARE(run.measuredSpeed(QStringLiteral("nobody")), 0.0);
        QVERIFY(!run.traffic().isEmpty());
    }

    void aRunThatIsTakenUpAgainIsLiveAgain_data() {
        QTest::addColumn<QString>("ended");
        for (const char *state : {"interrupted", "stopped", "failed"})
            QTest::newRow(state) << QString::fromLatin1(state);
    }

    void aRunThatIsTakenUpAgainIsLiveAgain() {
        QFETCH(QString, ended);
        RunModel run;
        run.add(make(1, event::Run{QStringLiteral("r"), {}, {}, {}}));
        run.add(make(2, event::State{QStringLiteral("training")}));
        run.add(make(3, event::Failure{{QStringLiteral("x"), QStringLiteral("It broke."), {}, {}}}));
        run.add(make(4, event::State{ended}));
        run.end();
        QVERIFY(!run.isLive());
        QVERIFY(run.error());
        run.add(make(5, event::State{QStringLiteral("recovering")}));
        QVERIFY(run.isLive());
        QVERIFY(!run.error());
        QCOMPARE(run.state(), QStringLiteral("recovering"));
        run.add(make(6, event::State{QStringLiteral("finished")}));
        QVERIFY(!run.isLive());
    }

    void aStreamThatEndsWithoutAFinalStateIsInterrupted() {
        RunModel run;
        run.add(m_events[0]);
        run.add(m_events[1]);
        QVERIFY(run.isLive());
        run.end();
        QVERIFY(!run.isLive());
        QCOMPARE(run.state(), QStringLiteral("interrupted"));
    }

    void clearingForgetsEverything() {
        RunModel run;
        replay(run);
        run.clear();
        QVERIFY(run.isEmpty());
        QVERIFY(run.rounds().empty());
        QVERIFY(!run.plan());
        QVERIFY(run.sentences().empty());
        QVERIFY(run.traffic().isEmpty());
    }

    void eventsBecomeSentences_data() {
        QTest::addColumn<RunEvent>("event");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char *name, const RunEventBody &body, const char *sentence) {
            QTest::newRow(name) << make(1000, body) << QString::fromUtf8(sentence);
        };
        const QString id = RecordedRun::devices(RecordedRun::load()).front().id;
        row("a lost device is named with the round and the cause",
            event::Lost{id, 21, QStringLiteral("It did not answer for 1.5 s.")},
            "local-1 was lost in round 21. It did not answer for 1.5 s.");
        row("a suspect is named", event::Suspect{id}, "local-1 does not answer.");
        row("a recovery tells its time and what was repeated",
            event::Recovered{2, 19, 0, 0, 0, 0, 0, 1.1, 1, 0, QStringLiteral("lightweight")},
            "Training goes on after 1.10 s, 1 round repeated.");
        row("a joined device is named", event::Joined{id}, "local-1 joined.");
        row("a device that left is named", event::Left{id}, "local-1 left.");
        row("an evaluation tells the accuracy", event::Evaluation{50, 0.87, 0.41},
            "Evaluated after round 50: 87.0 % correct.");
        row("a warning is told as it is",
            event::Warning{QStringLiteral("What."), QStringLiteral("Why."), QStringLiteral("Do.")}, "What. Why. Do.");
        row("an error is told as it is",
            event::Failure{{QStringLiteral("x"), QStringLiteral("What."), QStringLiteral("Why."), {}}}, "What. Why.");
        row("the end tells rounds and speed", event::Finished{200, 310, {}}, "Finished: 200 rounds at 310 samples/s.");
        row("a failed run says so", event::State{QStringLiteral("failed")}, "The run failed.");
    }
    void eventsBecomeSentences() {
        QFETCH(RunEvent, event);
        QFETCH(QString, sentence);
        RunModel run;
        replay(run);
        run.add(event);
        QCOMPARE(plain(run.sentences().back().text), sentence);
    }

    void roundsAndProfilesAreNoSentences() {
        RunModel run;
        QVERIFY(!sentenceOf(make(1, event::Round{}), run));
        QVERIFY(!sentenceOf(make(1, event::Profile{}), run));
        QVERIFY(!sentenceOf(make(1, event::Unknown{QStringLiteral("later")}), run));
    }

    void theErrorOfARunIsKept() {
        RunModel run;
        run.add(m_events[0]);
        run.add(make(2, event::Failure{{QStringLiteral("c"), QStringLiteral("What."), {}, {}}}));
        QVERIFY(run.error());
        QCOMPARE(run.error()->what, QStringLiteral("What."));
    }

    void numbersReadWell() {
        QCOMPARE(plain(formatSeconds(0.0413)), QStringLiteral("41.3 ms"));
        QCOMPARE(plain(formatSeconds(1.55)), QStringLiteral("1.55 s"));
        QCOMPARE(plain(formatSeconds(125)), QStringLiteral("2 min 5 s"));
        QCOMPARE(plain(formatSeconds(12000)), QStringLiteral("3 h 20 min"));
        QCOMPARE(plain(formatSeconds(std::nan(""))), QStringLiteral("–"));
        QCOMPARE(plain(formatRate(12.4e6)), QStringLiteral("12.4 MB/s"));
        QCOMPARE(formatNumber(1234.4), QStringLiteral("1,234"));
        QCOMPARE(formatNumber(3.418), QStringLiteral("3.42"));
        QCOMPARE(plain(formatBytes(qint64{8} << 30)), QStringLiteral("8.0 GiB"));
        QCOMPARE(formatFingerprint(QStringLiteral("9f3a01bc77")), QStringLiteral("9f3a 01bc 77"));
    }
};

QTEST_MAIN(RunModelTest)
#include "run_model_test.moc"
