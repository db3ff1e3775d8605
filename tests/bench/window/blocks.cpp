// How long the GUI thread is kept by one event of the loop, while a run with faults is played; how memory grows over a
// simulated day; what the window costs while nothing happens.
#include <sys/resource.h>
#include <QToolButton>
#include <array>

#include "tests/bench/window/big_run.h"
#include "tests/bench/window/common.h"
#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/shell/main_window.h"

namespace hearth::bench {

namespace {

/// The window over a run on 64 devices.
struct Stage {
    BigRun run;
    FakeHomeSource home;
    FakeController controller;
    FakeQuestions questions;
    std::unique_ptr<MainWindow> window;

    explicit Stage(double secondsPerRound) : run(8, secondsPerRound) {
        home.demo = false;
        home.list = run.devices();
        controller.problem = run.problem();
        window = std::make_unique<MainWindow>(home, controller, questions);
        window->showPlace(TrainPlace);
        window->show();
        spin(200);
    }
    void open() {
        controller.open(QStringLiteral("run"));
        for (const RunEvent &event : run.beginning())
            controller.send(event);
    }
    /// As the agent's socket hands them over: lines, each in an event of its own.
    void post(const std::vector<RunEvent> &events) {
        for (const RunEvent &event : events) {
            const QByteArray line = eventLine(event.seq, event.t, event.body);
            QMetaObject::invokeMethod(
                &controller, [this, line] { controller.send(*RunEvent::fromLine(line)); }, Qt::QueuedConnection);
        }
    }
};

double processorSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void printIdle(const char *what, int seconds) {
    const double before = processorSeconds();
    spin(seconds * 1000);
    std::printf("  %-58s %.2f %% of a core\n", what, 100 * (processorSeconds() - before) / seconds);
    std::fflush(stdout);
}

}  // namespace

namespace {

constexpr int rounds = 600, faultEvery = 30;

/// Ten minutes of a run as fast as they go; `afterFault` is what a person does after each.
void playTenMinutes(Watched &app, const char *what, Place place, const std::function<void(Stage &, int)> &afterFault) {
    Stage stage(1);
    stage.window->showPlace(place);
    app.watch([&] {
        stage.open();
        for (int i = 0; i < rounds; ++i) {
            stage.post(stage.run.nextRound());
            if (i % faultEvery == faultEvery - 1) {
                stage.post(stage.run.fault());
                QCoreApplication::processEvents();
                afterFault(stage, i / faultEvery);
            }
            QCoreApplication::processEvents();
        }
        spin(300);
    });
    app.blocks().print(what);
    std::printf("    the longest was for %s\n", app.longestOf().constData());
}

}  // namespace

void blocks(Watched &app) {
    std::printf("blocks: ten minutes of rounds on 64 devices with %d losses, played as fast as they go (most: 50)\n",
                rounds / faultEvery);
    const auto nothing = [](Stage &, int) {};
    playTenMinutes(app, "one event of the loop, on Train, which draws them", TrainPlace, nothing);
    playTenMinutes(app, "the same on Plan, which draws each new plan", PlanPlace, nothing);
    playTenMinutes(app, "the same, with a click to the next page after each loss", TrainPlace, [](Stage &stage, int i) {
        constexpr std::array buttons{"railPlan", "railTrain", "railHome", "railTrain", "railHistory", "railTrain"};
        auto *button = stage.window->findChild<QToolButton *>(QLatin1String(buttons[static_cast<std::size_t>(i) % 6]));
        QMetaObject::invokeMethod(button, &QToolButton::click, Qt::QueuedConnection);
    });
    {
        Stage stage(0.25);
        app.watch([&] {
            stage.open();
            int i = 0;
            QTimer clock;
            QObject::connect(&clock, &QTimer::timeout, &clock, [&] {
                stage.post(stage.run.nextRound());
                if (i++ % faultEvery == faultEvery - 1)
                    stage.post(stage.run.fault());
            });
            clock.start(250);
            spin(60'000);
        });
        app.blocks().print("one event of the loop, a minute in real time at 4 rounds/s");
        std::printf("    the longest was for %s\n", app.longestOf().constData());
    }
}

void memory(Watched &) {
    constexpr int hours = 24, framesPerHour = 60;
    Stage stage(1);
    stage.open();
    double first = 0;
    std::printf("memory: a day at one round per second on 64 devices, a loss every ten minutes\n");
    for (int hour = 0; hour < hours; ++hour) {
        for (int second = 0; second < 3600; ++second) {
            for (const RunEvent &event : stage.run.nextRound())
                stage.controller.send(event);
            if (second % 600 == 599) {
                for (const RunEvent &event : stage.run.fault())
                    stage.controller.send(event);
            }
            if (second % (3600 / framesPerHour) == 0)
                spin(60);
        }
        if (hour == 0)
            first = residentMiB();
        if (hour == 0 || hour % 6 == 5)
            std::printf("  after %2d h: %.1f MiB\n", hour + 1, residentMiB());
        std::fflush(stdout);
    }
    const double last = residentMiB();
    std::printf("  growth from the first hour to the last: %.1f %% (target 5)\n", 100 * (last - first) / first);
}

void idle(Watched &) {
    constexpr int seconds = 10;
    std::printf("idle: processor time of the window while nothing happens (target 1 %%)\n");
    Stage stage(1);
    spin(1000);
    printIdle("no run", seconds);
    stage.open();
    for (int i = 0; i < 600; ++i) {
        for (const RunEvent &event : stage.run.nextRound())
            stage.controller.send(event);
    }
    stage.controller.send({1'000'000, stage.run.t(), event::State{QStringLiteral("finished")}, {}});
    spin(1000);
    printIdle("a finished run on the Train page", seconds);
    stage.controller.send({1'000'001, stage.run.t(), event::State{QStringLiteral("training")}, {}});
    spin(1000);
    printIdle("a live run that is silent, its age counted on", seconds);
}

}  // namespace hearth::bench
