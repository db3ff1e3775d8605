// What a home knows of its devices, and the file that keeps it.
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "played_times.h"

using namespace hearth;
using namespace hearth::test;

class KnowledgeTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
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

QTEST_GUILESS_MAIN(KnowledgeTest)
#include "knowledge_test.moc"
