// What is believed of how a device differs, and when it is no longer true.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/predict/knowledge.h"
#include "core/predict/page_hinkley.h"
#include "played_times.h"

using namespace hearth;
using namespace hearth::test;

class RatioBeliefTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void featuresAreOfOneOrder() {
        for (const char *name : {"mobilenetv2-cifar", "fashion-cnn", "bert-small"}) {
            for (const LayerWork &work : layerWork(network(name), DType::Float32)) {
                double before = 0;
                for (const int samples : {1, 128}) {
                    const Features features = work.features(samples);
                    double shares = 0;
                    for (std::size_t i = 0; i < featureCount; ++i)
                        QVERIFY2(std::abs(features[i]) < 5, name);
                    for (std::size_t k = 0; k < workKinds; ++k)
                        shares += features[1 + k];
                    QVERIFY(shares < 1 + 1e-12);
                    QVERIFY(work.seconds(samples) >= before && work.seconds(samples) > 0);
                    before = work.seconds(samples);
                }
            }
        }
    }

    void anInverseIsOneOrThereIsNone() {
        std::mt19937 random(1);
        std::normal_distribution<double> normal;
        FeatureMatrix matrix{};
        for (std::size_t n = 0; n < 2 * featureCount; ++n) {
            Features vector;
            for (double &value : vector)
                value = normal(random);
            addOuter(matrix, vector, 1);
        }
        const FeatureMatrix inverse = inverseOf(matrix).value();
        for (std::size_t i = 0; i < featureCount; ++i) {
            const Features unit = product(matrix, inverse[i]);
            for (std::size_t j = 0; j < featureCount; ++j)
                QVERIFY(std::abs(unit[j] - (i == j ? 1 : 0)) < 1e-9);
        }
        matrix[3][3] = -1;
        QVERIFY(!inverseOf(matrix));
        matrix[3][3] = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!inverseOf(matrix));
    }

    void whatWasObservedIsForgottenTowardsThePrior() {
        const RatioBelief prior = Knowledge().prior(true).forward;
        Features constant{};
        constant[0] = 1;
        RatioBelief belief = prior;
        for (int i = 0; i < 50; ++i)
            belief.observe(constant, 2);
        const auto seen = belief.weights().at(constant);
        QVERIFY(std::abs(seen.mean - 2) < 0.01);
        for (int i = 0; i < 200; ++i)
            belief.forget(prior, Knowledge::kept);
        const auto later = belief.weights().at(constant);
        QVERIFY(later.variance > seen.variance && later.variance < prior.weights().at(constant).variance);
        for (int i = 0; i < 20; ++i)
            belief.observe(constant, -1);
        QVERIFY(std::abs(belief.weights().at(constant).mean + 1) < 0.3);
    }

    void noObservationIsBelievedBeyondReason() {
        RatioBelief belief = Knowledge().prior(true).forward;
        Features constant{};
        constant[0] = 1;
        belief.observe(constant, std::numeric_limits<double>::infinity());
        QCOMPARE(belief.weights().at(constant).mean, 0.0);
        for (int i = 0; i < 1000; ++i)
            belief.observe(constant, 600);
        QVERIFY(belief.isValid());
        QVERIFY(belief.weights().at(constant).mean <= RatioBelief::mostLog);
    }

    void driftIsNoticedAndScatterIsNot() {
        PageHinkley scatter, slower, faster;
        std::mt19937 random(1);
        std::normal_distribution<double> normal(0, 0.03);
        for (int i = 0; i < 2000; ++i)
            QVERIFY(!scatter.add(normal(random)));
        QVERIFY(!scatter.add(std::numeric_limits<double>::quiet_NaN()));
        const auto rounds = [](PageHinkley &test, double residual) {
            int count = 1;
            while (!test.add(residual))
                ++count;
            return count;
        };
        QVERIFY(rounds(slower, std::log(1.5)) <= 3);
        QVERIFY(rounds(faster, -0.2) <= 5);
        QCOMPARE(rounds(slower, std::log(100)), 3);  // however far off one is
    }
};

QTEST_GUILESS_MAIN(RatioBeliefTest)
#include "ratio_belief_test.moc"
