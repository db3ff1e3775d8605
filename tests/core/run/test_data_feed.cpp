#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <limits>

#include "core/model/loss_facts.h"
#include "core/protocol/label_slots.h"
#include "core/run/evaluation_pass.h"
#include "core/wire/state_chunks.h"
#include "core/wire/stream_channel.h"
#include "fake_home.h"
#include "tests/core/base/patience.h"

using namespace hearth;

/// Two members of the first stage and one of the last, at the other ends of in-process channels.
class TestDataFeed : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void sharesGetTheirIntervals();
    void epochsFollowEachOther();
    void aRoundThatHasBegunIsCompleted();
    void aFullChannelHoldsTheFeedBack();
    void theLastMicroBatchOfAnEvaluationIsShort();
    void aPartThatNobodyAskedForEndsTheEvaluation_data();
    void aPartThatNobodyAskedForEndsTheEvaluation();
    void aWorkerSendsNoLargerFrameThanItIsAskedFor();

  private:
    struct End {
        std::unique_ptr<WorkerSession> session;
        std::unique_ptr<Channel> worker;
        std::vector<TensorFrame> frames;
    };
    static BatchOrder order(bool shuffle, int batch, int microBatch) {
        return {Split::Train, Sampler(3, 50, shuffle), batch, microBatch, 0, crossEntropy().count};
    }
    BatchOrder testOrder() const { return BatchOrder::once(*m_data, Split::Test, 8, crossEntropy().count); }
    static const LossFacts &crossEntropy() { return *LossFacts::byName(QStringLiteral("cross-entropy")); }
    qint64 received(const End &end, TensorKind kind) const;
    std::vector<std::unique_ptr<End>> m_ends;
    FeedLayout m_layout;
    std::shared_ptr<const Dataset> m_data;
};

void TestDataFeed::init() {
    m_ends.clear();
    for (quint8 i = 0; i < 3; ++i) {
        auto [mine, theirs] = makeLoopbackPair(fake::key(9, 9), fake::key(2, i));
        auto end = std::make_unique<End>();
        end->session = std::make_unique<WorkerSession>(
            DeviceInfo{}, WorkerAddress{fake::key(2, i), QStringLiteral("127.0.0.1"), 1, 0}, std::move(mine),
            std::chrono::milliseconds(0));
        end->worker = std::move(theirs);
        connect(end->worker.get(), &Channel::tensorReceived, end->worker.get(),
                [frames = &end->frames](const TensorFrame &frame) { frames->push_back(frame); });
        m_ends.push_back(std::move(end));
    }
    m_layout = {
        1, 1, {{m_ends[0]->session.get(), 0, 5}, {m_ends[1]->session.get(), 5, 3}}, {{m_ends[2]->session.get(), 0, 8}}};
    m_data = std::make_shared<fake::TinyDataset>(50, 21);
}

qint64 TestDataFeed::received(const End &end, TensorKind kind) const {
    qint64 samples = 0;
    for (const TensorFrame &frame : end.frames) {
        if (frame.header.kind == kind && frame.header.slot != normaliserSlot)
            samples += frame.header.sampleCount;
    }
    return samples;
}

