// hearth-screenshots FOLDER: every page of the window over a recorded run, in light, dark, German and 1024×640, and the
// states without a run. Runs without a display (QT_QPA_PLATFORM=offscreen).
#include <QAbstractItemView>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "tests/ui/fake_home.h"
#include "tests/ui/past_runs.h"
#include "ui/base/notifier.h"
#include "ui/base/rail.h"
#include "ui/base/theme.h"
#include "ui/job/job_draft.h"
#include "ui/shell/app_menu.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_shell.h"

using namespace hearth;

namespace {

struct Variant {
    QString name;
    ThemeChoice theme = ThemeChoice::Light;
    QString language = QStringLiteral("en");
    QSize size{1280, 800};
};

class SilentNotifier : public Notifier {
  public:
    bool isAvailable() const override { return false; }
    void notify(Kind, const QString &, const QString &) override {}
    void setPresence(const QString &) override {}
};

/// Lets layouts settle and the plots' timer fire.
void settle() {
    QEventLoop loop;
    QTimer::singleShot(200, &loop, &QEventLoop::quit);
    loop.exec();
}

void grab(MainWindow &window, const QDir &folder, const QString &name) {
    settle();
    const QString path = folder.filePath(name + QStringLiteral(".png"));
    if (!window.grab().save(path))
        qFatal("cannot write %s", qPrintable(path));
    QTextStream(stdout) << path << Qt::endl;
}

/// One run's curves and events, one that can go on, and two runs compared.
void shootHistory(MainWindow &window, const QDir &folder, const QString &name) {
    auto *table = window.findChild<QAbstractItemView *>(QStringLiteral("runsTable"));
    const auto choose = [table](int row, QItemSelectionModel::SelectionFlags how) {
        table->selectionModel()->select(table->model()->index(row, 0), how | QItemSelectionModel::Rows);
    };
    choose(3, QItemSelectionModel::ClearAndSelect);
    grab(window, folder, name + QStringLiteral("-history-interrupted"));
    choose(1, QItemSelectionModel::ClearAndSelect);
    grab(window, folder, name + QStringLiteral("-history-run"));
    window.findChild<QPushButton *>(QStringLiteral("historyShowEvents"))->click();
    grab(window, folder, name + QStringLiteral("-history-events"));
    choose(3, QItemSelectionModel::Select);
    grab(window, folder, name + QStringLiteral("-history-two"));
    window.findChild<QPushButton *>(QStringLiteral("historyCompare"))->click();
    grab(window, folder, name + QStringLiteral("-history-compared"));
}

void shoot(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &events) {
    const Language spoken{QLocale(variant.language)};
    ThemeManager::instance().setChoice(variant.theme);

    FakeHomeSource home;
    home.list = RecordedRun::devices(events);
    FakeController controller;
    controller.problem = RecordedRun::problem();
    controller.changesPlans = true;
    const PastRuns past;
    controller.past.setFolders({past.folder()});
    FakeQuestions answers;
    MainWindow window(home, controller, answers);
    window.resize(variant.size);
    window.show();
    const char *names[] = {"home", "job", "plan", "train", "history"};
    for (int place = HomePlace; place <= HistoryPlace; ++place) {
        window.showPlace(place);
        grab(window, folder, QStringLiteral("%1-empty-%2").arg(variant.name, QLatin1String(names[place])));
    }

    RunInfo run;
    run.id = QStringLiteral("20261121-094500-7c1e");
    run.live = true;
    RunInfo crashed;
    crashed.id = QStringLiteral("20261118-080000-efgh");
    crashed.resumable = true;
    controller.known = {run, crashed};
    past.add(run.id, QStringLiteral("recorded_run"), 90);
    past.add(QStringLiteral("20261120-190200-kfmq"), QStringLiteral("lossy_run"));
    past.add(QStringLiteral("20261119-211500-abcd"), QStringLiteral("recorded_run"), -1,
             {{"2026-11-21T09:45:00Z", "2026-11-19T21:15:00Z"},
              {"\"learning_rate\":0.05", "\"learning_rate\":0.01"},
              {"\"loss\":0.", "\"loss\":1."}});
    past.add(
        QStringLiteral("20261118-080000-efgh"), QStringLiteral("recorded_run"), 70,
        {{"2026-11-21T09:45:00Z", "2026-11-18T08:00:00Z"},
         {"\"model\":\"fashion-cnn\"", "\"model\":\"a-model-with-a-very-long-name-that-somebody-chose-in-a-hurry\""},
         {"\"batch\":128", "\"batch\":64"}});
    past.write(QStringLiteral("20261117-080000-ijkl"), "what is this?\n");
    controller.open(run.id);
    bool measured = false;
    for (const RunEvent &one : events) {
        const auto *round = std::get_if<event::Round>(&one.body);
        if (round != nullptr && round->round > 52)
            break;
        const auto *profile = std::get_if<event::Profile>(&one.body);
        if (profile != nullptr && profile->done > 20 && !measured) {
            measured = true;
            window.showPlace(TrainPlace);
            grab(window, folder, variant.name + QStringLiteral("-measuring-train"));
            window.showPlace(HomePlace);
            grab(window, folder, variant.name + QStringLiteral("-measuring-home"));
        }
        controller.send(one);
    }
    for (int place = HomePlace; place <= HistoryPlace; ++place) {
        window.showPlace(place);
        grab(window, folder, QStringLiteral("%1-%2").arg(variant.name, QLatin1String(names[place])));
    }
    shootHistory(window, folder, variant.name);
    window.showPlace(PlanPlace);
    auto *strip = window.findChild<QWidget *>(QStringLiteral("layerStrip"));
    strip->setFocus();
    const auto press = [strip](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QKeyEvent event(QEvent::KeyPress, key, modifiers);
        QCoreApplication::sendEvent(strip, &event);
    };
    press(Qt::Key_Right, Qt::ShiftModifier);
    grab(window, folder, variant.name + QStringLiteral("-plan-changed"));
    press(Qt::Key_L);
    press(Qt::Key_Right, Qt::ShiftModifier);
    grab(window, folder, variant.name + QStringLiteral("-plan-refused"));
    auto *ask = window.findChild<QPushButton *>(QStringLiteral("planAsk"));
    ask->click();
    auto *questions = window.findChild<QMenu *>(QStringLiteral("planQuestions"));
    questions->close();
    questions->actions().constFirst()->trigger();
    while (!ask->isEnabled())
        settle();
    auto *scroll = window.findChild<QScrollArea *>(QStringLiteral("planScroll"));
    scroll->verticalScrollBar()->setValue(scroll->verticalScrollBar()->maximum());
    grab(window, folder, variant.name + QStringLiteral("-plan-round"));
    window.showPlace(HomePlace);
    window.findChild<QPushButton *>(QStringLiteral("showList"))->click();
    auto *table = window.findChild<QAbstractItemView *>(QStringLiteral("deviceTable"));
    table->setCurrentIndex(table->model()->index(0, 0));
    grab(window, folder, variant.name + QStringLiteral("-home-list"));
    window.findChild<QPushButton *>(QStringLiteral("showPicture"))->click();
    Q_EMIT controller.failed({QStringLiteral("worker.out-of-memory"), QStringLiteral("local-3 ran out of memory."),
                              QStringLiteral("Its worker needed 2.1 GiB and may use 1.9 GiB."),
                              QStringLiteral("Choose a smaller batch or give the device fewer layers.")});
    grab(window, folder, variant.name + QStringLiteral("-error"));
    window.showPlace(HistoryPlace);
    answers.file = folder.filePath(QStringLiteral("no-such-folder/rounds.csv"));
    window.findChild<QAction *>(QStringLiteral("historyExportCsv"))->trigger();
    grab(window, folder, variant.name + QStringLiteral("-history-not-exported"));
}

/// Where nothing happened yet: the ways to begin, on the way to the demo, and how devices are added.
void shootFirstStart(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &events) {
    const Language spoken{QLocale(variant.language)};
    ThemeManager::instance().setChoice(variant.theme);
    FakeHomeSource home;
    home.demo = false;
    home.fresh = true;
    home.list = RecordedRun::devices(events);
    home.list.resize(1);
    home.list.front().state = DeviceState::Ready;
    FakeController controller;
    FakeQuestions answers;
    MainWindow window(home, controller, answers);
    window.resize(variant.size);
    window.show();
    grab(window, folder, variant.name + QStringLiteral("-first-start"));
    window.findChild<QPushButton *>(QStringLiteral("addDevices"))->click();
    grab(window, folder, variant.name + QStringLiteral("-add-devices"));
    window.showFirstStart();
    window.findChild<QPushButton *>(QStringLiteral("tryDemo"))->click();
    grab(window, folder, variant.name + QStringLiteral("-demo-starting"));
}

/// The Job page: read to the end, then with what somebody brought, and what is wrong with it.
void shootJob(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &events) {
    const Language spoken{QLocale(variant.language)};
    ThemeManager::instance().setChoice(variant.theme);
    const QTemporaryDir files;
    const auto write = [&files](const QString &name, const QByteArray &content) {
        QFile file(files.filePath(name));
        if (!QDir().mkpath(QFileInfo(file).path()) || !file.open(QIODevice::WriteOnly) || file.write(content) < 0)
            qFatal("cannot write %s", qPrintable(name));
        return file.fileName();
    };
    FakeHomeSource home;
    home.list = RecordedRun::devices(events);
    FakeController controller;
    FakeQuestions answers;
    MainWindow window(home, controller, answers);
    window.resize(variant.size);
    window.show();
    window.showPlace(JobPlace);
    const auto *note = window.findChild<QLabel *>(QStringLiteral("jobDataNote"));
    auto *bar = window.findChild<QScrollArea *>(QStringLiteral("jobScroll"))->verticalScrollBar();
    const auto grabWhole = [&](const QString &name) {
        const QString reading = note->text();
        for (int tries = 0; tries < 50 && note->text() == reading; ++tries)
            settle();
        grab(window, folder, QStringLiteral("%1-job-%2").arg(variant.name, name));
        bar->setValue(bar->maximum());
        grab(window, folder, QStringLiteral("%1-job-%2-end").arg(variant.name, name));
        bar->setValue(0);
    };
    grabWhole(QStringLiteral("read"));
    window.jobDraft().setOptimizer(OptimizerSpec::Kind::Adam);
    window.jobDraft().setByEpochs(true);
    window.jobDraft().setText(JobField::Batch, QStringLiteral("twelve"));
    window.jobDraft().setText(JobField::MicroBatch, QStringLiteral("0"));
    window.jobDraft().setText(JobField::LearningRate, QStringLiteral("-1"));
    QFile described(QStringLiteral(":/hearth/models/fashion-cnn.json"));
    window.jobDraft().setModel(
        write(QStringLiteral("a-model-with-a-very-long-name-that-somebody-chose-in-a-hurry-one-evening.json"),
              described.open(QIODevice::ReadOnly) ? described.readAll() : QByteArray("{}")));
    window.jobDraft().setData(files.filePath(QStringLiteral("pictures-of-the-holidays-that-are-gone.json")));
    grabWhole(QStringLiteral("wrong"));
    window.jobDraft().setModel(
        write(QStringLiteral("in/a-folder/far-down/below/others/a-model-that-was-written-by-hand.json"),
              "{\"format\":\"hearth-model/1\",\"name\":\"mine\",\"layer\":[]}"));
    grabWhole(QStringLiteral("damaged"));
}

/// Homes of other sizes, and a run that another home has recorded.
void shootHomes(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &events) {
    const Language spoken{QLocale(variant.language)};
    ThemeManager::instance().setChoice(variant.theme);
    FakeHomeSource home;
    home.demo = false;
    FakeController controller;
    FakeQuestions answers;
    MainWindow window(home, controller, answers);
    window.resize(variant.size);
    window.show();
    window.showPlace(HomePlace);
    grab(window, folder, variant.name + QStringLiteral("-home-none"));
    std::vector<DeviceInfo> list = RecordedRun::devices(events);
    const char *names[] = {"laptop", "the-old-gaming-pc-of-my-brother-under-the-stairs", "nano-1", "nano-2", "tx2"};
    const DeviceState states[] = {DeviceState::Ready, DeviceState::Training, DeviceState::Ready, DeviceState::Leaving,
                                  DeviceState::Lost};
    list.resize(std::size(names), list.back());
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i].id = QString(64, QChar(u'a' + static_cast<char16_t>(i)));
        list[i].name = QLatin1String(names[i]);
        list[i].state = states[i];
    }
    list.back().address = QStringLiteral("[fe80::a00:27ff:fe4e:66a1%wlp0s20f3]:47600");
    list.back().lastError = QStringLiteral("tx2 did not answer. The connection was allowed 10 seconds.");
    home.set(list);
    grab(window, folder, variant.name + QStringLiteral("-home-five"));
    window.findChild<QPushButton *>(QStringLiteral("showList"))->click();
    grab(window, folder, variant.name + QStringLiteral("-home-five-list"));
    auto *table = window.findChild<QAbstractItemView *>(QStringLiteral("deviceTable"));
    table->setCurrentIndex(table->model()->index(4, 0));
    grab(window, folder, variant.name + QStringLiteral("-home-five-detail"));
    controller.open(QStringLiteral("record"));
    for (const RunEvent &one : events)
        controller.send(one);
    controller.end(QStringLiteral("record"));
    window.showPlace(TrainPlace);
    grab(window, folder, variant.name + QStringLiteral("-record-of-another-home"));
}

