// What the executor takes down for the trace of a run.
#include <QTest>
#include <algorithm>
#include <deque>
#include <numeric>
#include <semaphore>
#include <set>

#include "core/model/catalogue.h"
#include "core/train/round_recorder.h"
#include "core/train/stage_executor.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

namespace {

constexpr int microBatches = 4;

double secondsOf(const RoundTrace &trace, const std::set<Activity> &activities) {
    qint64 sum = 0;
    for (const TraceSpan &span : trace.spans)
        sum += activities.contains(span.activity) ? span.end - span.start : 0;
    return static_cast<double>(sum) / 1e9;
}

/// Micro-batches of the spans of one kind, in the order of the trace.
std::vector<int> microBatchesOf(const RoundTrace &trace, Activity activity) {
    std::vector<int> list;
    for (const TraceSpan &span : trace.spans) {
        if (span.activity == activity)
            list.push_back(span.microBatch);
    }
    return list;
}

TensorHeader headerOf(TensorKind kind, quint32 round, quint32 microBatch) {
    TensorHeader header;
    header.kind = kind;
    header.round = round;
    header.microBatch = microBatch;
    return header;
}

using Clock = RoundRecorder::Clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A fabric that adds nothing, at once.
class EmptyFabric : public FabricBackend {
  public:
    Result<void> connect(const FabricPlace &, const std::shared_ptr<Rendezvous> &) override { return {}; }
    Result<void> allReduce(std::byte *, qint64, DType) override { return {}; }
};

/// A member of a group that alone is all of a plan; the test carries its frames, when it wants to.
struct GroupMember {
    struct Sent {
        QString to;
        TensorFrame frame;
    };
    std::unique_ptr<StageExecutor> executor;
    std::deque<Sent> sent;
    std::optional<RoundReport> report;
    RoundTrace trace;
    std::counting_semaphore<> &woken;  // of the group

    GroupMember(const Deployment &deployment, const Model &model, const QString &self, std::counting_semaphore<> &wake)
        : woken(wake) {
        StageOutputs out;
        out.send = [this](const QString &to, const TensorHeader &header, const Payload &payload) {
            auto copy = Buffer::allocate(payload.size);
            std::copy_n(payload.data, payload.size, copy->data());
            sent.push_back({to, {header, copy}});
        };
        out.roundDone = [this](const RoundReport &done) { report = done; };
        out.roundTraced = [this](RoundTrace done) { trace = std::move(done); };
        out.wake = [this] { woken.release(); };
        out.openFabric = [](const QString &) { return std::make_unique<EmptyFabric>(); };
        executor = std::move(*StageExecutor::make(deployment, model, self, 0, std::move(out)));
    }
    void step() {
        while (!report && *executor->step())
            continue;
    }
    /// Until it has something to say to the others, or is done with the round.
    void run() {
        for (step(); sent.empty() && !report; step())
            woken.acquire();
    }
    void take(const QString &from, TensorFrame frame) {
        frame.began = Clock::now();
        QVERIFY(executor->deliver(from, frame));
        step();
    }
};

}  // namespace

class TraceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyMicroBatchHasOneForwardAndOneBackward();
    void spansDoNotOverlapAndAreWhatTheReportSays();
    void spansFillTheRound();
    void waitingForTheGroupIsNoSending_data();
    void waitingForTheGroupIsNoSending();
    void everyTensorLeavesOnceAndArrivesOnce();
    void stagesOfOneDeviceTellOfOneRound();
    void nobodyTakesDownWhatNobodyWants();
    void theClockIsTheOneOfTheSpans();
    void aRecorderIsBounded();
    void aRecorderJoinsWaits();
    void aRecorderKeepsWhatComesAhead();

  private:
    /// The first stage on device 0, a group with shares 5 and 3 behind it; `rounds` rounds of four micro-batches.
    void run(LoopbackHome &home, quint32 rounds, bool traced = true,
             const TestPlan &plan = {8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 5}, {2, 3}}, 1}}}) {
        InputTransform input;
        input.pad = {2, 2};
        Deployment deployment = home.deployment(m_model, plan, 8 * microBatches, TrainingSpec(), input);
        deployment.trace = traced;
        QVERIFY(home.deploy(deployment));
        for (quint32 r = 1; r <= rounds; ++r)
            home.feed(r, syntheticBatch(8 * microBatches, 10, r));
        QVERIFY(home.waitForRound(rounds));
    }
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
};