void TestDataFeed::sharesGetTheirIntervals() {
    DataFeed feed(m_data, order(true, 32, 8), m_layout, 1);
    QSignalSpy begun(&feed, &DataFeed::roundBegun);
    feed.setLimit(1);
    QTRY_COMPARE_WITH_TIMEOUT(received(*m_ends[2], TensorKind::Label), 32, patience);
    QTRY_COMPARE_WITH_TIMEOUT(received(*m_ends[0], TensorKind::Input), 20, patience);
    QTRY_COMPARE_WITH_TIMEOUT(received(*m_ends[1], TensorKind::Input), 12, patience);
    QCOMPARE(begun.count(), 1);
    const auto indices = Sampler(3, 50, true).indicesOfRound(1, 32);
    for (std::size_t member = 0; member < 2; ++member) {
        for (const TensorFrame &frame : m_ends[member]->frames) {
            const TensorHeader &header = frame.header;
            const quint32 share = member == 0 ? 5 : 3;
            QCOMPARE(header.firstSample, member == 0 ? 0u : 5u);
            QCOMPARE(header.dims, (std::vector<quint32>{share, 1, 28, 28}));
            QCOMPARE(header.dtype, DType::UInt8);
            for (quint32 i = 0; i < share; ++i) {
                const qint64 index = indices[header.microBatch * 8 + header.firstSample + i];
                QCOMPARE(int(frame.payload->data()[i * 784]), int(index % 251));
            }
        }
    }
    const TensorFrame &normaliser = m_ends[2]->frames.front();
    QCOMPARE(normaliser.header.slot, normaliserSlot);
    QCOMPARE(normaliser.header.stage, quint16(1));
    double value = 0;
    std::memcpy(&value, normaliser.payload->data(), sizeof value);
    QCOMPARE(value, 32.0);
}

void TestDataFeed::epochsFollowEachOther() {
    DataFeed feed(m_data, order(false, 32, 8), m_layout, 1);
    feed.setLimit(2);
    QTRY_COMPARE_WITH_TIMEOUT(received(*m_ends[2], TensorKind::Label), 64, patience);
    std::vector<qint64> labels;
    for (const TensorFrame &frame : m_ends[2]->frames) {
        if (frame.header.slot == normaliserSlot)
            continue;
        qint64 part[8];
        std::memcpy(part, frame.payload->data(), sizeof part);
        labels.insert(labels.end(), part, part + 8);
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
        QCOMPARE(labels[i], qint64(i % 50) % 10);
}

void TestDataFeed::aRoundThatHasBegunIsCompleted() {
    DataFeed feed(m_data, order(true, 32, 8), m_layout, 1);
    connect(&feed, &DataFeed::roundBegun, &feed, [&feed] { feed.setLimit(0); });
    feed.setLimit(5);
    QTRY_COMPARE_WITH_TIMEOUT(received(*m_ends[2], TensorKind::Label), 32, patience);
    QCOMPARE(feed.begun(), 1);
    QCOMPARE(feed.limit(), 1);
}

void TestDataFeed::aFullChannelHoldsTheFeedBack() {
    // Nobody reads: the other end of the first member's channel has no event loop turn before the check.
    FeedLayout layout = m_layout;
    // 20 MB for the first member alone
    layout.inputs = {{m_ends[0]->session.get(), 0, 26000}, {m_ends[1]->session.get(), 26000, 6768}};
    layout.labels[0].samples = 32768;
    DataFeed feed(m_data, order(true, 32768, 32768), layout, 1);
    QSignalSpy begun(&feed, &DataFeed::roundBegun);
    bool wasFull = false;
    connect(&feed, &DataFeed::roundBegun, &feed, [&] { wasFull = wasFull || layout.isFull(); });
    feed.setLimit(3);
    QTRY_COMPARE_WITH_TIMEOUT(begun.count(), 3, patience);
    QTRY_COMPARE_WITH_TIMEOUT(received(*m_ends[2], TensorKind::Label), 3 * 32768, patience);
    QVERIFY(wasFull);
}

void TestDataFeed::theLastMicroBatchOfAnEvaluationIsShort() {
    for (auto &end : m_ends)
        end->frames.clear();
    FeedLayout layout = m_layout;
    std::vector<std::unique_ptr<Rpc>> rpcs;
    std::vector<WorkerSession *> sessions;
    for (auto &end : m_ends) {
        sessions.push_back(end->session.get());
        rpcs.push_back(std::make_unique<Rpc>(end->worker.get()));
        rpcs.back()->handle(QStringLiteral("evaluate"), [](const QCborMap &, const Reply &reply) { reply.ok(); });
    }
    connect(m_ends[2]->worker.get(), &Channel::tensorReceived, rpcs[2].get(), [&](const TensorFrame &frame) {
        const auto samples = frame.header.sampleCount;
        rpcs[2]->notify(
            QStringLiteral("evaluation.done"),
            {{QStringLiteral("version"), 4},
             {QStringLiteral("micro_batch"), frame.header.microBatch},
             {QStringLiteral("samples"), samples},
             {QStringLiteral("correct"), frame.header.microBatch == 0 ? 0 : samples},
             {QStringLiteral("judged"), JudgedSample::toCbor({{frame.header.microBatch * 8, 1, 0, 0, 0.5}})},
             {QStringLiteral("loss_sum"), 2.0 * samples}});
    });
    EvaluationPass pass(m_data, testOrder(), layout, 4, {}, 10);
    QSignalSpy finished(&pass, &EvaluationPass::finished);
    pass.start(sessions);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, patience);
    QCOMPARE(pass.tally().correct, 13);
    QCOMPARE(pass.counted(), 21);
    QCOMPARE(pass.tally().lossSum, 2.0 * 21);
    QCOMPARE(pass.details().hardest.size(), std::size_t{3});
    QCOMPARE(pass.details().hardest.back().sample, 16);
    QCOMPARE(pass.details().samples, 21);
    QCOMPARE(pass.details().watched.front().samples.size(), std::size_t{3});
    // 21 samples in eights: 5 + 5 + 5 for the first member, 3 + 3 + 0 for the second.
    QCOMPARE(received(*m_ends[0], TensorKind::Evaluation), 15);
    QCOMPARE(received(*m_ends[1], TensorKind::Evaluation), 6);
    QCOMPARE(m_ends[1]->frames.size(), std::size_t(2));
    QCOMPARE(m_ends[2]->frames.back().header.slot, evaluationLabelSlot);
}

