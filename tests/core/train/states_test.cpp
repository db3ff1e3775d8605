// Where states rest, come in and go out: store, inbox, sender.
#include <QTest>
#include <cstring>
#include <random>

#include "core/train/buffer_pool.h"
#include "core/train/state_inbox.h"
#include "core/train/state_sender.h"
#include "core/train/state_store.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

std::shared_ptr<Buffer> filled(qsizetype bytes, int seed = 1) {
    auto buffer = Buffer::allocate(bytes);
    for (qsizetype i = 0; i < bytes; ++i)
        buffer->data()[i] = static_cast<std::byte>((i * 7 + i / 251 + seed) & 0xff);
    return buffer;
}

TensorFrame chunkOf(const std::shared_ptr<const Buffer> &state, int layer, quint64 version, int index, quint32 term) {
    const Payload payload = stateChunkPayload(state, index);
    auto copy = Buffer::allocate(payload.size);
    std::memcpy(copy->data(), payload.data, static_cast<std::size_t>(payload.size));
    return {stateChunkHeader({layer, version, index, stateChunkCount(state->size())}, state->size(), term), copy};
}

/// Takes tensors, and delivers as much as it is told to.
class SlowChannel : public Channel {
  public:
    Fingerprint peer() const override { return {}; }
    QString peerName() const override { return {}; }
    bool isOpen() const override { return true; }
    void sendControl(const QCborMap &) override {}
    void sendTensor(const TensorHeader &header, Payload payload) override {
        sent.push_back(header);
        bytes.push_back(QByteArray(reinterpret_cast<const char *>(payload.data), payload.size));
        queued += payload.size;
        most = std::max(most, queued);
    }
    qint64 queuedBytes() const override { return queued; }
    quint64 bytesSent() const override { return 0; }
    quint64 bytesReceived() const override { return 0; }
    void close(const Error &) override {}

    std::vector<TensorHeader> sent;
    std::vector<QByteArray> bytes;
    qint64 queued = 0;
    qint64 most = 0;
};

constexpr qint64 big = 3 * stateChunkBytes + 100;

}  // namespace

class StatesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void heldStatesAreRanges();
    void theNewestStayAndWhatIsPinned();
    void aCommitDropsWhatIsOlder();
    void whatComesAfterIsForgotten();
    void whatWasComputedUnderAnEarlierTermCountsUpToALaterOnesBeginning();
    void aStateIsPutTogether();
    void whatNobodyExpectsIsDropped_data();
    void whatNobodyExpectsIsDropped();
    void chunksWaitForTheirPlan();
    void aNewerCopyTakesTheOldOnesPlace();
    void aMoveFillsTheWindow_data();
    void aMoveFillsTheWindow();
    void aBackupLeavesTheLinkQuiet_data();
    void aBackupLeavesTheLinkQuiet();
    void aSlowLinkGetsPackedChunks_data();
    void aSlowLinkGetsPackedChunks();
    void parcelsForOneDeviceFollowEachOther();
    void whatIsDroppedIsTold();
    void withoutAChannelItIsAnError();

  private:
    struct Arrival {
        QString from;
        int layer;
        quint64 version;
        std::shared_ptr<const Buffer> state;
    };
    std::vector<Arrival> m_arrivals;
    StateInbox inbox() {
        m_arrivals.clear();
        return StateInbox(BufferPool::make(),
                          [this](const QString &from, int layer, quint64 version, std::shared_ptr<const Buffer> state) {
                              m_arrivals.push_back({from, layer, version, std::move(state)});
                          });
    }
    static StateInbox::Expected expected() {
        StateInbox::Expected what;
        what.term = 3;
        what.version = 10;
        what.stateBytes = {big, 40, 0};
        what.moves = {{QStringLiteral("a"), 0}, {QString(), 1}};
        what.copies = {{0, 3, QStringLiteral("b"), QStringLiteral("me")}};
        return what;
    }
};

void StatesTest::heldStatesAreRanges() {
    StateStore store;
    for (const int layer : {4, 0, 1, 2})
        store.put(layer, 7, filled(4), 1);
    store.put(3, 6, filled(4), 1);
    store.put(4, 6, filled(4), 1);
    QCOMPARE(store.held(), (std::vector<HeldState>{{7, 0, 3}, {7, 4, 5}, {6, 3, 5}}));
    QVERIFY(store.holdsAll(0, 3, 7));
    QVERIFY(!store.holdsAll(0, 4, 7));
    QVERIFY(!store.find(3, 7));
    QCOMPARE(store.bytes(), 24);
    store.clear();
    QVERIFY(store.held().empty());
}