/// What the menu opens.
void shootDialogs(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &events) {
    const Language spoken{QLocale(variant.language)};
    FakeHomeSource home;
    home.list = RecordedRun::devices(events);
    FakeController controller;
    FakeQuestions answers;
    SilentNotifier notifier;
    QTemporaryDir state;
    QDir(state.path()).mkpath(QStringLiteral("runs/20261121-094500-7c1e"));
    QFile::copy(QStringLiteral(HEARTH_UI_TEST_DATA "/lossy_run.jsonl"),
                state.filePath(QStringLiteral("runs/20261121-094500-7c1e/events.jsonl")));
    home.folder = state.path();
    QSettings settings(state.filePath(QStringLiteral("window.ini")), QSettings::IniFormat);
    MainWindow window(home, controller, answers);
    const WindowShell shell({window, home, controller, answers, notifier, settings});
    ThemeManager::instance().setChoice(variant.theme);
    window.resize(variant.size);
    window.show();
    for (const auto &[action, name] : {std::pair{"menuAbout", "about"}, std::pair{"menuSupport", "support"}}) {
        window.findChild<QAction *>(QLatin1String(action))->trigger();
        settle();
        auto *dialog = window.findChild<QDialog *>();
        dialog->grab().save(folder.filePath(QStringLiteral("%1-%2.png").arg(variant.name, QLatin1String(name))));
        delete dialog;
    }
    settle();
    window.menu().popup({});
    settle();
    window.menu().grab().save(folder.filePath(variant.name + QStringLiteral("-menu.png")));
    window.menu().close();
}

