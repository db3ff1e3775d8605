#include <sys/stat.h>

#include <QCborArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <limits>

#include "core/base/block_codecs.h"
#include "core/profile/complete_times.h"
#include "core/profile/cost_source.h"
#include "core/profile/device_profile.h"
#include "core/profile/profile_store.h"
#include "core/protocol/round_report.h"

using namespace hearth;

namespace {

ModelProfile example() {
    ModelProfile profile;
    profile.device = QStringLiteral("d");
    profile.model = QStringLiteral("m");
    profile.modelSha256 = QStringLiteral("00ff");
    profile.library = QStringLiteral("libtorch 1.13.1");
    profile.precision = QStringLiteral("float32");
    profile.threads = 2;
    profile.layers = {{QStringLiteral("a"), 1, 2, 3, 4, 6, 5, 7, 1}, {QStringLiteral("b"), 1, 2, 3, 4, 6, 5, 7, 2}};
    profile.times = {{1, 2, 4}, {{0.1, 0.2, 0.3}, {1, 2, 3}}, {{0.2, 0.1, 0.4}, {1, 1, 1}}};
    return profile;
}

}  // namespace

class TestProfile : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void timesAreARunningMaximumLinearInsideAndOutside() {
        const TimeTable table{{2, 4, 8}, {{1, 3, 2}}, {{2, 2, 6}}};
        const MeasuredCosts costs({table});
        const auto at = [&](int samples) { return costs.seconds(0, 0, samples); };
        QCOMPARE(at(0).forward, 0.0);
        QCOMPARE(at(2).forward, 1.0);
        QCOMPARE(at(3).forward, 2.0);
        QCOMPARE(at(4).forward, 3.0);
        QCOMPARE(at(8).forward, 3.0);   // 2 at 8 samples cannot be less than 3 at 4
        QCOMPARE(at(16).forward, 3.0);  // the last slope
        QCOMPARE(at(6).backward, 4.0);
        QCOMPARE(at(12).backward, 10.0);
        QCOMPARE(at(1).forward, 0.5);  // below the grid: the first slope, but at least in proportion
        QCOMPARE(at(1).backward, 2.0);
        for (int y = 1; y < 40; ++y)
            QVERIFY(at(y).forward >= at(y - 1).forward && at(y).backward >= at(y - 1).backward);
    }

    void oneBatchSizeMeansInProportion() {
        const MeasuredCosts costs({TimeTable{{4}, {{2}}, {{4}}}});
        QCOMPARE(costs.seconds(0, 0, 1).forward, 0.5);
        QCOMPARE(costs.seconds(0, 0, 8).backward, 8.0);
    }

    void bothHalvesOfABackwardPassGrow() {
        // Together 4, 7, 7: of 1, 5, 3 and 3, 2, 4.
        const TimeTable table{{1, 2, 4}, {{1, 1, 1}}, {{4, 7, 7}}, {{3, 2, 4}}};
        QVERIFY(table.validate(1, QStringLiteral("f"), QStringLiteral("/times")));
        const MeasuredCosts costs({table});
        const auto at = [&](int samples) { return costs.seconds(0, 0, samples); };
        QCOMPARE(at(1).backward, 4.0);
        QCOMPARE(at(1).weights, 3.0);
        QCOMPARE(at(2).backward, 8.0);
        QCOMPARE(at(2).weights, 3.0);
        QCOMPARE(at(4).backward, 9.0);
        QCOMPARE(at(4).weights, 4.0);
        for (int y = 1; y < 20; ++y) {
            QVERIFY(at(y).weights >= at(y - 1).weights);
            QVERIFY(at(y).backward - at(y).weights >= at(y - 1).backward - at(y - 1).weights);
        }
        QCOMPARE(MeasuredCosts({TimeTable{{1}, {{1}}, {{4}}}}).seconds(0, 0, 3).weights, 0.0);
    }

    void aLayerThatWasNotMeasuredTakesWhatTheOthersTellOfIt() {
        const TimeTable whole{{1, 2}, {{1, 2}, {2, 4}, {10, 20}}, {{2, 4}, {2, 4}, {0, 0}}};
        const TimeTable other{{1, 2}, {{9, 9}, {}, {9, 9}}, {{9, 9}, {}, {9, 9}}};
        const TimeTable partial{{2, 4}, {{6, 12}, {12, 18}, {}}, {{4, 8}, {8, 12}, {}}};
        QVERIFY(whole.isComplete() && !partial.isComplete());
        QVERIFY(!unknownTimes({whole, other, partial}));
        const auto filled = completeTimes({whole, other, partial});
        QCOMPARE(filled[0], whole);
        // Both of its layers take three times as long at 2 samples, and 2.5 times at 4; backward 1.5 and 1.25 times.
        QCOMPARE(filled[2].forward, (std::vector<std::vector<double>>{{6, 12}, {12, 18}, {60, 100}}));
        QCOMPARE(filled[2].backward, (std::vector<std::vector<double>>{{4, 8}, {8, 12}, {0, 0}}));
        const auto unknown = unknownTimes({other, partial, {{1}, {{}, {1}, {}}, {{}, {1}, {}}}});
        QVERIFY(unknown);
        QCOMPARE(unknown->device, std::size_t(2));
        QCOMPARE(unknown->layer, std::size_t(2));
    }

    void profilesTravelBothWays() {
        ModelProfile profile = example();
        QVERIFY(!profile.toJson().contains(QStringLiteral("end_of_memory_bytes")));  // as older versions wrote it
        profile.endOfMemoryBytes = 1 << 30;
        for (const bool partial : {false, true}) {
            if (partial) {
                profile.times.forward[1].clear();
                profile.times.backward[1].clear();
            }
            QCOMPARE(*ModelProfile::fromJson(profile.toJson(), QStringLiteral("f")), profile);
            QCOMPARE(*ModelProfile::fromCbor(profile.toCbor()), profile);
        }
        profile.times.forward[0].clear();
        QVERIFY(!profile.validate());
        profile.times.backward[0].clear();
        QVERIFY(!profile.validate());
        DeviceProfile device{QStringLiteral("id"), QStringLiteral("n"), QStringLiteral("l"), 3, 100, 10, {}};
        QCOMPARE(*DeviceProfile::fromJson(device.toJson(), QStringLiteral("f")), device);
        QVERIFY(!device.toJson().contains(QStringLiteral("codecs")));  // as older versions wrote it
        // Also what only another version knows.
        device.codecs.measured[QStringLiteral("of tomorrow")] = {1e-9, 2e-9};
        QCOMPARE(*DeviceProfile::fromJson(device.toJson(), QStringLiteral("f")), device);
        QVERIFY(!DeviceProfile::fromJson({{QStringLiteral("device"), QString()}}, QStringLiteral("f")));
    }

    void codecsTakeWhatWasMeasuredElseTheUsual() {
        constexpr Codec codec{.name = "mine", .usual = {3e-9, 4e-9}};
        CodecRates rates;
        QCOMPARE(rates.of(codec), codec.usual);
        rates.measured[QStringLiteral("mine")] = {1e-9, 2e-9};
        QCOMPARE(rates.of(codec), (CodecSeconds{1e-9, 2e-9}));
        const auto read = [](const QByteArray &text) {
            return CodecRates::fromJson(QJsonDocument::fromJson(text).object(), QStringLiteral("f"),
                                        QStringLiteral("/codecs"));
        };
        QCOMPARE(*read(R"({"mine":{"encode_s":1e-9,"decode_s":2e-9}})"), rates);
        for (const QByteArray &wrong :
             {QByteArray(R"({"mine":{"encode_s":-1,"decode_s":0}})"), QByteArray(R"({"mine":{"encode_s":1e-9}})"),
              QByteArray(R"({"mine":{"encode_s":1,"decode_s":0}})"), QByteArray(R"({"mine":1})")})
            QVERIFY2(!read(wrong), wrong.constData());
    }

    void everyCodecThatEncodesIsMeasured() {
        const CodecRates rates = measureCodecs();
        for (const Codec *codec : codecs()) {
            const QString name = QString::fromLatin1(codec->name);
            QCOMPARE(rates.measured.contains(name), codec->encode != nullptr);
            QVERIFY(!codec->encode || (rates.of(*codec).encode > 0 && rates.of(*codec).decode > 0));
        }
    }

    void reportsTravelAlsoWithoutAFiniteLoss() {
        RoundReport report;
        report.round = 7;
        report.term = 2;
        report.version = 7;
        report.loss = std::nan("");
        report.computeSeconds = 0.5;
        report.memoryBytes = 123;
        report.sent = {{QStringLiteral("peer"), 99}};
        report.packing = {{1, CutWay::Active, &noCodec(), 1000, 400}, {0, CutWay::Forward, &bf16Codec, 500, 450}};
        auto read = RoundReport::fromCbor(QCborValue::fromCbor(report.toCbor().toCborValue().toCbor()).toMap());
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QVERIFY(std::isnan(read->loss));
        QCOMPARE(read->computeSeconds, 0.5);
        QCOMPARE(read->sent, report.sent);
        QVERIFY(read->packing == report.packing);
        for (const char *key : {"round", "loss", "compute_s", "sent", "memory_bytes", "packing"}) {
            QCborMap broken = report.toCbor();
            broken.insert(QLatin1String(key), QStringLiteral("x"));
            read = RoundReport::fromCbor(broken);
            QVERIFY(!read);
            QVERIFY(read.error().cause.contains(QLatin1String(key)));
        }
    }

    void numbersOfAReportThatNoDeviceHasAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QCborValue>("value");
        const auto row = [](const char *name, const char *key, const QCborValue &value) {
            QTest::newRow(name) << QString::fromLatin1(key) << value;
        };
        const auto oneRow = [](const QCborArray &numbers) {
            QCborArray rows;
            rows.append(numbers);
            return QCborValue(rows);
        };
        const qint64 most = std::numeric_limits<qint64>::max();
        row("seconds that are no number", "compute_s", std::nan(""));
        row("endless seconds", "send_s", std::numeric_limits<double>::infinity());
        row("seconds of a century", "wait_forward_s", 3e9);
        row("fewer than no seconds", "optimizer_s", -1.0);
        row("a round below all", "round", -1);
        row("a round beyond its number", "round", qint64{1} << 32);
        row("a term below all", "term", -1);
        row("a version below all", "version", -1);
        row("more memory than there is", "memory_bytes", most);
        row("fewer bytes than none", "memory_bytes", -1);
        row("more bytes to a peer than a round sends", "sent", QCborMap{{QStringLiteral("peer"), most}});
        row("fewer bytes to a peer than none", "sent", QCborMap{{QStringLiteral("peer"), -1}});
        row("half a byte to a peer", "sent", QCborMap{{QStringLiteral("peer"), 0.5}});
        row("more bytes saved than there are", "saved_bytes", most);
        row("a norm below zero", "gradient_norm", -0.5);
        row("more bytes to pack than there are", "packing", oneRow({0, 0, 0, most, 1}));
        row("a stage below the first", "checks", oneRow({-1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
        row("a square below zero", "checks", oneRow({0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
    }
    void numbersOfAReportThatNoDeviceHasAreRefused() {
        QFETCH(QString, key);
        QFETCH(QCborValue, value);
        QCborMap map = RoundReport().toCbor();
        QVERIFY(RoundReport::fromCbor(map));
        map.insert(key, value);
        const auto read = RoundReport::fromCbor(map);
        QVERIFY(!read);
        QVERIFY2(read.error().cause.contains(key), qPrintable(read.error().toString()));
    }

    void whatWasPackedIsReadOrRefused_data() {
        QTest::addColumn<QCborArray>("row");
        QTest::addColumn<bool>("isRead");
        const int none = noCodec().number;
        QTest::newRow("all five numbers") << QCborArray{0, 2, none, 1000, 400} << true;
        QTest::newRow("one is missing") << QCborArray{0, 2, none, 1000} << false;
        QTest::newRow("one is no number") << QCborArray{0, 2, none, 1000, QStringLiteral("x")} << false;
        QTest::newRow("a cut before the first stage") << QCborArray{-1, 2, none, 1000, 400} << false;
        QTest::newRow("an unknown way") << QCborArray{0, 3, none, 1000, 400} << false;
        QTest::newRow("an unknown codec") << QCborArray{0, 2, 200, 1000, 400} << false;
    }

    void whatWasPackedIsReadOrRefused() {
        QFETCH(QCborArray, row);
        QFETCH(bool, isRead);
        QCborMap map = RoundReport().toCbor();
        QCborArray rows;
        rows.append(row);
        map.insert(QLatin1String("packing"), rows);
        QCOMPARE(RoundReport::fromCbor(map).has_value(), isRead);
    }

    void storeFindsWhatWasSavedUnderItsKey() {
        QTemporaryDir dir;
        const ProfileStore store(dir.filePath(QStringLiteral("profiles")));
        const ModelProfile profile = example();
        ProfileKey key{profile.device,        profile.modelSha256, profile.library,
                       profile.computeDevice, profile.precision,   profile.threads};
        QVERIFY(!store.load(key));
        QVERIFY(store.save(profile));
        QCOMPARE(*store.load(key), profile);
        key.threads = 1;
        QVERIFY(!store.load(key));
        key.threads = 2;
        QFile file(store.pathOf(key));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.resize(40));
        file.close();
        QVERIFY(!store.load(key));
        QVERIFY(store.save(profile));
        QVERIFY(store.load(key));
    }

    void storeListsAllThatIsWhole() {
        QTemporaryDir dir;
        const ProfileStore store(dir.filePath(QStringLiteral("profiles")));
        QVERIFY(store.profiles().empty());
        ModelProfile profile = example();
        QVERIFY(store.save(profile));
        profile.device = QStringLiteral("e");
        QVERIFY(store.save(profile));
        QFile damaged(dir.filePath(QStringLiteral("profiles/damaged.json")));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write("{\"device\":\"f\"}");
        damaged.close();
        const auto all = store.profiles();
        QCOMPARE(all.size(), std::size_t(2));
        for (const StoredProfile &each : all) {
            QVERIFY(each.profile.device == QLatin1String("d") || each.profile.device == QLatin1String("e"));
            QVERIFY(std::abs(each.measured - QDateTime::currentMSecsSinceEpoch()) < 600000);
        }
    }

    void whatWasMeasuredIsForTheOwner() {
        QTemporaryDir dir;
        const QString folder = dir.filePath(QStringLiteral("profiles"));
        // Whoever starts an agent decides what others may do by default.
        const mode_t before = ::umask(0);
        const auto saved = ProfileStore(folder).saveLink({QStringLiteral("a"), QStringLiteral("b"), 1e6, 0.001});
        ::umask(before);
        QVERIFY(saved);
        constexpr auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ExeGroup |
                                QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;
        for (const QString &each : {folder, folder + QStringLiteral("/links")})
            QVERIFY(!(QFile::permissions(each) & others));
    }

    void storeKeepsTheNewestOfEveryLink() {
        QTemporaryDir dir;
        const ProfileStore store(dir.filePath(QStringLiteral("profiles")));
        QVERIFY(store.links().empty());
        const LinkProfile::Pair there{QStringLiteral("a"), QStringLiteral("b"), 1e6, 0.001};
        const LinkProfile::Pair back{QStringLiteral("b"), QStringLiteral("a"), 2e6, 0.002};
        LinkProfile::Pair before = there;
        before.bytesPerSecond = 5;
        QVERIFY(store.saveLink(before));
        QVERIFY(store.saveLink(there));
        QVERIFY(store.saveLink(back));
        const auto links = store.links();
        QCOMPARE(links.size(), std::size_t(2));
        QVERIFY(std::find(links.begin(), links.end(), there) != links.end());
        QVERIFY(std::find(links.begin(), links.end(), back) != links.end());
        // Of the profiles of models they are none.
        QVERIFY(store.profiles().empty());
        const QDir folder(dir.filePath(QStringLiteral("profiles/links")));
        QFile file(folder.filePath(folder.entryList(QDir::Files).first()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QCOMPARE(store.links().size(), std::size_t(1));
    }

    void storeKnowsWhoSharesCardsAndAir() {
        QTemporaryDir dir;
        const ProfileStore store(dir.filePath(QStringLiteral("profiles")));
        QVERIFY(store.sharing().empty());
        const QString a = QStringLiteral("a"), b = QStringLiteral("b"), c = QStringLiteral("c");
        LinkProfile found;
        found.media.push_back({QStringLiteral("air-b"), 6e6});
        for (const QString &id : {b, c})
            found.nics.push_back({id, std::nullopt, std::nullopt, Duplex::Half, QStringLiteral("air-b")});
        QVERIFY(store.saveSharing({c, a, b}, LinkProfile()));
        QVERIFY(store.saveSharing({a, b, c}, found));
        const auto stored = store.sharing();
        QCOMPARE(stored.size(), std::size_t(1));
        const StoredSharing *known = newestSharing(stored, {b, a});
        QVERIFY(known);
        QVERIFY(known->links == found);
        // Of some of them alone: b is on the air that the others left.
        QCOMPARE(known->of({a, b}).nics.size(), std::size_t(1));
        QCOMPARE(known->of({a, b}).media.size(), std::size_t(1));
        QVERIFY(known->of({a}) == LinkProfile());
        QVERIFY(newestSharing(stored, {a, QStringLiteral("d")}) == nullptr);
        QVERIFY(store.profiles().empty());
        const QDir folder(dir.filePath(QStringLiteral("profiles/sharing")));
        QFile file(folder.filePath(folder.entryList(QDir::Files).first()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QVERIFY(store.sharing().empty());
    }

    void storeKnowsWhatADeviceOfferedLast() {
        QTemporaryDir dir;
        const ProfileStore store(dir.filePath(QStringLiteral("profiles")));
        DeviceProfile device{QStringLiteral("a"), QStringLiteral("nano"), QStringLiteral("torch"), 2, 1000, 100, {}};
        QVERIFY(!store.loadDevice(device.device));
        QVERIFY(store.saveDevice(device));
        QCOMPARE(*store.loadDevice(device.device), device);
        device.runtimeBytes = 200;
        QVERIFY(store.saveDevice(device));
        QCOMPARE(store.loadDevice(device.device)->runtimeBytes, 200);
        QVERIFY(!store.loadDevice(QStringLiteral("b")));
        const QDir folder(dir.filePath(QStringLiteral("profiles/devices")));
        QCOMPARE(folder.entryList(QDir::Files).size(), 1);
        QFile file(folder.filePath(folder.entryList(QDir::Files).first()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QVERIFY(!store.loadDevice(device.device));
        QVERIFY(store.saveDevice(device));
        QCOMPARE(*store.loadDevice(device.device), device);
    }
};

QTEST_GUILESS_MAIN(TestProfile)
#include "test_profile.moc"
