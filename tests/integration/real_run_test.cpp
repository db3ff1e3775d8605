// Runs with everything real: they train, lose a worker, are refused, and measure.
#include <signal.h>

#include <QFile>
#include <QJsonArray>
#include <algorithm>
#include <cstddef>
#include <map>

#include "core/model/safetensors.h"
#include "core/profile/profile_store.h"

#include "tests/integration/real_run.h"

using namespace hearth;

class RealRunTest : public RealRun {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { beginHome(); }
    void cleanupTestCase() { m_home.reset(); }
    void trainsEvaluatesAndSaves();
    void aGivenPlanWithAGroupIsFollowed_data();
    void aGivenPlanWithAGroupIsFollowed();
    void aKilledWorkerEndsNothing();
    void measuresOneDeviceAgain();
    void wrongOrdersAreRefused();
};

void RealRunTest::trainsEvaluatesAndSaves() {
    Follower run(*m_client);
    RunOrder asked = order(40);
    asked.job[QStringLiteral("evaluate_every")] = 40;
    asked.savePath = m_folder.filePath(QStringLiteral("trained.safetensors"));
    QCOMPARE(run.calmEndOf(asked), QStringLiteral("finished"));
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
    QCOMPARE(run.calmEndOf(asked), QStringLiteral("finished"));
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
    // A round in which the machine stops for seconds is warned of as well.
    const auto warnings = run.all<event::Warning>();
    const auto withoutFabric = std::ranges::count_if(warnings, [](const event::Warning &warning) {
        return warning.what.english().contains(QLatin1String("over Hearth's own links"));
    });
    QCOMPARE(withoutFabric, std::ptrdiff_t(!trustedFabric.isEmpty() && !fabricWorks ? 1 : 0));
}

void RealRunTest::aKilledWorkerEndsNothing() {
    for (Tries tries;;) {
        Follower run(*m_client);
        run.start(order(100000));
        QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 2 || run.ended || run.refused, slowRun);
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
        ::kill(static_cast<pid_t>(pid), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(!run.all<event::Recovered>().empty() || run.ended, slowRun);
        QTRY_VERIFY_WITH_TIMEOUT(!run.all<event::Joined>().empty() || run.ended, slowRun);
        m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
        QTRY_VERIFY_WITH_TIMEOUT(run.ended, slowRun);
        if (run.isSpoilt({victim}, tries))
            continue;
        QVERIFY2(run.hasLost({victim}), qPrintable(lossesBeside({victim}, run.losses())));
        QCOMPARE(run.all<event::Recovered>().size(), std::size_t(1));
        QCOMPARE(run.all<event::Joined>().size(), std::size_t(1));
        QCOMPARE(run.all<event::Joined>()[0].id, victim);
        QCOMPARE(run.lastState(), QStringLiteral("stopped"));
        break;
    }
    // The agent has survived it.
    bool answered = false;
    m_client->devices(m_client.get(), [&](const auto &list) { answered = list && list->size() == 3; });
    QTRY_VERIFY_WITH_TIMEOUT(answered, slowRun);
}

/// The workers of the run before may be about to end.
static QString endOf(Follower &run, const RunOrder &asked) {
    QString end;
    const bool ran = QTest::qWaitFor(
        [&] {
            end = run.calmEndOf(asked);
            return !run.refused;
        },
        slowRun);
    return ran ? end : QStringLiteral("refused");
}

void RealRunTest::measuresOneDeviceAgain() {
    // A run that trains may have begun on guesses and ended before it measured.
    RunOrder missing = order(1);
    missing.options = {{QStringLiteral("only"), QStringLiteral("measure")}};
    Follower first(*m_client);
    QCOMPARE(endOf(first, missing), QStringLiteral("finished"));
    const ProfileStore store(m_home->stateDir() + QStringLiteral("/profiles"));
    const auto linksBefore = store.links();
    QCOMPARE(linksBefore.size(), std::size_t(6));
    std::map<std::pair<QString, QString>, qint64> before;  // by device and network: the benchmark network is one
    for (const StoredProfile &stored : store.profiles())
        before[{stored.profile.device, stored.profile.modelSha256}] = stored.measured;
    QCOMPARE(before.size(), std::size_t(6));
    RunOrder asked = order(1);
    asked.options = {{QStringLiteral("only"), QStringLiteral("measure")},
                     {QStringLiteral("measure_again"), true},
                     {QStringLiteral("measure_of"), QJsonArray{m_ids[1]}}};
    Follower run(*m_client);
    QCOMPARE(endOf(run, asked), QStringLiteral("finished"));
    QVERIFY(run.all<event::Plan>().empty());
    const auto steps = run.all<event::Profile>();
    QVERIFY(steps.size() > 1);
    for (const event::Profile &step : steps)
        QCOMPARE(step.id, m_ids[1]);
    for (const StoredProfile &stored : store.profiles()) {
        const std::pair key(stored.profile.device, stored.profile.modelSha256);
        QCOMPARE(stored.measured > before[key], key.first == m_ids[1]);
    }
}

void RealRunTest::wrongOrdersAreRefused() {
    RunOrder asked = order(1);
    asked.job[QStringLiteral("data")] = QStringLiteral("fashion-mist");
    Follower run(*m_client);
    run.start(asked);
    QTRY_VERIFY_WITH_TIMEOUT(run.refused, slowRun);
    QVERIFY2(run.refused->toString().contains(QLatin1String("fashion-mnist")), qPrintable(run.refused->toString()));
}

QTEST_GUILESS_MAIN(RealRunTest)
#include "real_run_test.moc"