void TestDataFeed::aPartThatNobodyAskedForEndsTheEvaluation_data() {
    QTest::addColumn<qint64>("microBatch");
    QTest::addColumn<qint64>("samples");
    QTest::addColumn<std::vector<JudgedSample>>("judged");
    QTest::addColumn<QCborMap>("tally");
    const std::vector<JudgedSample> nothing;
    QTest::newRow("of a micro-batch before the first") << qint64{-1} << qint64{1} << nothing << QCborMap();
    QTest::newRow("of a micro-batch beyond the last") << qint64{3} << qint64{1} << nothing << QCborMap();
    QTest::newRow("of a micro-batch beyond all numbers")
        << std::numeric_limits<qint64>::max() << qint64{1} << nothing << QCborMap();
    QTest::newRow("of more samples than there are") << qint64{0} << qint64{9} << nothing << QCborMap();
    QTest::newRow("of more samples than can be counted")
        << qint64{0} << std::numeric_limits<qint64>::max() << nothing << QCborMap();
    QTest::newRow("of a sample of another micro-batch")
        << qint64{0} << qint64{1} << std::vector<JudgedSample>{{8, 1, 0, 0, 0.5}} << QCborMap();
    QTest::newRow("of more single samples than it has")
        << qint64{0} << qint64{1} << std::vector<JudgedSample>{{0, 1, 0, 0, 0.5}, {1, 1, 0, 0, 0.5}} << QCborMap();
    QTest::newRow("of no sample") << qint64{0} << qint64{0} << nothing << QCborMap();
    const double none = JudgedSample::none;
    QTest::newRow("of a class that the network does not know")
        << qint64{0} << qint64{1} << std::vector<JudgedSample>{{1, 1, 10, 10, 0.5}} << QCborMap();
    QTest::newRow("of an answer that the network cannot give")
        << qint64{0} << qint64{1} << std::vector<JudgedSample>{{1, 1, 3, 1e300, none}} << QCborMap();
    const auto classes = [](const QCborArray &numbers) { return QCborMap{{QStringLiteral("classes"), numbers}}; };
    QTest::newRow("that counts a class which the network does not know")
        << qint64{0} << qint64{1} << nothing << classes({10, 0, 1, 0});
    QTest::newRow("with more answers than labels are counted")
        << qint64{0} << qint64{1} << nothing << classes({3, 0, 5, 0, 4, 0, 4, 0});
    QTest::newRow("with more labels than are counted") << qint64{0} << qint64{1} << nothing << classes({3, 0, 0, 9});
    QTest::newRow("with more among the likeliest five than are counted")
        << qint64{0} << qint64{1} << nothing << QCborMap{{QStringLiteral("among_five"), 9}};
}

