// What was measured of devices and links, measuring them, and giving them names.
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>

#include "tests/ui/fake_installation.h"
#include "tests/ui/screenshots/scene.h"
#include "tests/ui/stored_measurements.h"
#include "ui/home/home_view.h"
#include "ui/home/install_dialog.h"
#include "ui/home/measurements.h"
#include "ui/home/name_edit.h"

namespace hearth::shots {
namespace {

void must(const Result<void> &done) {
    if (!done)
        qFatal("%s", qPrintable(done.error().toString()));
}

/// The first computes, the second twice and a half as fast, the third at a third of it.
void storeAll(const QString &folder, const std::vector<DeviceInfo> &devices) {
    const QString model = QStringLiteral("mobilenetv2");
    const double seconds[] = {0.0041, 0.0017, 0.0124};
    for (std::size_t i = 0; i < devices.size(); ++i) {
        must(storeMeasurement(folder, model, devices[i], seconds[i]));
        for (std::size_t j = 0; j < devices.size(); ++j) {
            if (i != j)
                must(storeLink(folder, devices[i], devices[j], i + j == 1 ? 117.4 : 11.7, i + j == 1 ? 2e-4 : 0.0031));
        }
    }
}

/// The end of the wizard: waiting, measuring, measured.
void shootFirst(const Scene &scene, const QString &folder, const std::vector<DeviceInfo> &devices) {
    InstallingHome home;
    home.demo = false;
    home.folder = folder;
    home.list = {devices[0]};
    const RunModel run;
    Measurements measurements(home, run);
    Job job;
    job.model = QStringLiteral("mobilenetv2");
    measurements.setJob(job, true);
    FakeQuestions questions;
    InstallDialog dialog(home, questions, &measurements, scene.window.get());
    dialog.setHost(QStringLiteral("anna@nano-1"));
    dialog.show();
    dialog.findChild<QPushButton *>(QStringLiteral("installGo"))->click();
    for (const InstallStep step : {InstallStep::Connect, InstallStep::LogIn, InstallStep::Copy, InstallStep::Service})
        home.installation->done(step);
    Q_EMIT home.installation->finished(
        {devices[1].name, devices[1].id, QString(), QString(), InstallEffect::NewDevice, {}});
    settle();
    scene.grab(QStringLiteral("install-done"), dialog);
    home.set({devices[0], devices[1]});
    MeasureStatus now{true, false, {}};
    now.progress[devices[1].id] = {31, 152};
    home.fakeMeasuring.become(now);
    settle();
    scene.grab(QStringLiteral("install-measuring"), dialog);
    home.fakeMeasuring.end();
    settle();
    scene.grab(QStringLiteral("install-measured"), dialog);
}

}  // namespace

void shootMeasured(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const QTemporaryDir state;
    std::vector<DeviceInfo> devices = RecordedRun::devices(recorded);
    for (DeviceInfo &device : devices)
        device.state = DeviceState::Ready;
    devices[0].name = QStringLiteral("laptop");
    devices[1].name = QStringLiteral("gaming-pc");
    devices[2].name = QStringLiteral("nano-1");
    devices[0].kind = DeviceKind::Laptop;
    devices[0].onBattery = false;
    devices[1].kind = DeviceKind::Desktop;
    devices[1].otherAddresses = {QStringLiteral("192.168.1.22:47600")};
    devices[2].kind = DeviceKind::Board;
    Scene scene(variant, folder, devices);
    scene.home.demo = false;
    scene.home.folder = state.path();
    scene.open();
    scene.grab(QStringLiteral("unmeasured"), HomePlace);
    storeAll(state.path(), devices);
    Job job;
    job.model = QStringLiteral("mobilenetv2");
    scene.window->setJob(job);
    scene.home.fakeMeasuring.end();
    scene.grab(QStringLiteral("measured"), HomePlace);
    auto *view = scene.find<HomeView>("homeView");
    view->select(devices[1].id);
    settle();
    auto *scroll = scene.find<QScrollArea>("detailScroll");
    scene.grab(QStringLiteral("measured-device"));
    scroll->ensureWidgetVisible(scene.find<QWidget>("detailLinks"));
    scene.find<QWidget>("layerChart")->setFocus();
    scene.grab(QStringLiteral("measured-detail"));
    must(predictMost(state.path()));
    scene.home.fakeMeasuring.end();
    scene.grab(QStringLiteral("predicted-detail"));
    scene.grab(QStringLiteral("predicted-job"), JobPlace);
    scene.window->showPlace(HomePlace);
    scroll->verticalScrollBar()->setValue(0);
    scene.find<NameEdit>("nameEdit")->edit();
    scene.find<QLineEdit>("detailNameField")->setText(QStringLiteral("laptop"));
    Q_EMIT scene.find<QLineEdit>("detailNameField")->returnPressed();
    scene.grab(QStringLiteral("rename"));
    scene.find<NameEdit>("nameEdit")->giveUp();
    scene.click("showList");
    scene.grab(QStringLiteral("measured-list"));
    scene.click("showPicture");
    MeasureStatus now{true, false, {}};
    now.progress[devices[0].id] = {152, 152};
    now.progress[devices[1].id] = {97, 152};
    now.progress[devices[2].id] = {12, 152};
    scene.home.fakeMeasuring.become(now);
    scroll->ensureWidgetVisible(scene.find<QWidget>("measureDevice"));
    scene.grab(QStringLiteral("measuring-again"));
    shootFirst(scene, state.path(), devices);
}

}  // namespace hearth::shots
