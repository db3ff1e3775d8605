#include <QTest>
#include <cmath>
#include <numeric>
#include <random>

#include "core/run/replication_interval.h"
#include "tests/core/plan/random_plan.h"

using namespace hearth;
using namespace hearth::test;

namespace {

constexpr qint64 MB = 1'000'000;

/// Two devices of 20 MB of state each, rounds of a second that compute half of it, one link that rests half of it.
ReplicationFacts ordinary() {
    return {{20 * MB, 20 * MB}, {{20 * MB, 100e6, 0.5}}, 1, 1};
}

}  // namespace

/// How often copies are made.
class TestReplicationInterval : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void intervalsFollowTheCost_data();
    void intervalsFollowTheCost();
    void snapshotsKeepToTheirSteps();
    void publishedIntervalsAreKept();
    void nothingToSendIsNeverSent();
    void everyBudgetIsKeptAndNoneIsWasted();
    void copiesAreFrequentWhereLossesAre();
};

void TestReplicationInterval::intervalsFollowTheCost_data() {
    QTest::addColumn<ReplicationFacts>("facts");
    QTest::addColumn<int>("snapshotEvery");
    QTest::addColumn<int>("backupEvery");
    const auto row = [](const char *name, int snapshots, int backups, const auto &change) {
        ReplicationFacts facts = ordinary();
        change(facts);
        QTest::newRow(name) << facts << snapshots << backups;
    };
    // A snapshot: 10 ms of 5 ms. All: 20 ms of 5 ms. Sending: 200 ms of 125 ms. Computing: 500 ms of 10 ms.
    row("20 MB each", 4, 52, [](auto &) {});
    row("small states", 1, 3, [](auto &facts) { facts = {{MB, MB}, {{MB, 100e6, 0.5}}, 1, 1}; });
    row("one large stage", 20, 60, [](auto &facts) { facts.ownedBytes = {200 * MB, 0}; });
    row("a slow link", 4, 52, [](auto &facts) { facts.links[0].bytesPerSecond = 10e6; });
    row("a busy link", 4, 52, [](auto &facts) { facts.links[0].busySeconds = 0.98; });
    row("a link beyond its limit", 4, 80, [](auto &facts) { facts.links[0].busySeconds = 1.5; });
    row("long rounds", 1, 5, [](auto &facts) { facts.roundSeconds = facts.computeSeconds = 10; });
    row("rounds that hardly compute", 40, 200, [](auto &facts) { facts.computeSeconds = 0.1; });
    row("too large for any interval", 200, 200, [](auto &facts) { facts.ownedBytes[0] = 10'000'000 * MB; });
    row("too much to send", 4, 200, [](auto &facts) { facts.links[0].bytesPerSecond = 1; });
    row("an odd interval of snapshots", 7, 196, [](auto &facts) {
        facts.ownedBytes = {70 * MB, 0};
        facts.links[0].bytesPerSecond = 1;
    });
    row("nothing known", 200, 200, [](auto &facts) { facts.roundSeconds = facts.computeSeconds = 0; });
}

void TestReplicationInterval::intervalsFollowTheCost() {
    QFETCH(ReplicationFacts, facts);
    QFETCH(int, snapshotEvery);
    QFETCH(int, backupEvery);
    const auto intervals = replicationIntervals(facts, ReplicationMode::Topology);
    QCOMPARE(intervals.snapshotEvery, snapshotEvery);
    QCOMPARE(intervals.backupEvery, backupEvery);
}

/// Where only some rounds leave whole states.
void TestReplicationInterval::snapshotsKeepToTheirSteps() {
    ReplicationRule rule;
    rule.step = 16;
    const auto intervals = replicationIntervals(ordinary(), ReplicationMode::Topology, rule);
    QCOMPARE(intervals.snapshotEvery, 16);
    QCOMPARE(intervals.backupEvery, 64);
    QCOMPARE(replicationIntervals(ordinary(), ReplicationMode::Chain, rule).backupEvery, 112);
    ReplicationFacts large = ordinary();
    large.ownedBytes[0] = 10'000'000 * MB;
    QCOMPARE(replicationIntervals(large, ReplicationMode::Topology, rule).snapshotEvery, 192);
}

void TestReplicationInterval::publishedIntervalsAreKept() {
    QCOMPARE(replicationIntervals(ordinary(), ReplicationMode::Chain).backupEvery, 100);
    QCOMPARE(replicationIntervals(ordinary(), ReplicationMode::Global).backupEvery, 200);
    const auto off = replicationIntervals(ordinary(), ReplicationMode::Off);
    QCOMPARE(off.backupEvery, 0);
    QCOMPARE(off.snapshotEvery, 4);
    ReplicationFacts facts = ordinary();
    facts.ownedBytes = {70 * MB, 0};
    QCOMPARE(replicationIntervals(facts, ReplicationMode::Chain).backupEvery, 105);  // a multiple of 7
}

