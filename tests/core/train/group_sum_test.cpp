#include <QTest>
#include <deque>
#include <random>

#include "core/train/flat_math.h"
#include "core/train/group_sum.h"
#include "core/train/partition.h"
#include "core/train/schedule.h"

using namespace hearth;

namespace {

/// Members that exchange messages in an order of the test's choosing.
struct Group {
    struct Message {
        int from, to, piece;
        GroupSum::Phase phase;
        std::shared_ptr<Buffer> values;
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
                layout, m, DType::Float32, [this, m](int to, int piece, GroupSum::Phase phase, Payload payload) {
                    auto copy = Buffer::allocate(payload.size);
                    std::copy_n(payload.data, payload.size, copy->data());
                    messages.push_back({m, to, piece, phase, copy});
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
    void wrongMessagesAreErrors();
    void overlapsCoverEverySampleOnce();
    void clippingEndsWithTheData();
    void scheduleNeverExceedsItsLimit_data();
    void scheduleNeverExceedsItsLimit();
    void optimizerMatchesFormulas();
};

void GroupSumTest::everyMemberGetsTheSameBits_data() {
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("elements");
    QTest::addColumn<int>("piece");
    QTest::newRow("two members, one piece each") << 2 << 100 << 50;
    QTest::newRow("three members, many pieces") << 3 << 1000 << 37;
    QTest::newRow("more members than elements") << 5 << 3 << 1;
    QTest::newRow("the layout of a real buffer") << 3 << 600000 << 0;
    QTest::newRow("nothing to sum") << 2 << 0 << 1;
}

void GroupSumTest::everyMemberGetsTheSameBits() {
    QFETCH(int, size);
    QFETCH(int, elements);
    QFETCH(int, piece);
    const SumLayout layout = piece ? SumLayout{elements, size, piece} : SumLayout::make(elements, size);
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
        std::vector<int> starters(static_cast<std::size_t>(size));
        std::iota(starters.begin(), starters.end(), 0);
        std::shuffle(starters.begin(), starters.end(), random);
        const auto startNext = [&] {
            const auto m = static_cast<std::size_t>(starters.back());
            starters.pop_back();
            group.members[m]->start(reinterpret_cast<std::byte *>(group.values[m].data()));
        };
        while (!starters.empty() || !group.messages.empty()) {
            // A member may start after others have sent to it, but sums never come before it started.
            if (!starters.empty() && (group.messages.empty() || random() % 2)) {
                startNext();
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

void GroupSumTest::wrongMessagesAreErrors() {
    Group group(2, 100, {100, 2, 50});
    GroupSum &sum = *group.members[0];
    auto right = Buffer::allocate(200);
    std::fill_n(right->data(), 200, std::byte{});
    QVERIFY(!sum.deliver(1, 9, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(0, 0, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(2, 0, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(1, 1, GroupSum::Phase::Contribution, right));  // member 1 sums that one itself
    QVERIFY(!sum.deliver(1, 1, GroupSum::Phase::Sum, right));           // before the start
    QVERIFY(!sum.deliver(1, 0, GroupSum::Phase::Contribution, Buffer::allocate(4)));
    QVERIFY(sum.deliver(1, 0, GroupSum::Phase::Contribution, right));
    QVERIFY(!sum.deliver(1, 0, GroupSum::Phase::Contribution, right));
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

void GroupSumTest::scheduleNeverExceedsItsLimit_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("limit");
    QTest::newRow("1f1b with one in flight") << QStringLiteral("1f1b") << 1;
    QTest::newRow("1f1b with three in flight") << QStringLiteral("1f1b") << 3;
    QTest::newRow("fill and drain") << QStringLiteral("fill-drain") << 8;
}

void GroupSumTest::scheduleNeverExceedsItsLimit() {
    QFETCH(QString, name);
    QFETCH(int, limit);
    const auto schedule = Schedule::byName(name);
    QVERIFY(schedule);
    std::mt19937 random(3);
    StageStatus status;
    status.microBatches = 8;
    status.inFlightLimit = limit;
    int inputs = 0, gradients = 0;
    for (;;) {
        status.forwardReady = status.forwards < inputs;
        status.backwardReady = status.backwards < std::min(gradients, status.forwards);
        const StageAction action = schedule->next(status);
        if (action == StageAction::Finish)
            break;
        if (action == StageAction::Forward)
            ++status.forwards;
        else if (action == StageAction::Backward)
            ++status.backwards;
        else if (action == StageAction::WaitForward)
            ++inputs;
        else
            ++gradients;
        if (inputs < 8 && random() % 2)
            ++inputs;
        QVERIFY(status.inFlight() <= limit);
        QVERIFY(status.forwards <= 8 && gradients <= status.forwards);
    }
    QCOMPARE(status.backwards, 8);
    QVERIFY(!Schedule::byName(QStringLiteral("sometimes")));
}

void GroupSumTest::optimizerMatchesFormulas() {
    OptimizerSpec spec;
    spec.learningRate = 0.1;
    spec.momentum = 0.5;
    spec.weightDecay = 0.01;
    double p = 2, g = 3, v = 0;
    const FlatOptimizer sgd(spec, DType::Float64);
    const auto bytes = [](double &value) { return reinterpret_cast<std::byte *>(&value); };
    sgd.step(bytes(p), bytes(g), bytes(v), 1, 1);
    QCOMPARE(v, 3.02);
    QCOMPARE(p, 2 - 0.302);
    spec.momentum = 0;
    p = 2;
    FlatOptimizer(spec, DType::Float64).step(bytes(p), bytes(g), nullptr, 1, 1);
    QCOMPARE(p, 2 - 0.302);
}

QTEST_GUILESS_MAIN(GroupSumTest)
#include "group_sum_test.moc"