/// The plots below, a part of the time, and the cursor reading all of them out.
void shootCursor(MainWindow &window, const QDir &folder, const QString &name) {
    settle();
    auto *scroll = window.findChild<QScrollArea *>(QStringLiteral("plotScroll"));
    auto *plot = window.findChild<QWidget *>(QStringLiteral("computingPlotPlot"));
    plot->setFocus();
    window.findChild<QPushButton *>(QStringLiteral("plotZoomIn"))->click();
    settle();
    for (int step = 0; step < 20; ++step) {
        QKeyEvent left(QEvent::KeyPress, Qt::Key_Left, Qt::NoModifier);
        QCoreApplication::sendEvent(plot, &left);
    }
    for (const int part : {0, 1, 2}) {
        scroll->verticalScrollBar()->setValue(scroll->verticalScrollBar()->maximum() * part / 2);
        grab(window, folder, QStringLiteral("%1-cursor-%2").arg(name).arg(part));
    }
}

/// A recorded run in which a device was lost and came back: while it is missed, shortly after, and at the end.
void shootLoss(const Variant &variant, const QDir &folder) {
    const Language spoken{QLocale(variant.language)};
    ThemeManager::instance().setChoice(variant.theme);
    const std::vector<RunEvent> events = RecordedRun::load(QStringLiteral("lossy_run"));
    FakeHomeSource home;
    home.list = RecordedRun::devices(events);
    home.fakeSwitches.leader = home.list.front().id;
    FakeController controller;
    FakeQuestions answers;
    MainWindow window(home, controller, answers);
    window.resize(variant.size);
    window.show();
    window.showPlace(TrainPlace);
    controller.open(QStringLiteral("lossy"));
    const auto grabBoth = [&](const QString &when) {
        for (const auto &[place, name] : {std::pair{HomePlace, "home"}, std::pair{TrainPlace, "train"}}) {
            window.showPlace(place);
            grab(window, folder, QStringLiteral("%1-%2-%3").arg(variant.name, when, QLatin1String(name)));
        }
    };
    for (const RunEvent &one : events) {
        controller.send(one);
        const auto *state = std::get_if<event::State>(&one.body);
        if (const auto *lost = std::get_if<event::Lost>(&one.body))
            home.fakeSwitches.setCondition(lost->id, DemoSwitches::Condition::Unplugged);
        else if (state != nullptr && state->state == QLatin1String("recovering"))
            grabBoth(QStringLiteral("recovering"));
        else if (std::holds_alternative<event::Recovered>(one.body))
            grabBoth(QStringLiteral("recovered"));
        else if (const auto *joined = std::get_if<event::Joined>(&one.body)) {
            home.fakeSwitches.setCondition(joined->id, DemoSwitches::Condition::Normal);
            grabBoth(QStringLiteral("returned"));
        }
    }
    grabBoth(QStringLiteral("after-loss"));
    shootCursor(window, folder, variant.name + QStringLiteral("-train"));
}