void TestReplicationInterval::nothingToSendIsNeverSent() {
    ReplicationFacts facts = ordinary();
    facts.links.clear();
    for (const ReplicationMode mode : {ReplicationMode::Topology, ReplicationMode::Chain})
        QCOMPARE(replicationIntervals(facts, mode).backupEvery, 0);
    facts.links = {{0, 1e6, 0}};
    QCOMPARE(replicationIntervals(facts, ReplicationMode::Topology).backupEvery, 0);
    QCOMPARE(replicationIntervals({}, ReplicationMode::Topology).snapshotEvery, 1);
}

void TestReplicationInterval::everyBudgetIsKeptAndNoneIsWasted() {
    std::mt19937 random(8);
    const auto real = [&](double least, double most) {
        return least * std::pow(most / least, static_cast<double>(random()) / 4294967296.0);
    };
    const ReplicationRule rule;
    int inside = 0;
    for (int i = 0; i < 5000; ++i) {
        ReplicationFacts facts;
        facts.roundSeconds = real(0.01, 20);
        for (int d = 1 + below(random, 5); d > 0; --d) {
            facts.ownedBytes.push_back(static_cast<qint64>(real(1e3, 1e9)));
            facts.computeSeconds += facts.roundSeconds * real(0.05, 1);
            if (below(random, 2) == 0)
                facts.links.push_back({facts.ownedBytes.back(), real(1e6, 1e9), facts.roundSeconds * real(0.01, 1.2)});
        }
        const auto intervals = replicationIntervals(facts, ReplicationMode::Topology);
        QVERIFY(intervals.snapshotEvery >= 1 && intervals.snapshotEvery <= rule.most);
        QVERIFY(intervals.backupEvery <= rule.most);
        QCOMPARE(intervals.backupEvery > 0, !facts.links.empty());
        QCOMPARE(intervals.backupEvery % intervals.snapshotEvery, 0);
        const double owned = std::accumulate(facts.ownedBytes.begin(), facts.ownedBytes.end(), 0.0);
        const auto snapshotsFit = [&](int every) {
            const double largest =
                static_cast<double>(*std::max_element(facts.ownedBytes.begin(), facts.ownedBytes.end()));
            return largest / 2e9 <= every * 0.005 * facts.roundSeconds * (1 + 1e-6) &&
                   owned / 2e9 <= every * 0.005 * facts.computeSeconds * (1 + 1e-6);
        };
        const auto backupsFit = [&](int every) {
            double bytes = 0;
            bool links = true;
            for (const auto &link : facts.links) {
                bytes += static_cast<double>(link.bytes);
                const double idle = std::max(facts.roundSeconds - link.busySeconds, 0.01 * facts.roundSeconds);
                links &= static_cast<double>(link.bytes) / link.bytesPerSecond <= every * 0.25 * idle * (1 + 1e-6);
            }
            return links &&
                   bytes * ReplicationRule().backupSecondsPerByte <= every * 0.01 * facts.computeSeconds * (1 + 1e-6);
        };
        if (intervals.snapshotEvery < rule.most)
            QVERIFY(snapshotsFit(intervals.snapshotEvery));
        if (intervals.snapshotEvery > 1)
            QVERIFY(!snapshotsFit(intervals.snapshotEvery - 1));
        if (intervals.backupEvery > 0 && intervals.backupEvery + intervals.snapshotEvery <= rule.most)
            QVERIFY(backupsFit(intervals.backupEvery));
        if (intervals.backupEvery > intervals.snapshotEvery)
            QVERIFY(!backupsFit(intervals.backupEvery - intervals.snapshotEvery));
        if (intervals.snapshotEvery < rule.most && intervals.backupEvery + intervals.snapshotEvery <= rule.most) {
            double seconds = owned / rule.snapshotBytesPerSecond / intervals.snapshotEvery;
            for (const auto &link : facts.links)
                seconds += rule.backupSecondsPerByte * static_cast<double>(link.bytes) / intervals.backupEvery;
            QVERIFY(seconds <= 0.0151 * facts.computeSeconds);  // of the 2 % that keeping training may cost
            ++inside;
        }
    }
    QVERIFY(inside > 2000);
}

void TestReplicationInterval::copiesAreFrequentWhereLossesAre() {
    ReplicationFacts facts = ordinary();
    facts.links[0].bytesPerSecond = 1e12;
    // 20 MB cost 0.5 s of 1 s that all compute: 50 rounds at 1 %, in steps of 4.
    QCOMPARE(replicationIntervals(facts, ReplicationMode::Topology).backupEvery, 52);
    ReplicationRule rule;
    rule.secondsBetweenLosses = 80;
    QCOMPARE(replicationIntervals(facts, ReplicationMode::Topology, rule).backupEvery,
             12);  // sqrt(2 x 80 x 0.5), in steps of 4
    rule.secondsBetweenLosses = 1e6;
    QCOMPARE(replicationIntervals(facts, ReplicationMode::Topology, rule).backupEvery, 52);
    // A link that has no time for it is no better for losses.
    facts.links[0].bytesPerSecond = 8e6;
    rule.secondsBetweenLosses = 80;
    QCOMPARE(replicationIntervals(facts, ReplicationMode::Topology, rule).backupEvery, 20);
}

QTEST_GUILESS_MAIN(TestReplicationInterval)
#include "test_replication_interval.moc"
