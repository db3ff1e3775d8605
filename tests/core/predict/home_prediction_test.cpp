// What devices take that measured little or nothing, told from those that did.
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/predict/home_prediction.h"
#include "played_times.h"

using namespace hearth;
using namespace hearth::test;

namespace {

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

}  // namespace

class HomePredictionTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
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
        QCOMPARE(told[1].references, QStringList{QStringLiteral("a")});
        QVERIFY2(unitError(told[1].times, real) < 0.2, qPrintable(QString::number(unitError(told[1].times, real))));
        QVERIFY(told[1].times.relativeError(1) > 0);
        // Nobody measured that one: each device follows its own other networks.
        const auto alone =
            predictHome(network("vit-tiny"), QStringLiteral("float32"), {8}, profiles, knowledgeOf(profiles));
        QCOMPARE(alone.size(), std::size_t(3));
        for (const DevicePrediction &each : alone)
            QVERIFY(each.source == DevicePrediction::Source::OtherNetworks && each.references.isEmpty());
        QVERIFY(alone[2].times.seconds(0) > 3 * alone[0].times.seconds(0));
        QVERIFY(alone[0].times.relativeError(0) > told[1].times.relativeError(1));
        QVERIFY(predictHome(asked, QStringLiteral("float64"), {8}, profiles, knowledgeOf(profiles)).empty());
    }

    void theBenchmarkNetworkTellsHowADeviceDiffers() {
        const std::vector<int> few(benchmarkBatch.begin(), benchmarkBatch.end());
        const Model &benchmark = benchmarkNetwork(), asked = network();
        const std::array<double, workKinds> kinds{0.7, -0.5, 0.3};
        const std::vector<StoredProfile> profiles{stored("a", benchmark, played(benchmark, 1, {}, 0.05, 1, few)),
                                                  stored("b", benchmark, played(benchmark, 3, kinds, 0.05, 2, few)),
                                                  stored("a", asked, played(asked, 1, {}, 0.05, 3))};
        const TimeTable real = played(asked, 3, kinds, 0.05, 4);
        for (const bool isReferenced : {true, false}) {  // by a device that measured the network, and by none
            const std::vector<StoredProfile> known(profiles.begin(), profiles.end() - (isReferenced ? 0 : 1));
            const Knowledge knowledge =
                homeKnowledge(QStringLiteral("/nonexistent"), QStringLiteral("float32"), known, builtinModelOf);
            const auto told = predictHome(asked, QStringLiteral("float32"), batches, known, knowledge);
            QCOMPARE(told.size(), std::size_t(2));
            const double error = unitError(told[1].times, real);
            QVERIFY2(error < 0.1, qPrintable(QString::number(error)));
        }
        // It has something of every kind of work.
        for (std::size_t kind = 0; kind < workKinds; ++kind) {
            const auto work = layerWork(benchmark, DType::Float32);
            QVERIFY(std::ranges::any_of(work, [&](const LayerWork &each) { return each.parts[kind].launches > 0; }));
        }
    }

    void whatADeviceWouldMeasureIsToldByOtherNetworksAndTheDescription() {
        const Model seen = network("fashion-cnn"), asked = network();
        const std::vector<StoredProfile> profiles{stored("a", seen, played(seen, 1, {}, 0.05, 1)),
                                                  stored("b", asked, played(asked, 1, {}, 0.05, 2))};
        const Knowledge knowledge = knowledgeOf(profiles);
        ProfileKey key = ProfileKey::of(profiles.front().profile);
        key.modelSha256 = QString::fromLatin1(asked.sha256());
        const auto told = [&](const ProfileKey &of) { return unmeasuredProfile(asked, of, {8}, profiles, knowledge); };
        const auto guess = told(key);
        QVERIFY(guess && guess->times.isGuess() && ProfileKey::of(*guess) == key);
        QVERIFY(std::ranges::all_of(guess->layers, [](const LayerFacts &layer) { return layer.savedBytes > 0; }));
        ProfileKey other = key;
        other.threads = 4;
        QVERIFY(!told(other));
        other = key;
        other.library = QStringLiteral("another");
        QVERIFY(!told(other));
        other = key;
        other.device = QStringLiteral("b");  // has measured it
        QVERIFY(!told(other));
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

    void whatIsKnownOfOnePrecisionSaysLittleOfAnother() {
        const Model model = network("fashion-cnn");
        StoredProfile single = stored("a", model, played(model, 1, {}, 0.05, 1)), twice = single;
        twice.profile.precision = QStringLiteral("float64");
        twice.profile.times = played(model, 16, {}, 0.05, 2);
        Knowledge knowledge;
        for (const StoredProfile &each : {single, twice})
            learnFrom(knowledge, model, each.profile, {single, twice});
        QCOMPARE(knowledge.pairs().size(), std::size_t(2));
        const auto mean = [&](const StoredProfile &of) {
            const ModelProfile &profile = of.profile;
            const QString key = knowledgeKey(profile.device, profile.computeDevice, profile.precision);
            Features features{};
            features[0] = 1;
            return knowledge.about(key, {}).forward.weights().at(features).mean;
        };
        QVERIFY2(mean(twice) - mean(single) > 0.5, qPrintable(QString::number(mean(twice) - mean(single))));
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
        const auto units = observedInRounds(model, DType::Float32, table, 0, 3, batches[2], 2);
        QCOMPARE(units.size(), std::size_t(3));
        const double made = layerWork(model.layers[0], DType::Float32).seconds(batches[2]);
        QVERIFY(std::abs(units[0].forward - std::log(2 * table.forward[0][2] / made)) < 1e-9);
    }
};

QTEST_GUILESS_MAIN(HomePredictionTest)
#include "home_prediction_test.moc"
