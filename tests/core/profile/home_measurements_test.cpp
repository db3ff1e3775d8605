// Which of all that was measured in a home is shown side by side.
#include <QTest>

#include "core/model/catalogue.h"
#include "core/profile/home_measurements.h"

using namespace hearth;

namespace {

/// Two layers that take `seconds` in all at the largest batch size, and a sixth of that at each smaller one.
StoredProfile measured(const char *device, const char *model, double seconds, qint64 when, int threads = 2,
                       std::vector<int> batch = {1, 4}) {
    ModelProfile profile;
    profile.device = QLatin1String(device);
    profile.model = profile.modelSha256 = QLatin1String(model);
    profile.precision = QStringLiteral("float32");
    profile.threads = threads;
    profile.layers.resize(2);
    profile.layers[1].name = QStringLiteral("head");
    std::vector<double> forward(batch.size(), seconds / 36), backward(batch.size(), seconds / 18);
    forward.back() = seconds / 6;
    backward.back() = seconds / 3;
    profile.times = {std::move(batch), {forward, forward}, {backward, backward}};
    return {profile, when};
}

MeasurementChoice wanted(const char *model, const QMap<QString, int> &threads) {
    return {QLatin1String(model), QStringLiteral("float32"), threads};
}

const QString a = QStringLiteral("a"), b = QStringLiteral("b");
const QMap<QString, int> both{{a, 2}, {b, 2}};

}  // namespace

class HomeMeasurementsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void devicesAreComparedAtOneModel() {
        const auto found =
            chooseMeasurements({measured("a", "m", 2, 10), measured("b", "m", 1, 20)}, {}, wanted("m", both));
        QCOMPARE(found.model, QStringLiteral("m"));
        QCOMPARE(found.batch, 4);
        QCOMPARE(found.device(a)->samplesPerSecond, 2.0);
        QCOMPARE(found.device(b)->samplesPerSecond, 4.0);
        QCOMPARE(found.ratio(b, a), 2.0);
        QCOMPARE(found.ratio(b, QStringLiteral("c")), 0.0);
        QCOMPARE(found.device(a)->layers.size(), std::size_t(2));
        QCOMPARE(found.device(a)->layers[1].name, QStringLiteral("head"));
        QCOMPARE(found.device(a)->layers[1].forwardS, 2.0 / 6);
        QCOMPARE(found.device(a)->layers[1].backwardS, 2.0 / 3);
        QCOMPARE(found.device(b)->measured, qint64(20));
    }

    void whatWasMeasuredWithAnotherModelIsNotMixedIn() {
        const auto found =
            chooseMeasurements({measured("a", "m", 2, 10), measured("b", "other", 1, 20)}, {}, wanted("m", both));
        QVERIFY(found.device(a) && !found.device(b));
        // Nothing of the model that is wanted: all of another one, which it names.
        const auto other =
            chooseMeasurements({measured("a", "m", 2, 10), measured("b", "other", 1, 20)}, {}, wanted("new", both));
        QCOMPARE(other.model, QStringLiteral("other"));
        QVERIFY(other.device(b) && !other.device(a));
    }

    void theBenchmarkNetworkIsNotShown() {
        StoredProfile benchmark = measured("a", "benchmark", 1, 30);
        benchmark.profile.modelSha256 = QString::fromLatin1(benchmarkNetwork().sha256());
        QVERIFY(chooseMeasurements({benchmark}, {}, wanted("m", both)).devices.empty());
        QCOMPARE(chooseMeasurements({measured("a", "m", 2, 10), benchmark}, {}, wanted("new", both)).model,
                 QStringLiteral("m"));
    }

    void anotherPrecisionIsAnotherModel() {
        StoredProfile exact = measured("b", "m", 1, 20);
        exact.profile.precision = QStringLiteral("float64");
        const auto found = chooseMeasurements({measured("a", "m", 2, 10), exact}, {}, wanted("m", both));
        QVERIFY(found.device(a) && !found.device(b));
    }

    void theNewestWithThePresentThreadsCounts() {
        const auto found = chooseMeasurements({measured("a", "m", 1, 10, 2), measured("a", "m", 2, 20, 2),
                                               measured("a", "m", 4, 30, 1), measured("b", "m", 8, 10, 4)},
                                              {}, wanted("m", both));
        QCOMPARE(found.device(a)->samplesPerSecond, 2.0);
        QCOMPARE(found.device(a)->threads, 2);
        // One that computes with fewer by now still tells something.
        QCOMPARE(found.device(b)->threads, 4);
    }

    void ratesAreAtABatchThatAllMeasured() {
        const auto found = chooseMeasurements(
            {measured("a", "m", 4, 10, 2, {1, 2, 4}), measured("b", "m", 4, 20, 2, {1, 2})}, {}, wanted("m", both));
        QCOMPARE(found.batch, 2);
        QCOMPARE(found.device(a)->samplesPerSecond, 2 / (4.0 / 6));
        QCOMPARE(found.device(b)->samplesPerSecond, 0.5);
        const auto none = chooseMeasurements({measured("a", "m", 4, 10, 2, {4}), measured("b", "m", 4, 20, 2, {3})}, {},
                                             wanted("m", both));
        QVERIFY(none.devices.empty() && none.model.isEmpty());
    }

    void whoSharesTheAirIsOfTheNewestMeasurement() {
        const QString c = QStringLiteral("c"), air = QStringLiteral("air");
        HomeMeasurements found;
        QVERIFY(!found.isHalfDuplex(a, b) && found.sharesAirWith(b).isEmpty());
        LinkProfile shared;
        shared.media.push_back({air, 6e6});
        for (const QString &id : {b, c})
            shared.nics.push_back({id, std::nullopt, std::nullopt, Duplex::Half, air});
        found.sharing = {{{a, b, c}, shared, 20}, {{a, b, c}, {}, 10}};
        QVERIFY(found.isHalfDuplex(a, b) && found.isHalfDuplex(c, b));
        QVERIFY(!found.isHalfDuplex(a, a));
        QCOMPARE(found.sharesAirWith(b), QStringList{c});
        QVERIFY(found.sharesAirWith(a).isEmpty());
        // Since then a and b were measured alone.
        found.sharing.push_back({{a, b}, {}, 30});
        QVERIFY(!found.isHalfDuplex(a, b) && found.isHalfDuplex(b, c));
        QVERIFY(found.sharesAirWith(b).isEmpty());
    }

    void devicesThatLeftTheHomeDoNotCount() {
        const LinkProfile::Pair inside{a, b, 1e6, 0.001}, outside{a, QStringLiteral("c"), 2e6, 0.001};
        const auto found = chooseMeasurements({measured("a", "m", 2, 10), measured("c", "late", 1, 90)},
                                              {inside, outside}, wanted("new", both));
        QCOMPARE(found.model, QStringLiteral("m"));
        QVERIFY(!found.device(QStringLiteral("c")));
        QCOMPARE(*found.link(a, b), inside);
        QVERIFY(!found.link(a, QStringLiteral("c")));
        QVERIFY(!found.link(b, a));
    }
};

QTEST_GUILESS_MAIN(HomeMeasurementsTest)
#include "home_measurements_test.moc"
