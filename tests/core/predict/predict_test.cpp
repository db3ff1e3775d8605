// What devices take that measured little or nothing, told from those that did.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "core/model/catalogue.h"
#include "core/predict/home_prediction.h"
#include "core/predict/page_hinkley.h"

using namespace hearth;

namespace {

const std::vector<int> batches{1, 4, 16, 64};

Model network(const char *name = "mobilenetv2-cifar") {
    return loadModel(QLatin1String(name)).value();
}

/// A device that is `factor` times as slow as the made-up one, by kinds as `kinds` says, and scatters.
TimeTable played(const Model &model, double factor, const std::array<double, workKinds> &kinds, double scatter = 0.05,
                 unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, scatter);
    TimeTable table{batches, {}, {}};
    for (const LayerWork &work : layerWork(model, DType::Float32)) {
        std::vector<double> forward, backward;
        for (const int samples : batches) {
            const Features features = work.features(samples);
            double log = std::log(factor);
            for (std::size_t k = 0; k < workKinds; ++k)
                log += kinds[k] * features[1 + k];
            forward.push_back(work.seconds(samples) * std::exp(log + normal(random)));
            backward.push_back(2 * work.seconds(samples) * std::exp(log + normal(random)));
        }
        table.forward.push_back(forward);
        table.backward.push_back(backward);
    }
    return table;
}

/// The median of |predicted / true - 1| over all units.
double unitError(const TimeTable &predicted, const TimeTable &real) {
    std::vector<double> errors;
    for (std::size_t l = 0; l < real.forward.size(); ++l) {
        for (std::size_t b = 0; b < real.batch.size(); ++b) {
            errors.push_back(std::abs(
                (predicted.forward[l][b] + predicted.backward[l][b]) / (real.forward[l][b] + real.backward[l][b]) - 1));
        }
    }
    std::sort(errors.begin(), errors.end());
    return errors[errors.size() / 2];
}

void measure(TimesPredictor &predictor, const TimeTable &real, int count) {
    for (const TimedUnit &unit : predictor.probes(count))
        predictor.measured(unit, real.forward[unit.layer][unit.batch], real.backward[unit.layer][unit.batch]);
}

StoredProfile stored(const char *device, const Model &model, const TimeTable &times, qint64 when = 1) {
    ModelProfile profile;
    profile.device = QLatin1String(device);
    profile.model = model.name;
    profile.modelSha256 = QString::fromLatin1(model.sha256());
    profile.precision = QStringLiteral("float32");
    profile.layers.resize(model.layers.size());
    profile.times = times;
    return {profile, when};
}

std::optional<Model> builtin(const ModelProfile &profile) {
    return loadModel(profile.model).value();
}

/// Of a home that has no file.
Knowledge knowledgeOf(const std::vector<StoredProfile> &profiles) {
    return homeKnowledge(QStringLiteral("/nonexistent"), QStringLiteral("float32"), profiles, builtin);
}

/// Three devices that differ in convolutions and otherwise by a factor alone.
Knowledge threeDevices() {
    const Model model = network("fashion-cnn");
    const TimeTable a = played(model, 1, {}, 0.05, 1), b = played(model, 2, {0.7}, 0.05, 2),
                    c = played(model, 0.6, {-0.5}, 0.05, 3);
    Knowledge knowledge;
    knowledge.learn(QStringLiteral("b"), QStringLiteral("a"), compare(model, DType::Float32, b, a));
    knowledge.learn(QStringLiteral("c"), QStringLiteral("a"), compare(model, DType::Float32, c, a));
    knowledge.learn(QStringLiteral("c"), QStringLiteral("b"), compare(model, DType::Float32, c, b));
    knowledge.learn(QStringLiteral("a"), {}, compare(model, DType::Float32, a, {}));
    return knowledge;
}

}  // namespace

