// During runs: a device that is lost and comes back, many devices, the cursor that reads the plots out, and the phone.
#include <QDialog>
#include <QHostAddress>
#include <QKeyEvent>
#include <QScrollArea>
#include <QScrollBar>

#include "tests/ui/screenshots/run_of_twelve.h"
#include "tests/ui/screenshots/scene.h"
#include "ui/phone/phone_page.h"

namespace hearth::shots {
namespace {

/// The plots below, a part of the time, and the cursor reading all of them out.
void shootCursor(const Scene &scene, const QString &name) {
    settle();
    // One in sight: only those follow the time that is seen.
    auto *plot = scene.find<QWidget>("throughputPlotPlot");
    plot->setFocus();
    scene.click("plotZoomIn");
    settle();
    for (int step = 0; step < 20; ++step) {
        QKeyEvent left(QEvent::KeyPress, Qt::Key_Left, Qt::NoModifier);
        QCoreApplication::sendEvent(plot, &left);
    }
    auto *bar = scene.find<QScrollArea>("plotScroll")->verticalScrollBar();
    for (const int part : {0, 1, 2}) {
        bar->setValue(bar->maximum() * part / 2);
        scene.grab(QStringLiteral("%1-cursor-%2").arg(name).arg(part));
    }
}

}  // namespace

/// A recorded run in which a device was lost and came back: while it is missed, shortly after, and at the end.
void shootLoss(const Variant &variant, const QDir &folder) {
    const std::vector<RunEvent> events = RecordedRun::load(QStringLiteral("lossy_run"));
    Scene scene(variant, folder, RecordedRun::devices(events));
    DemoSwitches &switches = scene.home.fakeSwitches;
    scene.home.fakeSwitches.leader = scene.home.list.front().id;
    scene.open().showPlace(TrainPlace);
    scene.controller.open(QStringLiteral("lossy"));
    const auto grabBoth = [&](const QString &when) {
        scene.grab(when + QStringLiteral("-home"), HomePlace);
        scene.grab(when + QStringLiteral("-train"), TrainPlace);
    };
    for (const RunEvent &one : events) {
        scene.controller.send(one);
        const auto *state = std::get_if<event::State>(&one.body);
        if (const auto *lost = std::get_if<event::Lost>(&one.body))
            switches.setCondition(lost->id, DemoSwitches::Condition::Unplugged);
        else if (state != nullptr && state->state == QLatin1String("recovering"))
            grabBoth(QStringLiteral("recovering"));
        else if (std::holds_alternative<event::Recovered>(one.body))
            grabBoth(QStringLiteral("recovered"));
        else if (const auto *joined = std::get_if<event::Joined>(&one.body)) {
            switches.setCondition(joined->id, DemoSwitches::Condition::Normal);
            grabBoth(QStringLiteral("returned"));
        }
    }
    grabBoth(QStringLiteral("after-loss"));
    shootCursor(scene, QStringLiteral("train"));
    // The machine that leads it goes down in the middle.
    scene.controller.open(QStringLiteral("lossy"));
    scene.send({events.begin(), events.begin() + static_cast<std::ptrdiff_t>(events.size() / 2)});
    scene.controller.end(QStringLiteral("lossy"));
    RunInfo interrupted;
    interrupted.id = scene.window->run().runId();
    interrupted.resumable = true;
    scene.controller.known = {interrupted};
    scene.controller.refreshRuns();
    scene.grab(QStringLiteral("interrupted-train"), TrainPlace);
}

/// A device without layers; an evaluation while the run pauses; and the same run as a recording.
void shootResting(const Variant &variant, const QDir &folder) {
    const std::vector<RunEvent> events = RecordedRun::load(QStringLiteral("resting_run"));
    Scene scene(variant, folder, RecordedRun::devices(events));
    scene.open().showPlace(TrainPlace);
    scene.controller.open(QStringLiteral("resting"));
    bool paused = false;
    for (const RunEvent &one : events) {
        scene.controller.send(one);
        if (const auto *round = std::get_if<event::Round>(&one.body); round != nullptr && round->round == 15)
            scene.grab(QStringLiteral("resting-train"), TrainPlace);
        const auto *state = std::get_if<event::State>(&one.body);
        paused = state != nullptr ? state->state == QLatin1String("paused") : paused;
        const auto *evaluating = std::get_if<event::Evaluating>(&one.body);
        if (paused && evaluating != nullptr && evaluating->done > 0) {
            scene.grab(QStringLiteral("evaluating-train"), TrainPlace);
            paused = false;
        }
    }
    scene.answers.file = QStringLiteral("/home/anna/events.jsonl");
    scene.window->findChild<QAction *>(QStringLiteral("menuOpenRun"))->trigger();
    scene.controller.open(QStringLiteral("resting"));
    scene.send(events);
    scene.grab(QStringLiteral("recording-train"), TrainPlace);
}

/// A recorded run whose cut was compressed to two bits, until the guard stepped in.
void shootGuard(const Variant &variant, const QDir &folder) {
    const std::vector<RunEvent> events = RecordedRun::load(QStringLiteral("guarded_run"));
    Scene scene(variant, folder, RecordedRun::devices(events));
    scene.open().showPlace(TrainPlace);
    scene.controller.open(QStringLiteral("guarded"));
    scene.send(events);
    settle();
    scene.grab(QStringLiteral("guard-train"), TrainPlace);
    auto *bar = scene.find<QScrollArea>("plotScroll")->verticalScrollBar();
    bar->setValue(bar->maximum());
    settle();
    scene.grab(QStringLiteral("guard-train-compression"), TrainPlace);
}

/// The address for a phone, in two networks.
void shootPhone(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    Scene scene(variant, folder, RecordedRun::devices(recorded));
    scene.open().showPlace(TrainPlace);
    scene.controller.open(QStringLiteral("run"));
    scene.send(recorded);
    scene.window->findChild<PhonePage *>()->setHosts([] {
        return QList<QHostAddress>{QHostAddress(QStringLiteral("192.168.178.23")),
                                   QHostAddress(QStringLiteral("10.0.0.5"))};
    });
    scene.click("trainPhone");
    settle();
    scene.grab(QStringLiteral("phone"), *scene.find<QDialog>("phoneDialog"));
    scene.click("phoneClose");
    scene.grab(QStringLiteral("phone-train"));
}

/// As many devices as a large household has: the plots of each, the box beside the cursor, and the Plan page.
void shootTwelve(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const RunOfTwelve run = runOfTwelve(recorded);
    Scene scene(variant, folder, run.devices);
    scene.open().showPlace(TrainPlace);
    scene.controller.open(QStringLiteral("twelve"));
    scene.send(run.events);
    scene.grab(QStringLiteral("twelve-train"));
    shootCursor(scene, QStringLiteral("twelve"));
    scene.grab(QStringLiteral("twelve-plan"), PlanPlace);
}

}  // namespace hearth::shots
