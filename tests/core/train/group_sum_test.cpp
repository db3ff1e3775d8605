#include <QTest>
#include <deque>
#include <random>

#include "core/base/block_codecs.h"
#include "core/train/flat_math.h"
#include "core/train/group_sum.h"
#include "core/train/partition.h"

using namespace hearth;

namespace {

/// Members that exchange messages in an order of the test's choosing.
struct Group {
    struct Message {
        int from, to, piece;
        GroupSum::Phase phase;
        std::shared_ptr<Buffer> values;
        const Codec *codec;
    };
    std::vector<std::vector<float>> values;
    std::vector<std::unique_ptr<GroupSum>> members;
    std::vector<Message> messages;
    SumLayout layout;

    Group(int size, qint64 elements, SumLayout cut) : layout(cut) {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (int m = 0; m < size; ++m) {
            values.emplace_back(static_cast<std::size_t>(elements));
            for (float &value : values.back())
                value = uniform(random);
            members.push_back(std::make_unique<GroupSum>(
                layout, m, DType::Float32, [this, m](int to, int piece, GroupSum::Phase phase, Encoded sent) {
                    auto copy = Buffer::allocate(sent.payload.size);
                    std::copy_n(sent.payload.data, sent.payload.size, copy->data());
                    messages.push_back({m, to, piece, phase, copy, sent.codec});
                }));
        }
    }
};

}  // namespace

class GroupSumTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyMemberGetsTheSameBits_data();
    void everyMemberGetsTheSameBits();
    void piecesTravelWhileOthersAreComputed();
    void roundedValuesAreOwed();
    void wrongMessagesAreErrors();
    void overlapsCoverEverySampleOnce();
    void clippingEndsWithTheData();
    void optimizerMatchesFormulas();
};

void GroupSumTest::everyMemberGetsTheSameBits_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("elements");
    QTest::addColumn<int>("piece");
    QTest::addColumn<SumLayout::Route>("route");
    using Route = SumLayout::Route;
    QTest::newRow("two members, one piece each") << 2 << 100 << 50 << Route::TwoHops;
    QTest::newRow("two members in one hop") << 2 << 100 << 30 << Route::OneHop;
    QTest::newRow("three members, many pieces") << 3 << 1000 << 37 << Route::TwoHops;
    QTest::newRow("three members, many pieces, in one hop") << 3 << 1000 << 37 << Route::OneHop;
    QTest::newRow("more members than elements") << 5 << 3 << 1 << Route::TwoHops;
    QTest::newRow("the layout of a real buffer") << 3 << 600000 << 0 << Route::TwoHops;
    QTest::newRow("the layout of a real buffer of two") << 2 << 300000 << 0 << Route::OneHop;
    QTest::newRow("the layout of a small buffer") << 4 << 90 << 0 << Route::OneHop;
    QTest::newRow("the layout of a large buffer of two") << 2 << 9'000'000 << 0 << Route::TwoHops;
    QTest::newRow("nothing to sum") << 2 << 0 << 1 << Route::TwoHops;
}