void StatesTest::theNewestStayAndWhatIsPinned() {
    StateStore store;
    for (quint64 version = 1; version <= 9; ++version) {
        store.put(0, version, filled(4), 1);
        store.put(1, version, filled(4), 1);
    }
    store.commit(4);
    store.keepNewest(0, 1, 2, {6});
    QCOMPARE(store.held(), (std::vector<HeldState>{{9, 0, 2}, {8, 0, 2}, {7, 1, 2}, {6, 0, 2}, {5, 1, 2}, {4, 0, 2}}));
    store.keepNewest(0, 2, 20);
    QVERIFY(store.find(1, 5));
}

void StatesTest::aCommitDropsWhatIsOlder() {
    StateStore store;
    for (const quint64 version : {2, 4, 6})
        store.put(0, version, filled(4), 1);
    store.put(1, 2, filled(4), 1);
    store.commit(4);
    QCOMPARE(store.held(), (std::vector<HeldState>{{6, 0, 1}, {4, 0, 1}}));
    store.commit(3);  // late
    QCOMPARE(store.committed(), quint64{4});
}

void StatesTest::whatComesAfterIsForgotten() {
    StateStore store;
    for (const quint64 version : {2, 4, 6})
        store.put(0, version, filled(4), 1);
    store.commit(6);
    store.put(0, 4, filled(4), 1);
    store.forgetAfter(4);
    QCOMPARE(store.held(), (std::vector<HeldState>{{4, 0, 1}}));
    QCOMPARE(store.committed(), quint64{4});
}

void StatesTest::whatWasComputedUnderAnEarlierTermCountsUpToALaterOnesBeginning() {
    StateStore store;
    for (const quint64 version : {18, 19, 20})
        store.put(0, version, filled(4), 4);
    store.put(1, 18, filled(4), 5);  // moved here for a plan that may never have come about
    store.put(1, 20, filled(4), 5);
    store.commit(18);
    TermOrigins origins;
    origins.begin(4, 0);
    store.forgetBy(origins);
    QCOMPARE(store.held(), (std::vector<HeldState>{{20, 0, 2}, {19, 0, 1}, {18, 0, 2}}));
    origins.begin(5, 18);
    store.forgetBy(origins);
    QCOMPARE(store.held(), (std::vector<HeldState>{{20, 1, 2}, {18, 0, 2}}));
    QCOMPARE(store.committed(), quint64(18));
    origins.begin(6, 20);
    store.forgetBy(origins);
    QCOMPARE(store.held(), (std::vector<HeldState>{{20, 1, 2}, {18, 0, 2}}));
    origins.begin(7, 10);
    store.forgetBy(origins);
    QVERIFY(store.held().empty());
    QCOMPARE(store.committed(), quint64(10));
}

void StatesTest::aStateIsPutTogether() {
    StateInbox box = inbox();
    QVERIFY(box.expect(expected()));
    const auto state = filled(big);
    for (const int index : {2, 0, 2, 3}) {
        QVERIFY(box.add(QStringLiteral("a"), chunkOf(state, 0, 10, index, 3)));
        QVERIFY(m_arrivals.empty());
    }
    QVERIFY(box.add(QStringLiteral("a"), chunkOf(state, 0, 10, 1, 3)));
    QCOMPARE(m_arrivals.size(), std::size_t{1});
    QCOMPARE(m_arrivals[0].from, QStringLiteral("a"));
    QCOMPARE(m_arrivals[0].version, quint64{10});
    QVERIFY(std::ranges::equal(m_arrivals[0].state->bytes(), state->bytes()));
    QVERIFY(box.add(QStringLiteral("a"), chunkOf(state, 0, 10, 1, 3)));  // whole already
    QCOMPARE(m_arrivals.size(), std::size_t{1});
}

void StatesTest::whatNobodyExpectsIsDropped_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<int>("layer");
    QTest::addColumn<quint64>("version");
    QTest::addColumn<quint32>("term");
    QTest::newRow("an older term") << QString() << 1 << quint64{10} << quint32{2};
    QTest::newRow("a move from somebody else") << QStringLiteral("b") << 1 << quint64{10} << quint32{3};
    QTest::newRow("a copy from somebody else") << QStringLiteral("a") << 1 << quint64{12} << quint32{3};
    QTest::newRow("an older version") << QString() << 1 << quint64{9} << quint32{3};
    QTest::newRow("a layer beyond the model") << QString() << 7 << quint64{10} << quint32{3};
}

void StatesTest::whatNobodyExpectsIsDropped() {
    QFETCH(QString, from);
    QFETCH(int, layer);
    QFETCH(quint64, version);
    QFETCH(quint32, term);
    StateInbox box = inbox();
    QVERIFY(box.expect(expected()));
    QVERIFY(box.add(from, chunkOf(filled(40), layer, version, 0, term)));
    QVERIFY(m_arrivals.empty());
    QCOMPARE(box.waitingBytes(), 0);
}