/// The recorded run as if twelve devices had taken part.
std::vector<RunEvent> runOfTwelve(const std::vector<RunEvent> &recorded, std::vector<DeviceInfo> &devices) {
    constexpr int count = 12, microBatch = 16, rounds = 90;
    const auto id = [](int d) { return QStringLiteral("device-%1").arg(d, 2, 10, QLatin1Char('0')); };
    const char *rooms[] = {"kitchen", "study", "attic", "garage", "hall", "workshop"};
    std::vector<RunEvent> events{recorded.front()};
    const auto send = [&events](double t, RunEventBody body) {
        events.push_back({events.size() + 1, t, std::move(body), {}});
    };
    devices.resize(count, devices.front());
    for (int d = 0; d < count; ++d) {
        DeviceInfo &device = devices[static_cast<std::size_t>(d)];
        device.id = id(d);
        device.name = QStringLiteral("%1-%2").arg(QLatin1String(rooms[d % 6])).arg(d / 6 + 1);
        device.self = d == 0;
        send(0.1, event::Device{device.id, device.name, QStringLiteral("ready"), {}, 0});
    }
    const auto first = std::ranges::find_if(
        recorded, [](const RunEvent &one) { return std::holds_alternative<event::Plan>(one.body); });
    Plan plan = *Plan::fromJson(std::get<event::Plan>(first->body).plan, QStringLiteral("the recording"));
    plan.microBatch = microBatch;
    plan.prediction.reset();
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        const auto each = count / static_cast<int>(plan.stages.size());
        plan.stages[stage].shares.clear();
        for (int i = 0; i < each; ++i)
            plan.stages[stage].shares.push_back(
                {id(static_cast<int>(stage) * each + i), microBatch / each + (i < microBatch % each ? 1 : 0)});
    }
    send(1, event::Plan{1, 1, plan.toJson(), QStringLiteral("first"), {}});
    send(1, event::State{QStringLiteral("training")});
    for (int r = 1; r <= rounds; ++r) {
        event::Round round;
        round.round = r;
        round.roundS = 0.4;
        round.loss = 0.3 + 2 / (1 + r / 10.0);
        round.samplesPerS = 310 + 20 * std::sin(r / 4.0);
        round.predictedRoundS = 0.39;
        for (int d = 0; d < count; ++d) {
            const double wave = 0.02 * std::sin(r / 5.0 + d);
            round.devices[id(d)] = {0.12 + 0.02 * d + wave,    0.1 - 0.005 * d, 0.05, 0.03, 0.01, 0.005,
                                    qint64{120 + 25 * d} << 20};
            round.links.push_back({id(d), id((d + 1) % count), (qint64{1} << 18) * (1 + d)});
        }
        send(1 + 0.4 * r, round);
    }
    return events;
}