void TraceTest::everyMicroBatchHasOneForwardAndOneBackward() {
    LoopbackHome home(3);
    run(home, 2);
    QCOMPARE(home.traces.size(), std::size_t(6));
    const std::vector<int> each{0, 1, 2, 3};
    for (const auto &[key, trace] : home.traces) {
        QCOMPARE(trace.round, key.second);
        QVERIFY(!trace.cut);
        QCOMPARE(microBatchesOf(trace, Activity::Forward), each);
        QCOMPARE(microBatchesOf(trace, Activity::Backward), each);
        for (const TraceSpan &span : trace.spans)
            QCOMPARE(span.stage, isWait(span.activity) ? -1 : std::min(key.first, 1));
        // The first stage has nobody to send a gradient to, and puts nothing off.
        QCOMPARE(microBatchesOf(trace, Activity::WeightGradients), key.first == 0 ? std::vector<int>() : each);
        QCOMPARE(microBatchesOf(trace, Activity::Optimizer).size(), std::size_t(1));
        // At the end of the round it waits until all is sent.
        QCOMPARE(microBatchesOf(trace, Activity::Send), (std::vector<int>{0, 1, 2, 3, -1}));
    }
}

void TraceTest::spansDoNotOverlapAndAreWhatTheReportSays() {
    LoopbackHome home(3);
    run(home, 1);
    const QList<RoundReport> reports = home.reports(1);
    for (const auto &[key, trace] : home.traces) {
        for (std::size_t i = 0; i < trace.spans.size(); ++i) {
            QVERIFY(trace.spans[i].end >= trace.spans[i].start);
            QVERIFY(i == 0 || trace.spans[i].start >= trace.spans[i - 1].end);
        }
        // Joined waits count the moments between them, which are a few microseconds.
        const double compute = secondsOf(trace, {Activity::Forward, Activity::Backward, Activity::WeightGradients});
        const auto own = std::ranges::find_if(
            reports, [&](const RoundReport &report) { return std::abs(report.computeSeconds - compute) < 1e-6; });
        QVERIFY(own != reports.end());
        QVERIFY(std::abs(own->sendSeconds - secondsOf(trace, {Activity::Send})) < 1e-6);
        QVERIFY(std::abs(own->optimizerSeconds - secondsOf(trace, {Activity::Optimizer})) < 1e-6);
        QVERIFY(own->waitForwardSeconds <= secondsOf(trace, {Activity::WaitForward}) + 1e-6);
        QVERIFY(own->waitBackwardSeconds <= secondsOf(trace, {Activity::WaitBackward}) + 1e-6);
    }
}

void TraceTest::spansFillTheRound() {
    // A loaded machine stops a thread anywhere, in few of the rounds between two spans.
    constexpr quint32 rounds = 4;
    LoopbackHome home(3);
    run(home, rounds);
    for (int device = 0; device < 3; ++device) {
        double most = 0;
        for (quint32 round = 1; round <= rounds; ++round) {
            const auto &spans = home.traces[{device, round}].spans;
            const qint64 known =
                std::accumulate(spans.begin(), spans.end(), qint64(0),
                                [](qint64 sum, const TraceSpan &span) { return sum + span.end - span.start; });
            most = std::max(most,
                            static_cast<double>(known) / static_cast<double>(spans.back().end - spans.front().start));
        }
        QVERIFY2(most > 0.8, qPrintable(QStringLiteral("%1 of a round").arg(most)));
    }
}

void TraceTest::waitingForTheGroupIsNoSending_data() {
    QTest::addColumn<int>("members");
    QTest::addColumn<QString>("fabric");
    QTest::newRow("in one hop") << 2 << Deployment::builtinFabric();
    QTest::newRow("in two hops") << 3 << Deployment::builtinFabric();
    QTest::newRow("over a trusted fabric") << 3 << QStringLiteral("gloo");
}

