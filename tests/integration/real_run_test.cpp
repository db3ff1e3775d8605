// Runs with everything real: agents, coordinator and workers as processes, TLS between them, LibTorch inside.
#include <signal.h>

#include <QFile>
#include <QJsonArray>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "core/agent/agent_client.h"
#include "core/agent/embedded_home.h"
#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "core/plan/plan.h"
#include "core/profile/profile_store.h"
#include "core/run/job.h"
#include "core/run/run_event.h"

using namespace hearth;

namespace {

constexpr int slow = 180'000;  // a loaded machine, sanitizers: only a hang is caught

struct Follower : QObject {
    AgentClient &client;
    QString id;
    std::vector<RunEvent> events;
    bool ended = false;
    std::optional<Error> refused;

    explicit Follower(AgentClient &theClient) : client(theClient) {
        QObject::connect(&client, &AgentClient::runEvent, this, [this](const QString &run, const QByteArray &line) {
            if (run == id)
                events.push_back(RunEvent::fromLine(line).value_or(RunEvent{}));
        });
        QObject::connect(&client, &AgentClient::runEnded, this, [this](const QString &run) { ended |= run == id; });
    }
    void start(const RunOrder &order) {
        client.startRun(order, this, [this](const Result<QString> &started) {
            if (!started) {
                refused = started.error();
                return;
            }
            id = *started;
            client.attach(id, 1, this, [](const Result<QCborMap> &) {});
        });
    }
    /// Waits for the end of a run. Its last state, and what went wrong where that is not "finished".
    QString endOf(const RunOrder &order) {
        start(order);
        if (!QTest::qWaitFor([this] { return ended || refused; }, slow))
            return QStringLiteral("no end");
        if (refused)
            return refused->toString();
        return lastState() == QLatin1String("finished") ? lastState()
                                                        : lastState() + QStringLiteral(": ") + errorText();
    }
    template <class T>
    std::vector<T> all() const {
        std::vector<T> list;
        for (const RunEvent &event : events) {
            if (const T *body = std::get_if<T>(&event.body))
                list.push_back(*body);
        }
        return list;
    }
    QString lastState() const {
        const auto states = all<event::State>();
        return states.empty() ? QString() : states.back().state;
    }
    QString errorText() const {
        const auto errors = all<event::Failure>();
        return errors.empty() ? QString() : errors.back().error.toString();
    }
};

RunOrder order(int rounds) {
    Job job;
    job.batch = 32;
    job.rounds = rounds;
    job.evaluateEvery = 0;
    job.optimizer.learningRate = 0.05;
    RunOrder order;
    order.job = job.toJson();
    order.model = loadModel(job.model)->toJson();
    return order;
}

/// Has no stages yet.
Plan planOfTest() {
    const Model model = *loadModel(QStringLiteral("fashion-cnn"));
    Plan plan;
    plan.modelName = model.name;
    plan.modelSha256 = QString::fromLatin1(model.sha256());
    plan.layerCount = static_cast<int>(model.layers.size());
    plan.planner = QStringLiteral("test");
    plan.batch = 32;
    plan.microBatch = 16;
    return plan;
}

}  // namespace

class RealRunTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_home.reset(); }
    void trainsEvaluatesAndSaves();
    void aGivenPlanWithAGroupIsFollowed_data();
    void aGivenPlanWithAGroupIsFollowed();
    void aCodecThatRuinsTrainingIsTakenBack();
    void gradientsAreRoundedInAGroup();
    void startsFromGivenWeights();
    void aKilledWorkerEndsNothing();
    void theBestWeightsAreThoseThatWereEvaluated_data();
    void theBestWeightsAreThoseThatWereEvaluated();
    void stopSavesTheWeights();
    void measuresOneDeviceAgain();
    void wrongOrdersAreRefused();

  private:
    std::unique_ptr<EmbeddedHome> m_home;
    std::unique_ptr<AgentClient> m_client;
    QStringList m_ids;
    QTemporaryDir m_folder;
};

void RealRunTest::initTestCase() {
    m_home = std::make_unique<EmbeddedHome>();
    QSignalSpy ready(m_home.get(), &EmbeddedHome::ready);
    m_home->start({});
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, slow);
    m_client = std::make_unique<AgentClient>();
    QSignalSpy open(m_client.get(), &AgentClient::ready);
    m_client->open(m_home->stateDir());
    QTRY_COMPARE_WITH_TIMEOUT(open.count(), 1, slow);
    std::vector<DeviceInfo> devices;
    m_client->devices(m_client.get(), [&](const auto &list) { devices = list.value_or(std::vector<DeviceInfo>()); });
    QTRY_COMPARE_WITH_TIMEOUT(devices.size(), std::size_t(3), slow);
    for (const DeviceInfo &device : devices)
        m_ids << device.id;
}

