// What people are told of events: sentences, marks in the plots, and numbers that read well.
#include <QSignalSpy>
#include <algorithm>
#include <cmath>

#include "tests/ui/run_fixture.h"
#include "ui/run/event_sentences.h"
#include "ui/words/format.h"

using namespace hearth;

class EventWordsTest : public RunFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }

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
            "Resumed after 1.1 s; 1 round was repeated. Detected in 0.3 s, planned in under 0.1 s, moved 3.0 MiB in "
            "under 0.1 s, rebuilt in 0.5 s, first round in 0.3 s.");
        row("a recovery whose heirs had all states says that nothing was moved",
            event::Recovered{2, 19, 0.3, 0.002, 0, 0.5, 0.258, 1.1, 0, 0, QStringLiteral("lightweight")},
            "Resumed after 1.1 s; no round was repeated. Detected in 0.3 s, planned in under 0.1 s, rebuilt in 0.5 s, "
            "first round in 0.3 s; nothing had to be moved.");
        row("a recovery from the disk says so",
            event::Recovered{2, 19, 0.3, 0.002, 0.04, 0.5, 0.258, 1.1, 2, 0, QStringLiteral("disk")},
            "Resumed after 1.1 s; 2 rounds were repeated. Detected in 0.3 s, planned in under 0.1 s, moved 0 bytes in "
            "under 0.1 s, rebuilt in 0.5 s, first round in 0.3 s. The state came from the disk, as it was after "
            "round 19.");
        row("a joined device is named", event::Joined{id}, "local-1 joined after round 60.");
        row("a device that left is named", event::Left{id}, "local-1 left after round 60.");
        row("recovering is told", event::State{QStringLiteral("recovering")},
            "Recovering: the remaining devices go back to the newest complete state and share the layers.");
        row("measuring is told, of a run that is resumed", event::State{QStringLiteral("profiling")},
            "Measuring how fast each device computes.");
        row("waiting is told", event::State{QStringLiteral("waiting")}, "The run waits for devices that rest.");
        row("an evaluation tells the accuracy", event::Evaluation{50, 0.87, 0.41},
            "Evaluated after round 50: 87.0 % correct.");
        row("an evaluation tells how prompts go on",
            event::Evaluation{
                50, 0.87, 0.41, {}, {}, {}, {}, {{QStringLiteral("Once"), QStringLiteral(" upon\n a time")}}},
            "Evaluated after round 50: 87.0 % correct. “Once” goes on: “upon a time”.");
        row("an evaluation tells what else the loss allows", event::Evaluation{50, 0.87, 0.41, 0.995, 0.86, 1.5068},
            "Evaluated after round 50: 87.0 % correct. Among the five likeliest: 99.5 %. F1: 0.860. Perplexity: 1.51.");
        row("an evaluation of numbers tells how far off they are",
            event::Evaluation{50, std::nan(""), 0.41, {}, {}, {}, 0.25},
            "Evaluated after round 50: mean absolute error 0.25.");
        row("a cut that is compressed less is named with the reason",
            event::Codec{1, QStringLiteral("bf16"), QStringLiteral("none"), 154,
                         sentence("Activations lost %1 % instead of at most %2 %.")
                             .arg(Sentence::quantity(2.34, 1), Sentence::quantity(1.5, 1))},
            "Compression lost too much: Activations lost 2.3 % instead of at most 1.5 %. From round 154 on more bits "
            "cross between stages 2 and 3: activations bf16, gradients as it is.");
        row("a warning is told as it is",
            event::Warning{QStringLiteral("What."), QStringLiteral("Why."), QStringLiteral("Do.")}, "What. Why. Do.");
        row("an error is told as it is",
            event::Failure{{QStringLiteral("x"), QStringLiteral("What."), QStringLiteral("Why."), {}}}, "What. Why.");
        row("the end tells rounds and speed", event::Finished{200, 310, {}}, "Finished: 200 rounds at 310 samples/s.");
        row("the best weights tell their round", event::Best{150, 0.4123, 0.9, 1},
            "The weights after round 150 are kept as the best so far (loss 0.4123).");
        row("an early end says why",
            event::State{QStringLiteral("finished"), sentence("The loss has not fallen for %1 evaluations.").arg(5)},
            "The run ended early. The loss has not fallen for 5 evaluations.");
        row("a failed run says so", event::State{QStringLiteral("failed")}, "The run failed.");
    }
    void eventsBecomeSentences() {
        QFETCH(RunEvent, event);
        QFETCH(QString, sentence);
        RunModel run;
        replay(run);
        run.add(event);
        QCOMPARE(plain(run.log().sentences().back().text), sentence);
    }

    void noLineEndsWithinASpeed() {
        RunModel run;
        replay(run);
        run.add(make(1000, event::Finished{200, 310, {}}));
        QCOMPARE(run.log().sentences().back().text,
                 QStringLiteral("Finished: 200 rounds at 310\u00a0samples/\u2060s."));
    }

    void aRunThatOnlyEvaluatesKnowsOfNoRounds_data() {
        QTest::addColumn<QString>("only");
        QTest::addColumn<double>("error");
        QTest::addColumn<QString>("sentence");
        const double none = std::nan("");
        QTest::newRow("it trains") << QString() << none << "Evaluated before the first round: 87.0 % correct.";
        QTest::newRow("it trains, on numbers")
            << QString() << 0.25 << "Evaluated before the first round: mean absolute error 0.25.";
        QTest::newRow("it only evaluates") << "evaluate" << none << "Evaluated: 87.0 % correct.";
        QTest::newRow("it only evaluates numbers") << "evaluate" << 0.25 << "Evaluated: mean absolute error 0.25.";
    }
    void aRunThatOnlyEvaluatesKnowsOfNoRounds() {
        QFETCH(QString, only);
        QFETCH(double, error);
        QFETCH(QString, sentence);
        RunModel run;
        auto first = std::get<event::Run>(m_events.front().body);
        first.only = only;
        run.add(make(1, first));
        event::Evaluation evaluation{0, 0.87, 0.41};
        if (std::isfinite(error))
            evaluation.meanAbsoluteError = error;
        run.add(make(2, evaluation));
        QCOMPARE(plain(run.log().sentences().back().text), sentence);
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
        row("measured", "A new plan from round 31 on, because devices have measured the network: ");
        row("return", "A new plan from round 31 on, because rounds were shorter with it: ");
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
        QCOMPARE(plain(run.log().sentences().back().text),
                 beginning + QStringLiteral("2 stages on 3 devices, predicted 901 samples/s. It saves 12 % of 3.0 s."));
        QCOMPARE(run.planEvent().term, quint32{2});
        QCOMPARE(run.planEvent().reason, reason);
    }

    void goingOnIsToldAfterAPauseAndNotAfterARecovery() {
        RunModel run;
        replay(run);
        run.add(make(1000, event::State{QStringLiteral("paused")}));
        run.add(make(1001, event::State{QStringLiteral("training")}));
        QCOMPARE(run.log().sentences().back().text, QStringLiteral("Training goes on after round 60."));
        run.add(make(1002, event::State{QStringLiteral("recovering")}));
        const std::size_t before = run.log().sentences().size();
        run.add(make(1003, event::State{QStringLiteral("training")}));
        QCOMPARE(run.log().sentences().size(), before);
    }

    /// A real run of three processes, one of them stopped with SIGSTOP in round 37 and set going again later.
    void aRecordedLossIsToldAsItHappened() {
        RunModel run;
        QStringList labels;
        for (const RunEvent &one : RecordedRun::load(QStringLiteral("lossy_run")))
            run.add(one);
        for (const EventMark &mark : run.log().marks())
            labels << mark.label;
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
            QCOMPARE(run.devices().fate(device.id).health,
                     device.name == QLatin1String("local-2") ? Health::Returned : Health::Well);
        }
        const auto told = std::ranges::find_if(run.log().sentences(), [](const EventSentence &sentence) {
            return sentence.text.startsWith(QLatin1String("The layers of local-2 moved to "));
        });
        QVERIFY(told != run.log().sentences().end());
        QVERIFY(plain(told->text).contains(QStringLiteral("Resumed after 1.9 s; no round was repeated.")));
    }

    void routineIsToldInOneSentence() {
        RunModel run;
        replay(run);
        run.add(make(900, event::Plan{1, 30, run.plan()->toJson(), QStringLiteral("full"), {}}));
        const std::size_t before = run.log().sentences().size();
        const QString news = run.log().lastNews();
        QSignalSpy changed(&run.log(), &EventLog::sentenceChanged);
        const QString id = RecordedRun::devices(m_events).front().id;
        run.add(make(1000, event::Replica{id, 0, 40}));
        QCOMPARE(plain(run.log().sentences().back().text),
                 QStringLiteral("Backed up weights on other devices 1 time, after round 40."));
        run.add(make(1001, event::Replica{id, 1, 40}));
        run.add(make(1002, event::Checkpoint{50, 1 << 20}));
        run.add(make(1003, event::Replica{id, 0, 60}));
        QCOMPARE(run.log().sentences().size(), before + 1);
        QCOMPARE(changed.size(), 3);
        QCOMPARE(changed.back().front().toInt(), static_cast<int>(before));
        QCOMPARE(plain(run.log().sentences().back().text),
                 QStringLiteral("Backed up weights on other devices 3 times, last after round 60. "
                                "Saved 1 checkpoint, the last after round 50 (1.0 MiB)."));
        QCOMPARE(run.log().lastNews(), news);
        // A new plan begins anew.
        run.add(make(1004, event::Plan{2, 61, run.plan()->toJson(), QStringLiteral("replay"), {}}));
        run.add(make(1005, event::Replica{id, 0, 61}));
        QCOMPARE(run.log().sentences().size(), before + 3);
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
        row("waiting", event::State{QStringLiteral("waiting")}, "waiting");
        row("interrupted", event::State{QStringLiteral("interrupted")}, "interrupted");
        row("stopped", event::State{QStringLiteral("stopped")}, "stopped");
        row("failed", event::State{QStringLiteral("failed")}, "failed");
        row("warning", event::Warning{}, "warning");
        row("less compression", event::Codec{}, "compression");
        row("error", event::Failure{}, "error");
    }
    void everyKindOfTroubleHasAMark() {
        QFETCH(RunEvent, event);
        QFETCH(QString, label);
        QFETCH(bool, minor);
        RunModel run;
        replay(run);
        const std::size_t before = run.log().marks().size();
        const qint64 ticks = run.series().kept().count();
        run.add(event);
        if (minor) {
            QCOMPARE(run.log().marks().size(), before);
            QCOMPARE(run.series().kept().count(), ticks + 1);
            return;
        }
        QCOMPARE(run.log().marks().size(), before + 1);
        QCOMPARE(run.log().marks().back().label, label);
        QCOMPARE(run.log().marks().back().t, event.t);
    }

    void roundsAndProfilesAreNoSentences() {
        RunModel run;
        QVERIFY(!sentenceOf(make(1, event::Round{}), run));
        QVERIFY(!sentenceOf(make(1, event::Profile{}), run));
        QVERIFY(!sentenceOf(make(1, event::Unknown{QStringLiteral("later")}), run));
        // A run that trained nothing has told what it found.
        QVERIFY(!sentenceOf(make(1, event::Finished{}), run));
    }

    void longWordsMayWrap_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wrapped");  // a bar where a line may end
        QTest::newRow("what has no long word stays") << "The file a/b-c.json of local_2"
                                                     << "The file a/b-c.json of local_2";
        QTest::newRow("a path wraps where its parts meet") << "/home/anna/my_nets/res-18.json is gone"
                                                           << "/|home/|anna/|my_|nets/|res-|18.|json is gone";
        QTest::newRow("what has no joint wraps anywhere")
            << QString(70, QLatin1Char('x'))
            << QStringList{QString(32, QLatin1Char('x')), QString(32, QLatin1Char('x')), QStringLiteral("xxxxxx")}.join(
                   QLatin1Char('|'));
        QTest::newRow("but not within a letter") << QString(31, QLatin1Char('x')) + QStringLiteral("😀x")
                                                 << QString(31, QLatin1Char('x')) + QStringLiteral("😀|x");
    }
    void longWordsMayWrap() {
        QFETCH(QString, text);
        QFETCH(QString, wrapped);
        QCOMPARE(breakable(text).replace(zeroWidthSpace, QLatin1Char('|')), wrapped);
    }

    void fractionsAreReadAsTheyAreWritten_data() {
        QTest::addColumn<QLocale>("language");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("value");  // NaN: none
        const QLocale german(QLocale::German, QLocale::Germany), english(QLocale::English, QLocale::UnitedStates);
        const auto row = [](const char *name, const QLocale &language, const char *typed, double value) {
            QTest::newRow(name) << language << QString::fromLatin1(typed) << value;
        };
        row("a comma in German", german, "0,001", 0.001);
        row("a point in German", german, "0.001", 0.001);
        row("a point in English", english, " 0.125 ", 0.125);
        row("an exponent", german, "1e-4", 1e-4);
        row("a comma in English is none", english, "0,001", qQNaN());
        row("thousands and a comma", german, "1.234,5", 1234.5);
        row("thousands and a point", english, "1,000.5", 1000.5);
        row("millions", english, "1,234,567", 1234567);
        row("one or a thousand in German", german, "1.000", qQNaN());
        row("one or a thousand in English", english, "1,000", qQNaN());
        row("a point with four digits in German", german, "1.0005", 1.0005);
        row("infinity is none", english, "inf", qQNaN());
        row("nothing is none", german, "", qQNaN());
    }
    void fractionsAreReadAsTheyAreWritten() {
        QFETCH(QLocale, language);
        QFETCH(QString, typed);
        QFETCH(double, value);
        const std::optional<double> found = typedFraction(typed, language);
        QCOMPARE(found.value_or(qQNaN()), value);
        for (const double one : {0.001, 1234.5, 1e-8, 12345678.0})
            QCOMPARE(typedFraction(fractionText(one, language), language), std::optional(one));
    }

    void numbersReadWell() {
        QCOMPARE(plain(formatSeconds(0.0413)), QStringLiteral("41.3 ms"));
        QCOMPARE(plain(formatSeconds(1.55)), QStringLiteral("1.55 s"));
        QCOMPARE(plain(formatSeconds(0.9996)), QStringLiteral("1.00 s"));
        QCOMPARE(plain(formatSeconds(9.996)), QStringLiteral("10.0 s"));
        QCOMPARE(plain(formatSeconds(125)), QStringLiteral("2 min 5 s"));
        QCOMPARE(plain(formatSeconds(12000)), QStringLiteral("3 h 20 min"));
        QCOMPARE(plain(formatSeconds(std::nan(""))), QStringLiteral("–"));
        QCOMPARE(plain(formatRate(12.4e6)), QStringLiteral("12.4 MB/s"));
        QCOMPARE(formatNumber(1234.4), QStringLiteral("1,234"));
        QCOMPARE(formatNumber(3.418), QStringLiteral("3.42"));
        QCOMPARE(formatNumber(0), QStringLiteral("0"));
        QCOMPARE(plain(formatRate(0)), QStringLiteral("0 kB/s"));
        const QStringList compared = formatSeconds({0.0412, 0.0434, 0.0041});
        QCOMPARE(plain(compared.join(QStringLiteral(", "))), QStringLiteral("41.2 ms, 43.4 ms, 4.1 ms"));
        QCOMPARE(plain(formatSeconds({0.4, 1.2}).join(QStringLiteral(", "))), QStringLiteral("0.40 s, 1.20 s"));
        QCOMPARE(plain(formatSpan(24e-6)), QStringLiteral("under 0.1 s"));
        QCOMPARE(plain(formatSpan(1.1)), QStringLiteral("1.1 s"));
        QCOMPARE(plain(formatSpan(0)), QStringLiteral("0 s"));
        QCOMPARE(plain(formatSpan(13.4)), QStringLiteral("13 s"));
        QCOMPARE(plain(formatWholeSeconds(0.133)), QStringLiteral("under 1 s"));
        QCOMPARE(plain(formatWholeSeconds(59.2)), QStringLiteral("59 s"));
        QCOMPARE(plain(formatWholeSeconds(59.6)), QStringLiteral("1 min 0 s"));
        QCOMPARE(plain(formatWholeSeconds(-1)), QStringLiteral("–"));
        QCOMPARE(plain(formatBytes(qint64{8} << 30)), QStringLiteral("8.0 GiB"));
        QCOMPARE(formatFingerprint(QStringLiteral("9f3a01bc77")), QStringLiteral("9f3a 01bc 77"));
        QCOMPARE(fingerprintLines(QStringLiteral("9f3a01bc77"), 8), QStringLiteral("9f3a 01bc\n77"));
    }
};

QTEST_MAIN(EventWordsTest)
#include "event_words_test.moc"