void GroupSumTest::everyMemberGetsTheSameBits() {
    QFETCH(int, size);
    QFETCH(int, elements);
    QFETCH(int, piece);
    QFETCH(SumLayout::Route, route);
    const SumLayout layout =
        piece ? SumLayout{elements, size, piece, route} : SumLayout::make(elements, size, DType::Float32);
    QCOMPARE(layout.route, route);
    std::vector<float> first;
    for (unsigned order = 0; order < 3; ++order) {
        Group group(size, elements, layout);
        std::vector<float> expected = group.values[0];
        for (int m = 1; m < size; ++m) {
            for (int i = 0; i < elements; ++i)
                expected[static_cast<std::size_t>(i)] +=
                    group.values[static_cast<std::size_t>(m)][static_cast<std::size_t>(i)];
        }
        std::mt19937 random(order);
        // Each member's values become final from the end of the buffer, a few at a time.
        std::vector<qint64> final(static_cast<std::size_t>(size), elements);
        std::vector<int> busy;
        for (int m = 0; m < size; ++m) {
            busy.push_back(m);
            if (elements == 0)
                group.members[static_cast<std::size_t>(m)]->start(nullptr, {});
        }
        while ((elements > 0 && !busy.empty()) || !group.messages.empty()) {
            // Others' contributions may come before a member has started.
            if (elements > 0 && !busy.empty() && (group.messages.empty() || random() % 2)) {
                const std::size_t pick = random() % busy.size();
                const auto m = static_cast<std::size_t>(busy[pick]);
                if (!group.members[m]->started())
                    group.members[m]->start(reinterpret_cast<std::byte *>(group.values[m].data()), {});
                const qint64 count = std::min<qint64>(final[m], 1 + static_cast<qint64>(random()) % (elements / 3 + 1));
                final[m] -= count;
                group.members[m]->ready(final[m], final[m] + count);
                if (final[m] == 0)
                    busy.erase(busy.begin() + static_cast<std::ptrdiff_t>(pick));
                continue;
            }
            const std::size_t pick = random() % group.messages.size();
            const Group::Message message = group.messages[pick];
            group.messages.erase(group.messages.begin() + static_cast<std::ptrdiff_t>(pick));
            QVERIFY(group.members[static_cast<std::size_t>(message.to)]->deliver(message.from, message.piece,
                                                                                 message.phase, message.values));
        }
        for (int m = 0; m < size; ++m) {
            QVERIFY(group.members[static_cast<std::size_t>(m)]->done());
            QCOMPARE(group.values[static_cast<std::size_t>(m)], expected);
        }
    }
}

void GroupSumTest::piecesTravelWhileOthersAreComputed() {
    Group group(2, 100, {100, 2, 25, SumLayout::Route::OneHop});
    GroupSum &sum = *group.members[0];
    sum.start(reinterpret_cast<std::byte *>(group.values[0].data()), {});
    QVERIFY(group.messages.empty());
    sum.ready(80, 100);
    QVERIFY(group.messages.empty());  // a part of a piece
    sum.ready(50, 80);
    QCOMPARE(group.messages.size(), std::size_t{2});
    QCOMPARE(group.messages[0].piece + group.messages[1].piece, 2 + 3);
    QVERIFY(!sum.done());
}

/// What was rounded away comes with the next values; after a round that is exact nothing is owed.
void GroupSumTest::roundedValuesAreOwed() {
    constexpr int size = 3, elements = 150'000;
    const SumLayout layout = SumLayout::make(elements, size, DType::Float32, bfp8Codec);
    QCOMPARE(layout.codec, &bfp8Codec);
    QCOMPARE(layout.route, SumLayout::Route::OneHop);
    std::vector<std::vector<float>> owed(size, std::vector<float>(elements)), given(size);
    std::vector<double> exact(elements), summed(elements);
    for (const bool paid : {false, false, true}) {
        Group group(size, elements, layout);
        for (std::size_t m = 0; m < size; ++m) {
            for (std::size_t i = 0; i < elements; ++i)
                exact[i] += static_cast<double>(group.values[m][i]);
            group.members[m]->start(reinterpret_cast<std::byte *>(group.values[m].data()),
                                    {reinterpret_cast<std::byte *>(owed[m].data()), paid});
            group.members[m]->ready(0, elements);
        }
        QCOMPARE(group.messages.size(), std::size_t(size * (size - 1) * layout.pieces()));
        for (const Group::Message &message : group.messages) {
            QCOMPARE(message.codec, paid ? &noCodec() : &bfp8Codec);
            QVERIFY(paid || message.values->size() * 3 < layout.count(message.piece) * 4);
            QVERIFY(group.members[static_cast<std::size_t>(message.to)]->deliver(
                message.from, message.piece, message.phase, message.values, *message.codec));
        }
        for (std::size_t m = 0; m < size; ++m) {
            QVERIFY(group.members[m]->done());
            QCOMPARE(group.members[m]->isOwed(), !paid);
            QCOMPARE(group.values[m], group.values[0]);
        }
        for (std::size_t i = 0; i < elements; ++i)
            summed[i] += static_cast<double>(group.values[0][i]);
        double off = 0;
        for (std::size_t i = 0; i < elements; ++i)
            off = std::max(off, std::abs(summed[i] - exact[i]));
        QVERIFY2(paid ? off < 1e-5 : off > 1e-4 && off < 0.1, qPrintable(QString::number(off)));
    }
    QCOMPARE(owed, std::vector<std::vector<float>>(size, std::vector<float>(elements)));
    // Larger groups sum as they are.
    QCOMPARE(SumLayout::make(elements, 5, DType::Float32, bfp8Codec).codec, &noCodec());
}

