#include <QTest>
#include <limits>

#include "core/base/block_codecs.h"
#include "core/model/safetensors.h"
#include "held_disk.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

/// The best evaluation of a run: where the run ends without a better one, and whose weights are kept.
class TestCoordinatorBest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void endsWhereThePatienceIsUsedUp();
    void goesOnForAsManyEvaluationsAgain_data();
    void goesOnForAsManyEvaluationsAgain();
    void anEndThatNothingGoesOnFromIsTold();
    void aLossBeforeItsEndChangesNothing_data();
    void aLossBeforeItsEndChangesNothing();
    void keepsTheWeightsOfTheBest_data();
    void keepsTheWeightsOfTheBest();
    void whatWasEvaluatedOnRequestIsKeptWhenItIsRepeated();
    void otherWeightsAreEvaluatedAgain_data();
    void otherWeightsAreEvaluatedAgain();
    void whatDoesNotPayIsNotCollected();
    void onRequestNoneAreKept();
    void aFullDiskEndsNothing();
    void whatTheFileHoldsIsToldWhereTheRecordLacksIt();

  private:
    static RunDeadlines always();
    static std::vector<qint64> kept(const Home &home);
    static QString roundOf(const QString &file);
    static void evaluate(Home &home, qint64 patience, std::map<qint64, double> losses);
    static event::State lastState(const Home &home) { return lastEvent<event::State>(home, "state"); }
    static qint64 lastRound(const Home &home) { return lastEvent<event::Round>(home, "round").round; }
};

