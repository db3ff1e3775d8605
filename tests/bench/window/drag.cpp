// A border of the Plan page is dragged: from each movement of the mouse to the page drawn with the closed form's
// numbers, and the simulator's one frame later.
#include <QScrollArea>
#include <QTest>

#include "core/plan/edit/edit.h"
#include "tests/bench/window/big_run.h"
#include "tests/bench/window/common.h"
#include "tests/ui/fake_home.h"
#include "ui/layer_strip.h"
#include "ui/main_window.h"
#include "ui/rail.h"

namespace hearth::bench {

namespace {

constexpr int movements = 400;

void dragWith(Watched &app, int stages) {
    BigRun run(stages);
    FakeHomeSource home;
    home.demo = false;
    home.list = run.devices();
    FakeController controller;
    controller.problem = run.problem();
    FakeQuestions questions;
    MainWindow window(home, controller, questions);
    window.showPlace(PlanPlace);
    window.show();
    controller.open(QStringLiteral("run"));
    for (const RunEvent &event : run.beginning())
        controller.send(event);
    spin(500);
    auto *strip = window.findChild<LayerStrip *>(QStringLiteral("layerStrip"));
    const int stage = stages / 2 - 1, border = (stage + 1) * BigRun::layerCount / stages;
    QTest::mousePress(strip, Qt::LeftButton, {}, strip->borderAt(stage));
    std::vector<double> moved, simulated, busy;
    const int reach = std::max(1, BigRun::layerCount / stages - 2);
    for (int i = 0; i < movements; ++i) {
        const int layer = border + i % (2 * reach + 1) - reach;
        app.watch([&] {
            moved.push_back(millisecondsOf([&] {
                QTest::mouseMove(strip, strip->placeBefore(layer));
                // What has been asked to be drawn is drawn.
                QCoreApplication::sendPostedEvents();
                QCoreApplication::processEvents();
            }));
            // The simulator's numbers come with the next frame; how long that keeps the thread.
            spin(30);
        });
        simulated.push_back(percentiles(app.blocks()).most);
    }
    QTest::mouseRelease(strip, Qt::LeftButton, {}, strip->placeBefore(border));
    std::printf("drag: %d layers, %d devices, %d stages, %d micro-batches\n", BigRun::layerCount, BigRun::deviceCount,
                stages, window.run().plan()->microBatches());
    print("a movement, closed form and drawn (target p99 16)", moved);
    print("the longest block until the simulator's numbers are drawn", simulated);
    const MeasuredCosts costs(run.problem().times);
    const CostModel model(run.problem(), costs);
    const PlanEditor editor(model);
    std::vector<double> alone;
    for (int i = 0; i < movements; ++i)
        alone.push_back(millisecondsOf(
            [&] { (void)editor.moveBorder(*window.run().plan(), stage, border + i % (2 * reach + 1) - reach); }));
    print("the closed form alone, in this run", alone);
}

}  // namespace

void drag(Watched &app) {
    dragWith(app, 8);
    dragWith(app, 64);
}

}  // namespace hearth::bench