void GroupSumTest::wrongMessagesAreErrors() {
    Group group(2, 100, {100, 2, 50});
    GroupSum &sum = *group.members[0];
    auto right = Buffer::allocate(200);
    std::fill_n(right->data(), 200, std::byte{});
    QVERIFY(!sum.deliver(1, 9, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(0, 0, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(2, 0, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(1, 1, GroupSum::Phase::Contribution, right));  // member 1 sums that one itself
    QVERIFY(!sum.deliver(1, 1, GroupSum::Phase::Sum, right));           // before this member contributed
    QVERIFY(!sum.deliver(1, 0, GroupSum::Phase::Contribution, Buffer::allocate(4)));
    QVERIFY(sum.deliver(1, 0, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(1, 0, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(1, 0, GroupSum::Phase::Contribution, Buffer::allocate(52), bfp8Codec));
    Group direct(2, 100, {100, 2, 50, SumLayout::Route::OneHop});
    QVERIFY(!direct.members[0]->deliver(1, 1, GroupSum::Phase::Sum, right));  // nobody else sums
}

void GroupSumTest::overlapsCoverEverySampleOnce() {
    const std::vector<Interval> senders{{0, 5}, {5, 3}}, receivers{{0, 2}, {2, 5}, {7, 1}};
    std::vector<int> count(8);
    for (std::size_t s = 0; s < senders.size(); ++s) {
        for (const Portion &portion : portions(senders[s], receivers)) {
            QCOMPARE(overlap(portion.samples, senders[s]), portion.samples);
            QCOMPARE(overlap(portion.samples, receivers[static_cast<std::size_t>(portion.member)]), portion.samples);
            for (int i = portion.samples.first; i < portion.samples.end(); ++i)
                ++count[static_cast<std::size_t>(i)];
        }
    }
    QCOMPARE(count, std::vector<int>(8, 1));
}

void GroupSumTest::clippingEndsWithTheData() {
    QCOMPARE(clipped({5, 3}, 6), (Interval{5, 1}));
    QCOMPARE(clipped({5, 3}, 4).count, 0);
    QCOMPARE(clipped({5, 3}, 8), (Interval{5, 3}));
}

void GroupSumTest::optimizerMatchesFormulas() {
    TrainingSpec training;
    training.precision = Precision::Float64;
    OptimizerSpec &spec = training.optimizer;
    spec.learningRate = 0.1;
    spec.momentum = 0.5;
    spec.weightDecay = 0.01;
    double p = 2, g = 3, v = 0;
    const FlatOptimizer sgd(training, {});
    const auto bytes = [](double &value) { return reinterpret_cast<std::byte *>(&value); };
    sgd.step(bytes(p), bytes(g), bytes(v), 1, 1);
    QCOMPARE(v, 3.02);
    QCOMPARE(p, 2 - 0.302);
    spec.momentum = 0;
    p = 2;
    FlatOptimizer(training, {}).step(bytes(p), bytes(g), nullptr, 1, 1);
    QCOMPARE(p, 2 - 0.302);
    double both[] = {2, 2}, gradients[] = {3, 3};
    FlatOptimizer(training, {{{1, 2}, {}, {}}}).step(bytes(both[0]), bytes(gradients[0]), nullptr, 2, 1);
    QCOMPARE(both[0], 2 - 0.302);
    QCOMPARE(both[1], 2 - 0.3);
}

QTEST_GUILESS_MAIN(GroupSumTest)
#include "group_sum_test.moc"
