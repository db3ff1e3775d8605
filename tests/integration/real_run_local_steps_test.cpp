// Real runs of devices that average their weights after steps of their own.
#include "tests/integration/real_run.h"

using namespace hearth;

namespace {

constexpr int every = 4, batch = 16, rounds = 40;

/// Shares are a part of the mathematics: nothing but this plan will do.
QJsonObject samePlan() {
    return {{QStringLiteral("safety"),
             QJsonObject{{QStringLiteral("join"), QStringLiteral("ignore")}, {QStringLiteral("keep_plan"), true}}}};
}

RunOrder localOrder() {
    RunOrder asked = order(rounds);
    asked.job[QStringLiteral("batch")] = batch;
    asked.job[QStringLiteral("precision")] = QStringLiteral("float64");
    OptimizerSpec optimizer = Job::defaultOptimizer();
    optimizer.momentum = 0;  // that of a device would end with its worker
    asked.job[QStringLiteral("optimizer")] = optimizer.toJson();
    asked.job[QStringLiteral("local_steps")] = LocalSteps{every, 0.7, 0.9}.toJson();
    Plan plan = planOfTest();
    plan.batch = batch * every;
    plan.microBatch = batch;
    plan.stages = {{0, plan.layerCount, {{QStringLiteral("local-1"), 10}, {QStringLiteral("local-2"), 6}}, 1, false}};
    asked.plan = plan.toJson();
    asked.options = samePlan();
    return asked;
}

}  // namespace

class RealRunLocalStepsTest : public RealRun {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { beginHome(); }
    void cleanupTestCase() { m_home.reset(); }
    void aRunThatWasStoppedGoesOn();
    void otherPlansAreRefused();
};

/// Bit for bit as one that nobody stops: the momentum of the outer step is in the checkpoint.
void RealRunLocalStepsTest::aRunThatWasStoppedGoesOn() {
    Follower whole(*m_client);
    QCOMPARE(whole.calmEndOf(localOrder()), QStringLiteral("finished"));
    QCOMPARE(whole.all<event::Round>().size(), std::size_t{rounds});

    for (Tries tries;;) {
        bool isToldToStop = false;
        Follower run(*m_client);
        // From here: a busy machine does many rounds before anybody looks again.
        connect(m_client.get(), &AgentClient::runEvent, &run, [&] {
            if (isToldToStop || run.all<event::Round>().size() < 5)
                return;
            isToldToStop = true;
            m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
        });
        run.start(localOrder());
        QTRY_VERIFY_WITH_TIMEOUT(run.ended || run.refused, slowRun);
        if (run.lastState() == QLatin1String("finished") &&
            tries.again(QStringLiteral("The run was over before it could be stopped.")))
            continue;
        if (run.isSpoilt({}, tries))
            continue;
        QCOMPARE(run.lastState(), QStringLiteral("stopped"));
        QVERIFY2(run.hasLost({}), qPrintable(lossesBeside({}, run.losses())));
        QVERIFY(run.all<event::Round>().size() < rounds);

        RunOrder again;
        again.resume = run.id;
        again.plan = localOrder().plan;
        again.options = samePlan();
        Follower resumed(*m_client);
        const QString end = resumed.endOf(again);
        if (resumed.isSpoilt({}, tries))
            continue;
        QCOMPARE(end, QStringLiteral("finished"));
        QVERIFY2(resumed.hasLost({}), qPrintable(lossesBeside({}, resumed.losses())));
        QCOMPARE(resumed.all<event::Round>().size(), std::size_t{rounds});
        const auto stages = [](const event::Plan &plan) { return plan.plan[QStringLiteral("stages")]; };
        for (const event::Plan &each : resumed.all<event::Plan>())
            QCOMPARE(stages(each), stages(whole.all<event::Plan>().at(0)));
        QCOMPARE(resumed.all<event::Finished>().at(0).weightsSha256, whole.all<event::Finished>().at(0).weightsSha256);
        return;
    }
}

void RealRunLocalStepsTest::otherPlansAreRefused() {
    RunOrder asked = localOrder();
    Plan plan = *Plan::fromJson(asked.plan, QStringLiteral("the test"));
    plan.stages = {{0, 2, {{QStringLiteral("local-1"), batch}}, 1, false},
                   {2, plan.layerCount, {{QStringLiteral("local-2"), batch}}, 1, false}};
    asked.plan = plan.toJson();
    Follower run(*m_client);
    const QString end = run.endOf(asked);
    QVERIFY2(end.contains(QLatin1String("whole network")), qPrintable(end));
}

QTEST_GUILESS_MAIN(RealRunLocalStepsTest)
#include "real_run_local_steps_test.moc"