void RealRunTest::trainsEvaluatesAndSaves() {
    Follower run(*m_client);
    RunOrder asked = order(40);
    asked.job[QStringLiteral("evaluate_every")] = 40;
    asked.savePath = m_folder.filePath(QStringLiteral("trained.safetensors"));
    QCOMPARE(run.endOf(asked), QStringLiteral("finished"));
    for (std::size_t i = 0; i < run.events.size(); ++i)
        QCOMPARE(run.events[i].seq, quint64(i + 1));
    const auto rounds = run.all<event::Round>();
    QCOMPARE(rounds.size(), std::size_t(40));
    double first = 0, last = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        first += rounds[i].loss;
        last += rounds[rounds.size() - 1 - i].loss;
    }
    QVERIFY2(last < 0.8 * first, qPrintable(QStringLiteral("%1 %2").arg(first).arg(last)));
    const auto evaluations = run.all<event::Evaluation>();
    QCOMPARE(evaluations.size(), std::size_t(1));
    QVERIFY(evaluations[0].accuracy > 0.3);
    const auto saved = readSafetensors(asked.savePath);
    QVERIFY(saved);
    QCOMPARE(QString::fromLatin1(weightsSha256(*saved)), run.all<event::Finished>().at(0).weightsSha256);
}

void RealRunTest::aGivenPlanWithAGroupIsFollowed_data() {
    QTest::addColumn<QString>("trustedFabric");
    QTest::newRow("by encrypted links") << QString();
    QTest::newRow("over a trusted fabric") << QStringLiteral("machine");
}

void RealRunTest::aGivenPlanWithAGroupIsFollowed() {
    QFETCH(QString, trustedFabric);
    Plan plan = planOfTest();
    plan.stages = {{0, 2, {{QStringLiteral("local-1"), 10}, {QStringLiteral("local-3"), 6}}, 2, false},
                   {2, plan.layerCount, {{QStringLiteral("local-2"), 16}}, 1, false}};
    RunOrder asked = order(6);
    asked.plan = plan.toJson();
    asked.options[QStringLiteral("trusted_fabric")] = trustedFabric;
    Follower run(*m_client);
    QCOMPARE(run.endOf(asked), QStringLiteral("finished"));
    const auto rounds = run.all<event::Round>();
    QCOMPARE(rounds.size(), std::size_t(6));
    QCOMPARE(rounds[3].devices.size(), 3);
    QVERIFY(rounds[3].links.size() >= 4);  // activations, gradients, sums
    const auto idOf = [devices = run.all<event::Device>()](const QString &name) {
        const auto at = std::ranges::find(devices, name, &event::Device::name);
        return at == devices.end() ? QString() : at->id;
    };
    qint64 inGroup = 0;  // over the encrypted links, in the direction in which no samples are served
    for (const event::RoundLink &link : rounds[3].links) {
        if (link.from == idOf(QStringLiteral("local-3")) && link.to == idOf(QStringLiteral("local-1")))
            inGroup += link.bytes;
    }
    QVERIFY(inGroup > 0);
    const bool fabricWorks = !trustedFabric.isEmpty() && HEARTH_HAS_GLOO;
    QCOMPARE(inGroup == 2, fabricWorks);  // its words that its sum has begun and is there, in place of the gradients
    QCOMPARE(run.all<event::Warning>().size(), std::size_t(!trustedFabric.isEmpty() && !fabricWorks ? 1 : 0));
}

/// Two bits for each number: nobody is offered that, and nobody would want it.
void RealRunTest::aCodecThatRuinsTrainingIsTakenBack() {
    const CutCodec two{codecByName(QStringLiteral("bfp2")), codecByName(QStringLiteral("bfp2"))};
    QVERIFY(two.forward);
    Plan plan = planOfTest();
    plan.stages = {{0, 1, {{QStringLiteral("local-1"), 16}}, 2, false, two},
                   {1, 2, {{QStringLiteral("local-2"), 10}, {QStringLiteral("local-3"), 6}}, 1, false, {}}};
    plan.stages[1].lastLayer = plan.layerCount;
    RunOrder asked = order(200);
    asked.plan = plan.toJson();
    Follower run(*m_client);
    QCOMPARE(run.endOf(asked), QStringLiteral("finished"));
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
    // What is saved tells how each round was written: bf16, two bits, four.
    const auto saved = [&](qint64 round) { return rounds[static_cast<std::size_t>(round) - 1].savedBytes; };
    QVERIFY(saved(50) > 0);
    QVERIFY(saved(51) > saved(50));
    QVERIFY(saved(codecs[0].round) < saved(51));
    QVERIFY(saved(codecs[0].round) > saved(50));
    // But for a few bytes: now and then it is tried what zstd would save.
    QVERIFY(std::abs(saved(codecs[0].round - 1) - saved(51)) < saved(51) / 1000);
    QCOMPARE(checks[1].round, qint64(151));
    QVERIFY(checks[1].cuts[0].forwardError < checks[0].cuts[0].forwardError / 2);
}

