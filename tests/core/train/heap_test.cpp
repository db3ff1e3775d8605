// What the heap of a worker process does under training. Sanitizers bring a heap of their own, so that this test is no
// part of their builds.
#include <sys/resource.h>

#include <QTest>
#include <algorithm>
#include <limits>

#include "core/model/catalogue.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

class HeapTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void laterRoundsTakeNothingFromTheSystem() {
        // Memory that the heap gives back and takes again shows as pages touched for the first time.
        const auto pagesTouched = [] {
            rusage usage{};
            getrusage(RUSAGE_SELF, &usage);
            return usage.ru_minflt;
        };
        const Model model = *loadModel(QStringLiteral("mobilenetv2"));
        const auto layers = static_cast<int>(model.layers.size());
        constexpr int samples = 128;
        const TestPlan plan{samples, {{0, 9, {{0, samples}}, 1}, {9, layers, {{1, 70}, {2, 58}}, 1}}};
        LoopbackHome home(3);
        QVERIFY(home.deploy(home.deployment(model, plan, samples, TrainingSpec(), {})));
        SampleBatch batch = syntheticBatch(samples, 10, 1);
        batch.sample = model.inputShape();
        batch.images.assign(static_cast<std::size_t>(samples * elementCount(batch.sample)), 100);
        quint32 round = 0;
        const auto train = [&](int rounds) {
            for (int done = 0; done < rounds; ++done) {
                home.feed(++round, batch);
                if (!home.waitForRound(round))
                    return false;
            }
            return true;
        };
        QVERIFY(train(4));
        // A heap that gives back what is freed touches 8 000 in each round and more; this one 500, while it settles. It
        // is tidied once, seconds after a deployment, and that may fall into one of the spans.
        constexpr int spans = 3, rounds = 3;
        long fewest = std::numeric_limits<long>::max();
        for (int span = 0; span < spans; ++span) {
            const long before = pagesTouched();
            QVERIFY(train(rounds));
            fewest = std::min(fewest, pagesTouched() - before);
        }
        QVERIFY2(fewest < 5'000, qPrintable(QStringLiteral("%1 pages in %2 rounds").arg(fewest).arg(rounds)));
    }
};

QTEST_GUILESS_MAIN(HeapTest)
#include "heap_test.moc"
