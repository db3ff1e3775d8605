// The weights that real runs begin with, keep and save.
#include <signal.h>

#include <algorithm>

#include "core/model/init.h"
#include "core/model/safetensors.h"

#include "tests/integration/real_run.h"

using namespace hearth;

class RealRunWeightsTest : public RealRun {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { beginHome(); }
    void cleanupTestCase() { m_home.reset(); }
    void startsFromGivenWeights();
    void theBestWeightsAreThoseThatWereEvaluated_data();
    void theBestWeightsAreThoseThatWereEvaluated();
    void stopSavesTheWeights();
};

void RealRunWeightsTest::startsFromGivenWeights() {
    const Model model = *loadModel(QStringLiteral("fashion-cnn"));
    const QString file = m_folder.filePath(QStringLiteral("initial.safetensors"));
    QVERIFY(writeSafetensors(file, initialise(model, 1, DType::Float32)));
    // The same weights by seed and by file: the same losses on one device.
    std::vector<double> losses[2];
    for (const bool given : {false, true}) {
        RunOrder asked = order(4);
        asked.options[QStringLiteral("planner")] = QStringLiteral("single");
        asked.devices = {QStringLiteral("local-1")};
        if (given) {
            asked.job[QStringLiteral("seed")] = 1;
            asked.weightsPath = file;
        }
        Follower run(*m_client);
        QCOMPARE(run.calmEndOf(asked), QStringLiteral("finished"));
        for (const auto &round : run.all<event::Round>())
            losses[given].push_back(round.loss);
    }
    QCOMPARE(losses[0].size(), std::size_t(4));
    QCOMPARE(losses[0], losses[1]);
}

void RealRunWeightsTest::theBestWeightsAreThoseThatWereEvaluated_data() {
    QTest::addColumn<double>("ema");
    QTest::addColumn<bool>("killed");
    QTest::newRow("of a group") << 0.0 << false;
    QTest::newRow("their moving average") << 0.9 << false;
    QTest::newRow("a device is lost as they are collected") << 0.0 << true;
}

/// Bit for bit those of a run that ends there.
void RealRunWeightsTest::theBestWeightsAreThoseThatWereEvaluated() {
    QFETCH(double, ema);
    QFETCH(bool, killed);
    Plan plan = planOfTest();
    plan.stages = {{0, plan.layerCount, {{QStringLiteral("local-1"), 10}, {QStringLiteral("local-2"), 6}}, 1, false}};
    const auto ordered = [&](int rounds) {
        RunOrder asked = order(rounds);
        QJsonObject optimizer = asked.job[QStringLiteral("optimizer")].toObject();
        optimizer[QStringLiteral("ema")] = ema;
        asked.job[QStringLiteral("optimizer")] = optimizer;
        asked.plan = plan.toJson();
        asked.options[QStringLiteral("safety")] = QJsonObject{{QStringLiteral("join"), QStringLiteral("ignore")}};
        return asked;
    };
    for (Tries tries;;) {
        Follower run(*m_client);
        run.start(ordered(100000));
        QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 10 || run.ended || run.refused, slowRun);
        QStringList victims;
        if (killed) {
            // The other member goes on with the same bits.
            const auto devices = run.all<event::Device>();
            const auto member = std::ranges::find(devices, QStringLiteral("local-2"), &event::Device::name);
            victims << member->id;
            const auto workers = run.all<event::Worker>();
            const auto pid = static_cast<pid_t>(std::ranges::find(workers, member->id, &event::Worker::id)->workerPid);
            connect(m_client.get(), &AgentClient::runEvent, &run, [pid](const QString &, const QByteArray &line) {
                if (line.contains("\"event\":\"evaluation\""))
                    ::kill(pid, SIGKILL);
            });
        }
        m_client->command(run.id, QStringLiteral("evaluate"), {}, m_client.get(), [](const auto &) {});
        QTRY_VERIFY_WITH_TIMEOUT(!run.all<event::Best>().empty() || run.ended, slowRun);
        if (killed)
            QTRY_VERIFY_WITH_TIMEOUT(!run.all<event::Recovered>().empty() || run.ended, slowRun);
        m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
        QTRY_VERIFY_WITH_TIMEOUT(run.ended, slowRun);
        if (run.isSpoilt(victims, tries))
            continue;
        QVERIFY2(run.hasLost(victims), qPrintable(lossesBeside(victims, run.losses())));
        if (killed)
            QCOMPARE(run.all<event::Recovered>().size(), std::size_t(1));
        QCOMPARE(run.all<event::Best>().size(), std::size_t(1));
        const event::Best kept = run.all<event::Best>().back();
        QCOMPARE(kept.round, run.all<event::Evaluation>().back().round);
        const auto best = readSafetensors(m_home->stateDir() + QStringLiteral("/runs/") + run.id +
                                          QStringLiteral("/best.safetensors"));
        QVERIFY(best);
        Follower reference(*m_client);
        QCOMPARE(reference.calmEndOf(ordered(static_cast<int>(kept.round))), QStringLiteral("finished"));
        QCOMPARE(QString::fromLatin1(weightsSha256(*best)), reference.all<event::Finished>().at(0).weightsSha256);
        return;
    }
}

void RealRunWeightsTest::stopSavesTheWeights() {
    Follower run(*m_client);
    run.start(order(100000));
    QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 2 || run.ended || run.refused, slowRun);
    m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
    QTRY_VERIFY_WITH_TIMEOUT(run.ended, slowRun);
    QCOMPARE(run.lastState(), QStringLiteral("stopped"));
    QVERIFY(readSafetensors(m_home->stateDir() + QStringLiteral("/runs/") + run.id +
                            QStringLiteral("/weights.safetensors")));
}

QTEST_GUILESS_MAIN(RealRunWeightsTest)
#include "real_run_weights_test.moc"