/// All members but the last have computed; what they do until it has, too, is waiting, and what follows is none.
void TraceTest::waitingForTheGroupIsNoSending() {
    QFETCH(int, members);
    QFETCH(QString, fabric);
    LoopbackHome home(members);
    InputTransform input;
    input.pad = {2, 2};
    TestStage all{0, 5, {}, 1};
    for (int m = 0; m < members; ++m)
        all.shares.push_back({m, 2});
    Deployment deployment =
        home.deployment(m_model, {2 * members, {all}}, 2 * members * microBatches, TrainingSpec(), input);
    deployment.trace = true;
    deployment.stages.front().fabric = fabric;
    std::counting_semaphore<> woken{0};
    std::map<QString, std::unique_ptr<GroupMember>> group;
    std::vector<QString> names;
    for (int m = 0; m < members; ++m) {
        names.push_back(LoopbackHome::fingerprintOf(m).toHex());
        group[names.back()] = std::make_unique<GroupMember>(deployment, m_model, names.back(), woken);
    }
    const auto carry = [&](const QString &from) {
        GroupMember &member = *group[from];
        while (!member.sent.empty()) {
            const GroupMember::Sent next = member.sent.front();
            member.sent.pop_front();
            group[next.to]->take(from, next.frame);
        }
    };
    const auto feed = [&](int m) {
        const auto give = [&](TensorHeader header, int slot, DType dtype, std::vector<quint32> dims, double value) {
            header.slot = static_cast<quint16>(slot);
            header.dtype = dtype;
            header.dims = std::move(dims);
            header.firstSample = slot == 0 ? static_cast<quint32>(2 * m) : 0;
            header.sampleCount = slot == 0 ? 2 : 0;
            header.term = deployment.term;
            const auto bytes = Buffer::allocate(static_cast<qsizetype>(*header.bytesOfShape()));
            std::fill_n(bytes->data(), bytes->size(), std::byte{});
            if (slot == 1)
                std::memcpy(bytes->data(), &value, sizeof value);
            QVERIFY(group[names[std::size_t(m)]]->executor->deliver(QString(), {header, bytes}));
        };
        give(headerOf(TensorKind::Label, 1, 0), 1, DType::Float64, {1}, deployment.batch);
        for (quint32 micro = 0; micro < microBatches; ++micro) {
            give(headerOf(TensorKind::Input, 1, micro), 0, DType::UInt8, {2, 1, 28, 28}, 0);
            give(headerOf(TensorKind::Label, 1, micro), 0, DType::Int64, {2}, 0);
        }
    };

    for (int m = 0; m + 1 < members; ++m) {
        feed(m);
        group[names[std::size_t(m)]]->run();
    }
    const auto exchanged = Clock::now();
    for (int m = 0; m + 1 < members; ++m)
        carry(names[std::size_t(m)]);
    const double before = since(exchanged);

    const auto lastBegan = Clock::now();
    feed(members - 1);
    group[names.back()]->run();
    const double lastComputed = since(lastBegan);

    const auto summing = Clock::now();
    const auto inAll = [&](const auto &condition) {
        return std::ranges::all_of(group, [&](const auto &each) { return condition(*each.second); });
    };
    while (!inAll([](const GroupMember &member) { return member.report.has_value(); })) {
        for (const QString &name : names)
            carry(name);
        for (const QString &name : names)
            group[name]->step();
        const bool isSilent = inAll([](const GroupMember &member) { return member.sent.empty(); });
        if (isSilent && !inAll([](const GroupMember &member) { return member.report.has_value(); }))
            woken.acquire();
    }
    const double summed = since(summing);

    for (int m = 0; m + 1 < members; ++m) {
        const GroupMember &member = *group[names[std::size_t(m)]];
        QVERIFY(member.report->waitAllReduceSeconds >= lastComputed);
        QVERIFY(member.report->allReduceSeconds <= before + summed);
        QVERIFY(member.report->waitAllReduceSeconds <= secondsOf(member.trace, {Activity::WaitAllReduce}) + 1e-6);
        QVERIFY(secondsOf(member.trace, {Activity::WaitAllReduce}) >= lastComputed);
    }
    QCOMPARE(group[names.back()]->report->waitAllReduceSeconds, 0.0);
}

