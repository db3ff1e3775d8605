// A border of the Plan page is dragged: from each movement of the mouse to the page drawn with the closed form's
// numbers, and the simulator's one frame later.
#include <QMouseEvent>

#include "core/plan/edit/edit.h"
#include "tests/bench/window/big_run.h"
#include "tests/bench/window/common.h"
#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/plan/layer_strip.h"
#include "ui/shell/main_window.h"

namespace hearth::bench {

namespace {

constexpr int movements = 200;

void send(QWidget *widget, QEvent::Type type, const QPoint &at) {
    const bool moves = type == QEvent::MouseMove;
    QMouseEvent event(type, at, widget->mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &event);
}

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
    send(strip, QEvent::MouseButtonPress, strip->borderAt(stage));
    Samples moved, block;
    const int reach = std::max(1, BigRun::layerCount / stages - 2);
    for (int i = 0; i < movements; ++i) {
        const int layer = border + i % (2 * reach + 1) - reach;
        moved.add([&] {
            send(strip, QEvent::MouseMove, strip->placeBefore(layer));
            // Layouts and the page itself: asked for by now, and done.
            QCoreApplication::sendPostedEvents();
        });
        // The simulator's numbers come with the next frame.
        app.watch([] { spin(40); });
        block.push(app.blocks().longest(), app.blocks().longestOfProcessor());
    }
    send(strip, QEvent::MouseButtonRelease, strip->placeBefore(border));
    std::printf("drag: %d layers, %d devices, %d stages, %d micro-batches\n", BigRun::layerCount, BigRun::deviceCount,
                stages, window.run().plan()->microBatches());
    moved.print("a movement, closed form and drawn (target p99 16)");
    block.print("the longest block until the simulator's numbers are drawn");
    const CostModel model(run.problem());
    const PlanEditor editor(model);
    Samples alone;
    for (int i = 0; i < movements; ++i)
        alone.add([&] { (void)editor.moveBorder(*window.run().plan(), stage, border + i % (2 * reach + 1) - reach); });
    alone.print("the closed form alone, in this run");
}

}  // namespace

void drag(Watched &app) {
    dragWith(app, 8);
    dragWith(app, 64);
}

}  // namespace hearth::bench