/// A member dies, the run goes on, stops and is taken up: from states in which nothing is owed.
void RealRunTest::gradientsAreRoundedInAGroup() {
    Plan plan = planOfTest();
    plan.stages = {{0, plan.layerCount, {{QStringLiteral("local-1"), 10}, {QStringLiteral("local-2"), 6}}, 1, false}};
    RunOrder asked = order(100000);
    asked.job[QStringLiteral("gradient_codec")] = QStringLiteral("bfp8");
    asked.plan = plan.toJson();
    asked.options[QStringLiteral("safety")] = QJsonObject{{QStringLiteral("join"), QStringLiteral("ignore")}};
    Follower run(*m_client);
    run.start(asked);
    QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 20 || run.ended || run.refused, slow);
    const auto rounds = run.all<event::Round>();
    QVERIFY2(rounds.size() >= 20, qPrintable(run.errorText()));
    for (const event::Round &round : rounds)
        QCOMPARE(round.savedBytes > 0, round.round % 16 != 0);
    const auto devices = run.all<event::Device>();
    const auto dies = std::ranges::find(devices, QStringLiteral("local-2"), &event::Device::name);
    QVERIFY(dies != devices.end());
    for (const auto &worker : run.all<event::Worker>()) {
        if (worker.id == dies->id)
            QCOMPARE(::kill(static_cast<pid_t>(worker.workerPid), SIGKILL), 0);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!run.all<event::Recovered>().empty() || run.ended, slow);
    const event::Recovered recovered = run.all<event::Recovered>().at(0);
    QVERIFY(recovered.fromVersion > 0);
    QCOMPARE(recovered.fromVersion % 16, quint64{0});
    const std::size_t before = run.all<event::Round>().size();
    QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= before + 3 || run.ended, slow);
    m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
    QTRY_VERIFY_WITH_TIMEOUT(run.ended, slow);
    QCOMPARE(run.lastState(), QStringLiteral("stopped"));

    const auto ended = run.all<event::Round>();
    RunOrder again;
    again.resume = run.id;
    Follower resumed(*m_client);
    resumed.start(again);
    QTRY_VERIFY_WITH_TIMEOUT(resumed.ended || resumed.refused || resumed.all<event::Round>().size() > ended.size(),
                             slow);
    QVERIFY2(!resumed.refused && !resumed.ended, qPrintable(resumed.errorText()));
    QCOMPARE(resumed.all<event::Round>()[ended.size()].round, ended.back().round + 1);  // nothing is repeated
    m_client->command(resumed.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
    QTRY_VERIFY_WITH_TIMEOUT(resumed.ended, slow);
}

void RealRunTest::startsFromGivenWeights() {
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
        QCOMPARE(run.endOf(asked), QStringLiteral("finished"));
        for (const auto &round : run.all<event::Round>())
            losses[given].push_back(round.loss);
    }
    QCOMPARE(losses[0].size(), std::size_t(4));
    QCOMPARE(losses[0], losses[1]);
}

void RealRunTest::aKilledWorkerEndsNothing() {
    Follower run(*m_client);
    run.start(order(100000));
    QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 2 || run.ended || run.refused, slow);
    const auto devices = run.all<event::Round>().at(0).devices.keys();
    qint64 pid = 0;
    QString victim;
    for (const auto &worker : run.all<event::Worker>()) {
        if (devices.contains(worker.id)) {
            pid = worker.workerPid;
            victim = worker.id;
        }
    }
    QVERIFY(pid > 0);
    QCOMPARE(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(run.all<event::Recovered>().size(), std::size_t(1), slow);
    QCOMPARE(run.all<event::Lost>().size(), std::size_t(1));
    QCOMPARE(run.all<event::Lost>()[0].id, victim);
    QTRY_COMPARE_WITH_TIMEOUT(run.all<event::Joined>().size(), std::size_t(1), slow);
    QCOMPARE(run.all<event::Joined>()[0].id, victim);
    m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
    QTRY_VERIFY_WITH_TIMEOUT(run.ended, slow);
    QCOMPARE(run.lastState(), QStringLiteral("stopped"));
    // The agent has survived it.
    bool answered = false;
    m_client->devices(m_client.get(), [&](const auto &list) { answered = list && list->size() == 3; });
    QTRY_VERIFY_WITH_TIMEOUT(answered, slow);
}

