#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <variant>

#include "core/base/files.h"
#include "core/plan/plan.h"
#include "core/run/run_event.h"
#include "core/run/run_progress.h"

using namespace hearth;

class TestRunEvent : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyKindIsReadAsItWasWritten_data();
    void everyKindIsReadAsItWasWritten();
    void aRoundHasTheFieldsOfTheFormat();
    void aRoundRecordedBeforeGroupsWaitedIsRead();
    void aLineBeginsWithSeqTimeAndKind();
    void unknownKindsPassThrough();
    void aLossThatIsNoNumberIsNull();
    void aRunIsPausedUntilItTrains_data();
    void aRunIsPausedUntilItTrains();
    void whatWasEvaluatedCountsWhereItIsRepeatedAlike_data();
    void whatWasEvaluatedCountsWhereItIsRepeatedAlike();
    void whoHasJoinedIsNewUntilAPlanHasIt_data();
    void whoHasJoinedIsNewUntilAPlanHasIt();
    void malformedLines_data();
    void malformedLines();
};

namespace {
const std::vector<RunEventBody> &samples() {
    static const std::vector<RunEventBody> list{
        event::Run{QStringLiteral("r"), QStringLiteral("2026-01-01T12:00:00Z"), {{QStringLiteral("a"), 1}}, {}},
        event::Run{QStringLiteral("r"), {}, {}, {}, QStringLiteral("plan"), 60000, 10000},
        event::Run{QStringLiteral("r"), {}, {}, {}, {}, 0, 0, QStringLiteral("/home/me/runs/a/best.safetensors")},
        event::Run{QStringLiteral("r"), {}, {}, {}, {}, 0, 0, {}, QStringLiteral("/home/me/bert:classes=3")},
        event::State{QStringLiteral("training")},
        event::Device{QStringLiteral("d"), QStringLiteral("n"), QStringLiteral("ready"), QStringLiteral("h:1"), 12},
        event::Profile{QStringLiteral("d"), 3, 4},
        event::Plan{1, 1, {{QStringLiteral("format"), QStringLiteral("hearth-plan/1")}}, QStringLiteral("first")},
        event::Worker{QStringLiteral("d"), 130},
        event::Round{1,
                     1,
                     1,
                     2.3,
                     0.4,
                     0.5,
                     300,
                     {{QStringLiteral("d"), {1, 2, 3, 4, 5, 6, 7, 8}}},
                     {{QStringLiteral("a"), QStringLiteral("b"), 9}}},
        event::Suspect{QStringLiteral("d")},
        event::Lost{QStringLiteral("d"), 21, QStringLiteral("why")},
        event::Joined{QStringLiteral("d")},
        event::Left{QStringLiteral("d")},
        event::Recovered{2, 19, 1, 2, 3, 4, 5, 6, 7, 8, QStringLiteral("disk")},
        event::Replica{QStringLiteral("d"), 1, 20},
        event::Checkpoint{100, 5},
        event::Best{100, 0.41, 0.87, 5},
        event::Warning{QStringLiteral("w"), QStringLiteral("c"), QStringLiteral("a")},
        event::Evaluation{50, 0.87, 0.41},
        event::Evaluation{50, 0.87, 0.41, 0.99, 0.86, 1.5, 0.25},
        event::Evaluation{50, 0.87, 0.41, {}, {}, 1.5, {}, {{QStringLiteral("Once"), QStringLiteral(" upon")}}},
        event::Finished{200, 310, QStringLiteral("ab")},
        event::Failure{{QStringLiteral("x.y"), QStringLiteral("w"), QStringLiteral("c"), QStringLiteral("a")}},
        event::Plan{2,
                    5,
                    {{QStringLiteral("format"), QStringLiteral("hearth-plan/1")}},
                    QStringLiteral("join"),
                    QStringLiteral("It pays."),
                    {{QStringLiteral("d"), 0.125}}},
        event::Evaluating{50, 512, 10000},
        event::Round{1, 1, 1, 2.3, 0.4, 0.5, 300, {}, {}, 4096},
        event::Round{1, 1, 1, 2.3, 0.4, 0.5, 300, {}, {}, 0, 0.001, 3.5},
        event::Round{1,
                     1,
                     1,
                     2.3,
                     0.4,
                     0.5,
                     300,
                     {{QStringLiteral("d"), {1, 2, 3, 4, 5, 6, 7, 8, {97, 8589934592.0, std::nullopt, 168.25}}}},
                     {}},
        event::Codec{3, QStringLiteral("bf16"), QStringLiteral("bfp8"), 153, sentence("It lost %1.").arg(2)},
        event::CodecCheck{151, 2.3, 2.25, {{0, QStringLiteral("bfp8"), QStringLiteral("none"), 0.006, 0}}},
        // With the parts of their sentences.
        event::State{QStringLiteral("finished"), sentence("The loss has not fallen for %1 evaluations.").arg(5)},
        event::Lost{QStringLiteral("d"), 21, sentence("%1 is silent.").arg(QStringLiteral("nano"))},
        event::Warning{sentence("Round %1 is slow.").arg(Sentence::quantity(QStringLiteral("1,234"))),
                       sentence("It waits."), QStringLiteral("Words of ssh.")},
        event::Failure{{QStringLiteral("x.y"), sentence("It failed."), {}, sentence("Start it again.")}},
        event::Plan{2, 5, {}, QStringLiteral("drift"), sentence("It saves %1.").arg(Sentence::quantity(2.5, 1))},
    };
    return list;
}
}  // namespace

