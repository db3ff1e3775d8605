// Real runs whose cuts and gradients are rounded.
#include <signal.h>

#include <algorithm>

#include "tests/integration/real_run.h"

using namespace hearth;

class RealRunCodecsTest : public RealRun {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { beginHome(); }
    void cleanupTestCase() { m_home.reset(); }
    void aCodecThatRuinsTrainingIsTakenBack();
    void gradientsAreRoundedInAGroup();

  private:
    void goesOn(const Follower &run) const;
};

/// Two bits for each number: nobody is offered that, and nobody would want it.
void RealRunCodecsTest::aCodecThatRuinsTrainingIsTakenBack() {
    const CutCodec two{codecByName(QStringLiteral("bfp2")), codecByName(QStringLiteral("bfp2"))};
    QVERIFY(two.forward);
    Plan plan = planOfTest();
    plan.stages = {{0, 1, {{QStringLiteral("local-1"), 16}}, 2, false, two},
                   {1, 2, {{QStringLiteral("local-2"), 10}, {QStringLiteral("local-3"), 6}}, 1, false, {}}};
    plan.stages[1].lastLayer = plan.layerCount;
    RunOrder asked = order(200);
    asked.plan = plan.toJson();
    Follower run(*m_client);
    QCOMPARE(run.calmEndOf(asked), QStringLiteral("finished"));
    const auto rounds = run.all<event::Round>();
    QCOMPARE(rounds.size(), std::size_t(200));
    const auto checks = run.all<event::CodecCheck>();
    QCOMPARE(checks.size(), std::size_t(2));
    QCOMPARE(checks[0].round, qint64(51));
    QCOMPARE(checks[0].cuts.size(), std::size_t(1));
    QCOMPARE(checks[0].cuts[0].forward, QStringLiteral("bfp2"));
    QVERIFY2(checks[0].cuts[0].forwardError > 0.3 && checks[0].cuts[0].forwardError < 1.5,
             qPrintable(QString::number(checks[0].cuts[0].forwardError)));
    QVERIFY(checks[0].loss != checks[0].rawLoss);
    const auto codecs = run.all<event::Codec>();
    QVERIFY(!codecs.empty());
    QCOMPARE(codecs[0].cut, 0);
    QCOMPARE(codecs[0].forward, QStringLiteral("bfp4"));
    QCOMPARE(codecs[0].backward, QStringLiteral("bfp4"));
    QVERIFY(codecs[0].round > 51 && codecs[0].round <= 54);
    // What is saved tells how each round was written: bf16, two bits, four. Two bits and the scales of 64 save this
    // much of float32 there and back; zstd, where a link is slow, and zeros that are not sent save more. Four bits and
    // all that save less.
    const qint64 batch = plan.batch;
    const qint64 numbers =
        2 * batch * elementCount(loadModel(plan.modelName)->layers.front().shape.outputs.front().shape);
    const qint64 twoBitsSave = numbers * 4 - (numbers * 2 + numbers / 64 * 16) / 8;
    const auto saved = [&](qint64 round) { return rounds[static_cast<std::size_t>(round) - 1].savedBytes; };
    QVERIFY(saved(50) > 0);
    QVERIFY(saved(codecs[0].round) > saved(50));
    for (const event::Round &round : rounds) {
        const bool isTwoBits = round.round > 50 && round.round < codecs[0].round;
        QVERIFY2(
            (round.savedBytes >= twoBitsSave) == isTwoBits,
            qPrintable(QStringLiteral("round %1: %2 of %3").arg(round.round).arg(round.savedBytes).arg(twoBitsSave)));
    }
    QCOMPARE(checks[1].round, qint64(151));
    QVERIFY(checks[1].cuts[0].forwardError < checks[0].cuts[0].forwardError / 2);
}

/// A member dies, the run goes on, stops and is taken up: from states in which nothing is owed.
void RealRunCodecsTest::gradientsAreRoundedInAGroup() {
    Plan plan = planOfTest();
    plan.stages = {{0, plan.layerCount, {{QStringLiteral("local-1"), 10}, {QStringLiteral("local-2"), 6}}, 1, false}};
    RunOrder asked = order(100000);
    asked.job[QStringLiteral("gradient_codec")] = QStringLiteral("bfp8");
    asked.plan = plan.toJson();
    asked.options[QStringLiteral("safety")] = QJsonObject{{QStringLiteral("join"), QStringLiteral("ignore")}};
    for (Tries tries;;) {
        Follower run(*m_client);
        run.start(asked);
        QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 20 || run.ended || run.refused, slowRun);
        const auto rounds = run.all<event::Round>();
        QVERIFY2(rounds.size() >= 20, qPrintable(run.errorText()));
        const auto devices = run.all<event::Device>();
        const auto dies = std::ranges::find(devices, QStringLiteral("local-2"), &event::Device::name);
        QVERIFY(dies != devices.end());
        for (const auto &worker : run.all<event::Worker>()) {
            if (worker.id == dies->id)
                ::kill(static_cast<pid_t>(worker.workerPid), SIGKILL);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!run.all<event::Recovered>().empty() || run.ended, slowRun);
        const std::size_t before = run.all<event::Round>().size();
        QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= before + 3 || run.ended, slowRun);
        m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
        QTRY_VERIFY_WITH_TIMEOUT(run.ended, slowRun);
        if (run.isSpoilt({dies->id}, tries))
            continue;
        QVERIFY2(run.hasLost({dies->id}), qPrintable(lossesBeside({dies->id}, run.losses())));
        for (const event::Round &round : rounds)
            QCOMPARE(round.savedBytes > 0, round.round % 16 != 0);
        QVERIFY(!run.all<event::Recovered>().empty());
        const event::Recovered recovered = run.all<event::Recovered>().front();
        QVERIFY(recovered.fromVersion > 0);
        QCOMPARE(recovered.fromVersion % 16, quint64{0});
        QCOMPARE(run.lastState(), QStringLiteral("stopped"));
        goesOn(run);
        return;
    }
}

/// One that was stopped.
void RealRunCodecsTest::goesOn(const Follower &run) const {
    const auto ended = run.all<event::Round>();
    RunOrder again;
    again.resume = run.id;
    Follower resumed(*m_client);
    resumed.start(again);
    QTRY_VERIFY_WITH_TIMEOUT(resumed.ended || resumed.refused || resumed.all<event::Round>().size() > ended.size(),
                             slowRun);
    QVERIFY2(!resumed.refused && !resumed.ended, qPrintable(resumed.errorText()));
    QCOMPARE(resumed.all<event::Round>()[ended.size()].round, ended.back().round + 1);  // nothing is repeated
    m_client->command(resumed.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
    QTRY_VERIFY_WITH_TIMEOUT(resumed.ended, slowRun);
}

QTEST_GUILESS_MAIN(RealRunCodecsTest)
#include "real_run_codecs_test.moc"
