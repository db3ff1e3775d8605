// Tied tensors: wherever a plan cuts, all that have one train it together, and their copies are the same bit for bit.
#include <QMutex>

#include "core/model/layer_state.h"
#include "core/model/ties.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

const QString builtin = Deployment::builtinFabric(), gloo = QStringLiteral("gloo");

/// The bytes of a tensor in a layer's state, and those of the optimizer's buffers for it.
QByteArray partsOf(const TensorRef &place, const Buffer &state, int buffers) {
    const auto layout =
        LayerStateLayout::of(tiedModel().layers[static_cast<std::size_t>(place.layer)], DType::Float64, {buffers});
    QByteArray bytes;
    for (const LayerStateLayout::Part &part : layout.parts) {
        if (part.tensor == place.tensor)
            bytes.append(reinterpret_cast<const char *>(state.data()) + part.offset, part.bytes);
    }
    return bytes;
}

}  // namespace

class TiedTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRunEqualsAPlainLoop_data() {
        QTest::addColumn<TestPlan>("plan");
        QTest::addColumn<bool>("adam");
        QTest::addColumn<QString>("fabric");
        QTest::newRow("one device") << one << false << builtin;
        QTest::newRow("one device, Adam") << one << true << builtin;
        QTest::newRow("a group, all in one stage") << group << false << builtin;
        QTest::newRow("cut apart in two stages") << two << false << builtin;
        QTest::newRow("cut apart in two stages, recomputed, Adam") << twoOther << true << builtin;
        QTest::newRow("cut apart in three stages") << three << false << builtin;
        QTest::newRow("cut apart in three stages, Adam") << three << true << builtin;
        QTest::newRow("cut apart behind a group of two") << groupFirst << false << builtin;
        QTest::newRow("cut apart before a group of two, Adam") << groupLast << true << builtin;
        QTest::newRow("three stages, two groups of two") << groups << false << builtin;
        if (makeFabricBackend(gloo))
            QTest::newRow("three stages, two groups of two, over Gloo") << groups << true << gloo;
    }
    void aRunEqualsAPlainLoop() {
        QFETCH(TestPlan, plan);
        QFETCH(bool, adam);
        QFETCH(QString, fabric);
        LoopbackHome home(5);
        PlainCoordinator coordinator(home, tiedModel(), trainingBy(adam), padded(), batches());
        coordinator.fabric = fabric;
        QCOMPARE(coordinator.start(plan), QString());
        QCOMPARE(coordinator.runTo(20), QString());
        compareWith(home, coordinator, adam, 20);
        QVERIFY(home.fabricFailures.empty());
        QCOMPARE(coordinator.halt(), QString());
        compareCopies(home, coordinator, adam);
    }

    void losingADeviceAndMovingBordersLeavesNoTrace_data() {
        QTest::addColumn<TestPlan>("first");
        QTest::addColumn<TestPlan>("second");
        QTest::addColumn<TestPlan>("third");
        QTest::addColumn<int>("lost");
        QTest::newRow("cut apart, joined, cut elsewhere") << two << onlyOne << twoOther << -1;
        QTest::newRow("together, cut apart, turned around") << one << three << threeTurned << -1;
        QTest::newRow("a member of a group dies") << groupLast << two << twoOther << 2;
        QTest::newRow("a group is cut apart") << group << groupFirst << three << -1;
    }
    /// The layers' states hold what is tied, so any of them can go anywhere.
    void losingADeviceAndMovingBordersLeavesNoTrace() {
        QFETCH(TestPlan, first);
        QFETCH(TestPlan, second);
        QFETCH(TestPlan, third);
        QFETCH(int, lost);
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, tiedModel(), trainingBy(true), padded(), batches());
        int frames = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            frames += frame.header.kind == TensorKind::Replica ? 0 : 1;
        };
        QCOMPARE(coordinator.start(first), QString());
        QCOMPARE(coordinator.runTo(5), QString());
        frames = 0;
        QCOMPARE(coordinator.runUntil([&] { return frames > 5; }, 6), QString());  // in the middle of a round
        if (lost >= 0)
            home.lose(lost);
        QCOMPARE(coordinator.recover(second), QString());
        QCOMPARE(coordinator.runTo(12), QString());
        QCOMPARE(coordinator.recover(third), QString());
        QCOMPARE(coordinator.runTo(20), QString());
        compareWith(home, coordinator, true, 20);
        QCOMPARE(coordinator.halt(), QString());
        compareCopies(home, coordinator, true);
    }

    /// A stage gives each of its gradients once.
    void observersSeeATiedGradientOnce() {
        for (const TestPlan &plan : {one, two}) {
            LoopbackHome home(2);
            QMutex mutex;
            std::map<int, QStringList> names;
            for (int device = 0; device < 2; ++device) {
                home.worker(device).observeGradients([&, device](quint32, const std::vector<NamedTensor> &gradients) {
                    const QMutexLocker lock(&mutex);
                    names[device].clear();
                    for (const NamedTensor &each : gradients)
                        names[device] << each.spec.name;
                });
            }
            PlainCoordinator coordinator(home, tiedModel(), trainingBy(false), padded(), batches());
            QCOMPARE(coordinator.start(plan), QString());
            QCOMPARE(coordinator.runTo(1), QString());
            const QMutexLocker lock(&mutex);
            const QString tied = QStringLiteral("stem.in.weight");
            QCOMPARE(names[0].count(tied), 1);
            QCOMPARE(names[1].count(tied), plan.stages.size() > 1 ? 1 : 0);
        }
    }

  private:
    static const ReferenceRun &plainly(bool adam) {
        static std::map<bool, ReferenceRun> runs;
        ReferenceRun &run = runs[adam];
        if (run.losses.empty())
            run = trainPlainly(tiedModel(), trainingBy(adam), padded(), {batches().begin(), batches().begin() + 20});
        return run;
    }

    static void compareWith(LoopbackHome &home, const PlainCoordinator &coordinator, bool adam, std::size_t count) {
        const ReferenceRun &expected = plainly(adam);
        QVERIFY2(expected.losses.back() < expected.losses.front(), "the oracle itself does not learn");
        QVERIFY(coordinator.losses.size() >= count / 2);
        for (const auto &[round, loss] : coordinator.losses)
            QVERIFY2(std::abs(loss - expected.losses[round - 1]) <= 1e-10 * expected.losses[round - 1],
                     qPrintable(QStringLiteral("round %1").arg(round)));
        for (int member = 0; member < 2; ++member) {
            QCOMPARE(differenceOf(home.weights(member), expected.weights), QString());
        }
    }

    /// Every device's own state of every layer, read from it.
    static void compareCopies(LoopbackHome &home, const PlainCoordinator &coordinator, bool adam) {
        const int buffers = adam ? 2 : 1;
        for (const Tie &tie : tiesOf(tiedModel())) {
            QByteArray first;
            int copies = 0;
            for (const auto &[device, halted] : coordinator.halted()) {
                for (const int layer : tie.layers) {
                    const auto holds = [layer, version = halted.version](const HeldState &held) {
                        return held.version == version && layer >= held.firstLayer && layer < held.lastLayer;
                    };
                    if (halted.version != coordinator.version || std::ranges::none_of(halted.states, holds))
                        continue;
                    const auto states = home.states(device, layer, layer + 1, halted.version);
                    QVERIFY(states);
                    const auto &specs = tiedModel().layers[static_cast<std::size_t>(layer)].shape.tensors;
                    for (std::size_t t = 0; t < specs.size(); ++t) {
                        const TensorRef place{layer, static_cast<int>(t)};
                        if (specs[t].tiedTo.value_or(place) != tie.first || isRepeat(specs, t))
                            continue;
                        const QByteArray bytes = partsOf(place, *states->front(), buffers);
                        QCOMPARE(bytes.size(), tie.elements * 8 * (1 + buffers));
                        if (first.isEmpty())
                            first = bytes;
                        QVERIFY2(
                            bytes == first,
                            qPrintable(
                                QStringLiteral("%1 on device %2, layer %3").arg(specs[t].name).arg(device).arg(layer)));
                        ++copies;
                    }
                }
            }
            QVERIFY2(copies >= static_cast<int>(tie.layers.size()), qPrintable(QString::number(copies)));
        }
    }
};

QTEST_GUILESS_MAIN(TiedTest)
#include "tied_test.moc"
