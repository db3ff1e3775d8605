// The planner `hearth` against all others, on problems that no exhaustive search can do.
#include <QtTest>

#include "core/plan/planner.h"
#include "tests/core/plan/home_rows.h"

using namespace hearth;

class TestBetter : public QObject {
    Q_OBJECT
    const int cases = qEnvironmentVariableIsSet("HEARTH_ALL_CASES") ? 84 : 12;  // of each kind of home

  private Q_SLOTS:
    void noOtherPlannerIsBetter_data() { test::addHomes(); }
    void noOtherPlannerIsBetter() {
        QFETCH(int, home);
        std::mt19937 random(800 + static_cast<unsigned>(home));
        QMap<QString, int> planned, worse;
        int proved = 0, longer = 0;
        double seconds = 0;
        for (int i = 0; i < cases; ++i) {
            // Few are large, for most of the time goes to them.
            const int largest = i % 12 == 0 ? 60 : 24;
            test::VariedShape shape{3 + static_cast<int>(random() % static_cast<unsigned>(largest - 2)),
                                    2 + static_cast<int>(random() % (i % 12 == 0 ? 11 : 6)), 32};
            shape.home = static_cast<test::Home>(home);
            shape.types = static_cast<int>(random() % 4);
            shape.tightMemory = random() % 2;
            PlanningProblem problem = test::VariedProblem(random).make(shape);
            if (shape.tightMemory) {  // a share of the whole model's needs, however many layers it has
                for (auto &device : problem.devices)
                    device.memoryBytes = device.memoryBytes * shape.layers / 6;
            }
            PlannerOptions options;
            options.stepLimit = 3'000'000;
            const auto own = makePlan(QStringLiteral("hearth"), problem, options);
            if (own) {
                for (const Violation &violation : own->prediction->violations) {
                    QFAIL(qPrintable(QStringLiteral("case %1: %2 needs %3 of %4 bytes")
                                         .arg(i)
                                         .arg(violation.device)
                                         .arg(violation.neededBytes)
                                         .arg(violation.availableBytes)));
                }
                proved += own->prediction->provedOptimal ? 1 : 0;
                seconds += *own->prediction->planningSeconds;
            }
            for (const auto &planner : planners()) {
                if (planner->name() == QLatin1String("hearth"))
                    continue;
                const auto other = makePlan(planner->name(), problem, options);
                if (!other || !other->prediction->fits)
                    continue;
                ++planned[planner->name()];
                QVERIFY2(own, qPrintable(QStringLiteral("case %1: only %2 finds a plan. %3")
                                             .arg(i)
                                             .arg(planner->name(), own ? QString() : own.error().toString())));
                if (own->prediction->roundSeconds <= other->prediction->roundSeconds * (1 + 1e-9))
                    continue;
                // What a short search misses, the one that people get must find.
                ++longer;
                const auto thorough = makePlan(QStringLiteral("hearth"), problem);
                QVERIFY(thorough);
                if (thorough->prediction->roundSeconds <= other->prediction->roundSeconds * (1 + 1e-9))
                    continue;
                ++worse[planner->name()];
                qWarning("case %d, %d layers, %d devices: %.6g s, %s %.6g s", i, shape.layers, shape.devices,
                         thorough->prediction->roundSeconds, qPrintable(planner->name()),
                         other->prediction->roundSeconds);
            }
        }
        qInfo("%d of %d proved, %d searched without a limit, %.2f s of planning", proved, cases, longer, seconds);
        QVERIFY(planned.size() + 1 == static_cast<qsizetype>(planners().size()));
        QVERIFY2(worse.isEmpty(), qPrintable(worse.keys().join(QLatin1Char(' '))));
    }
};

QTEST_GUILESS_MAIN(TestBetter)
#include "test_better.moc"
