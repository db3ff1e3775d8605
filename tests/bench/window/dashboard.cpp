// The Train page of 64 devices after a day at one round per second: how long one plot and a whole frame take to draw.
#include <QPainter>
#include <QVBoxLayout>

#include "tests/bench/window/big_run.h"
#include "tests/bench/window/common.h"
#include "ui/base/custom_plot.h"
#include "ui/run/run_model.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_plots.h"

namespace hearth::bench {

namespace {

constexpr int day = 24 * 3600;
constexpr int frames = 100;

/// Draws as many points as a plot of 64 devices does, with nothing around it: what the machine can do.
void bareLines() {
    QImage image(800, 200, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    constexpr int curves = 64, points = 256;
    painter.fillRect(0, 0, 800, 200, Qt::white);
    for (int curve = 0; curve < curves; ++curve) {
        QPolygonF line;
        for (int i = 0; i < points; ++i)
            line << QPointF(800.0 * i / points, 100 + 30 * ((i * 7919 + curve * 31) % 100) / 100.0);
        painter.setPen(QPen(Qt::blue, 1));
        for (int i = 1; i < points; ++i)
            painter.drawLine(line[i - 1], line[i]);
    }
}

}  // namespace

void dashboard(Watched &) {
    BigRun source(8);
    RunModel run;
    for (const RunEvent &event : source.beginning())
        run.add(event);
    const double filling = millisecondsOf([&] {
        for (int second = 0; second < day; ++second) {
            for (const RunEvent &event : source.nextRound())
                run.add(event);
            if (second % 600 == 599) {
                for (const RunEvent &event : source.fault())
                    run.add(event);
            }
        }
    });
    std::printf(
        "dashboard: 64 devices, a day at 1 Hz with a loss every ten minutes; %.3f ms to take in a round; %zu marks,"
        " %.1f MiB of series\n",
        filling / day, run.log().marks().size(), static_cast<double>(run.series().memory()) / (1 << 20));
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    TrainPlots plots(run);
    layout->addWidget(&plots, 7);
    // What a window of 1280 × 800 has for them.
    window.resize(840, 540);
    window.show();
    spin(200);
    plots.refresh(0);
    std::vector<LivePlot *> all = plots.plots();
    // Ten: the three that draw most count twice.
    for (const int again : {0, 2, 6})
        all.push_back(all[static_cast<std::size_t>(again)]);
    struct Part {
        const char *name;
        AxisKind kind;
        std::optional<double> span;
    };
    const Part parts[] = {{"a minute", AxisKind::Time, 60},
                          {"an hour", AxisKind::Time, 3600},
                          {"a day", AxisKind::Time, day},
                          {"the whole run", AxisKind::Time, std::nullopt},
                          {"100 rounds", AxisKind::Round, 100},
                          {"10,000 rounds", AxisKind::Round, 10'000},
                          {"all rounds", AxisKind::Round, std::nullopt}};
    Samples bare, every;
    for (const auto &[name, kind, span] : parts) {
        plots.setAxis(kind);
        plots.window().setSpan(span);
        const PlotAxis axis(kind, run.series().rounds(), 1);
        Samples frame, each;
        const LivePlot *worst = nullptr;
        double worstTime = 0;
        for (int i = 0; i < frames; ++i) {
            for (const RunEvent &event : source.nextRound())
                run.add(event);
            plots.refresh(0);
            QCoreApplication::processEvents();
            frame.add([&] {
                for (LivePlot *plot : all) {
                    auto *inner = plot->findChild<QCustomPlot *>();
                    const double one = each.add([&] {
                        plot->showPart(PlotStretch(axis, plots.window().from(), plots.window().to()));
                        inner->replot(QCustomPlot::rpImmediateRefresh);
                    });
                    if (one > worstTime) {
                        worstTime = one;
                        worst = plot;
                    }
                }
            });
            bare.add([] { bareLines(); });
        }
        every.append(each);
        each.print(qPrintable(QStringLiteral("one plot of %1").arg(QLatin1String(name))));
        frame.print(qPrintable(QStringLiteral("all ten of %1").arg(QLatin1String(name))));
        std::printf("    the slowest was %s\n", qPrintable(worst->objectName()));
    }
    every.print("one plot, all windows (target p99 8)");
    bare.print("64 bare lines of 256 points, in this run");
    plots.setAxis(AxisKind::Time);
    // The plots have asked for a frame of their own besides the one that was measured: it is no part of a movement.
    QCoreApplication::processEvents();
    Samples cursor;
    for (int i = 0; i < frames; ++i) {
        cursor.add([&] {
            plots.window().setCursor(plots.window().from() + i * 0.5);
            QCoreApplication::processEvents();
        });
    }
    cursor.print("the cursor moves in seven plots");
}

}  // namespace hearth::bench