void TraceTest::everyTensorLeavesOnceAndArrivesOnce() {
    LoopbackHome home(3);
    run(home, 2);
    const auto key = [](const TraceFrame &frame) {
        return std::tuple(frame.cargo, frame.stage, frame.microBatch, frame.slot, frame.firstSample, frame.bytes);
    };
    for (const auto &[place, trace] : home.traces) {
        QMap<QString, qint64> bytes;
        for (auto sent = trace.sent.cbegin(); sent != trace.sent.cend(); ++sent) {
            int to = 0;
            while (LoopbackHome::fingerprintOf(to).toHex() != sent.key())
                ++to;
            const QString self = LoopbackHome::fingerprintOf(place.first).toHex();
            const auto arrived = home.traces[{to, place.second}].received.value(self);
            QCOMPARE(arrived.size(), sent.value().size());
            std::map<decltype(key({})), qint64> times;
            for (const TraceFrame &frame : arrived)
                QVERIFY(times.emplace(key(frame), frame.at).second);
            for (const TraceFrame &frame : sent.value()) {
                QVERIFY(times.contains(key(frame)));
                QVERIFY(times[key(frame)] >= frame.at);
                bytes[sent.key()] += frame.bytes;
            }
        }
        const auto reports = home.reports(place.second);
        QVERIFY(std::ranges::any_of(reports, [&](const RoundReport &report) { return report.sent == bytes; }));
        // From the coordinator: samples to the first stage, labels and their normaliser to the last.
        const auto served = trace.received.value(QString());
        QCOMPARE(served.size(), std::size_t(place.first == 0 ? microBatches : microBatches + 1));
    }
}

