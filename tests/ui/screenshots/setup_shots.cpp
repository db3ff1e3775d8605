// Before a run: the ways to begin, homes of several sizes, what is to be trained, and the dialogs of the menu.
#include <QAbstractItemView>
#include <QComboBox>
#include <QDateTime>
#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <tuple>

#include "core/discovery/checks.h"
#include "tests/ui/model_folder.h"
#include "tests/ui/past_runs.h"
#include "tests/ui/screenshots/scene.h"
#include "ui/base/notifier.h"
#include "ui/job/job_draft.h"
#include "ui/shell/app_menu.h"
#include "ui/shell/window_shell.h"

namespace hearth::shots {
namespace {

class SilentNotifier : public Notifier {
  public:
    bool isAvailable() const override { return false; }
    void notify(Kind, const QString &, const QString &) override {}
    void setPresence(const QString &) override {}
    void setMenu(QMenu *) override {}
};

/// In all states, one with a long name and one with a long address.
std::vector<DeviceInfo> fiveDevices(const DeviceInfo &like) {
    const std::tuple<const char *, DeviceKind, DeviceState> wanted[] = {
        {"laptop", DeviceKind::Laptop, DeviceState::Ready},
        {"the-old-gaming-pc-of-my-brother-under-the-stairs", DeviceKind::Desktop, DeviceState::Training},
        {"nano-1", DeviceKind::Board, DeviceState::Resting},
        {"nano-2", DeviceKind::Board, DeviceState::Leaving},
        {"tx2", DeviceKind::Unknown, DeviceState::Lost}};
    std::vector<DeviceInfo> devices;
    for (const auto &[name, kind, state] : wanted) {
        DeviceInfo device = like;
        device.id = QString(64, QChar(u'a' + static_cast<char16_t>(devices.size())));
        device.name = QLatin1String(name);
        device.kind = kind;
        device.state = state;
        device.self = devices.empty();
        devices.push_back(device);
    }
    DeviceInfo &resting = devices[2];
    resting.rest = Rest::OutOfHours;
    resting.limits.memoryBytes = 3LL << 30;
    resting.limits.threads = 2;
    resting.limits.onlyOnMains = true;
    resting.limits.hours = DailyHours{22 * 60, 7 * 60};
    devices.back().address = QStringLiteral("[fe80::a00:27ff:fe4e:66a1%wlp0s20f3]:47600");
    devices.back().lastError = QStringLiteral("tx2 did not answer. The connection was allowed 10 seconds.");
    return devices;
}

/// A plain one, a long name, and one that two computers claim to be.
Nearby fourNearby() {
    Nearby nearby;
    nearby.status.state = DiscoveryState::Running;
    for (const char *name : {"nano-3", "the-old-gaming-pc-of-my-brother-under-the-stairs", "kitchen", ""}) {
        NearbyDevice device;
        device.prefix = QStringLiteral("9f3a01bc55d0e77%1").arg(nearby.devices.size());
        device.name = QLatin1String(name);
        device.addresses = {QStringLiteral("192.168.1.9:47600")};
        device.hosts = {QStringLiteral("nano-3.local")};
        device.version = 1;
        device.since = QDateTime(QDate(2026, 11, 22), QTime(14, 3)).toMSecsSinceEpoch();
        nearby.devices.push_back(device);
    }
    nearby.devices[2].state = NearbyState::Clone;
    nearby.devices[2].hosts << QStringLiteral("laptop-of-ann.local");
    return nearby;
}

/// What the assistant may find, as core's checks tell it.
std::vector<Finding> findings() {
    InterfaceFacts cable{
        QStringLiteral("enp3s0"), true, false, false, true, {QHostAddress(QStringLiteral("192.168.1.5"))}};
    InterfaceFacts tunnel{QStringLiteral("wg0"), true, false, true, true, {QHostAddress(QStringLiteral("10.8.0.2"))}};
    DiscoveryStatus running;
    running.state = DiscoveryState::Running;
    running.daemon = QStringLiteral("avahi 0.8");
    running.announcedAs = QStringLiteral("laptop");
    running.isEchoed = true;
    const AgentFacts agent{running, QStringLiteral("::"), 47600, true, QStringLiteral("192.168.1.5:47600")};
    FirewallFacts firewall;
    firewall.ufwConfiguration = QStringLiteral("ENABLED=yes");
    const QString id = QStringLiteral("9f3a01bc55d0e770");
    return {judgeInterfaces({cable, tunnel}),
            judgeDaemon({running, true, true}),
            judgeAnnouncement(agent),
            judgeMulticast({true, true, 2, true}, true),
            judgeNeighbours({true, true, 2, true}),
            judgePort(agent),
            judgeFirewall(firewall),
            judgeVpn({cable, tunnel}),
            judgeReach({id, QStringLiteral("tx2"), true, false, QStringLiteral("192.168.1.7:47600"), Reach::Silent}),
            judgeBack({id, QStringLiteral("nano-1"), QStringLiteral("192.168.1.5:47600"), true, false}, 47600),
            judgeClock(id, QStringLiteral("nano-1"), 754'000),
            {QStringLiteral("reach:x"),
             QStringLiteral("Way to %1").arg(QStringLiteral("nano-2")),
             Verdict::Pending,
             {},
             {},
             {}}};
}

}  // namespace

/// Where nothing happened yet: the ways to begin, on the way to the demo, and how devices are added.
void shootFirstStart(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    Scene scene(variant, folder, {RecordedRun::devices(recorded).front()});
    scene.home.demo = false;
    scene.home.fresh = true;
    scene.home.list.front().state = DeviceState::Ready;
    scene.open();
    scene.grab(QStringLiteral("first-start"));
    scene.click("addDevices");
    scene.grab(QStringLiteral("add-devices"));
    scene.window->showFirstStart();
    scene.click("tryDemo");
    scene.grab(QStringLiteral("demo-starting"));
}

/// The Job page: read to the end, then with what somebody brought, and what is wrong with it.
void shootJob(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const QTemporaryDir files;
    const auto write = [&files](const QString &name, const QByteArray &content) {
        QFile file(files.filePath(name));
        if (!QDir().mkpath(QFileInfo(file).path()) || !file.open(QIODevice::WriteOnly) || file.write(content) < 0)
            qFatal("cannot write %s", qPrintable(name));
        return file.fileName();
    };
    Scene scene(variant, folder, RecordedRun::devices(recorded));
    scene.open().showPlace(JobPlace);
    const auto *note = scene.find<QLabel>("jobDataNote");
    auto *bar = scene.find<QScrollArea>("jobScroll")->verticalScrollBar();
    const auto grabWhole = [&](const QString &name) {
        const QString reading = note->text();
        for (int tries = 0; tries < 50 && note->text() == reading; ++tries)
            settle();
        scene.grab(QStringLiteral("job-") + name);
        bar->setValue(bar->maximum());
        scene.grab(QStringLiteral("job-%1-end").arg(name));
        bar->setValue(0);
    };
    grabWhole(QStringLiteral("read"));
    auto *optimizers = scene.find<QComboBox>("jobOptimizer");
    optimizers->showPopup();
    scene.grab(QStringLiteral("job-list"), *optimizers->view()->window());
    optimizers->hidePopup();
    JobDraft &draft = scene.window->jobDraft();
    draft.setModel(QStringLiteral("resnet50"));
    Q_EMIT scene.controller.failed({QStringLiteral("run.test"), QStringLiteral("The run could not start."),
                                    QStringLiteral("Memory is short."), QStringLiteral("Close something.")});
    scene.grab(QStringLiteral("job-misfit"));
    scene.click("closeError");
    draft.setOptimizer(OptimizerSpec::Kind::Adafactor);
    draft.setByEpochs(true);
    draft.setText(JobField::Batch, QStringLiteral("twelve"));
    draft.setText(JobField::MicroBatch, QStringLiteral("0"));
    draft.setText(JobField::LearningRate, QStringLiteral("-1"));
    QFile described(QStringLiteral(":/hearth/models/fashion-cnn.json"));
    draft.setModel(
        write(QStringLiteral("a-model-with-a-very-long-name-that-somebody-chose-in-a-hurry-one-evening.json"),
              described.open(QIODevice::ReadOnly) ? described.readAll() : QByteArray("{}")));
    draft.setData(files.filePath(QStringLiteral("pictures-of-the-holidays-that-are-gone.json")));
    grabWhole(QStringLiteral("wrong"));
    draft.setModel(write(QStringLiteral("in/a-folder/far-down/below/others/a-model-that-was-written-by-hand.json"),
                         "{\"format\":\"hearth-model/1\",\"name\":\"mine\",\"layer\":[]}"));
    grabWhole(QStringLiteral("damaged"));
    const QString network = writeModelFolder(files.filePath(QStringLiteral("bert-of-my-thesis-final-2")));
    draft.setModel(network + QStringLiteral(":classes=3,sequence=16"));
    draft.setData(Job().data.front());
    grabWhole(QStringLiteral("folder"));
}

/// Homes of other sizes, and a run that another home has recorded.
void shootHomes(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    Scene scene(variant, folder);
    scene.home.demo = false;
    scene.open();
    scene.grab(QStringLiteral("home-none"), HomePlace);
    scene.home.set(fiveDevices(RecordedRun::devices(recorded).front()));
    scene.grab(QStringLiteral("home-five"));
    Nearby absent;
    absent.status.state = DiscoveryState::Absent;
    scene.home.setNearby(absent);
    scene.grab(QStringLiteral("home-nobody"));
    scene.home.setNearby(fourNearby());
    scene.grab(QStringLiteral("home-nearby"));
    Nearby computers = fourNearby();
    computers.devices.resize(1);
    computers.computers = {foundComputer(QStringLiteral("nano-3"), QStringLiteral("192.168.1.9")),
                           foundComputer(QStringLiteral("tower"), QStringLiteral("192.168.1.12"))};
    scene.home.setNearby(computers);
    scene.grab(QStringLiteral("home-computers"));
    Nearby some = fourNearby();
    some.devices.pop_back();
    some.ignored = {{QStringLiteral("5d0e77a3f3a01bc5"), QStringLiteral("a-television-of-the-neighbours"), 1'000'000},
                    {QStringLiteral("0a1b2c3d4e5f6071"), {}, 1'795'300'000'000}};
    scene.home.setNearby(some);
    scene.grab(QStringLiteral("home-ignored"));
    scene.click("openIgnored");
    settle();
    auto *ignored = scene.find<QDialog>("ignoredDialog");
    scene.grab(QStringLiteral("ignored"), *ignored);
    ignored->accept();
    scene.home.setNearby(fourNearby());
    scene.click("openAssistant");
    for (const Finding &finding : findings())
        scene.home.tell(finding);
    settle();
    auto *assistant = scene.find<QDialog>("assistantDialog");
    scene.grab(QStringLiteral("assistant"), *assistant);
    scene.home.endDiagnosis();
    settle();
    scene.grab(QStringLiteral("assistant-done"), *assistant);
    assistant->close();
    scene.click("showList");
    scene.grab(QStringLiteral("home-five-list"));
    auto *table = scene.find<QAbstractItemView>("deviceTable");
    table->setCurrentIndex(table->model()->index(table->model()->rowCount() - 1, 0));
    scene.grab(QStringLiteral("home-five-detail"));
    table->setCurrentIndex(table->model()->index(2, 0));
    scene.grab(QStringLiteral("home-five-limits"));
    const std::vector<DeviceInfo> before = scene.home.list;
    scene.home.list[3].version = QStringLiteral("0.0.9");
    scene.home.set(scene.home.list);
    table->setCurrentIndex(table->model()->index(3, 0));
    scene.grab(QStringLiteral("home-five-older"));
    scene.home.set(before);
    table->setCurrentIndex(table->model()->index(2, 0));
    scene.click("changeLimits");
    settle();
    auto *limits = scene.find<QDialog>("limitsDialog");
    scene.grab(QStringLiteral("limits"), *limits);
    limits->reject();
    scene.controller.open(QStringLiteral("record"));
    scene.send(recorded);
    scene.controller.end(QStringLiteral("record"));
    scene.grab(QStringLiteral("record-of-another-home"), TrainPlace);
}

/// What the menu opens.
void shootDialogs(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const PastRuns past;
    past.add(QStringLiteral("20261121-094500-7c1e"), QStringLiteral("lossy_run"));
    Scene scene(variant, folder, RecordedRun::devices(recorded));
    scene.home.folder = past.file(QString());
    SilentNotifier notifier;
    QSettings settings(past.file(QStringLiteral("window.ini")), QSettings::IniFormat);
    MainWindow &window = scene.open();
    const WindowShell shell({window, scene.home, scene.controller, scene.answers, notifier, settings});
    // What the shell remembers is another theme and another size.
    ThemeManager::instance().setChoice(variant.theme);
    window.resize(variant.size);
    for (const auto &[action, name] : {std::pair{"menuAbout", "about"}, std::pair{"menuSupport", "support"}}) {
        scene.find<QAction>(action)->trigger();
        settle();
        const std::unique_ptr<QDialog> dialog(window.findChild<QDialog *>());
        scene.grab(QLatin1String(name), *dialog);
    }
    settle();
    window.menu().popup({});
    settle();
    scene.grab(QStringLiteral("menu"), window.menu());
    window.menu().close();
}

}  // namespace hearth::shots