class PredictTest : public QObject {
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
    }

    void probesTellMoreThanOneFactor() {
        const Model model = network();
        const TimeTable reference = played(model, 1, {}), real = played(model, 3, {0.6, 1.2, -0.4}, 0.05, 7);
        TimesPredictor predictor(model, DType::Float32, batches, reference, Knowledge().prior(true));
        const double without = unitError(predictor.predict(), real);
        measure(predictor, real, TimesPredictor::usualProbes);
        QCOMPARE(predictor.observed().size(), std::size_t(TimesPredictor::usualProbes));
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
        QCOMPARE(brief.samples(), 4);
        QVERIFY(brief.isPromising());
        const auto at = [&](int samples) {
            return static_cast<std::size_t>(std::find(batches.begin(), batches.end(), samples) - batches.begin());
        };
        ModelProfile pass;
        pass.layers.resize(model.layers.size());
        pass.times.batch = {4};
        QVERIFY(!brief.takePass(pass));
        for (std::size_t l = 0; l < model.layers.size(); ++l) {
            pass.layers[l].savedBytes = 7;
            pass.times.forward.push_back({real.forward[l][at(4)]});
            pass.times.backward.push_back({real.backward[l][at(4)]});
            pass.times.weights.push_back({real.backward[l][at(4)] / 2});
        }
        QVERIFY(brief.takePass(pass));
        std::vector<UnitSeconds> units = brief.probes();
        QCOMPARE(units.size(), std::size_t(TimesPredictor::usualProbes));
        for (UnitSeconds &unit : units) {
            QVERIFY(unit.samples != 4);  // known already
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

    void fewLayersOfAHomeThatKnowsNothingAreNotPromising() {
        const Model model = network("fashion-cnn");
        const BriefProfile brief(model, DType::Float32, {1, 2, 4, 8, 16, 32, 64, 128},
                                 {{std::nullopt, Knowledge().prior(false)}});
        QVERIFY(!brief.isPromising());
    }

    void whatWasMeasuredStaysAsItWasMeasured() {
        const Model model = network("fashion-cnn");
        const TimeTable real = played(model, 5, {});
        TimesPredictor predictor(model, DType::Float32, batches, std::nullopt, Knowledge().prior(false));
        const std::vector<TimedUnit> probes = predictor.probes();
        measure(predictor, real, TimesPredictor::usualProbes);
        const TimeTable result = predictor.predict();
        for (const TimedUnit &unit : probes) {
            QCOMPARE(result.forward[unit.layer][unit.batch], real.forward[unit.layer][unit.batch]);
            QCOMPARE(result.error[unit.layer][unit.batch], 0.0);
        }
        const std::vector<TimedUnit> more = predictor.probes();
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

    void devicesOfAHomeTellAboutTheNext() {
        const Model model = network();
        const TimeTable reference = played(model, 1, {}), real = played(model, 1.5, {0.6}, 0.05, 9);
        const Knowledge known = threeDevices();
        TimesPredictor stranger(model, DType::Float32, batches, reference, Knowledge().prior(true)),
            taught(model, DType::Float32, batches, reference, known.prior(true));
        measure(stranger, real, 2);
        measure(taught, real, 2);
        QVERIFY(taught.predict().relativeError(2) < stranger.predict().relativeError(2));
        // b was seen with a: what it takes for another network needs no probe.
        const TimeTable other = played(model, 2, {0.7}, 0.05, 11);
        const TimesPredictor pair(model, DType::Float32, batches, reference,
                                  known.about(QStringLiteral("b"), QStringLiteral("a")));
        QVERIFY(unitError(pair.predict(), other) < 0.15);
        const TimesPredictor back(model, DType::Float32, batches, other,
                                  known.about(QStringLiteral("a"), QStringLiteral("b")));
        QVERIFY(unitError(back.predict(), reference) < 0.15);
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

    void aNewDeviceLeavesWhatIsKnownOfOthers() {
        const Model model = network();
        const TimeTable reference = played(model, 1, {}), real = played(model, 2, {0.7}, 0.05, 11);
        Knowledge known = threeDevices();
        const auto errorOfB = [&] {
            const TimesPredictor predictor(model, DType::Float32, batches, reference,
                                           known.about(QStringLiteral("b"), QStringLiteral("a")));
            return unitError(predictor.predict(), real);
        };
        const double before = errorOfB();
        const TimeTable odd = played(model, 30, {-2, 2, 1, -1, 2, -2}, 0.3, 13);
        for (int i = 0; i < 5; ++i)
            known.learn(QStringLiteral("d"), QStringLiteral("a"), compare(model, DType::Float32, odd, reference));
        QVERIFY(errorOfB() <= before + 0.01);
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

    void aHomeTellsOfANetworkThatOneDeviceMeasured() {
        const Model seen = network("fashion-cnn"), asked = network();
        const TimeTable real = played(asked, 2, {0.7}, 0.05, 4);
        const std::vector<StoredProfile> profiles{
            stored("a", seen, played(seen, 1, {}, 0.05, 1)), stored("b", seen, played(seen, 2, {0.7}, 0.05, 2)),
            stored("a", asked, played(asked, 1, {}, 0.05, 3)), stored("c", seen, played(seen, 9, {}, 0.05, 5))};
        const auto told = predictHome(asked, QStringLiteral("float32"), batches, profiles, knowledgeOf(profiles));
        QCOMPARE(told.size(), std::size_t(3));
        using Source = DevicePrediction::Source;
        QVERIFY(told[0].source == Source::Measured && told[0].times.relativeError(1) == 0);
        QVERIFY(told[1].source == Source::Reference && told[2].source == Source::Reference);
        QCOMPARE(told[1].reference, QStringLiteral("a"));
        QVERIFY2(unitError(told[1].times, real) < 0.2, qPrintable(QString::number(unitError(told[1].times, real))));
        QVERIFY(told[1].times.relativeError(1) > 0);
        // Nobody measured that one: each device follows its own other networks.
        const auto alone =
            predictHome(network("vit-tiny"), QStringLiteral("float32"), {8}, profiles, knowledgeOf(profiles));
        QCOMPARE(alone.size(), std::size_t(3));
        for (const DevicePrediction &each : alone)
            QVERIFY(each.source == DevicePrediction::Source::OtherNetworks && each.reference.isEmpty());
        QVERIFY(alone[2].times.seconds(0) > 3 * alone[0].times.seconds(0));
        QVERIFY(alone[0].times.relativeError(0) > told[1].times.relativeError(1));
        QVERIFY(predictHome(asked, QStringLiteral("float64"), {8}, profiles, knowledgeOf(profiles)).empty());
    }

    void onlyHowADeviceComputesNowCounts() {
        const Model model = network("fashion-cnn");
        StoredProfile before = stored("a", model, played(model, 1, {}), 1),
                      now = stored("a", network(), played(network(), 1, {}), 2);
        now.profile.threads = 4;
        const auto told = predictHome(model, QStringLiteral("float32"), {8}, {before, now}, knowledgeOf({before, now}));
        QCOMPARE(told.size(), std::size_t(1));
        QVERIFY(told[0].source != DevicePrediction::Source::Measured);
        QCOMPARE(told[0].threads, 4);
    }

    void knowledgeSurvivesItsFile() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("predictor.json"));
        QVERIFY(Knowledge::load(path).pairs().empty());
        const Knowledge known = threeDevices();
        QVERIFY(known.save(path));
        QVERIFY(QFileInfo(path).size() < 8192 * static_cast<qint64>(known.pairs().size()));
        const Knowledge again = Knowledge::load(path);
        QCOMPARE(again.pairs().size(), known.pairs().size());
        Features features{};
        features.fill(0.5);
        for (const Knowledge::Pair &pair : known.pairs()) {
            const auto one = pair.beliefs.backward.weights().at(features);
            const auto other = again.about(pair.device, pair.against).backward.weights().at(features);
            QVERIFY(std::abs(one.mean - other.mean) < 1e-4 && std::abs(one.variance - other.variance) < 1e-4);
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":");
        file.close();
        QVERIFY(Knowledge::load(path).pairs().empty());
    }

    void aFileThatNoDeviceCanHaveWrittenIsRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("precision that is none") << QStringLiteral("precision") << QJsonValue(-1);
        QTest::newRow("precision beyond reason") << QStringLiteral("precision") << QJsonValue(1e300);
        QTest::newRow("what is no number") << QStringLiteral("precision") << QJsonValue(QStringLiteral("1"));
        QTest::newRow("factors beyond reason") << QStringLiteral("information") << QJsonValue(1e8);
        QTest::newRow("no noise") << QStringLiteral("noise") << QJsonValue(0);
        QTest::newRow("a key that there is not") << QStringLiteral("extra") << QJsonValue(1);
    }
    void aFileThatNoDeviceCanHaveWrittenIsRefused() {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        QJsonObject json = threeDevices().toJson();
        QVERIFY(Knowledge::fromJson(json, {}));
        QJsonArray pairs = json[QStringLiteral("pairs")].toArray();
        QJsonObject pair = pairs[1].toObject(), forward = pair[QStringLiteral("forward")].toObject();
        if (forward[key].isArray()) {
            QJsonArray numbers = forward[key].toArray();
            numbers[0] = value;
            forward[key] = numbers;
        } else {
            forward[key] = value;
        }
        pair[QStringLiteral("forward")] = forward;
        pairs[1] = pair;
        json[QStringLiteral("pairs")] = pairs;
        const auto read = Knowledge::fromJson(json, QStringLiteral("f"));
        QVERIFY(!read);
        QVERIFY2(read.error().toString().contains(QStringLiteral("/pairs/1/forward")),
                 qPrintable(read.error().toString()));
    }

    void aHomeJoinsWhatItsDevicesTold() {
        const QTemporaryDir folder;
        const QString own = knowledgeFile(folder.path());
        const Model model = network("fashion-cnn");
        const auto units = compare(model, DType::Float32, played(model, 4, {}), std::nullopt);
        Knowledge mine, theirs;
        mine.learn(QStringLiteral("a"), {}, units);
        theirs.learn(QStringLiteral("a"), {}, compare(model, DType::Float32, played(model, 1, {}), std::nullopt));
        theirs.learn(QStringLiteral("b"), {}, units);
        QVERIFY(mine.save(own));
        QVERIFY(theirs.save(QFileInfo(own).path() + QStringLiteral("/0123.json")));
        QFile broken(QFileInfo(own).path() + QStringLiteral("/4567.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{") == 1);
        const Knowledge all = homeKnowledge(folder.path(), QStringLiteral("float32"), {}, builtin);
        QCOMPARE(all.pairs().size(), std::size_t(2));
        // Of what a home has seen itself it believes itself.
        Features features{};
        features[0] = 1;
        const auto mean = [&](const Knowledge &one) {
            return one.about(QStringLiteral("a"), {}).forward.weights().at(features).mean;
        };
        QVERIFY(std::abs(mean(all) - mean(mine)) < 1e-4 && std::abs(mean(all) - mean(theirs)) > 0.5);
    }

    void roundsPutPredictionsRight() {
        const Model model = network("fashion-cnn");
        TimeTable table = played(model, 1, {});
        table.error.assign(table.forward.size(), std::vector<double>(table.batch.size(), 0.2));
        table.error[1][2] = 0;
        const TimeTable right = correctedBy(table, 2);
        QCOMPARE(right.forward[1][2], table.forward[1][2]);  // measured
        QCOMPARE(right.forward[0][2], 2 * table.forward[0][2]);
        QVERIFY(right.error[0][2] < table.error[0][2] && right.error[1][2] == 0);
        const auto units = observedInRounds(model, DType::Float32, table, 0, 3, 16, 2);
        QCOMPARE(units.size(), std::size_t(3));
        const double made = layerWork(model.layers[0], DType::Float32).seconds(16);
        QVERIFY(std::abs(units[0].forward - std::log(2 * table.forward[0][2] / made)) < 1e-9);
    }

    void knowledgeOfManyPairsMakesRoom() {
        const Model model = network("fashion-cnn");
        const auto units = compare(model, DType::Float32, played(model, 1, {}), std::nullopt);
        Knowledge known;
        for (int i = 0; i < 70; ++i)
            known.learn(QString::number(i), {}, {units.front()});
        QCOMPARE(known.pairs().size(), Knowledge::mostPairs);
        QCOMPARE(known.pairs().back().device, QStringLiteral("69"));
        QVERIFY(Knowledge::fromJson(known.toJson(), {}));
    }
};

QTEST_GUILESS_MAIN(PredictTest)
#include "predict_test.moc"