namespace {

const QString finished = QStringLiteral("finished"),
              notFallen = QStringLiteral("The loss has not fallen for 2 evaluations.");
constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

/// To collect weights always pays.
RunDeadlines TestCoordinatorBest::always() {
    RunDeadlines deadlines = quick();
    deadlines.bestPart = 1e9;
    return deadlines;
}

/// As it is told.
std::vector<qint64> TestCoordinatorBest::kept(const Home &home) {
    std::vector<qint64> rounds;
    for (const RunEvent &event : home.events(QStringLiteral("best")))
        rounds.push_back(std::get<event::Best>(event.body).round);
    return rounds;
}

QString TestCoordinatorBest::roundOf(const QString &file) {
    const auto metadata = readSafetensorsMetadata(file);
    return metadata ? metadata->at(QStringLiteral("round")) : metadata.error().toString();
}

/// Every second of 16 rounds is evaluated; where no loss is given it is 1.
void TestCoordinatorBest::evaluate(Home &home, qint64 patience, std::map<qint64, double> losses) {
    home.request.plan = home.plan();
    home.request.job.rounds = 16;
    home.request.job.evaluateEvery = 2;
    home.request.job.patience = patience;
    home.request.job.keepBest = true;
    home.evaluated = [losses = std::move(losses)](qint64 round) {
        const auto loss = losses.find(round);
        return loss == losses.end() ? 1 : loss->second;
    };
}

void TestCoordinatorBest::endsWhereThePatienceIsUsedUp() {
    Home home(3);
    evaluate(home, 2, {{4, 0.5}, {8, none}});
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(lastRound(home), 8);
    QVERIFY(!home.inputSamples.contains(9));
    QCOMPARE(count(home, "evaluation"), std::size_t(4));
    QCOMPARE(lastState(home).why, notFallen);
    QCOMPARE(lastEvent<event::Finished>(home, "finished").rounds, 8);
    QVERIFY(!lastEvent<event::Finished>(home, "finished").weightsSha256.isEmpty());
    QCOMPARE(lastEvent<event::Checkpoint>(home, "checkpoint").version, quint64(8));
}

void TestCoordinatorBest::goesOnForAsManyEvaluationsAgain_data() {
    QTest::addColumn<bool>("rounded");
    QTest::newRow("gradients as they are") << false;
    QTest::newRow("rounded gradients, which make few states whole") << true;
}

void TestCoordinatorBest::goesOnForAsManyEvaluationsAgain() {
    QFETCH(bool, rounded);
    Home home(3);
    evaluate(home, 2, {{4, 0.5}, {14, 0.4}});
    if (rounded)
        home.request.job.gradientCodec = &bfp8Codec;
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    home.request.resume = true;
    // Nothing is better than before it went on; then something is, and all rounds are done.
    for (const auto &[round, why] : {std::pair{12, notFallen}, {16, QString()}}) {
        startAgain(home);
        QVERIFY(reaches(home, RunState::Finished));
        QCOMPARE(lastRound(home), round);
        QCOMPARE(lastState(home).state, finished);
        QCOMPARE(lastState(home).why, why);
    }
    QCOMPARE(count(home, "evaluation"), std::size_t(8));
}

void TestCoordinatorBest::anEndThatNothingGoesOnFromIsTold() {
    Home home(3);
    evaluate(home, 2, {{4, 0.5}});
    home.request.job.gradientCodec = &bfp8Codec;
    home.halted = [&](quint32) {
        for (const auto &worker : home.workers) {
            worker->held.clear();
            worker->exact = 0;
        }
    };
    home.start(quick());
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(lastEvent<event::Finished>(home, "finished").rounds, 8);
    QCOMPARE(lastEvent<event::Warning>(home, "warning").what, QStringLiteral("No checkpoint of round 8 was written."));
}

void TestCoordinatorBest::aLossBeforeItsEndChangesNothing_data() {
    QTest::addColumn<QString>("lost");
    QTest::newRow("of the coordinator") << QStringLiteral("coordinator");
    QTest::newRow("of a device whose weights are collected") << QStringLiteral("device");
    QTest::newRow("of one whose state must be repeated") << QStringLiteral("lone device");
}

void TestCoordinatorBest::aLossBeforeItsEndChangesNothing() {
    QFETCH(QString, lost);
    Home home(3);
    evaluate(home, 2, {{4, 0.5}});
    const int first = lost == QLatin1String("lone device") ? 1 : 2;
    if (lost == QLatin1String("coordinator"))
        home.silent[first] = QStringLiteral("weights.get");
    else
        home.dies[first] = QStringLiteral("weights.get");
    home.start(quick());
    if (lost == QLatin1String("coordinator")) {
        QVERIFY(reaches(home, RunState::Saving));
        home.silent.clear();
        home.request.again = true;
        startAgain(home);
    }
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(lastRound(home), 8);
    QCOMPARE(count(home, "evaluation"), std::size_t(4));
    QCOMPARE(lastState(home).why, notFallen);
    QCOMPARE(count(home, "finished"), std::size_t(1));
}

void TestCoordinatorBest::keepsTheWeightsOfTheBest_data() {
    QTest::addColumn<QString>("lost");
    QTest::newRow("nothing is lost") << QString();
    QTest::newRow("the coordinator between the evaluation and the file") << QStringLiteral("coordinator");
    QTest::newRow("a device while weights are collected") << QStringLiteral("device");
    QTest::newRow("one whose state must be repeated") << QStringLiteral("lone device");
}

void TestCoordinatorBest::keepsTheWeightsOfTheBest() {
    QFETCH(QString, lost);
    Home home(3);
    evaluate(home, 0, {{2, 0.7}, {4, 0.5}, {8, none}, {10, 0.3}});
    if (lost == QLatin1String("coordinator"))
        home.silent[2] = QStringLiteral("weights.get");
    else if (!lost.isEmpty())
        home.dies[lost == QLatin1String("device") ? 2 : 1] = QStringLiteral("weights.get");
    home.start(always());
    if (lost == QLatin1String("coordinator")) {
        QVERIFY(reaches(home, RunState::Saving));
        QCOMPARE(count(home, "evaluation"), std::size_t(1));
        home.silent.clear();
        home.request.again = true;
        startAgain(home, always());
    }
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(kept(home), (std::vector<qint64>{2, 4, 10}));
    QCOMPARE(count(home, "evaluation"), std::size_t(8));
    QCOMPARE(lastEvent<event::Best>(home, "best").loss, 0.3);
    QCOMPARE(roundOf(home.directory->bestWeightsFile()), QStringLiteral("10"));
    QCOMPARE(roundOf(home.directory->weightsFile()), QStringLiteral("16"));
    verifyRounds(home);
}

/// No other evaluation stops the rounds there.
void TestCoordinatorBest::whatWasEvaluatedOnRequestIsKeptWhenItIsRepeated() {
    Home home(3);
    home.request.plan = home.plan();
    makeEndless(home);
    home.request.job.keepBest = true;
    home.losesCopies = true;
    home.dies[1] = QStringLiteral("weights.get");
    home.returns = false;
    home.roundPause = std::chrono::milliseconds(0);
    home.holdsAfter = 5;
    QVERIFY(trains(home, 5));
    QVERIFY(comes([&] { return home.inputSamples.contains(7); }));
    home.command("evaluate");
    home.roundPause = std::chrono::milliseconds(10);
    home.holdsAfter = 1000;
    home.resumeRounds();
    QVERIFY(comes([&] { return count(home, "recovered") == 1 && home.reported > 12; }));
    const auto evaluated = eventOf<event::Evaluation>(home, "evaluation");
    QCOMPARE(kept(home), (std::vector<qint64>{evaluated.round}));
    QVERIFY(eventOf<event::Recovered>(home, "recovered").fromVersion < quint64(evaluated.round));
    QCOMPARE(evaluated.round, 7);
    home.command("stop");
    QVERIFY(reaches(home, RunState::Stopped));
}

void TestCoordinatorBest::otherWeightsAreEvaluatedAgain_data() {
    QTest::addColumn<bool>("asynchronous");
    QTest::addColumn<double>("loss");
    QTest::addColumn<int>("evaluations");
    QTest::newRow("repeated rounds give the same weights") << false << 0.7 << 8;
    QTest::newRow("repeated rounds give others") << true << 0.8 << 9;
}

/// A device is lost on which the weights of round 2 are about to be collected, and with it their states.
void TestCoordinatorBest::otherWeightsAreEvaluatedAgain() {
    QFETCH(bool, asynchronous);
    QFETCH(double, loss);
    QFETCH(int, evaluations);
    Home home(3);
    evaluate(home, 0, {});
    home.evaluated = [&home](qint64 round) { return round != 2 ? 1 : home.term == 1 ? 0.7 : 0.8; };
    if (asynchronous)
        home.request.job.asynchronous.emplace();
    home.dies[1] = QStringLiteral("weights.get");
    home.start(always());
    QVERIFY(reaches(home, RunState::Finished));
    QVERIFY(eventOf<event::Recovered>(home, "recovered").fromVersion < 2);
    QCOMPARE(kept(home), (std::vector<qint64>{2}));
    QCOMPARE(lastEvent<event::Best>(home, "best").loss, loss);
    QCOMPARE(count(home, "evaluation"), std::size_t(evaluations));
    verifyRounds(home);
}

void TestCoordinatorBest::whatDoesNotPayIsNotCollected() {
    Home home(2);
    evaluate(home, 0, {{2, 0.7}, {4, 0.5}, {10, 0.3}, {16, 0.2}});
    RunDeadlines never = quick();
    never.bestPart = 0;
    home.start(never);
    QVERIFY(reaches(home, RunState::Finished));
    // Nobody knew what the first would take, and the last ones are collected anyway.
    QCOMPARE(kept(home), (std::vector<qint64>{2, 16}));
}

void TestCoordinatorBest::onRequestNoneAreKept() {
    Home home(2);
    evaluate(home, 0, {{4, 0.5}});
    home.request.job.keepBest = false;
    home.start(always());
    QVERIFY(reaches(home, RunState::Finished));
    QVERIFY(kept(home).empty());
    QVERIFY(!QFile::exists(home.directory->bestWeightsFile()));
}

void TestCoordinatorBest::aFullDiskEndsNothing() {
    Home home(2);
    evaluate(home, 0, {{2, 0.7}, {10, 0.3}});
    home.holdsAfter = 4;
    {
        const SmallDisk disk;
        home.start(always());
        QVERIFY(comes([&] { return count(home, "evaluation") == 2 && count(home, "warning") == 1; }));
    }
    home.holdsAfter = 16;
    home.resumeRounds();
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(count(home, "warning"), std::size_t(1));
    QCOMPARE(kept(home), (std::vector<qint64>{10}));
    verifyRounds(home);
}

/// The coordinator died after the file was whole, and before it said so.
void TestCoordinatorBest::whatTheFileHoldsIsToldWhereTheRecordLacksIt() {
    Home home(3);
    evaluate(home, 2, {{2, 0.7}, {4, 0.5}});
    home.start(always());
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(kept(home), (std::vector<qint64>{2, 4}));
    const QString path = home.directory->file(QStringLiteral("events.jsonl"));
    QFile events(path);
    QVERIFY(events.open(QIODevice::ReadWrite));
    QByteArray text = events.readAll();
    const qsizetype begin = text.lastIndexOf('\n', text.lastIndexOf(R"("event":"best")")) + 1;
    text.remove(begin, text.indexOf('\n', begin) + 1 - begin);
    QVERIFY(events.resize(0) && events.seek(0));
    QCOMPARE(events.write(text), text.size());
    events.close();
    QCOMPARE(kept(home), (std::vector<qint64>{2}));
    home.request.resume = true;
    startAgain(home, always());
    QVERIFY(reaches(home, RunState::Finished));
    QCOMPARE(kept(home), (std::vector<qint64>{2, 4}));
}

QTEST_GUILESS_MAIN(TestCoordinatorBest)
#include "test_coordinator_best.moc"
