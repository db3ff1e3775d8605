#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include "core/data/sampler.h"
#include "core/model/safetensors.h"
#include "fake_home.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using fake::Home;

class TestCoordinator : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void trainsToTheEnd_data();
    void trainsToTheEnd();
    void whatNobodyMeansIsToldByARunThatTrains_data();
    void whatNobodyMeansIsToldByARunThatTrains();
    void everyEventIsInTheFileBeforeItIsPublished();
    void servesTheSamplesOfEveryRoundByInterval();
    void feedsAtMostTwoRoundsAhead();
    void anEvaluationHoldsBackTheNextRound();
    void whatAnEvaluationSendsIsOfNoRound();
    void pausesBetweenRoundsAndResumes();
    void stopsAndSavesTheWeights();
    void stopsBeforeTheFirstRound();
    void savesInBetween();
    void streamsTheWeightsThatWereGiven();
    void aPlanOnlyRunEndsWithThePlan();
    void evaluatesOnly();
    void aStopEndsAnEvaluationAlone();
    void unusedWorkersRest();
};

void TestCoordinator::trainsToTheEnd_data() {
    QTest::addColumn<int>("devices");
    QTest::addColumn<bool>("given");
    QTest::newRow("one device alone") << 1 << false;
    QTest::newRow("three devices as the planner likes") << 3 << false;
    QTest::newRow("two stages, the second one a group with shares 20 and 12") << 3 << true;
}

void TestCoordinator::trainsToTheEnd() {
    QFETCH(int, devices);
    QFETCH(bool, given);
    Home home(devices);
    if (given)
        home.request.plan = home.plan();
    home.request.save = home.folder.filePath(QStringLiteral("mine.safetensors"));
    home.start();
    QSignalSpy ended(home.coordinator.get(), &Coordinator::ended);
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, patience);
    QVERIFY2(home.coordinator->state() == RunState::Finished, qPrintable(home.lastError().toString()));

    const auto events = home.events();
    for (std::size_t i = 0; i < events.size(); ++i)
        QCOMPARE(events[i].seq, quint64(i + 1));
    QCOMPARE(eventKind(events.front().body), QStringLiteral("run"));
    const auto &begun = std::get<event::Run>(events.front().body);
    QCOMPARE(begun.trainingSamples, home.inputs.data->count(Split::Train));
    QCOMPARE(begun.evaluationSamples, home.inputs.data->count(Split::Test));
    QCOMPARE(home.lastState(), QStringLiteral("finished"));
    QCOMPARE(home.events(QStringLiteral("device")).size(), std::size_t(devices));
    QCOMPARE(home.events(QStringLiteral("worker")).size(), std::size_t(devices));
    QCOMPARE(home.events(QStringLiteral("plan")).size(), std::size_t(1));
    const auto rounds = home.events(QStringLiteral("round"));
    QCOMPARE(rounds.size(), std::size_t(3));
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const auto &round = std::get<event::Round>(rounds[i].body);
        for (const event::RoundDevice &device : round.devices) {
            QCOMPARE(device.computeS, 1e-9);
            QVERIFY(device.waitForwardS <= round.roundS);  // waiting to be deployed is no part of a round
        }
        QCOMPARE(round.round, qint64(i + 1));
        QCOMPARE(round.version, quint64(i + 1));
        QVERIFY(round.predictedRoundS > 0);
    }
    if (given) {
        const auto &round = std::get<event::Round>(rounds[0].body);
        QCOMPARE(round.loss, 4.0);  // two members of the last stage
        QCOMPARE(round.devices.keys(), (QStringList{Home::id(1), Home::id(2), Home::id(3)}));
        QCOMPARE(home.worker(2)->deployment->stages[1].members[1].firstSample, 20);
    }
    const auto evaluations = home.events(QStringLiteral("evaluation"));
    QCOMPARE(evaluations.size(), std::size_t(2));  // after round 2, and at the end
    QCOMPARE(std::get<event::Evaluation>(evaluations[0].body).round, 2);
    QCOMPARE(std::get<event::Evaluation>(evaluations[1].body).accuracy, 1.0);
    QCOMPARE(std::get<event::Evaluation>(evaluations[1].body).loss, 0.5);

    const auto expected = weightsSha256(initialise(home.request.model, home.request.job.seed, DType::Float32));
    const auto finished = home.events(QStringLiteral("finished"));
    QCOMPARE(std::get<event::Finished>(finished.at(0).body).weightsSha256, QString::fromLatin1(expected));
    for (const QString &file : {home.directory->weightsFile(), home.request.save}) {
        const auto saved = readSafetensors(file);
        QVERIFY(saved);
        QCOMPARE(weightsSha256(*saved), expected);
    }
    for (int number = 1; number <= devices; ++number)
        QVERIFY(home.agent.stopped.contains(Home::id(number)));
}