void TestRunEvent::everyKindIsReadAsItWasWritten_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < samples().size(); ++i)
        QTest::newRow(qPrintable(eventKind(samples()[i]))) << int(i);
}

void TestRunEvent::everyKindIsReadAsItWasWritten() {
    QFETCH(int, index);
    const RunEventBody &body = samples()[std::size_t(index)];
    const QByteArray line = eventLine(5, 1.5, body);
    const auto read = RunEvent::fromLine(line);
    QVERIFY(read);
    QCOMPARE(read->seq, quint64(5));
    QCOMPARE(read->t, 1.5);
    QCOMPARE(read->body.index(), body.index());
    QCOMPARE(toJson(read->body), toJson(body));
    QCOMPARE(eventLine(5, 1.5, read->body), line);
}

void TestRunEvent::aRoundHasTheFieldsOfTheFormat() {
    const auto round = std::ranges::find_if(
        samples(), [](const RunEventBody &body) { return std::holds_alternative<event::Round>(body); });
    const QJsonObject json = toJson(*round);
    QCOMPARE(json.keys(),
             (QStringList{QStringLiteral("devices"), QStringLiteral("event"), QStringLiteral("links"),
                          QStringLiteral("loss"), QStringLiteral("predicted_round_s"), QStringLiteral("round"),
                          QStringLiteral("round_s"), QStringLiteral("samples_per_s"), QStringLiteral("term"),
                          QStringLiteral("version")}));
    const QJsonObject device = json[QStringLiteral("devices")][QStringLiteral("d")].toObject();
    QCOMPARE(device.keys(),
             (QStringList{QStringLiteral("allreduce_s"), QStringLiteral("compute_s"), QStringLiteral("memory_bytes"),
                          QStringLiteral("optimizer_s"), QStringLiteral("send_s"), QStringLiteral("wait_allreduce_s"),
                          QStringLiteral("wait_backward_s"), QStringLiteral("wait_forward_s")}));
    QCOMPARE(device[QStringLiteral("wait_allreduce_s")].toDouble(), 4.0);
    QCOMPARE(device[QStringLiteral("allreduce_s")].toDouble(), 6.0);
    QCOMPARE(json[QStringLiteral("links")][0][QStringLiteral("bytes")].toInteger(), 9);
}

void TestRunEvent::aRoundRecordedBeforeGroupsWaitedIsRead() {
    const auto read = RunEvent::fromLine(
        R"({"seq":1,"t":0,"event":"round","round":1,"devices":{"d":{"wait_backward_s":3,"allreduce_s":5}}})");
    QVERIFY(read);
    const event::RoundDevice device = std::get<event::Round>(read->body).devices.value(QStringLiteral("d"));
    QCOMPARE(device.waitBackwardS, 3.0);
    QCOMPARE(device.waitAllreduceS, 0.0);
    QCOMPARE(device.allreduceS, 5.0);
}

void TestRunEvent::aLineBeginsWithSeqTimeAndKind() {
    QVERIFY(
        eventLine(1, 0, event::State{QStringLiteral("training")}).startsWith(R"({"seq":1,"t":0.000,"event":"state")"));
}

void TestRunEvent::unknownKindsPassThrough() {
    const auto read = RunEvent::fromLine(R"({"seq":9,"t":1,"event":"firework","colour":"red"})");
    QVERIFY(read);
    QCOMPARE(eventKind(read->body), QStringLiteral("firework"));
    QCOMPARE(read->json[QStringLiteral("colour")].toString(), QStringLiteral("red"));
}

void TestRunEvent::aLossThatIsNoNumberIsNull() {
    event::Round round;
    round.loss = std::numeric_limits<double>::quiet_NaN();
    const auto read = RunEvent::fromLine(eventLine(1, 0, round));
    QVERIFY(read);
    QVERIFY(read->json[QStringLiteral("loss")].isNull());
    QVERIFY(std::isnan(std::get<event::Round>(read->body).loss));
}

void TestRunEvent::aRunIsPausedUntilItTrains_data() {
    QTest::addColumn<QStringList>("states");
    QTest::addColumn<bool>("isPaused");
    const auto row = [](const char *name, const char *states, bool isPaused) {
        QTest::newRow(name) << QString::fromLatin1(states).split(u' ') << isPaused;
    };
    row("a pause", "training paused", true);
    row("its devices rest meanwhile", "training paused recovering waiting", true);
    row("and take work again", "training paused recovering waiting recovering", true);
    row("nobody paused it", "training recovering waiting", false);
    row("it trains again", "training paused recovering waiting training", false);
    row("it is paused while it waits to begin", "waiting paused", true);
    row("and resumed while it waits", "waiting paused waiting", false);
}

