// The times of a network told from a few that were measured.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/predict/brief_profile.h"
#include "played_times.h"

using namespace hearth;
using namespace hearth::test;

namespace {

constexpr int probeCount = 8;

}  // namespace

class TimesPredictorTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void probesTellMoreThanOneFactor() {
        const Model model = network();
        const TimeTable reference = played(model, 1, {}), real = played(model, 3, {0.6, 1.2, -0.4}, 0.05, 7);
        TimesPredictor predictor(model, DType::Float32, batches, reference, Knowledge().prior(true));
        const double without = unitError(predictor.predict(), real);
        measure(predictor, real, probeCount);
        QCOMPARE(predictor.observed().size(), std::size_t(probeCount));
        const TimeTable after = predictor.predict();
        const double error = unitError(after, real);
        QVERIFY2(error < 0.12 && error < without / 4, qPrintable(QStringLiteral("%1 %2").arg(error).arg(without)));
        QVERIFY(after.validate(static_cast<qsizetype>(model.layers.size()), {}, {}));
        QVERIFY(after.relativeError(3) < 0.3);
    }

    void aBriefProfileTellsTheRest_data() {
        QTest::addColumn<bool>("hasReference");
        QTest::newRow("beside a device that measured the network") << true;
        QTest::newRow("where nobody has") << false;
    }
    void aBriefProfileTellsTheRest() {
        QFETCH(bool, hasReference);
        const Model model = network();
        const TimeTable reference = played(model, 1, {}), real = played(model, 3, {0.6, 1.2, -0.4}, 0.05, 7);
        std::vector<PredictionBase> bases{{std::nullopt, Knowledge().prior(false)}};
        if (hasReference)
            bases.push_back({reference, Knowledge().prior(true)});
        BriefProfile brief(model, DType::Float32, batches, bases);
        QVERIFY(brief.isPromising());
        const auto at = [&](int samples) {
            return static_cast<std::size_t>(std::find(batches.begin(), batches.end(), samples) - batches.begin());
        };
        QCOMPARE(brief.samples(), 8);
        ModelProfile pass;
        pass.layers.resize(model.layers.size());
        pass.times.batch = {8};
        QVERIFY(!brief.takePass(pass));
        for (std::size_t l = 0; l < model.layers.size(); ++l) {
            pass.layers[l].savedBytes = 7;
            pass.times.forward.push_back({real.forward[l][at(8)]});
            pass.times.backward.push_back({real.backward[l][at(8)]});
            pass.times.weights.push_back({real.backward[l][at(8)] / 2});
        }
        QVERIFY(brief.takePass(pass));
        std::vector<UnitSeconds> units = brief.probes();
        QCOMPARE(units.size(), std::size_t(BriefProfile::probeCount));
        for (UnitSeconds &unit : units) {
            QVERIFY(unit.samples != 8);  // known already
            unit.forward = real.forward[static_cast<std::size_t>(unit.layer)][at(unit.samples)];
            unit.backward = real.backward[static_cast<std::size_t>(unit.layer)][at(unit.samples)];
        }
        brief.takeUnits(units);
        const ModelProfile told = brief.profile();
        QVERIFY(told.times.validate(static_cast<qsizetype>(model.layers.size()), {}, {}));
        QCOMPARE(told.layers.front().savedBytes, 7);
        const double error = unitError(told.times, real);
        QVERIFY2(error < 0.1, qPrintable(QString::number(error)));
        const std::size_t last = batches.size() - 1;
        const double whole = std::abs(told.times.seconds(last) / real.seconds(last) - 1);
        QVERIFY2(whole < 0.1 && told.times.relativeError(last) < BriefProfile::mostError,
                 qPrintable(QStringLiteral("%1 %2").arg(whole).arg(told.times.relativeError(last))));
        for (const UnitSeconds &unit : units)
            QCOMPARE(told.times.error[static_cast<std::size_t>(unit.layer)][at(unit.samples)], 0.0);
        QCOMPARE(told.times.weights[1][last], told.times.backward[1][last] / 2);
        // Knowledge comes of what was measured alone.
        const auto learned = compare(model, DType::Float32, told.times, std::nullopt);
        QVERIFY(!learned.empty() && learned.size() < model.layers.size() * batches.size());
    }

    void otherNetworksDoNotOutweighWhatIsMeasured() {
        const Model model = network();
        const TimeTable real = played(model, 2, {0.4, -0.6, 0.3}, 0.1, 3);
        Knowledge knowledge = threeDevices();
        for (const char *name : {"resnet18", "efficientnet-b0", "vit-tiny"}) {  // its caches fit those better
            const Model other = network(name);
            knowledge.learn(QStringLiteral("new"), {},
                            compare(other, DType::Float32, played(other, 0.6, {0.2, 0.5, -0.6}, 0.1, 4), std::nullopt));
        }
        const auto errorWith = [&](const RatioBeliefs &beliefs) {
            TimesPredictor predictor(model, DType::Float32, batches, std::nullopt, beliefs);
            measure(predictor, real, probeCount);
            return unitError(predictor.predict(), real);
        };
        const double heeded = errorWith(knowledge.about(QStringLiteral("new"), {}));
        const double ours = errorWith(knowledge.beforeMeasuring(QStringLiteral("new"), {}));
        QVERIFY2(ours < heeded / 2, qPrintable(QStringLiteral("%1 %2").arg(ours).arg(heeded)));
    }

    void fewLayersOfAHomeThatKnowsNothingAreNotPromising() {
        const Model model = network("fashion-cnn");
        const BriefProfile brief(model, DType::Float32, {1, 2, 4, 8, 16, 32, 64, 128},
                                 {{std::nullopt, Knowledge().prior(false)}});
        QVERIFY(!brief.isPromising());
    }

    void aWholeProfileThatTakesAMomentIsNotSaved() {
        const Model model = network();
        for (const double faster : {1.0, 1e3}) {
            std::vector<PredictionBase> bases{{played(model, 1 / faster, {}), Knowledge().prior(true)}};
            QCOMPARE(BriefProfile(model, DType::Float32, batches, bases).isPromising(), faster == 1);
        }
    }

    void whatWasMeasuredStaysAsItWasMeasured() {
        const Model model = network("fashion-cnn");
        const TimeTable real = played(model, 5, {});
        TimesPredictor predictor(model, DType::Float32, batches, std::nullopt, Knowledge().prior(false));
        const std::vector<TimedUnit> probes = predictor.probes(probeCount);
        measure(predictor, real, probeCount);
        const TimeTable result = predictor.predict();
        for (const TimedUnit &unit : probes) {
            QCOMPARE(result.forward[unit.layer][unit.batch], real.forward[unit.layer][unit.batch]);
            QCOMPARE(result.error[unit.layer][unit.batch], 0.0);
        }
        const std::vector<TimedUnit> more = predictor.probes(probeCount);
        for (const TimedUnit &unit : probes)
            QVERIFY(std::find(more.begin(), more.end(), unit) == more.end());
    }

    void layersThatAreAlikeAreProbedOnce() {
        const Model model = network("bert-small");
        const TimesPredictor predictor(model, DType::Float32, {4, 16}, std::nullopt, Knowledge().prior(false));
        const auto probes = predictor.probes(1000);
        // An embedding, one of four blocks and what follows them, at two sizes.
        QVERIFY(probes.size() >= 4 && probes.size() < 2 * model.layers.size());
        std::set<std::pair<std::size_t, std::size_t>> once;
        for (const TimedUnit &unit : probes)
            QVERIFY(once.insert({unit.layer, unit.batch}).second);
    }

    void evidenceTellsTheBetterReference() {
        const Model model = network();
        const TimeTable real = played(model, 2, {}), alike = played(model, 1, {}, 0.05, 2),
                        strange = played(model, 1, {1.5, -1.5, 2}, 0.05, 3);
        TimesPredictor good(model, DType::Float32, batches, alike, Knowledge().prior(true)),
            bad(model, DType::Float32, batches, strange, Knowledge().prior(true));
        for (TimesPredictor *each : {&good, &bad}) {
            for (std::size_t l = 0; l < 8; ++l)
                each->measured({l, 1}, real.forward[l][1], real.backward[l][1]);
        }
        QVERIFY(good.evidence() > bad.evidence());
    }

    void othersCannotMoveAPredictionBeyondReason() {
        const Model model = network("fashion-cnn");
        const TimeTable reference = played(model, 1, {});
        Knowledge known;
        std::vector<ObservedUnit> absurd;
        for (const LayerWork &work : layerWork(model, DType::Float32))
            absurd.push_back({work.features(4), 1e9, -1e9});
        for (int i = 0; i < 20; ++i)
            known.learn(QStringLiteral("x"), QStringLiteral("a"), absurd);
        TimesPredictor predictor(model, DType::Float32, batches, reference,
                                 known.about(QStringLiteral("x"), QStringLiteral("a")));
        const auto factors = [&] {
            const TimeTable times = predictor.predict();
            double most = 1;
            for (std::size_t l = 0; l < reference.forward.size(); ++l) {
                for (std::size_t b = 0; b < batches.size(); ++b) {
                    for (const double factor : {times.forward[l][b] / reference.forward[l][b],
                                                times.backward[l][b] / reference.backward[l][b]})
                        most = std::max({most, factor, 1 / factor});
                }
            }
            return most;
        };
        QVERIFY(factors() <= TimesPredictor::mostFactor * 1.0001);
        measure(predictor, reference, 1);  // it is as fast as the reference
        QVERIFY(factors() <= TimesPredictor::mostFactorOfMeasured * 1.0001);
    }
};

QTEST_GUILESS_MAIN(TimesPredictorTest)
#include "times_predictor_test.moc"
