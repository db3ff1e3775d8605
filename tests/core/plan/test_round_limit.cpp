// What limits a round beside the steps of a pipeline, and how long its devices compute.
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/round_limit.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/core/plan/measured_home.h"

using namespace hearth;

namespace {

/// Micro-batches of one sample, all in flight, by stages of one device each with as many layers.
Plan inTurn(const PlanningProblem &problem, const std::vector<int> &devices) {
    Placement placement{1, Schedule::OneForwardOneBackward, {}};
    const auto each = static_cast<int>(problem.layers.size() / devices.size());
    int layer = 0;
    for (const int device : devices) {
        placement.stages.push_back({layer, layer + each, {{device, 1}}, problem.batch, false, {}});
        layer += each;
    }
    return planOf(problem, QStringLiteral("test"), placement);
}

}  // namespace

class TestRoundLimit : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatTakesAllOfTheRoundLimitsIt_data() {
        QTest::addColumn<PlanningProblem>("problem");
        QTest::addColumn<std::vector<int>>("devices");
        QTest::addColumn<RoundLimit>("limit");
        using Kind = RoundLimit::Kind;
        const PlanningProblem home = test::byHand(4, {1, 0.5, 1}, 2);
        QTest::newRow("the slowest stage") << home << std::vector{0, 1} << RoundLimit{};
        PlanningProblem fed = home;
        fed.dataDevice = test::dev(1);
        fed.inputBytes = 1000;
        fed.links.fallback->bytesPerSecond = 10;
        QTest::newRow("inputs over a slow link") << fed << std::vector{0, 1} << RoundLimit{Kind::Feed, test::dev(1)};
        QTest::newRow("inputs that are there") << fed << std::vector{1, 0} << RoundLimit{};
        PlanningProblem carried = test::byHand(3, {1, 1, 1}, 8);
        for (LayerFacts &layer : carried.layers)
            layer.outputBytes = layer.gradientBytes = 1000;
        carried.links.nics = {{test::dev(1), 1.0, 1.0, std::nullopt, QString()}};
        QTest::newRow("the card of the stage between")
            << carried << std::vector{0, 1, 2} << RoundLimit{Kind::Card, test::dev(1)};
        QTest::newRow("a device with several stages")
            << home << std::vector{0, 1, 0, 1} << RoundLimit{Kind::Device, test::dev(1)};
    }
    void whatTakesAllOfTheRoundLimitsIt() {
        QFETCH(PlanningProblem, problem);
        QFETCH(std::vector<int>, devices);
        QFETCH(RoundLimit, limit);
        const auto judged = evaluate(problem, inTurn(problem, devices));
        QVERIFY2(judged, judged ? "" : qPrintable(judged.error().toString()));
        QCOMPARE(static_cast<int>(judged->limit.kind), static_cast<int>(limit.kind));
        QCOMPARE(judged->limit.device, limit.device);
        const auto read = Prediction::fromJson(judged->toJson(), QStringLiteral("test"), QString());
        QVERIFY(read && read->limit == limit);
    }
    void aPredictionOfBeforeNamesAStep() {
        QJsonObject json = evaluate(test::byHand(4, {1, 1}, 2), inTurn(test::byHand(4, {1, 1}, 2), {0, 1}))->toJson();
        json.remove(QStringLiteral("limit"));
        const auto read = Prediction::fromJson(json, QStringLiteral("test"), QString());
        QVERIFY(read && read->limit == RoundLimit());
    }
    void computingIsOfAllStagesAndWithWhatCutsCost() {
        PlanningProblem problem = test::byHand(4, {1, 0.5}, 2);
        const test::MeasuredHome home(problem);
        // Each layer takes 3 s a sample, twice as long on the second device; two micro-batches of one sample.
        QCOMPARE(computingSeconds(home.model, inTurn(problem, {0, 1, 0, 1})),
                 (std::map<int, double>{{0, 12.0}, {1, 24.0}}));
        Plan plan = inTurn(problem, {0, 1});
        plan.stages[0].recompute = true;
        QCOMPARE(computingSeconds(home.model, plan).at(0), 16.0);
        // A byte of each micro-batch comes to the second device, and one of gradients leaves it: by its card's memory.
        problem.devices[1].codecs.measured[QString::fromLatin1(noCodec().name)] = {0.25, 0.5};
        const test::MeasuredHome slow(problem);
        QCOMPARE(computingSeconds(slow.model, inTurn(problem, {0, 1})).at(1), 24 + 2 * (0.5 + 0.25));
    }
};

QTEST_GUILESS_MAIN(TestRoundLimit)
#include "test_round_limit.moc"