/// Two devices in turns: the first has layers 0 and 2, the second 1 and those from 3 on.
void TraceTest::stagesOfOneDeviceTellOfOneRound() {
    LoopbackHome home(2);
    run(home, 2, true, {8, {{0, 1, {{0, 8}}, 4}, {1, 2, {{1, 8}}, 4}, {2, 3, {{0, 8}}, 3}, {3, 5, {{1, 8}}, 1}}});
    QCOMPARE(home.traces.size(), std::size_t(4));
    QCOMPARE(home.reports(2).size(), 2);
    for (const auto &[key, trace] : home.traces) {
        std::vector<int> twice = microBatchesOf(trace, Activity::Forward);
        std::ranges::sort(twice);
        QCOMPARE(twice, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
        std::set<std::pair<int, int>> passes;  // stage and micro-batch
        for (const TraceSpan &span : trace.spans) {
            if (span.activity == Activity::Forward)
                QVERIFY(passes.insert({span.stage, span.microBatch}).second);
            QVERIFY(isWait(span.activity) ? span.stage == -1 : span.stage % 2 == key.first);
        }
        QCOMPARE(passes.rbegin()->first, key.first + 2);
        QCOMPARE(microBatchesOf(trace, Activity::Optimizer).size(), std::size_t(2));
        for (std::size_t i = 1; i < trace.spans.size(); ++i)
            QVERIFY(trace.spans[i].start >= trace.spans[i - 1].end);
        const double compute = secondsOf(trace, {Activity::Forward, Activity::Backward, Activity::WeightGradients});
        const QList<RoundReport> reports = home.reports(key.second);
        QVERIFY(std::ranges::any_of(
            reports, [&](const RoundReport &report) { return std::abs(report.computeSeconds - compute) < 1e-6; }));
        // The same micro-batch crosses between them several times; the stage that it is for tells these apart.
        const QString self = LoopbackHome::fingerprintOf(key.first).toHex(),
                      other = LoopbackHome::fingerprintOf(1 - key.first).toHex();
        std::set<std::tuple<Cargo, int, int>> sent, received;
        for (const TraceFrame &frame : trace.sent[other])
            QVERIFY(sent.insert({frame.cargo, frame.stage, frame.microBatch}).second);
        for (const TraceFrame &frame : home.traces[{1 - key.first, key.second}].received[self])
            QVERIFY(received.insert({frame.cargo, frame.stage, frame.microBatch}).second);
        QVERIFY(sent == received);
        QCOMPARE(sent.size(), std::size_t(3 * microBatches));
    }
}

void TraceTest::nobodyTakesDownWhatNobodyWants() {
    LoopbackHome quiet(3);
    run(quiet, 1, false);
    QVERIFY(quiet.traces.empty());

    LoopbackHome home(3);
    run(home, 1);
    QCOMPARE(home.traces.size(), std::size_t(3));
    for (int device = 0; device < 3; ++device) {
        home.note(device, QStringLiteral("trace.end"));
        QVERIFY(home.call(device, QStringLiteral("clock"), {}));  // behind the note
    }
    home.feed(2, syntheticBatch(8 * microBatches, 10, 2));
    QVERIFY(home.waitForRound(2));
    QCOMPARE(home.traces.size(), std::size_t(3));
}

void TraceTest::theClockIsTheOneOfTheSpans() {
    LoopbackHome home(1);
    const qint64 before = RoundRecorder::now();
    const auto answer = home.call(0, QStringLiteral("clock"), {});
    const qint64 after = RoundRecorder::now();
    QVERIFY(answer);
    const qint64 told = (*answer)[QLatin1String("ns")].toInteger();
    QVERIFY(before <= told && told <= after);
}

void TraceTest::aRecorderIsBounded() {
    RoundRecorder recorder;
    recorder.setActive(true);
    const auto now = RoundRecorder::Clock::now();
    for (qsizetype i = 0; i < RoundTrace::mostEntries; ++i) {
        recorder.span(Activity::Forward, 0, now, now);
        recorder.received(QStringLiteral("a"), headerOf(TensorKind::Gradient, 1, 0), 1, 1);
    }
    const RoundTrace full = recorder.finish(1, 1);
    QVERIFY(full.cut);
    QCOMPARE(static_cast<qsizetype>(full.spans.size() + full.received.first().size()), RoundTrace::mostEntries);
    recorder.span(Activity::Forward, 0, now, now);
    const RoundTrace next = recorder.finish(2, 1);
    QVERIFY(!next.cut);
    QCOMPARE(next.spans.size(), std::size_t(1));
}

void TraceTest::aRecorderJoinsWaits() {
    RoundRecorder recorder;
    recorder.setActive(true);
    const auto at = [](int ns) { return RoundRecorder::Clock::time_point(std::chrono::nanoseconds(ns)); };
    recorder.span(Activity::WaitForward, -1, at(0), at(10));
    recorder.span(Activity::WaitForward, -1, at(11), at(20));
    recorder.span(Activity::WaitBackward, -1, at(20), at(30));
    recorder.span(Activity::Forward, 0, at(30), at(40));
    recorder.span(Activity::Forward, 1, at(40), at(50));
    const std::vector<TraceSpan> expected{{Activity::WaitForward, -1, 0, 20},
                                          {Activity::WaitBackward, -1, 20, 30},
                                          {Activity::Forward, 0, 30, 40},
                                          {Activity::Forward, 1, 40, 50}};
    QVERIFY(recorder.finish(1, 1).spans == expected);
}

void TraceTest::aRecorderKeepsWhatComesAhead() {
    RoundRecorder recorder;
    recorder.setActive(true);
    const QString peer = QStringLiteral("a");
    recorder.received(peer, headerOf(TensorKind::Activation, 2, 5), 10, 100);
    recorder.received(peer, headerOf(TensorKind::Activation, 1, 4), 20, 200);
    QCOMPARE(recorder.finish(1, 1).received.value(peer).at(0).microBatch, 4);
    QCOMPARE(recorder.finish(2, 1).received.value(peer).at(0).microBatch, 5);
    QVERIFY(recorder.finish(3, 1).received.isEmpty());
}

QTEST_GUILESS_MAIN(TraceTest)
#include "trace_test.moc"