void StatesTest::chunksWaitForTheirPlan() {
    StateInbox box = inbox();
    const auto state = filled(40);
    QVERIFY(box.add(QString(), chunkOf(state, 1, 10, 0, 3)));
    QVERIFY(box.add(QString(), chunkOf(state, 1, 10, 0, 2)));
    QVERIFY(box.add(QString(), chunkOf(state, 1, 11, 0, 9)));
    QCOMPARE(box.waitingBytes(), 120);
    box.beginTerm(3);
    QCOMPARE(box.waitingBytes(), 80);
    QVERIFY(box.expect(expected()));
    QCOMPARE(m_arrivals.size(), std::size_t{1});
    QCOMPARE(box.waitingBytes(), 40);
    box.beginTerm(10);
    QCOMPARE(box.waitingBytes(), 0);
}

void StatesTest::aNewerCopyTakesTheOldOnesPlace() {
    StateInbox box = inbox();
    QVERIFY(box.expect(expected()));
    const QString b = QStringLiteral("b");
    const auto older = filled(big, 1), newer = filled(big, 2);
    QVERIFY(box.add(b, chunkOf(older, 0, 12, 0, 3)));
    for (int index = 0; index < 4; ++index)
        QVERIFY(box.add(b, chunkOf(newer, 0, 14, index, 3)));
    for (int index = 1; index < 4; ++index)
        QVERIFY(box.add(b, chunkOf(older, 0, 12, index, 3)));
    QCOMPARE(m_arrivals.size(), std::size_t{1});
    QCOMPARE(m_arrivals[0].version, quint64{14});
    QVERIFY(std::ranges::equal(m_arrivals[0].state->bytes(), newer->bytes()));
}

void StatesTest::aMoveFillsTheWindow_data() {
    QTest::addColumn<double>("rate");
    QTest::addColumn<qint64>("window");
    QTest::newRow("a link that nobody knows") << 0.0 << Channel::lowMark;
    QTest::newRow("10 Mbit/s") << 1.25e6 << 4 * stateChunkBytes;
    QTest::newRow("1 Gbit/s: 50 ms") << 125e6 << qint64{6'250'000};
    QTest::newRow("100 Gbit/s") << 12.5e9 << Channel::highMark;
}

void StatesTest::aMoveFillsTheWindow() {
    QFETCH(double, rate);
    QFETCH(qint64, window);
    SlowChannel channel;
    StateSender sender([&](const QString &) { return &channel; }, [] { return true; }, nullptr,
                       [rate](const Channel &) { return rate; });
    const qint64 bytes = 3 * Channel::highMark;
    bool done = false;
    // Nothing that can be packed.
    const auto state = Buffer::allocate(bytes);
    std::mt19937_64 random(1);
    for (qint64 at = 0; at < bytes; at += qint64{sizeof(quint64)}) {
        const quint64 next = random();
        std::memcpy(state->data() + at, &next, sizeof next);
    }
    sender.send({QStringLiteral("a"), 5, {{2, state}}}, StateSender::Purpose::Move, 4,
                [&](const Result<void> &result) { done = result.has_value(); });
    sender.pump();
    QVERIFY(channel.queued >= window && channel.queued < window + stateChunkBytes);
    while (sender.isSending(StateSender::Purpose::Move)) {
        channel.queued = 0;
        sender.pump();
    }
    QTRY_VERIFY_WITH_TIMEOUT(done, patience);
    QCOMPARE(static_cast<int>(channel.sent.size()), stateChunkCount(bytes));
    for (std::size_t i = 0; i < channel.sent.size(); ++i) {
        QVERIFY(isStateChunk(channel.sent[i]));
        QCOMPARE(channel.sent[i].term, quint32{4});
        QCOMPARE(channel.sent[i].version, quint64{5});
        QCOMPARE(channel.sent[i].stage, quint16{2});
        QCOMPARE(channel.sent[i].firstSample, static_cast<quint32>(i));
    }
}

void StatesTest::aBackupLeavesTheLinkQuiet_data() {
    QTest::addColumn<StateSender::Purpose>("purpose");
    QTest::newRow("a backup") << StateSender::Purpose::Backup;
    QTest::newRow("a fetch") << StateSender::Purpose::Fetch;
}

void StatesTest::aBackupLeavesTheLinkQuiet() {
    QFETCH(StateSender::Purpose, purpose);
    SlowChannel channel;
    StateSender sender([&](const QString &) { return &channel; }, [] { return true; });
    sender.send({{}, 5, {{0, filled(big)}, {1, filled(10)}}}, purpose, 1, {});
    for (int round = 0; round < 3; ++round)
        sender.pump();
    QCOMPARE(channel.sent.size(), std::size_t{1});
    channel.queued = SendPace::quietBytes + 1;  // an activation is on its way
    sender.pump();
    QCOMPARE(channel.sent.size(), std::size_t{1});
    while (sender.isSending(purpose)) {
        channel.queued = SendPace::quietBytes;
        sender.pump();
    }
    QCOMPARE(channel.sent.size(), std::size_t{5});
    QVERIFY(channel.most <= SendPace::quietBytes + stateChunkBytes);
}

