// What a person has locked stays, and the refusal names it.
#include <QtTest>

#include "tests/core/plan/edit_cases.h"

using namespace hearth;
using namespace hearth::test;

class TestLocks : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void lockedThingsAreNamed_data() {
        QTest::addColumn<PlanLocks>("locks");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("what");
        const auto nx = [](int d) { return QStringLiteral("nx%1").arg(d); };
        QTest::newRow("a border by the layer behind it")
            << PlanLocks{{3}, {}, {}, {}} << 0 << QStringLiteral("The border before conv3 is locked.");
        QTest::newRow("a stage by its layers")
            << PlanLocks{{}, {3}, {}, {}} << 0 << QStringLiteral("The stage of conv3 to conv5 is locked.");
        QTest::newRow("a stage that would get a device")
            << PlanLocks{{}, {3}, {}, {}} << 1 << QStringLiteral("The stage of conv3 to conv5 is locked.");
        QTest::newRow("a device that would move")
            << PlanLocks{{}, {}, {nx(0)}, {}} << 1 << QStringLiteral("nx0 is locked where it is.");
        QTest::newRow("a device that would rest")
            << PlanLocks{{}, {}, {nx(0)}, {}} << 2 << QStringLiteral("nx0 is locked where it is.");
        QTest::newRow("a device that rests and would work")
            << PlanLocks{{}, {}, {nx(3)}, {}} << 3 << QStringLiteral("nx3 is locked where it is.");
        QTest::newRow("a share that would change")
            << PlanLocks{{}, {}, {}, {nx(1)}} << 4 << QStringLiteral("The share of nx1 is locked.");
        QTest::newRow("a share that would rest")
            << PlanLocks{{}, {}, {}, {nx(0)}} << 2 << QStringLiteral("The share of nx0 is locked.");
        QTest::newRow("shares that leave too little")
            << PlanLocks{{}, {}, {}, {nx(0), nx(1)}} << 5
            << QStringLiteral("The locked shares of stage 1 leave too few or too many samples.");
        QTest::newRow("the micro-batch") << PlanLocks{{}, {}, {}, {}, true} << 5
                                         << QStringLiteral("The micro-batch of 8 samples is locked.");
    }
    void lockedThingsAreNamed() {
        QFETCH(PlanLocks, locks);
        QFETCH(int, kind);
        QFETCH(QString, what);
        const MeasuredHome home(smallHome());
        const Plan plan = smallPlan(home.problem);
        const PlanEditor editor(home.model, locks);
        const QString first = QStringLiteral("nx0"), fourth = QStringLiteral("nx3");
        const auto edited = kind == 0   ? editor.moveBorder(plan, 0, 4)
                            : kind == 1 ? editor.moveDevice(plan, first, 1)
                            : kind == 2 ? editor.moveDevice(plan, first, std::nullopt)
                            : kind == 3 ? editor.moveDevice(plan, fourth, 1)
                            : kind == 4 ? editor.setShares(plan, 0, {{first, 3}, {QStringLiteral("nx1"), 5}})
                                        : editor.setMicroBatch(plan, 4);
        QVERIFY(!edited);
        QCOMPARE(edited.error().code, QStringLiteral("edit.locked"));
        QCOMPARE(edited.error().what, what);
        QVERIFY(!edited.error().cause.isEmpty());
    }

    void aLockedShareThatIsTooSmallForNewLayersIsNamed() {
        const MeasuredHome home(smallHome());
        Plan plan = smallPlan(home.problem);
        plan.stages[0].shares = {{QStringLiteral("nx0"), 7}, {QStringLiteral("nx1"), 1}};
        PlanLocks locks;
        locks.shares.insert(QStringLiteral("nx1"));
        QVERIFY(PlanEditor(home.model, locks).moveBorder(plan, 0, 4));
        const auto refused = PlanEditor(home.model, locks).moveBorder(plan, 0, 5);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("edit.locked"));
        QCOMPARE(refused.error().what, QStringLiteral("The locked share of nx1 is too small."));
        QCOMPARE(refused.error().cause, QStringLiteral("conv4 needs at least 2 samples per device."));
    }

    void whatIsLockedStaysAndTheRefusalNamesIt() {
        std::mt19937 random(24);
        int accepted = 0, refused = 0;
        for (int i = 0; i < 550; ++i) {
            const auto own = randomCase(random, i % 3 == 0);
            if (!own->plan)
                continue;
            const Plan &plan = *own->plan;
            PlanLocks locks;
            const PlanStage &stage =
                plan.stages[static_cast<std::size_t>(below(random, static_cast<int>(plan.stages.size())))];
            const QString device = own->problem.devices.back().id, shared = own->problem.devices.front().id;
            if (i % 4 == 0)
                locks.borders.insert(stage.firstLayer);
            else if (i % 4 == 1)
                locks.stages.insert(stage.firstLayer);
            else if (i % 4 == 2)
                locks.devices.insert(device);
            else
                locks.shares.insert(shared);
            for (int kind = 0; kind < editKinds; ++kind) {
                const auto edited = randomEdit(random, PlanEditor(*own->model, locks), own->problem, plan, kind);
                if (!edited) {
                    refused += edited.error().code == QLatin1String("edit.locked") ? 1 : 0;
                    continue;
                }
                ++accepted;
                const Plan &after = edited->plan;
                const auto found = std::find_if(after.stages.begin(), after.stages.end(), [&](const PlanStage &other) {
                    return other.firstLayer == stage.firstLayer;
                });
                if (i % 4 == 0)
                    QVERIFY(found != after.stages.end());
                if (i % 4 == 1) {
                    QVERIFY(found != after.stages.end() && found->lastLayer == stage.lastLayer);
                    QCOMPARE(found->shares.size(), stage.shares.size());
                    for (std::size_t k = 0; k < stage.shares.size(); ++k)
                        QCOMPARE(found->shares[k].device, stage.shares[k].device);
                }
                if (i % 4 == 2) {
                    const bool rested = stageOfDevice(plan, device) == QLatin1String("rest");
                    QCOMPARE(stageOfDevice(after, device) == QLatin1String("rest"), rested);
                    if (kind == 1)
                        QCOMPARE(stageOfDevice(after, device), stageOfDevice(plan, device));
                }
                if (i % 4 == 3 && samplesOf(plan, shared) > 0)
                    QCOMPARE(samplesOf(after, shared), samplesOf(plan, shared));
            }
        }
        QVERIFY(accepted > 500 && refused > 100);
    }
};

QTEST_GUILESS_MAIN(TestLocks)
#include "test_locks.moc"
