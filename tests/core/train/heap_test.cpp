// What the heap of a worker process does under training. Sanitizers bring a heap of their own, so that this test is no
// part of their builds.
#include <sys/resource.h>

#include <QTest>

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
        batch.sample = model.inputShape;
        batch.images.assign(static_cast<std::size_t>(samples * elementCount(batch.sample)), 100);
        constexpr quint32 warm = 4, counted = 6;
        long before = 0;
        for (quint32 round = 1; round <= warm + counted; ++round) {
            home.feed(round, batch);
            QVERIFY(home.waitForRound(round));
            if (round == warm)
                before = pagesTouched();
        }
        // A heap that gives back what is freed touches 50 000 and more; this one 3000, while it settles.
        const long touched = pagesTouched() - before;
        QVERIFY2(touched < 10'000, qPrintable(QStringLiteral("%1 pages in %2 rounds").arg(touched).arg(counted)));
    }
};

QTEST_GUILESS_MAIN(HeapTest)
#include "heap_test.moc"
