// What the Plan page tells of the whole job: by which plan, and of which job.
#include "tests/core/base/patience.h"
#include "tests/ui/plan_page_fixture.h"
#include "ui/job/job_draft.h"

using namespace hearth;

class PlanWholeJobTest : public PlanPageFixture {
    Q_OBJECT

    void stopRun() const { m_controller->send({2000, 99, event::State{QStringLiteral("stopped")}, {}}); }
    /// The run tells so many samples of its data.
    void openCounted(qint64 training, qint64 evaluation) const {
        m_controller->open(QStringLiteral("counted"));
        for (RunEvent one : m_events) {
            if (std::holds_alternative<event::Round>(one.body))
                break;
            if (auto *run = std::get_if<event::Run>(&one.body)) {
                run->trainingSamples = training;
                run->evaluationSamples = evaluation;
            }
            m_controller->send(one);
        }
        m_window->showPlace(PlanPlace);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openPlanPage(); }
    void cleanup() { endWindow(); }

    void itTellsTimeTrafficEnergyAndMemory() {
        QVERIFY(find<QWidget>("planWholeJob")->isVisible());
        QCOMPARE(text("planJobLength"), QStringLiteral("rounds: 60; evaluations: 3"));
        const QString time = text("planJob-time"), sent = text("planJob-sent"), energy = text("planJob-energy"),
                      memory = text("planJob-memory");
        QVERIFY2(time.startsWith(QLatin1String("about ")), qPrintable(time));
        QVERIFY2(time.endsWith(QLatin1String(", without evaluations")), qPrintable(time));
        QVERIFY2(sent.startsWith(QLatin1String("about ")), qPrintable(sent));
        QVERIFY2(energy.endsWith(QLatin1String(": by the usual power of such devices, not measured")),
                 qPrintable(energy));
        QVERIFY2(memory.contains(QLatin1String(" is the fullest: ")), qPrintable(memory));
    }

    void itFollowsADraggedBorder() {
        const QString time = text("planJob-time"), sent = text("planJob-sent");
        dragBorder(0, 3, false);
        QVERIFY2(text("planJob-time") != time, qPrintable(time));
        QVERIFY2(text("planJob-sent") != sent, qPrintable(sent));
        QTest::keyClick(find<LayerStrip>("layerStrip"), Qt::Key_Escape);
        QCOMPARE(text("planJob-sent"), sent);
    }

    void evaluationsCountWhereTheirSamplesWereCounted() {
        openCounted(60'000, 10'000);
        const QString time = text("planJob-time");
        QVERIFY2(!time.contains(QLatin1String("without evaluations")), qPrintable(time));
        QVERIFY2(text("planJob-sent").contains(QLatin1String(", between ")), qPrintable(text("planJob-sent")));
    }

    void itIsOfTheJobPageWhereThatJobWouldTakeThisPlan() {
        openCounted(1280, 0);
        stopRun();
        JobDraft &draft = m_window->jobDraft();
        draft.setText(JobField::Rounds, QStringLiteral("250"));
        QCOMPARE(text("planJobLength"), QStringLiteral("rounds: 250; evaluations: 3"));
        draft.setByEpochs(true);
        draft.setText(JobField::Epochs, QStringLiteral("3"));
        QCOMPARE(text("planJobLength"), QStringLiteral("rounds: 30; evaluations: 1"));
        // Of another network it would take another plan.
        draft.setModel(QStringLiteral("resnet18"));
        QCOMPARE(text("planJobLength"), QStringLiteral("rounds: 60; evaluations: 3"));
    }

    void aLengthThatNobodyKnowsIsSaid() {
        stopRun();
        JobDraft &draft = m_window->jobDraft();
        draft.setByEpochs(true);
        draft.setText(JobField::Epochs, QStringLiteral("3"));
        QVERIFY2(text("planJob-time").startsWith(QLatin1String("how long is not known: ")),
                 qPrintable(text("planJob-time")));
        QCOMPARE(text("planJobLength"), QString());
        QCOMPARE(text("planJob-sent"), QStringLiteral("–"));
        QCOMPARE(text("planJob-energy"), QStringLiteral("–"));
        QVERIFY2(text("planJob-memory").contains(QLatin1String(" is the fullest: ")),
                 qPrintable(text("planJob-memory")));
    }

    void samplesOfOtherDataTellNothing() {
        openCounted(1280, 0);
        stopRun();
        JobDraft &draft = m_window->jobDraft();
        draft.setByEpochs(true);
        draft.setText(JobField::Epochs, QStringLiteral("3"));
        draft.setData(QStringLiteral("elsewhere"));
        QVERIFY2(text("planJob-time").startsWith(QLatin1String("how long is not known: ")),
                 qPrintable(text("planJob-time")));
    }