void RealRunTest::theBestWeightsAreThoseThatWereEvaluated_data() {
    QTest::addColumn<double>("ema");
    QTest::addColumn<bool>("killed");
    QTest::newRow("of a group") << 0.0 << false;
    QTest::newRow("their moving average") << 0.9 << false;
    QTest::newRow("a device is lost as they are collected") << 0.0 << true;
}

/// Bit for bit those of a run that ends there.
void RealRunTest::theBestWeightsAreThoseThatWereEvaluated() {
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
    Follower run(*m_client);
    run.start(ordered(100000));
    QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 10 || run.ended || run.refused, slow);
    if (killed) {
        // The other member goes on with the same bits.
        const auto devices = run.all<event::Device>();
        const auto member = std::ranges::find(devices, QStringLiteral("local-2"), &event::Device::name);
        const auto workers = run.all<event::Worker>();
        const auto pid = static_cast<pid_t>(std::ranges::find(workers, member->id, &event::Worker::id)->workerPid);
        connect(m_client.get(), &AgentClient::runEvent, &run, [pid](const QString &, const QByteArray &line) {
            if (line.contains("\"event\":\"evaluation\""))
                ::kill(pid, SIGKILL);
        });
    }
    m_client->command(run.id, QStringLiteral("evaluate"), {}, m_client.get(), [](const auto &) {});
    QTRY_COMPARE_WITH_TIMEOUT(run.all<event::Best>().size(), std::size_t(1), slow);
    if (killed)
        QTRY_COMPARE_WITH_TIMEOUT(run.all<event::Recovered>().size(), std::size_t(1), slow);
    m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
    QTRY_VERIFY_WITH_TIMEOUT(run.ended, slow);
    const event::Best kept = run.all<event::Best>().back();
    QCOMPARE(kept.round, run.all<event::Evaluation>().back().round);
    const auto best =
        readSafetensors(m_home->stateDir() + QStringLiteral("/runs/") + run.id + QStringLiteral("/best.safetensors"));
    QVERIFY(best);
    Follower reference(*m_client);
    QCOMPARE(reference.endOf(ordered(static_cast<int>(kept.round))), QStringLiteral("finished"));
    QCOMPARE(QString::fromLatin1(weightsSha256(*best)), reference.all<event::Finished>().at(0).weightsSha256);
}

void RealRunTest::stopSavesTheWeights() {
    Follower run(*m_client);
    run.start(order(100000));
    QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 2 || run.ended || run.refused, slow);
    m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
    QTRY_VERIFY_WITH_TIMEOUT(run.ended, slow);
    QCOMPARE(run.lastState(), QStringLiteral("stopped"));
    QVERIFY(readSafetensors(m_home->stateDir() + QStringLiteral("/runs/") + run.id +
                            QStringLiteral("/weights.safetensors")));
}

void RealRunTest::measuresOneDeviceAgain() {
    const ProfileStore store(m_home->stateDir() + QStringLiteral("/profiles"));
    const auto linksBefore = store.links();
    QCOMPARE(linksBefore.size(), std::size_t(6));  // of the runs before
    std::map<QString, qint64> before;
    for (const StoredProfile &stored : store.profiles())
        before[stored.profile.device] = stored.measured;
    QCOMPARE(before.size(), std::size_t(3));
    RunOrder asked = order(1);
    asked.options = {{QStringLiteral("measure_only"), true},
                     {QStringLiteral("measure_again"), true},
                     {QStringLiteral("measure_of"), QJsonArray{m_ids[1]}}};
    Follower run(*m_client);
    // The workers of the run before may be about to end.
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            run.refused.reset();
            run.start(asked);
            return QTest::qWaitFor([&] { return run.ended || run.refused; }, slow) && !run.refused;
        }(),
        slow);
    QCOMPARE(run.lastState(), QStringLiteral("finished"));
    QVERIFY(run.all<event::Plan>().empty());
    const auto steps = run.all<event::Profile>();
    QVERIFY(steps.size() > 1);
    for (const event::Profile &step : steps)
        QCOMPARE(step.id, m_ids[1]);
    for (const StoredProfile &stored : store.profiles())
        QCOMPARE(stored.measured > before[stored.profile.device], stored.profile.device == m_ids[1]);
}

void RealRunTest::wrongOrdersAreRefused() {
    RunOrder asked = order(1);
    asked.job[QStringLiteral("data")] = QStringLiteral("fashion-mist");
    Follower run(*m_client);
    run.start(asked);
    QTRY_VERIFY_WITH_TIMEOUT(run.refused, slow);
    QVERIFY2(run.refused->toString().contains(QLatin1String("fashion-mnist")), qPrintable(run.refused->toString()));
}

QTEST_GUILESS_MAIN(RealRunTest)
#include "real_run_test.moc"
