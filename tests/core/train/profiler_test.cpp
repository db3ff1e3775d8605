// What layers cost: each of them or one for all that are alike, and where the processor is taken away again and again,
// as a quota or other programs do.
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "core/model/alike_layers.h"
#include "core/model/catalogue.h"
#include "core/model/cut_slots.h"
#include "core/train/layer_profiler.h"
#include "core/train/threads.h"
#include "tests/core/train/delegating_device.h"

using namespace hearth;

namespace {

/// A moment of a clock that a test plays: seconds of work and of time.
class QuotaMark final : public Mark {
  public:
    QuotaMark(double work, double time) : m_work(work), m_time(time) {}
    void wait() const override {}
    TimePoint when() const override { return {}; }
    double secondsSince(const Mark &earlier) const override {
        return m_time - static_cast<const QuotaMark &>(earlier).m_time;
    }
    double workSince(const Mark &earlier) const override {
        return m_work - static_cast<const QuotaMark &>(earlier).m_work;
    }

  private:
    const double m_work, m_time;
};

/// Layer l works (l + 1) `unit` forward and twice that back, half of it for its weights, and has the processor for only
/// a `part` of every 10 ms, as by a quota.
class DeviceOfQuota final : public DelegatingDevice {
  public:
    DeviceOfQuota(int layers, double unit, double part) : m_layers(layers), m_unit(unit), m_part(part) {}
    std::shared_ptr<const Mark> workMark() override {
        // LayerChain asks at both ends of each layer forward, and at both and between them of each back.
        const int call = m_calls++ % (5 * m_layers), back = call - 2 * m_layers;
        if (back < 0 && call % 2 == 1)
            m_work += (call / 2 + 1) * m_unit;
        else if (back >= 0 && back % 3 > 0)
            m_work += (m_layers - back / 3) * m_unit;
        constexpr double period = 0.01;
        const double whole = std::floor(m_work / (m_part * period));
        return std::make_shared<QuotaMark>(m_work, m_work + whole * (1 - m_part) * period);
    }

  private:
    const int m_layers;
    const double m_unit, m_part;
    int m_calls = 0;
    double m_work = 0;
};

}  // namespace

class ProfilerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void stallsLengthenAllLayersAlike_data() {
        QTest::addColumn<double>("unit");
        QTest::addColumn<double>("part");
        QTest::newRow("nobody else computes") << 1e-3 << 1.0;
        QTest::newRow("a layer takes longer than the quota of a period") << 5e-3 << 0.4;
        QTest::newRow("a layer mostly ends within the quota of a period") << 1e-4 << 0.4;
        QTest::newRow("a pass mostly ends within the quota of a period") << 1e-5 << 0.1;
    }
    void stallsLengthenAllLayersAlike() {
        QFETCH(const double, unit);
        QFETCH(const double, part);
        prepareComputeThread(1);
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("fashion-cnn"));
        request.batches = {1};
        request.secondsPerBatch = 1e9;
        const auto layers = static_cast<int>(request.model.layers.size());
        DeviceOfQuota device(layers, unit, part);
        const auto profile = profileLayers(
            request, [](int, int) { return true; }, device);
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        // Blocks of 30 ms end somewhere in a period.
        const double stretch = profile->times.forward[0][0] / unit;
        QVERIFY2(std::abs(stretch * part - 1) < 0.1, qPrintable(QString::number(stretch)));
        for (int l = 0; l < layers; ++l) {
            const auto row = static_cast<std::size_t>(l);
            const double expected = stretch * (l + 1) * unit;
            QVERIFY(std::abs(profile->times.forward[row][0] / expected - 1) < 1e-6);
            QVERIFY(std::abs(profile->times.backward[row][0] / expected - 2) < 1e-6);
            QVERIFY(std::abs(profile->times.weights[row][0] / expected - 1) < 1e-6);
        }
    }

    void aProcessorDoesNotWorkWhileItsThreadRests() {
        const auto began = processor()->workMark();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const auto ended = processor()->workMark();
        QVERIFY(ended->secondsSince(*began) >= 0.02);
        QVERIFY(ended->workSince(*began) < ended->secondsSince(*began));
    }

    void alikeBlocksAreMeasuredOnce() {
        prepareComputeThread(1);
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("bert-small:sequence=8"));
        request.batches = {1, 2};
        request.repeats = 1;
        const auto profile = profileLayers(request, [](int, int) { return true; });
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        const std::vector<Layer> &layers = request.model.layers;
        int same = 0;
        for (std::size_t l = 2; l + 1 < layers.size(); ++l) {
            if (!areAlike(layers[l - 1], layers[l]))
                continue;
            ++same;
            QCOMPARE(profile->times.forward[l], profile->times.forward[l - 1]);
            QCOMPARE(profile->times.backward[l], profile->times.backward[l - 1]);
            QCOMPARE(profile->layers[l].savedBytes, profile->layers[l - 1].savedBytes);
        }
        QVERIFY(same >= 2);
        for (const std::vector<double> &row : profile->times.forward)
            QVERIFY(row.size() == 2 && row.front() > 0);
    }

    void layersThatCachesHoldAreMeasuredEach() {
        prepareComputeThread(1);
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("vit-tiny"));
        request.batches = {1};
        const auto profile = profileLayers(request, [](int, int) { return true; });
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        const std::size_t middle = request.model.layers.size() / 2;
        QVERIFY(areAlike(request.model.layers[middle - 1], request.model.layers[middle]));
        QVERIFY(profile->times.forward[middle] != profile->times.forward[middle - 1]);
    }

    void whatPackingLeavesOfACutIsMeasured() {
        prepareComputeThread(1);
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("fashion-cnn"));
        request.batches = {1, 16};
        const auto profile = profileLayers(request, [](int, int) { return true; });
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        for (std::size_t l = 0; l + 1 < profile->layers.size(); ++l) {
            const LayerFacts &facts = profile->layers[l];
            if (16 * facts.outputBytes < 32 << 10)
                continue;
            QCOMPARE(static_cast<std::size_t>(facts.packed.size()), codecs().size());
            const bool isRectified = hearth::isRectified(request.model, l + 1, 0);
            for (auto it = facts.packed.cbegin(); it != facts.packed.cend(); ++it) {
                const QString words = QStringLiteral("%1, %2: %3 and %4 are left")
                                          .arg(facts.name, it.key())
                                          .arg(it->forward)
                                          .arg(it->backward);
                QVERIFY2(it->forward > 0.05 && it->forward <= 1 && it->backward > 0.05 && it->backward <= 1,
                         qPrintable(words));
                // Signs and exponents repeat, and some of what a rectifier gives is zero, and so is its gradient.
                if (it.key() == QLatin1String("none"))
                    QVERIFY2(it->forward < 0.95 && it->backward < 0.95, qPrintable(words));
                QVERIFY2(isRectified && it.key() == QLatin1String("none") ? it->active < it->backward
                                                                          : it->active == it->backward,
                         qPrintable(words));
            }
        }
        QVERIFY(!profile->layers.front().packed.isEmpty());
        QVERIFY(profile->layers.back().packed.isEmpty());
        const auto read = ModelProfile::fromCbor(profile->toCbor());
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QVERIFY(*read == *profile);
    }

    void nobodyWaitsForLargerBatchesOfWhatTakesLong() {
        prepareComputeThread(1);
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("fashion-cnn"));
        request.batches = {4, 8, 16, 50};
        request.secondsPerBatch = 0;
        const auto profile = profileLayers(request, [](int, int) { return true; });
        QVERIFY2(profile, profile ? "" : qPrintable(profile.error().toString()));
        QCOMPARE(profile->times.batch, request.batches);
        // As the coordinator reads it: a half of the backward pass is not more than the whole.
        const auto read = ModelProfile::fromCbor(profile->toCbor());
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        for (const auto *table : {&profile->times.forward, &profile->times.backward}) {
            for (const std::vector<double> &row : *table) {
                QCOMPARE(row.size(), std::size_t{4});
                const double slope = std::clamp((row[1] - row[0]) / 4, row[1] / 16, row[1] / 8);
                QVERIFY(std::abs(row[2] - (row[1] + 8 * slope)) <= 1e-12);
                QVERIFY(std::abs(row[3] - (row[1] + 42 * slope)) <= 1e-12);
            }
        }
    }
};

QTEST_GUILESS_MAIN(ProfilerTest)
#include "profiler_test.moc"