void TestCoordinator::whatNobodyMeansIsToldByARunThatTrains_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<RunKind>("kind");
    QTest::addColumn<QStringList>("causes");
    const QString more = QStringLiteral("fashion-cnn:classes=12");
    QTest::newRow("outputs that no sample has")
        << more << RunKind::Train << QStringList{QStringLiteral("The model tells 12 classes apart; the data have 10.")};
    QTest::newRow("a network for these data") << QStringLiteral("fashion-cnn") << RunKind::Train << QStringList();
    QTest::newRow("a run that only plans") << more << RunKind::Plan << QStringList();
}

void TestCoordinator::whatNobodyMeansIsToldByARunThatTrains() {
    QFETCH(QString, model);
    QFETCH(RunKind, kind);
    Home home(2);
    home.request.kind = kind;
    home.request.job.model = model;
    home.request.model = *loadModel(model);
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QStringList causes;
    for (const RunEvent &each : home.events(QStringLiteral("warning"))) {
        const auto &warning = std::get<event::Warning>(each.body);
        if (!warning.what.endsWith(QLatin1String("do not fit each other.")))
            continue;
        causes << warning.cause;
        QVERIFY(warning.advice.contains(QLatin1String("fashion-cnn:classes=10")));
    }
    QTEST(causes, "causes");
}

void TestCoordinator::everyEventIsInTheFileBeforeItIsPublished() {
    Home home(2);
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QVERIFY(!home.agent.publishedTooEarly);
}

void TestCoordinator::servesTheSamplesOfEveryRoundByInterval() {
    Home home(3);
    home.request.plan = home.plan();
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    Sampler sampler(home.request.job.seed, home.inputs.data->count(Split::Train), true);
    const auto labelsOf = [&](int number, quint32 round) {
        std::vector<qint64> labels;
        for (const TensorFrame &frame : home.worker(number)->frames) {
            if (frame.header.kind != TensorKind::Label || frame.header.round != round || frame.header.slot != labelSlot)
                continue;
            labels.resize(frame.header.sampleCount);
            std::memcpy(labels.data(), frame.payload->data(), labels.size() * sizeof(qint64));
        }
        return labels;
    };
    for (quint32 round = 1; round <= 3; ++round) {
        const auto indices = sampler.indicesOfRound(round, 32);
        std::vector<qint64> labels = labelsOf(2, round);
        QCOMPARE(labels.size(), std::size_t(20));
        for (const qint64 label : labelsOf(3, round))
            labels.push_back(label);
        QCOMPARE(labels.size(), indices.size());
        for (std::size_t i = 0; i < indices.size(); ++i)
            QCOMPARE(labels[i], indices[i] % 10);
        QCOMPARE(home.normaliser[round], 32.0);
    }
}