void TestDataFeed::aPartThatNobodyAskedForEndsTheEvaluation() {
    QFETCH(qint64, microBatch);
    QFETCH(qint64, samples);
    QFETCH(std::vector<JudgedSample>, judged);
    QFETCH(QCborMap, tally);
    for (auto &end : m_ends)
        end->frames.clear();
    std::vector<std::unique_ptr<Rpc>> rpcs;
    std::vector<WorkerSession *> sessions;
    for (auto &end : m_ends) {
        sessions.push_back(end->session.get());
        rpcs.push_back(std::make_unique<Rpc>(end->worker.get()));
        rpcs.back()->handle(QStringLiteral("evaluate"), [](const QCborMap &, const Reply &reply) { reply.ok(); });
    }
    const auto tell = [&](qint64 index, qint64 count, const std::vector<JudgedSample> &single, const QCborMap &more) {
        QCborMap args{{QStringLiteral("version"), 4},
                      {QStringLiteral("micro_batch"), index},
                      {QStringLiteral("samples"), count},
                      {QStringLiteral("correct"), 0},
                      {QStringLiteral("judged"), JudgedSample::toCbor(single)},
                      {QStringLiteral("loss_sum"), 1.0}};
        for (const auto &[key, value] : more)
            args[key] = value;
        rpcs[2]->notify(QStringLiteral("evaluation.done"), args);
    };
    bool told = false;
    connect(m_ends[2]->worker.get(), &Channel::tensorReceived, rpcs[2].get(), [&](const TensorFrame &) {
        if (std::exchange(told, true))
            return;
        tell(0, 1, {{0, 1, 9, 9, 0.5}}, {});
        tell(microBatch, samples, judged, tally);
    });
    EvaluationPass pass(m_data, testOrder(), m_layout, 4, {}, 10);
    QSignalSpy failed(&pass, &EvaluationPass::failed);
    pass.start(sessions);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    QCOMPARE(failed[0][0].value<Error>().code, QStringLiteral("run.bad-report"));
}

void TestDataFeed::aWorkerSendsNoLargerFrameThanItIsAskedFor() {
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    auto near = std::make_unique<QTcpSocket>();
    near->connectToHost(QHostAddress(QHostAddress::LocalHost), server.serverPort());
    QVERIFY(near->waitForConnected(patience));
    QVERIFY(server.waitForNewConnection(patience));
    std::unique_ptr<QTcpSocket> far(server.nextPendingConnection());
    far->setParent(nullptr);
    WorkerSession session({}, {}, std::make_unique<StreamChannel>(std::move(near)), std::chrono::milliseconds(0));
    StreamChannel worker(std::move(far));
    QSignalSpy came(&session, &WorkerSession::tensorReceived);
    QSignalSpy lost(&session, &WorkerSession::lost);
    const auto send = [&](qint64 bytes) {
        TensorHeader header;
        header.kind = TensorKind::Replica;
        header.dtype = DType::UInt8;
        header.dims = {static_cast<quint32>(bytes)};
        worker.sendTensor(header, Payload::of(Buffer::allocate(bytes)));
    };
    send(stateChunkBytes);
    QTRY_COMPARE_WITH_TIMEOUT(came.count(), 1, patience);
    send(stateChunkBytes + 1);
    QTRY_COMPARE_WITH_TIMEOUT(lost.count(), 1, patience);
    QCOMPARE(came.count(), 1);
}

QTEST_GUILESS_MAIN(TestDataFeed)
#include "test_data_feed.moc"