/// As many devices as a large household has: the plots of each, the box beside the cursor, and the Plan page.
void shootTwelve(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const Language spoken{QLocale(variant.language)};
    ThemeManager::instance().setChoice(variant.theme);
    FakeHomeSource home;
    home.list = RecordedRun::devices(recorded);
    const std::vector<RunEvent> events = runOfTwelve(recorded, home.list);
    FakeController controller;
    FakeQuestions answers;
    MainWindow window(home, controller, answers);
    window.resize(variant.size);
    window.show();
    window.showPlace(TrainPlace);
    controller.open(QStringLiteral("twelve"));
    for (const RunEvent &one : events)
        controller.send(one);
    grab(window, folder, variant.name + QStringLiteral("-twelve-train"));
    shootCursor(window, folder, variant.name + QStringLiteral("-twelve"));
    window.showPlace(PlanPlace);
    grab(window, folder, variant.name + QStringLiteral("-twelve-plan"));
}

}  // namespace

int main(int argc, char **argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 2 || !QDir().mkpath(arguments[1])) {
        QTextStream(stderr) << "Usage: hearth-screenshots FOLDER" << Qt::endl;
        return 2;
    }
    const QDir folder(arguments[1]);
    const std::vector<RunEvent> events = RecordedRun::load();
    const QString german = QStringLiteral("de");
    const QSize small(1024, 640);
    for (const Variant &variant : {Variant{QStringLiteral("light")}, Variant{QStringLiteral("dark"), ThemeChoice::Dark},
                                   Variant{QStringLiteral("german-small"), ThemeChoice::Light, german, small},
                                   Variant{QStringLiteral("small"), ThemeChoice::Dark, QStringLiteral("en"), small}}) {
        shootFirstStart(variant, folder, events);
        shootDialogs(variant, folder, events);
        shootJob(variant, folder, events);
        shootHomes(variant, folder, events);
        shoot(variant, folder, events);
        shootLoss(variant, folder);
        shootTwelve(variant, folder, events);
    }
    return 0;
}