void TestCoordinator::feedsAtMostTwoRoundsAhead() {
    Home home(2);
    home.request.job.rounds = 6;
    home.request.job.evaluateEvery = 0;
    home.holdsRounds = true;
    home.start();
    QTRY_VERIFY_WITH_TIMEOUT(home.labelSamples[2] == 32, patience);
    for (int turn = 0; turn < 100; ++turn)
        QCoreApplication::processEvents();
    QCOMPARE(home.inputSamples.count(3), std::size_t(0));
    home.reportRound();
    QTRY_COMPARE_WITH_TIMEOUT(home.inputSamples[3], 32, patience);
    QCOMPARE(home.inputSamples.count(4), std::size_t(0));
    home.resumeRounds();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
}

void TestCoordinator::anEvaluationHoldsBackTheNextRound() {
    Home home(2);
    home.request.job.evaluateEvery = 1;
    home.holdsEvaluation = true;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Evaluating, patience);
    for (int turn = 0; turn < 100; ++turn)
        QCoreApplication::processEvents();
    QCOMPARE(home.reported, 1);
    QCOMPARE(home.inputSamples.count(2), std::size_t(0));
    QCOMPARE(home.events(QStringLiteral("evaluation")).size(), std::size_t(0));
}

void TestCoordinator::whatAnEvaluationSendsIsOfNoRound() {
    constexpr qint64 testSamples = 2100;
    Home home(2);
    home.request.plan = home.plan();
    home.request.job.rounds = 4;
    home.request.job.evaluateEvery = 2;
    home.inputs.data = std::make_shared<fake::TinyDataset>(50, testSamples);
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    qint64 before = 0, after = 0;
    for (const RunEvent &one : home.events(QStringLiteral("round"))) {
        const auto &round = std::get<event::Round>(one.body);
        for (const event::RoundLink &link : round.links)
            (round.round <= 2 ? before : after) += link.bytes;
    }
    QVERIFY(before > 0);
    QVERIFY2(after < before + testSamples, qPrintable(QStringLiteral("%1 and %2 bytes").arg(before).arg(after)));
}

void TestCoordinator::pausesBetweenRoundsAndResumes() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.request.job.evaluateEvery = 0;
    home.start();
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 1, patience);
    home.command("pause");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Paused, patience);
    QCOMPARE(home.lastState(), QStringLiteral("paused"));
    const qint64 done = home.reported;
    QCOMPARE(home.events(QStringLiteral("round")).size(), std::size_t(done));
    home.command("evaluate");
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("evaluation")).size(), std::size_t(1), patience);
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Paused, patience);
    // Its beginning is told; nothing says that training goes on.
    const auto begun = std::get<event::Evaluating>(home.events(QStringLiteral("evaluating")).front().body);
    QCOMPARE(begun.round, done);
    QCOMPARE(begun.total, home.inputs.data->count(Split::Test));
    const auto state = home.events(QStringLiteral("state")).back();
    QCOMPARE(std::get<event::State>(state.body).state, QStringLiteral("paused"));
    QVERIFY(state.seq < home.events(QStringLiteral("evaluating")).front().seq);
    QCOMPARE(home.reported, done);
    home.command("resume");
    QTRY_VERIFY_WITH_TIMEOUT(home.reported > done, patience);
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Stopped, patience);
    const auto rounds = home.events(QStringLiteral("round"));
    for (std::size_t i = 0; i < rounds.size(); ++i)
        QCOMPARE(std::get<event::Round>(rounds[i].body).round, qint64(i + 1));
}

void TestCoordinator::stopsAndSavesTheWeights() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.request.job.evaluateEvery = 0;
    home.start();
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 2, patience);
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("stopped"), patience);
    QCOMPARE(home.coordinator->state(), RunState::Stopped);
    QVERIFY(readSafetensors(home.directory->weightsFile()));
    QCOMPARE(home.agent.stopped.size(), 2);
}

void TestCoordinator::stopsBeforeTheFirstRound() {
    Home home(2);
    home.silent[1] = QStringLiteral("profile");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Profiling, patience);
    home.command("stop");
    QCOMPARE(home.lastState(), QStringLiteral("stopped"));
    QCOMPARE(home.agent.stopped.size(), 2);
}