void TestRunEvent::aRunIsPausedUntilItTrains() {
    QFETCH(QStringList, states);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("events.jsonl"));
    QByteArray lines;
    for (const QString &state : states) {
        lines += eventLine(static_cast<quint64>(lines.count('\n')) + 1, 0, event::State{state});
        lines += '\n';
    }
    QVERIFY(saveFile(path, lines));
    QTEST(RunProgress::read(path, {}, 0).isPaused, "isPaused");
}

void TestRunEvent::whatWasEvaluatedCountsWhereItIsRepeatedAlike_data() {
    QTest::addColumn<bool>("asynchronous");
    QTest::addColumn<bool>("isKept");
    QTest::addColumn<qint64>("evaluated");
    QTest::addColumn<qint64>("best");
    QTest::newRow("the weights are the same") << false << false << qint64{10} << qint64{10};
    QTest::newRow("they are others") << true << false << qint64{7} << qint64{5};
    QTest::newRow("they are others, and the best of before are in a file") << true << true << qint64{7} << qint64{10};
}

/// The run goes on from version 7.
void TestRunEvent::whatWasEvaluatedCountsWhereItIsRepeatedAlike() {
    QFETCH(bool, asynchronous);
    QFETCH(bool, isKept);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("events.jsonl"));
    std::vector<RunEventBody> events{event::Plan{1, 1, {}, QStringLiteral("first")}, event::Evaluation{5, 0.5, 2},
                                     event::Evaluation{10, 0.6, 1}};
    if (isKept)
        events.emplace_back(event::Best{10, 1, 0.6, 5});
    events.emplace_back(event::Plan{2, 8, {}, QStringLiteral("replay")});
    QByteArray lines;
    for (std::size_t i = 0; i < events.size(); ++i)
        lines += eventLine(i + 1, 0, events[i]) + '\n';
    QVERIFY(saveFile(path, lines));
    Job job;
    if (asynchronous)
        job.asynchronous.emplace();
    const RunProgress progress = RunProgress::read(path, job, 20);
    QTEST(progress.evaluated, "evaluated");
    QTEST(progress.best.scores()->round, "best");
}

void TestRunEvent::whoHasJoinedIsNewUntilAPlanHasIt_data() {
    QTest::addColumn<QStringList>("events");
    QTest::addColumn<bool>("isNew");
    const auto row = [](const char *name, const char *events, bool isNew) {
        QTest::newRow(name) << QString::fromLatin1(events).split(u' ') << isNew;
    };
    row("it has come", "joined", true);
    row("a plan without it followed", "joined without", true);
    row("a plan with it followed", "joined with", false);
    row("it was in a plan, and is back", "with joined", true);
    row("it was in a plan before the last one", "joined with without", false);
    row("the run was stopped, and resumed with all", "joined stopped training", false);
}

void TestRunEvent::whoHasJoinedIsNewUntilAPlanHasIt() {
    QFETCH(QStringList, events);
    const QString it = QStringLiteral("it");
    const auto planOf = [](const QString &device) {
        Plan plan;
        plan.layerCount = 2;
        plan.planner = QStringLiteral("test");
        plan.batch = plan.microBatch = 32;
        plan.stages.push_back({0, 2, {{device, 32}}, 1, false, {}});
        return event::Plan{1, 1, plan.toJson(), {}};
    };
    const std::map<QString, RunEventBody> bodies{
        {QStringLiteral("joined"), event::Joined{it}},
        {QStringLiteral("with"), planOf(it)},
        {QStringLiteral("without"), planOf(QStringLiteral("other"))},
        {QStringLiteral("stopped"), event::State{QStringLiteral("stopped")}},
        {QStringLiteral("training"), event::State{QStringLiteral("training")}}};
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("events.jsonl"));
    QByteArray lines;
    for (const QString &name : events)
        lines += eventLine(static_cast<quint64>(lines.count('\n')) + 1, 0, bodies.at(name)) + '\n';
    QVERIFY(saveFile(path, lines));
    QTEST(RunProgress::read(path, {}, 0).joined.contains(it), "isNew");
}

void TestRunEvent::malformedLines_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("no JSON") << QByteArray("{\"seq\":1");
    QTest::newRow("a list") << QByteArray("[1]");
    QTest::newRow("no seq") << QByteArray(R"({"event":"state"})");
    QTest::newRow("no kind") << QByteArray(R"({"seq":1})");
    QTest::newRow("nothing") << QByteArray();
}

void TestRunEvent::malformedLines() {
    QFETCH(QByteArray, line);
    QVERIFY(!RunEvent::fromLine(line));
}

QTEST_GUILESS_MAIN(TestRunEvent)
#include "test_run_event.moc"