    void samplesThatTheJobPageCountedAreKnown() {
        stopRun();
        JobDraft &draft = m_window->jobDraft();
        draft.setByEpochs(true);
        draft.setText(JobField::Epochs, QStringLiteral("3"));
        m_window->showPlace(JobPlace);
        const QString rounds = QStringLiteral("rounds: %1;").arg(formatCount(draft.job().totalRounds(60'000)));
        QTRY_VERIFY2_WITH_TIMEOUT(text("planJobLength").startsWith(rounds), qPrintable(text("planJobLength")),
                                  patience);
        QVERIFY2(!text("planJob-time").contains(QLatin1String("without evaluations")),
                 qPrintable(text("planJob-time")));
    }

    void theJobPageTellsTheSameOfAJobThatWouldTakeThisPlan() {
        stopRun();
        m_window->showPlace(JobPlace);
        QCOMPARE(text("jobWholeLength"), QStringLiteral("rounds: 500; evaluations: 5"));
        for (const char *line : {"-time", "-sent", "-energy", "-memory"}) {
            const QString own = QStringLiteral("jobWhole") + QLatin1String(line),
                          plans = QStringLiteral("planJob") + QLatin1String(line);
            QVERIFY2(find<QLabel>(qPrintable(own))->isVisible(), line);
            QCOMPARE(text(qPrintable(own)), text(qPrintable(plans)));
        }
        QVERIFY(!find<QLabel>("jobWholeInstead")->isVisible());
    }

    void theJobPageKeepsTheRoomWhileThePlanIsForAnotherJob() {
        stopRun();
        m_window->showPlace(JobPlace);
        const auto *whole = find<QWidget>("jobWhole");
        const int room = whole->heightForWidth(whole->width());
        m_window->jobDraft().setText(JobField::Batch, QStringLiteral("64"));
        QCOMPARE(text("jobWholeInstead"),
                 QStringLiteral("The plan on the Plan page is for another job than this one."));
        QVERIFY(find<QLabel>("jobWholeInstead")->isVisible());
        QVERIFY(!find<QLabel>("jobWhole-time")->isVisible());
        QCOMPARE(whole->heightForWidth(whole->width()), room);
    }

    void theJobPageSaysHowToGetAPlan() {
        m_controller->open(QStringLiteral("another"));
        m_window->showPlace(JobPlace);
        QVERIFY2(text("jobWholeInstead").startsWith(QLatin1String("Make a plan on the Plan page")),
                 qPrintable(text("jobWholeInstead")));
        QVERIFY(!find<QLabel>("jobWhole-time")->isVisible());
    }

    void powerThatACardTookIsTold() {
        const QString first = m_window->run().plan()->stages[0].shares[0].device;
        for (DeviceInfo &device : m_home->list) {
            if (device.id == first)
                device.card = GraphicsCard{QStringLiteral("NVIDIA GeForce RTX 3060"), qint64{12} << 30, {}, {}, {}};
        }
        m_home->set(m_home->list);
        QVERIFY2(text("planJob-energy").endsWith(QLatin1String("not measured")), qPrintable(text("planJob-energy")));
        event::Round round;
        round.round = 6;
        round.devices[first].card.watts = 150;
        m_controller->send({1500, 50, round, {}});
        QVERIFY2(text("planJob-energy").contains(QLatin1String("by what graphics cards took")),
                 qPrintable(text("planJob-energy")));
    }

    void agentsOfADemoThatIsOverAreOneComputer() {
        for (DeviceInfo &device : m_home->list)
            device.agentPid = 4711;
        m_home->set(m_home->list);
        const QString energy = text("planJob-energy");
        for (DeviceInfo &device : m_home->list)
            std::reverse(device.id.begin(), device.id.end());  // devices that the run knows nothing of
        m_home->set(m_home->list);
        QCOMPARE(text("planJob-energy"), energy);
    }

    void aPlanThatNobodyJudgedHasNone() {
        event::Plan plan = m_window->run().planEvent();
        Plan read = *Plan::fromJson(plan.plan, QStringLiteral("test"));
        read.prediction.reset();
        plan.plan = read.toJson();
        m_controller->open(QStringLiteral("unjudged"));
        m_controller->problem.reset();
        m_controller->send(m_events.front());
        m_controller->send({1500, 50, plan, {}});
        m_window->showPlace(PlanPlace);
        QVERIFY(find<LayerStrip>("layerStrip")->isVisible());
        QVERIFY(!find<QWidget>("planWholeJob")->isVisible());
    }
};

QTEST_MAIN(PlanWholeJobTest)
#include "plan_whole_job_test.moc"