void TestCoordinator::savesInBetween() {
    Home home(2);
    home.request.job.rounds = 100000;
    home.request.job.evaluateEvery = 0;
    home.start();
    QTRY_VERIFY_WITH_TIMEOUT(home.reported >= 1, patience);
    const QString path = home.folder.filePath(QStringLiteral("between.safetensors"));
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("save")}, {QStringLiteral("path"), path}});
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("checkpoint")).size(), std::size_t(1), patience);
    QVERIFY(readSafetensors(path));
    const qint64 done = home.reported;
    QTRY_VERIFY_WITH_TIMEOUT(home.reported > done, patience);
    // A place that cannot be written costs a warning, not the run.
    home.coordinator->command({{QStringLiteral("command"), QStringLiteral("save")},
                               {QStringLiteral("path"), home.folder.filePath(QStringLiteral("no/such.safetensors"))}});
    QTRY_COMPARE_WITH_TIMEOUT(home.events(QStringLiteral("warning")).size(), std::size_t(1), patience);
    home.command("stop");
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("stopped"), patience);
}

void TestCoordinator::streamsTheWeightsThatWereGiven() {
    Home home(2);
    home.request.plan = home.plan();
    for (int layer = 0; layer < int(home.request.model.layers.size()); ++layer)
        home.inputs.weights.push_back(initialise(home.request.model, layer, 77, DType::Float32));
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QVERIFY(home.worker(1)->deployment->weightsStreamed);
    int compared = 0;
    for (const TensorFrame &frame : home.worker(2)->frames) {
        if (frame.header.kind != TensorKind::Replica)
            continue;
        QVERIFY(frame.header.stage >= 2);
        const NamedTensor &tensor = home.inputs.weights[frame.header.stage][frame.header.slot];
        QCOMPARE(frame.payload->size(), tensor.data->size());
        QCOMPARE(std::memcmp(frame.payload->data(), tensor.data->data(), std::size_t(tensor.data->size())), 0);
        ++compared;
    }
    QVERIFY(compared > 2);
}

void TestCoordinator::aPlanOnlyRunEndsWithThePlan() {
    Home home(2);
    home.request.kind = RunKind::Plan;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.events(QStringLiteral("plan")).size(), std::size_t(1));
    QVERIFY(home.events(QStringLiteral("round")).empty());
    QVERIFY(QFile::exists(home.directory->file(QStringLiteral("plan-1.json"))));
    QCOMPARE(home.agent.stopped.size(), 2);
}

void TestCoordinator::evaluatesOnly() {
    Home home(2);
    home.request.kind = RunKind::Evaluate;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.events(QStringLiteral("evaluation")).size(), std::size_t(1));
    QVERIFY(home.events(QStringLiteral("round")).empty());
}

void TestCoordinator::aStopEndsAnEvaluationAlone() {
    Home home(2);
    home.request.kind = RunKind::Evaluate;
    home.holdsEvaluation = true;
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.coordinator->state(), RunState::Evaluating, patience);
    home.command("stop");
    QCOMPARE(home.lastState(), QStringLiteral("stopped"));
    QVERIFY(home.events(QStringLiteral("evaluation")).empty());
    QCOMPARE(home.agent.stopped.size(), 2);
}

void TestCoordinator::unusedWorkersRest() {
    Home home(3);
    home.request.planner = QStringLiteral("single");
    home.start();
    QTRY_COMPARE_WITH_TIMEOUT(home.lastState(), QStringLiteral("finished"), patience);
    QCOMPARE(home.agent.started.size(), 3);
    QCOMPARE(home.agent.stopped.size(), 3);
    int trained = 0;
    for (const auto &worker : home.workers)
        trained += worker->reports.empty() ? 0 : 1;
    QCOMPARE(trained, 1);
}

QTEST_GUILESS_MAIN(TestCoordinator)
#include "test_coordinator.moc"