void StatesTest::aSlowLinkGetsPackedChunks_data() {
    QTest::addColumn<double>("rate");
    QTest::addColumn<bool>("packed");
    QTest::newRow("10 kbit/s") << 1250.0 << true;
    QTest::newRow("faster than any processor packs") << 1e15 << false;
    QTest::newRow("nobody knows how fast") << 0.0 << false;
}

void StatesTest::aSlowLinkGetsPackedChunks() {
    QFETCH(double, rate);
    QFETCH(bool, packed);
    SlowChannel channel;
    StateSender sender([&](const QString &) { return &channel; }, [] { return true; }, nullptr,
                       [rate](const Channel &) { return rate; });
    const auto state = Buffer::allocate(40 * stateChunkBytes + 100);
    std::vector<float> values(static_cast<std::size_t>(state->size()) / sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 0.1F + 0.01F * static_cast<float>(i % 97);
    std::memcpy(state->data(), values.data(), static_cast<std::size_t>(state->size()));
    sender.send({QStringLiteral("a"), 5, {{2, state}}}, StateSender::Purpose::Move, 4, {});
    StateAssembly assembly(2, 5, state->size());
    while (sender.isSending(StateSender::Purpose::Move)) {
        channel.queued = 0;
        sender.pump();
    }
    qint64 sent = 0;
    for (std::size_t i = 0; i < channel.sent.size(); ++i) {
        const TensorFrame frame{channel.sent[i], Buffer::allocate(channel.bytes[i].size())};
        std::memcpy(frame.payload->data(), channel.bytes[i].constData(),
                    static_cast<std::size_t>(channel.bytes[i].size()));
        QVERIFY(assembly.add(frame));
        sent += channel.bytes[i].size();
    }
    QVERIFY(assembly.complete());
    QVERIFY(std::ranges::equal(assembly.state()->bytes(), state->bytes()));
    QCOMPARE(sent < state->size() * 9 / 10, packed);
}

void StatesTest::parcelsForOneDeviceFollowEachOther() {
    SlowChannel slow, free;
    StateSender sender([&](const QString &device) { return device == QLatin1String("slow") ? &slow : &free; },
                       [] { return true; });
    slow.queued = Channel::highMark;
    sender.send({QStringLiteral("slow"), 1, {{0, filled(10)}}}, StateSender::Purpose::Move, 1, {});
    sender.send({QStringLiteral("slow"), 2, {{0, filled(10)}}}, StateSender::Purpose::Backup, 1, {});
    sender.send({QStringLiteral("free"), 1, {{0, filled(10)}}}, StateSender::Purpose::Move, 1, {});
    sender.pump();
    QVERIFY(slow.sent.empty());
    QCOMPARE(free.sent.size(), std::size_t{1});
    slow.queued = 0;
    sender.pump();
    QCOMPARE(slow.sent.size(), std::size_t{2});
    QCOMPARE(slow.sent[0].version, quint64{1});
    QCOMPARE(slow.sent[1].version, quint64{2});
}

void StatesTest::whatIsDroppedIsTold() {
    SlowChannel channel;
    channel.queued = Channel::highMark;
    StateSender sender([&](const QString &) { return &channel; }, [] { return true; });
    QStringList codes;
    const auto note = [&](const Result<void> &result) { codes.append(result ? QString() : result.error().code); };
    sender.send({{}, 1, {{0, filled(10)}}}, StateSender::Purpose::Fetch, 1, note);
    sender.send({QStringLiteral("a"), 1, {{0, filled(10)}}}, StateSender::Purpose::Move, 1, note);
    sender.drop([](StateSender::Purpose purpose) { return purpose == StateSender::Purpose::Move; });
    QVERIFY(!sender.isSending(StateSender::Purpose::Move));
    QVERIFY(sender.isSending(StateSender::Purpose::Fetch));
    QTRY_COMPARE_WITH_TIMEOUT(codes, QStringList{QStringLiteral("worker.superseded")}, patience);
}

void StatesTest::withoutAChannelItIsAnError() {
    StateSender sender([](const QString &) { return nullptr; }, [] { return false; });
    QString code;
    sender.send({QStringLiteral("a"), 1, {{0, filled(10)}}}, StateSender::Purpose::Move, 1,
                [&](const Result<void> &result) { code = result ? QString() : result.error().code; });
    QTRY_COMPARE_WITH_TIMEOUT(code, QStringLiteral("worker.peer-unreachable"), patience);
}

QTEST_GUILESS_MAIN(StatesTest)
#include "states_test.moc"
