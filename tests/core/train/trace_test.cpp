// What the executor takes down for the trace of a run.
#include <QTest>
#include <algorithm>
#include <numeric>
#include <set>

#include "core/model/catalogue.h"
#include "core/train/round_recorder.h"
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

}  // namespace

class TraceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyMicroBatchHasOneForwardAndOneBackward();
    void spansDoNotOverlapAndAreWhatTheReportSays();
    void spansFillTheRound();
    void everyTensorLeavesOnceAndArrivesOnce();
    void nobodyTakesDownWhatNobodyWants();
    void theClockIsTheOneOfTheSpans();
    void aRecorderIsBounded();
    void aRecorderJoinsWaits();
    void aRecorderKeepsWhatComesAhead();

  private:
    /// The first stage on device 0, a group with shares 5 and 3 behind it; `rounds` rounds of four micro-batches.
    void run(LoopbackHome &home, quint32 rounds, bool traced = true) {
        InputTransform input;
        input.pad = {2, 2};
        Deployment deployment = home.deployment(m_model, {8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 5}, {2, 3}}, 1}}},
                                                8 * microBatches, TrainingSpec(), input);
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
        // The first stage has nobody to send a gradient to, and puts nothing off.
        QCOMPARE(microBatchesOf(trace, Activity::WeightGradients), key.first == 0 ? std::vector<int>() : each);
        QCOMPARE(microBatchesOf(trace, Activity::Optimizer).size(), std::size_t(1));
        QCOMPARE(microBatchesOf(trace, Activity::Send).size(), each.size());
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

void TraceTest::everyTensorLeavesOnceAndArrivesOnce() {
    LoopbackHome home(3);
    run(home, 2);
    const auto key = [](const TraceFrame &frame) {
        return std::tuple(frame.cargo, frame.microBatch, frame.slot, frame.firstSample, frame.bytes);
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
