// Explanations: what limits a plan, and what changes of the home would give.
#include <QElapsedTimer>
#include <QtTest>

#include "core/plan/edit/edit.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain/explain.h"
#include "core/plan/explain/link_questions.h"
#include "core/plan/explain/resting.h"
#include "core/plan/homes/presets.h"
#include "core/plan/planner.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

constexpr double megabit = 125e3;

QString text(const char *latin) {
    return QString::fromLatin1(latin);
}

/// Equal layers that send `cutBytes` per sample; a layer takes `seconds` per sample on every device, backward twice
/// that, with no fixed part. Links of 100 Mbit/s.
PlanningProblem home(const QStringList &devices, int layers, qint64 cutBytes, double seconds) {
    PlanningProblem problem;
    problem.batch = 16;
    for (int l = 0; l < layers; ++l) {
        LayerFacts facts;
        facts.outputBytes = facts.gradientBytes = cutBytes;
        facts.savedBytes = 1'000'000;
        facts.parameterBytes = facts.trainableBytes = 1'000'000;
        problem.layers.push_back(facts);
    }
    for (const QString &id : devices) {
        problem.devices.push_back({id, 1'000'000'000, 0});
        TimeTable table{{1, 16}, {}, {}};
        for (int l = 0; l < layers; ++l) {
            table.forward.push_back({seconds, 16 * seconds});
            table.backward.push_back({2 * seconds, 32 * seconds});
        }
        problem.times.push_back(table);
    }
    problem.links.fallback = LinkProfile::Link{100 * megabit, 0, Duplex::Full};
    return problem;
}

void slowDown(PlanningProblem &problem, int device, double factor) {
    for (auto *rows : {&problem.times[static_cast<std::size_t>(device)].forward,
                       &problem.times[static_cast<std::size_t>(device)].backward}) {
        for (auto &row : *rows) {
            for (double &seconds : row)
                seconds *= factor;
        }
    }
}

/// One device per stage, equal numbers of layers.
Plan chain(const PlanningProblem &problem, int microBatch) {
    Plan plan;
    plan.layerCount = static_cast<int>(problem.layers.size());
    plan.batch = problem.batch;
    plan.microBatch = microBatch;
    const int stages = static_cast<int>(problem.devices.size()), each = plan.layerCount / stages;
    for (int s = 0; s < stages; ++s) {
        plan.stages.push_back({s * each,
                               (s + 1) * each,
                               {{problem.devices[static_cast<std::size_t>(s)].id, microBatch}},
                               std::min(plan.microBatches(), 2 * (stages - s) - 1)});
    }
    return plan;
}

/// All layers on all devices, even shares.
Plan together(const PlanningProblem &problem, int microBatch) {
    Plan plan;
    plan.layerCount = static_cast<int>(problem.layers.size());
    plan.batch = problem.batch;
    plan.microBatch = microBatch;
    PlanStage stage{0, plan.layerCount, {}, 1};
    for (const auto &device : problem.devices)
        stage.shares.push_back({device.id, microBatch / static_cast<int>(problem.devices.size())});
    stage.sortShares();
    plan.stages.push_back(stage);
    return plan;
}

struct Case {
    PlanningProblem problem;
    Plan plan;
    void judge() { plan.prediction = *evaluate(problem, plan); }
    QStringList lines() const {
        const MeasuredCosts costs(problem.times);
        return explain(CostModel(problem, costs), plan);
    }
    std::vector<WhatIf> ideas() const {
        const MeasuredCosts costs(problem.times);
        return whatIfs(CostModel(problem, costs), plan);
    }
};

Case slowPair() {
    Case one{home({text("a"), text("b"), text("c")}, 6, 100'000, 1e-3), {}};
    one.problem.links.pairs = {{text("b"), text("c"), 10 * megabit, std::nullopt},
                               {text("c"), text("b"), 10 * megabit, std::nullopt}};
    one.plan = chain(one.problem, 4);
    return one;
}

Case slowCard() {
    Case one{home({text("a"), text("b"), text("c")}, 6, 100'000, 1e-3), {}};
    one.problem.links.nics = {{text("b"), 10 * megabit, 10 * megabit, std::nullopt, QString()}};
    one.plan = chain(one.problem, 4);
    return one;
}

Case slowDevice() {
    Case one{home({text("a"), text("b"), text("c")}, 6, 1000, 0.1), {}};
    slowDown(one.problem, 1, 2);
    one.plan = chain(one.problem, 4);
    return one;
}

Case slowAllReduce() {
    Case one{home({text("a"), text("b"), text("c"), text("d")}, 4, 10'000'000, 0.001), {}};
    one.plan = together(one.problem, 16);
    return one;
}

/// Four micro-batches that take 12 ms each, and as many sums of 0.48 s.
Case sumOfEachUpdate() {
    Case one{home({text("a"), text("b"), text("c"), text("d")}, 4, 1000, 0.001), {}};
    one.problem.asynchronous = Asynchrony{Asynchrony::Update::MicroBatch};
    one.plan = together(one.problem, 4);
    return one;
}

Case oneMicroBatch() {
    Case one{home({text("a"), text("b")}, 4, 1000, 0.1), {}};
    one.plan = chain(one.problem, 16);
    return one;
}

Case poorCut() {
    Case one{home({text("a"), text("b")}, 8, 1000, 0.1), {}};
    one.plan = chain(one.problem, 2);
    one.plan.stages[0].lastLayer = one.plan.stages[1].firstLayer = 1;
    return one;
}

/// Kernels that take as long for one sample as for many, and memory for one sample at a time: the best plan there is.
Case tightMemory() {
    Case one{home({text("a"), text("b")}, 4, 1000, 0.01), {}};
    for (auto &layer : one.problem.layers)
        layer.savedBytes = 50'000'000;
    for (auto &table : one.problem.times) {
        for (auto *rows : {&table.forward, &table.backward}) {
            for (auto &row : *rows)
                row.front() = row.back() / 2;
        }
    }
    for (auto &device : one.problem.devices)
        device.memoryBytes = 310'000'000;
    one.plan = *makePlan(text("asteroid"), one.problem);
    return one;
}

/// The second one computes a little longer, but the first one copies what crosses between its card and its host.
Case slowCopies() {
    Case one{home({text("a"), text("b")}, 4, 1000, 0.1), {}};
    slowDown(one.problem, 1, 1.1);
    one.problem.devices[0].codecs.measured[text("none")] = {1e-3, 1e-3};
    one.plan = chain(one.problem, 4);
    return one;
}

Case brake() {
    Case one{home({text("a"), text("b"), text("c")}, 3, 1000, 0.1), {}};
    slowDown(one.problem, 2, 50);
    one.plan = chain(one.problem, 4);
    return one;
}

Case resting() {
    Case one{home({text("a"), text("b")}, 4, 50'000'000, 0.01), {}};
    one.plan = chain(one.problem, 8);
    one.plan.stages = {{0, 4, {{text("a"), 8}}, 1}};
    return one;
}

Case alone() {
    Case one{home({text("a")}, 4, 1000, 0.01), {}};
    one.plan = chain(one.problem, 16);
    return one;
}

}  // namespace

class TestExplain : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whoRestsIsToldWhatItsWorkWouldCost() {
        PlanningProblem problem = home({text("a"), text("b"), text("c"), text("d"), text("e")}, 4, 1000, 1e-3);
        slowDown(problem, 2, 20);
        slowDown(problem, 3, 0.5);
        problem.devices[4].memoryBytes = 1;
        PlanningProblem two = problem;
        two.devices.resize(2);
        const Plan plan = chain(two, 4);
        const MeasuredCosts costs(problem.times);
        const auto told = costOfWork(CostModel(problem, costs), plan);
        QCOMPARE(told.keys(), (QStringList{text("c"), text("d")}));
        QVERIFY2(told[text("c")] > 0, "a slow device");
        QVERIFY2(told[text("d")] < 0, "a quick one that the plan forgot");
        // It is what a plan with the device is predicted to take.
        const CostModel model(problem, costs);
        const double now = evaluate(model, plan)->roundSeconds;
        const PlanEditor editor(model);
        for (auto one = told.cbegin(); one != told.cend(); ++one) {
            int found = 0;
            for (int place = 0; place <= 2; ++place) {
                for (const bool own : {false, true}) {
                    if (!own && place == 2)
                        continue;
                    const auto edited =
                        own ? editor.insertStage(plan, one.key(), place) : editor.moveDevice(plan, one.key(), place);
                    const auto judged = edited ? evaluate(model, edited->plan) : evaluate(model, plan);
                    found += judged && qFuzzyCompare(judged->roundSeconds, now * (1 + one.value())) ? 1 : 0;
                }
            }
            QVERIFY2(found > 0, qPrintable(one.key()));
        }
    }
    void sentencesNameWhatItIs_data() {
        QTest::addColumn<Case>("given");
        QTest::addColumn<QString>("says");
        QTest::newRow("the slow link of a cut")
            << slowPair() << text("The transfers after stage 2 (layers 2 to 3 on b)");
        QTest::newRow("what a better link gives") << slowPair() << text("A 1 Gbit/s link between b and c would give +");
        QTest::newRow("a slow card") << slowCard() << text("A 1 Gbit/s link to b would give +");
        QTest::newRow("whose card it is") << slowCard() << text("The card of b limits the round: ");
        QTest::newRow("the device that computes longest")
            << slowDevice() << text("Computing in stage 2 (layers 2 to 3 on b) limits the round");
        QTest::newRow("what a faster device gives") << slowDevice() << text("b at twice its speed would give +");
        QTest::newRow("one more device") << slowDevice() << text("One more device like a would give +");
        QTest::newRow("the AllReduce of a stage")
            << slowAllReduce() << text("The longest AllReduce, in stage 1, takes ");
        QTest::newRow("the AllReduce of each update")
            << sumOfEachUpdate() << text("The longest AllReduce, in stage 1, takes 98 % of the round.");
        QTest::newRow("links for the AllReduce")
            << slowAllReduce() << text("1 Gbit/s links inside stage 1 would give +");
        QTest::newRow("smaller micro-batches")
            << oneMicroBatch() << text("Micro-batches of 1 sample instead of 16 would give +");
        QTest::newRow("a better plan") << poorCut() << text("Planning anew would give +");
        QTest::newRow("who waits") << poorCut() << text("a waits longest: it computes 1");
        QTest::newRow("who waits for one that copies") << slowCopies() << text("b waits longest: it computes ");
        QTest::newRow("memory") << tightMemory() << text("Memory is fullest on ");
        QTest::newRow("more memory") << tightMemory() << text("Twice the memory on every device would give +");
        QTest::newRow("a device that brakes") << brake() << text("Without c a round would take ");
        QTest::newRow("a device at rest") << resting() << text("At rest: b.");
        QTest::newRow("the device of which there is one")
            << alone() << text("Computing in stage 1 (layers 0 to 3 on a)");
        QTest::newRow("a faster only device") << alone() << text("a at twice its speed would give +100 %.");
    }

    void sentencesNameWhatItIs() {
        QFETCH(Case, given);
        QFETCH(QString, says);
        given.judge();
        const QString all = given.lines().join(QLatin1Char('\n'));
        QVERIFY2(all.contains(says), qPrintable(all));
        QCOMPARE(given.lines().join(QLatin1Char('\n')), all);
    }

    void gainsAreThoseOfTheChangedHome() {
        Case given = slowPair();
        given.judge();
        PlanningProblem faster = given.problem;
        for (auto &pair : faster.links.pairs)
            pair.bytesPerSecond = 1000 * megabit;
        const double expected = given.plan.prediction->roundSeconds / evaluate(faster, given.plan)->roundSeconds - 1;
        bool found = false;
        for (const WhatIf &idea : given.ideas()) {
            if (idea.what != text("A 1 Gbit/s link between b and c"))
                continue;
            found = true;
            QVERIFY(std::abs(idea.gain - expected) < 1e-9);
        }
        QVERIFY(found);
        QVERIFY(expected > 1);
    }

    void gainsCountThatGroupsShareTheirSamplesAnew() {
        Case given{home({text("a"), text("b")}, 4, 1000, 0.1), {}};
        given.plan = together(given.problem, 16);
        given.judge();
        PlanningProblem faster = given.problem;
        slowDown(faster, 0, 0.5);
        Plan shared = given.plan;
        shared.stages[0].shares = {{text("a"), 11}, {text("b"), 5}};
        const double expected = given.plan.prediction->roundSeconds / evaluate(faster, shared)->roundSeconds - 1;
        // 8 samples of b take 9.6 s, 11 of a take 6.6 s then.
        QVERIFY(expected > 0.4);
        const auto ideas = given.ideas();
        const auto found = std::find_if(ideas.begin(), ideas.end(),
                                        [](const WhatIf &idea) { return idea.what == text("a at twice its speed"); });
        QVERIFY(found != ideas.end());
        QVERIFY2(std::abs(found->gain - expected) < 1e-9, qPrintable(QString::number(found->gain)));
    }

    void changesAreNotPraisedForWhatSharingAnewGives() {
        Case given{home({text("a"), text("b")}, 4, 1000, 0.1), {}};
        given.plan = together(given.problem, 16);
        given.plan.stages[0].shares = {{text("a"), 14}, {text("b"), 2}};
        given.judge();
        int asked = 0;
        for (const WhatIf &idea : given.ideas()) {
            if (idea.kind == WhatIf::Kind::NewPlan)
                QVERIFY2(idea.gain > 0.5, qPrintable(QString::number(idea.gain)));
            if (idea.kind != WhatIf::Kind::Links)
                continue;
            ++asked;
            // A sum of 0.3 s, beside 9.6 s of computing.
            QVERIFY2(idea.best() < 0.1, qPrintable(QStringLiteral("%1: %2").arg(idea.what).arg(idea.best())));
        }
        QVERIFY(asked > 0);
    }

    void ideasComeBestFirstAndOnce() {
        for (Case given : {slowPair(), slowCard(), slowDevice(), slowAllReduce(), poorCut(), tightMemory()}) {
            given.judge();
            double last = std::numeric_limits<double>::infinity();
            QStringList seen;
            for (const WhatIf &idea : given.ideas()) {
                QVERIFY(idea.best() <= last);
                last = idea.best();
                QVERIFY2(!seen.contains(idea.what), qPrintable(idea.what));
                seen << idea.what;
            }
        }
    }

    void aWorldwideLinkIsNotPraisedForWhatOneLinkDoes() {
        Case given = slowPair();
        given.judge();
        for (const QString &line : given.lines())
            QVERIFY2(!line.contains(text("everywhere would give")) || line.contains(text("new plan")),
                     qPrintable(line));
    }

    void manyDevicesAreNotAskedForOneByOne() {
        QStringList devices;
        for (int i = 0; i < 200; ++i)
            devices << text("d%1").arg(i);
        Case given{home(devices, 4, 1000, 0.01), {}};
        given.problem.batch = 400;
        given.problem.links.pairs = {{text("d7"), text("d9"), megabit, std::nullopt},
                                     {text("d9"), text("d7"), megabit, std::nullopt}};
        given.plan = together(given.problem, 400);
        given.judge();
        const MeasuredCosts costs(given.problem.times);
        const CostModel model(given.problem, costs);
        const auto questions = linkQuestions(model, given.plan);
        QVERIFY(questions.size() < 64);
        // The slowest pair is asked for all the same.
        QVERIFY(std::any_of(questions.begin(), questions.end(), [](const LinkQuestion &question) {
            return question.what == text("A 1 Gbit/s link between d7 and d9");
        }));
    }

    void plansOfTheHomesAreExplained() {
        for (const QString &environment : environmentNames()) {
            const auto problem = environmentProblem(environment, *loadWorkload(text("bert-small")));
            QVERIFY(problem);
            const auto plan = makePlan(text("asteroid"), *problem);
            QVERIFY(plan);
            const MeasuredCosts costs(problem->times);
            const CostModel model(*problem, costs);
            QElapsedTimer timer;
            timer.start();
            const QStringList lines = explain(model, *plan);
            qInfo("environment %s: %lld ms\n%s", qPrintable(environment), timer.elapsed(),
                  qPrintable(lines.join(QLatin1Char('\n'))));
            QVERIFY(lines.size() >= 4);
        }
    }

    void aLargeHomeIsExplained() {
        std::mt19937 random(7);
        test::RandomShape shape{40, 16, 64};
        shape.ownPairs = true;
        const PlanningProblem problem = test::randomProblem(random, shape);
        const auto plan = makePlan(text("asteroid"), problem);
        QVERIFY(plan);
        const MeasuredCosts costs(problem.times);
        const CostModel model(problem, costs);
        QElapsedTimer timer;
        timer.start();
        const QStringList lines = explain(model, *plan);
        qInfo("16 devices, 40 layers: %lld ms\n%s", timer.elapsed(), qPrintable(lines.join(QLatin1Char('\n'))));
        QVERIFY(lines.size() >= 4);
    }
};

QTEST_GUILESS_MAIN(TestExplain)
#include "test_explain.moc"
