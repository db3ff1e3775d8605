// What is shown about a run equals its event stream.
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
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
        row("a suspect is named with the round", event::Suspect{id},
            "local-1 does not answer in round 61. It is asked again.");
        row("a recovery tells its time, its parts and what was repeated",
            event::Recovered{2, 19, 0.3, 0.002, 0.04, 0.5, 0.258, 1.1, 1, 3 << 20, QStringLiteral("lightweight")},
            "Training went on after 1.10 s; 1 round was repeated. Noticing took 300 ms, planning 2.00 ms, moving "
            "3.0 MiB 40.0 ms, rebuilding 500 ms, repeating 258 ms.");
        row("a recovery from the disk says so",
            event::Recovered{2, 19, 0.3, 0.002, 0.04, 0.5, 0.258, 1.1, 2, 0, QStringLiteral("disk")},
            "Training went on after 1.10 s; 2 rounds were repeated. Noticing took 300 ms, planning 2.00 ms, moving "
            "0 bytes 40.0 ms, rebuilding 500 ms, repeating 258 ms. The state came from the disk, as it was after "
            "round 19.");
        row("a joined device is named", event::Joined{id}, "local-1 joined after round 60.");
        row("a device that left is named", event::Left{id}, "local-1 left after round 60.");
        row("recovering is told", event::State{QStringLiteral("recovering")},
            "Recovering: those who are left go back to the newest complete state and share out the layers.");
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

    void aNewPlanTellsItsReasonAndItsNumbers_data() {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("beginning");
        const auto row = [](const char *reason, const char *beginning) {
            QTest::newRow(reason) << QString::fromLatin1(reason) << QString::fromLatin1(beginning);
        };
        row("first", "The plan is ready: ");
        row("replay", "A new plan from round 31 on, because a device was lost: ");
        row("full", "A new plan from round 31 on, better than the one the recovery made: ");
        row("drift", "A new plan from round 31 on, because devices became slower or faster: ");
        row("join", "A new plan from round 31 on, because a device joined: ");
        row("leave", "A new plan from round 31 on, because a device left: ");
        row("user", "A new plan from round 31 on, as you wished: ");
        row("of a later version", "A new plan from round 31 on: ");
    }
    void aNewPlanTellsItsReasonAndItsNumbers() {
        QFETCH(QString, reason);
        QFETCH(QString, beginning);
        RunModel run;
        replay(run);
        const QJsonObject plan = run.plan()->toJson();
        run.add(make(1000, event::Plan{2, 31, plan, reason, QStringLiteral("It saves 12 % of 3.0 s.")}));
        QCOMPARE(plain(run.sentences().back().text),
                 beginning + QStringLiteral("2 stages on 3 devices, predicted 901 samples/s. It saves 12 % of 3.0 s."));
        QCOMPARE(run.planEvent().term, quint32{2});
        QCOMPARE(run.planEvent().reason, reason);
    }

    void aRepeatedRoundTakesThePlaceOfWhatItUndoes() {
        RunModel run;
        replay(run);
        QSignalSpy undone(&run, &RunModel::roundsUndone);
        event::Round again;
        again.round = 58;
        again.term = 2;
        again.loss = 0.25;
        again.samplesPerS = 500;
        run.add(make(1000, again));
        QCOMPARE(undone.size(), 1);
        QCOMPARE(run.rounds().size(), std::size_t{58});
        QCOMPARE(run.completedRounds(), qint64{58});
        QCOMPARE(run.rounds().back().loss, 0.25);
        // The average begins anew with the term.
        QCOMPARE(run.rounds().back().smoothed, 500.0);
        again.round = 59;
        run.add(make(1001, again));
        QCOMPARE(undone.size(), 1);
        QCOMPARE(run.rounds().size(), std::size_t{59});
        for (std::size_t i = 0; i < run.rounds().size(); ++i)
            QCOMPARE(run.rounds()[i].round, static_cast<qint64>(i) + 1);
    }

    void goingOnIsToldAfterAPauseAndNotAfterARecovery() {
        RunModel run;
        replay(run);
        run.add(make(1000, event::State{QStringLiteral("paused")}));
        run.add(make(1001, event::State{QStringLiteral("training")}));
        QCOMPARE(run.sentences().back().text, QStringLiteral("Training goes on after round 60."));
        run.add(make(1002, event::State{QStringLiteral("recovering")}));
        const std::size_t before = run.sentences().size();
        run.add(make(1003, event::State{QStringLiteral("training")}));
        QCOMPARE(run.sentences().size(), before);
    }

    /// A real run of three processes, one of them stopped with SIGSTOP in round 37 and set going again later.
    void aRecordedLossIsToldAsItHappened() {
        RunModel run;
        QStringList labels;
        for (const RunEvent &one : RecordedRun::load(QStringLiteral("lossy_run")))
            run.add(one);
        for (const EventMark &mark : run.marks()) {
            if (!mark.minor)
                labels << mark.label;
        }
        QCOMPARE(labels,
                 (QStringList{QStringLiteral("plan"), QStringLiteral("local-2 silent"), QStringLiteral("local-2 lost"),
                              QStringLiteral("recovering"), QStringLiteral("new plan"), QStringLiteral("recovered"),
                              QStringLiteral("new plan"), QStringLiteral("new plan"), QStringLiteral("local-2 back"),
                              QStringLiteral("new plan")}));
        QCOMPARE(run.planEvent().term, quint32{5});
        QCOMPARE(run.rounds().size(), std::size_t{140});
        for (std::size_t i = 0; i < run.rounds().size(); ++i)
            QCOMPARE(run.rounds()[i].round, static_cast<qint64>(i) + 1);
        for (const DeviceInfo &device : RecordedRun::devices(RecordedRun::load(QStringLiteral("lossy_run")))) {
            // The last plan leaves the one that came back at rest.
            QCOMPARE(run.fate(device.id).health,
                     device.name == QLatin1String("local-2") ? Health::Returned : Health::Well);
        }
        const auto told = std::ranges::find_if(run.sentences(), [](const EventSentence &sentence) {
            return sentence.text.startsWith(QLatin1String("The layers of local-2 moved to "));
        });
        QVERIFY(told != run.sentences().end());
        QVERIFY(plain(told->text).contains(QStringLiteral("Training went on after 1.87 s; 0 rounds were repeated.")));
    }

    void aRoundThatSeemsToTakeNoTimeDoesNotLiftTheAverage() {
        RunModel run;
        event::Round round;
        for (quint64 i = 1; i <= 20; ++i) {
            round.round = static_cast<qint64>(i);
            round.samplesPerS = i == 20 ? 1e6 : 1000;
            run.add(make(i, round));
        }
        QVERIFY(run.rounds().back().smoothed > 1000);
        QVERIFY(run.rounds().back().smoothed < 1300);
    }

    void aRepeatedEvaluationCountsOnce() {
        RunModel run;
        replay(run);
        run.add(make(1000, event::Evaluation{60, 0.9, 0.2}));
        QCOMPARE(run.evaluations().size(), std::size_t{3});
        QCOMPARE(run.evaluations().back().accuracy, 0.9);
    }

    void routineIsToldInOneSentence() {
        RunModel run;
        replay(run);
        run.add(make(900, event::Plan{1, 30, run.plan()->toJson(), QStringLiteral("full"), {}}));
        const std::size_t before = run.sentences().size();
        const QString news = run.lastNews();
        QSignalSpy changed(&run, &RunModel::sentenceChanged);
        const QString id = RecordedRun::devices(m_events).front().id;
        run.add(make(1000, event::Replica{id, 0, 40}));
        QCOMPARE(plain(run.sentences().back().text),
                 QStringLiteral("Kept 1 copy of states on other devices, the newest after round 40."));
        run.add(make(1001, event::Replica{id, 1, 40}));
        run.add(make(1002, event::Checkpoint{50, 1 << 20}));
        run.add(make(1003, event::Replica{id, 0, 60}));
        QCOMPARE(run.sentences().size(), before + 1);
        QCOMPARE(changed.size(), 3);
        QCOMPARE(changed.back().front().toInt(), static_cast<int>(before));
        QCOMPARE(plain(run.sentences().back().text),
                 QStringLiteral("Kept 3 copies of states on other devices, the newest after round 60. "
                                "Saved the state 1 time, last after round 50 (1.0 MiB)."));
        QCOMPARE(run.lastNews(), news);
        // A new plan begins anew.
        run.add(make(1004, event::Plan{2, 61, run.plan()->toJson(), QStringLiteral("replay"), {}}));
        run.add(make(1005, event::Replica{id, 0, 61}));
        QCOMPARE(run.sentences().size(), before + 3);
        QCOMPARE(run.kept().copies, 1);
    }

    void everyKindOfTroubleHasAMark_data() {
        QTest::addColumn<RunEvent>("event");
        QTest::addColumn<QString>("label");
        QTest::addColumn<bool>("minor");
        const auto row = [](const char *name, const RunEventBody &body, const char *label, bool minor = false) {
            QTest::newRow(name) << make(1000, body) << QString::fromUtf8(label) << minor;
        };
        const QString id = RecordedRun::devices(RecordedRun::load()).front().id;
        row("suspect", event::Suspect{id}, "local-1 silent");
        row("lost", event::Lost{id, 3, {}}, "local-1 lost");
        row("recovered", event::Recovered{}, "recovered");
        row("joined", event::Joined{id}, "local-1 back");
        row("left", event::Left{id}, "local-1 left");
        row("first plan", event::Plan{1, 1, {}, QStringLiteral("first"), {}}, "plan");
        row("later plan", event::Plan{2, 1, {}, QStringLiteral("drift"), {}}, "new plan");
        row("replica", event::Replica{}, "", true);
        row("checkpoint", event::Checkpoint{}, "", true);
        row("recovering", event::State{QStringLiteral("recovering")}, "recovering");
        row("paused", event::State{QStringLiteral("paused")}, "paused");
        row("interrupted", event::State{QStringLiteral("interrupted")}, "interrupted");
        row("stopped", event::State{QStringLiteral("stopped")}, "stopped");
        row("failed", event::State{QStringLiteral("failed")}, "failed");
        row("warning", event::Warning{}, "warning");
        row("error", event::Failure{}, "error");
    }
    void everyKindOfTroubleHasAMark() {
        QFETCH(RunEvent, event);
        QFETCH(QString, label);
        QFETCH(bool, minor);
        RunModel run;
        replay(run);
        const std::size_t before = run.marks().size();
        run.add(event);
        QCOMPARE(run.marks().size(), before + 1);
        QCOMPARE(run.marks().back().label, label);
        QCOMPARE(run.marks().back().minor, minor);
        QCOMPARE(run.marks().back().t, event.t);
    }

    void aLossIsFollowedUntilTheDeviceWorksAgain() {
        RunModel run;
        replay(run);
        const QString device = run.plan()->stages[1].shares[0].device;
        const Plan before = *run.plan();
        run.add(make(1000, event::Suspect{device}));
        QCOMPARE(run.fate(device).health, Health::Suspect);
        QCOMPARE(run.fate(device).stage, std::optional<int>(1));
        event::Round round;
        round.round = 61;
        round.devices[device] = {};
        run.add(make(1001, round));
        QCOMPARE(run.fate(device).health, Health::Well);
        run.add(make(1002, event::Lost{device, 62, {}}));
        QCOMPARE(run.fate(device).health, Health::Lost);
        QCOMPARE(run.lostNames(), QStringList{QStringLiteral("local-3")});

        Plan after = before;
        after.stages.pop_back();
        after.stages[0].lastLayer = before.stages[1].lastLayer;
        run.add(make(1003, event::Plan{2, 62, after.toJson(), QStringLiteral("replay"), {}}));
        QCOMPARE(run.stageOf(device), std::optional<int>());
        QCOMPARE(run.fate(device).stage, std::optional<int>(1));
        QCOMPARE(run.heirs(), (QStringList{QStringLiteral("local-1"), QStringLiteral("local-2")}));
        run.add(make(1004, event::Recovered{2, 61, 0, 0, 0, 0, 0, 1.1, 0, 0, QStringLiteral("lightweight")}));
        QVERIFY(plain(run.sentences().back().text)
                    .startsWith(QStringLiteral("The layers of local-3 moved to local-1 and local-2. Training went on "
                                               "after 1.10 s; 0 rounds were repeated.")));
        QVERIFY(run.heirs().isEmpty());

        run.add(make(1005, event::Joined{device}));
        QCOMPARE(run.fate(device).health, Health::Returned);
        run.add(make(1006, event::Plan{3, 62, before.toJson(), QStringLiteral("join"), {}}));
        QCOMPARE(run.fate(device).health, Health::Well);
        run.add(make(1007, event::Left{device}));
        QCOMPARE(run.fate(device).health, Health::Left);
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
