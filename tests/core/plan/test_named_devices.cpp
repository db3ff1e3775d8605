// Plans that name devices as people do.
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/named_devices.h"
#include "tests/core/plan/replay_home.h"

using namespace hearth;

class TestNamedDevices : public QObject {
    Q_OBJECT

    static std::vector<NamedDevice> devices() {
        return {{test::id(0), QStringLiteral("tower")},
                {test::id(1), QStringLiteral("laptop")},
                {test::id(2), QStringLiteral("nano")},
                {test::id(3), QStringLiteral("nano")}};
    }
    /// A stage of two devices, and two of one each.
    static Plan plan() {
        const PlanningProblem problem = test::smallHome(3, 4);
        Plan plan = test::planOfStages(problem, {{1, 2}, {1, 1}, {1, 1}});
        plan.prediction = *evaluate(problem, plan);
        return plan;
    }

  private Q_SLOTS:
    void namesBecomeIdsAndShareInTheirOrder() {
        Plan named = plan();
        named.stages[0].shares = {{QStringLiteral("laptop"), 3}, {QStringLiteral("tower"), 1}};
        const auto read = withIds(named, devices());
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QCOMPARE(read->stages[0].shares, (std::vector<Share>{{test::id(0), 1}, {test::id(1), 3}}));
        QCOMPARE(read->stages[1].shares, plan().stages[1].shares);  // by id
        QVERIFY(!read->prediction);
    }
    void nobodyIsGuessed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("tells");
        QTest::newRow("a stranger") << QStringLiteral("kitchen") << QStringLiteral("which takes no part");
        QTest::newRow("a misspelled name") << QStringLiteral("lapptop") << QStringLiteral("Did you mean \"laptop\"?");
        QTest::newRow("a name of two devices") << QStringLiteral("nano") << QStringLiteral("Name the device by its id");
    }
    void nobodyIsGuessed() {
        QFETCH(QString, name);
        QFETCH(QString, tells);
        Plan named = plan();
        named.stages[1].shares[0].device = name;
        const auto read = withIds(named, devices());
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("plan.misfit"));
        QVERIFY2(read.error().toString().contains(tells), qPrintable(read.error().toString()));
    }
    void aPlanByNamesIsReadInAHomeWithOtherIds() {
        const Plan named = withNames(plan(), devices());
        QVERIFY(Plan::fromJson(named.toJson(), QStringLiteral("test")));
        QCOMPARE(named.stages[0].shares[0].device, QStringLiteral("laptop"));
        // Two are called alike: their ids tell them apart.
        QCOMPARE(named.stages[1].shares[0].device, test::id(2));
        QVERIFY(named.prediction->memoryBytes.contains(QStringLiteral("tower")));
        QVERIFY(named.prediction->roundBytes.contains(QStringLiteral("tower>") + test::id(2)));
        QVERIFY(!named.prediction->memoryBytes.contains(test::id(0)));
        std::vector<NamedDevice> others = devices();
        others[0].id = QStringLiteral("a");
        others[1].id = QStringLiteral("b");
        const auto read = withIds(named, others);
        QVERIFY(read);
        QCOMPARE(read->stages[0].shares, (std::vector<Share>{{QStringLiteral("a"), 2}, {QStringLiteral("b"), 2}}));
        const auto again = withIds(named, devices());
        QVERIFY(again && again->isSame(plan()));
    }
};

QTEST_GUILESS_MAIN(TestNamedDevices)
#include "test_named_devices.moc"
