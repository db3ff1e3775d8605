// What layers cost: each of them or one for all that are alike, and where the processor is taken away again and again,
// as a quota or other programs do.
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/model/alike_layers.h"
#include "core/model/catalogue.h"
#include "core/model/cut_slots.h"
#include "core/train/layer_profiler.h"
#include "core/train/threads.h"

using namespace hearth;

namespace {

constexpr int batch = 32;

/// While it lives this thread stands still for six of every ten milliseconds.
class Stalls {
  public:
    Stalls() {
        struct sigaction action {};
        action.sa_handler = [](int) {
            const timespec rest{0, 6'000'000};
            nanosleep(&rest, nullptr);
        };
        action.sa_flags = SA_RESTART;
        sigaction(SIGALRM, &action, &m_before);
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGALRM;
        event._sigev_un._tid = gettid();
        timer_create(CLOCK_MONOTONIC, &event, &m_timer);
        const itimerspec every{{0, 10'000'000}, {0, 10'000'000}};
        timer_settime(m_timer, 0, &every, nullptr);
    }
    ~Stalls() {
        timer_delete(m_timer);
        sigaction(SIGALRM, &m_before, nullptr);
    }
    Stalls(const Stalls &) = delete;
    Stalls &operator=(const Stalls &) = delete;

  private:
    struct sigaction m_before {};
    timer_t m_timer{};
};

}  // namespace

class ProfilerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void stallsLengthenAllLayersAlike() {
        prepareComputeThread(1);
        ProfileRequest request;
        request.model = *loadModel(QStringLiteral("mobilenetv2"));
        request.batches = {1, batch};
        std::vector<double> alone, stalled;
        double all = 0, allStalled = 0;
        // Where other work takes the processor from the first, the stalls of the second cost less.
        for (int tries = 0; tries < 5 && allStalled <= 1.5 * all; ++tries) {
            alone = measure(request);
            const Stalls stalls;
            stalled = measure(request);
            all = std::accumulate(alone.begin(), alone.end(), 0.0);
            allStalled = std::accumulate(stalled.begin(), stalled.end(), 0.0);
        }
        QVERIFY2(allStalled > 1.5 * all, qPrintable(QStringLiteral("%1 of %2 s").arg(allStalled).arg(all)));
        for (std::size_t l = 0; l < alone.size(); ++l) {
            const double part = alone[l] / all, partStalled = stalled[l] / allStalled;
            if (part < 0.05)
                continue;
            const QString words =
                QStringLiteral("layer %1: %2 of the time, %3 with stalls").arg(l).arg(part).arg(partStalled);
            QVERIFY2(partStalled < 2 * part && part < 2 * partStalled, qPrintable(words));
        }
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

  private:
    static std::vector<double> measure(const ProfileRequest &request) {
        const auto profile = profileLayers(request, [](int, int) { return true; });
        std::vector<double> layers;
        for (std::size_t l = 0; profile && l < profile->layers.size(); ++l)
            layers.push_back(profile->times.forward[l][1] + profile->times.backward[l][1]);
        return layers;
    }
};

QTEST_GUILESS_MAIN(ProfilerTest)
#include "profiler_test.moc"
