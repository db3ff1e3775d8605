// Every page: without a run, while devices are measured, during a run, and what can be done there.
#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QJsonDocument>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "core/base/generator.h"
#include "core/base/json_reader.h"
#include "core/data/dataset.h"
#include "core/protocol/evaluation_details.h"
#include "core/protocol/run_data.h"
#include "tests/ui/past_runs.h"
#include "tests/ui/screenshots/scene.h"
#include "ui/history/confusion_matrix.h"
#include "ui/job/job_draft.h"
#include "ui/plan/plan_compare.h"
#include "ui/run/runs_table_model.h"

namespace hearth::shots {
namespace {

const QString liveRun = QStringLiteral("20261121-094500-7c1e"), crashedRun = QStringLiteral("20261118-080000-efgh");

constexpr std::pair<Place, const char *> pages[] = {
    {HomePlace, "home"}, {JobPlace, "job"}, {PlanPlace, "plan"}, {TrainPlace, "train"}, {HistoryPlace, "history"}};

/// Runs that History lists: of now and before, one that broke off, and one that is none.
void addPastRuns(const PastRuns &past) {
    past.add(liveRun, QStringLiteral("recorded_run"), 90);
    past.add(QStringLiteral("20261120-190200-kfmq"), QStringLiteral("lossy_run"));
    past.add(QStringLiteral("20261119-211500-abcd"), QStringLiteral("recorded_run"), -1,
             {{"2026-11-21T09:45:00Z", "2026-11-19T21:15:00Z"},
              {"\"learning_rate\":0.05", "\"learning_rate\":0.01"},
              {"\"loss\":0.", "\"loss\":1."}});
    past.add(
        crashedRun, QStringLiteral("recorded_run"), 70,
        {{"2026-11-21T09:45:00Z", "2026-11-18T08:00:00Z"},
         {"\"model\":\"fashion-cnn\"", "\"model\":\"a-model-with-a-very-long-name-that-somebody-chose-in-a-hurry\""},
         {"\"batch\":128", "\"batch\":64"}});
    past.write(QStringLiteral("20261117-080000-ijkl"), "what is this?\n");
}

/// The recorded run up to its 52nd round.
void playUntilTheMiddle(Scene &scene, const std::vector<RunEvent> &recorded) {
    bool measured = false;
    for (const RunEvent &one : recorded) {
        const auto *round = std::get_if<event::Round>(&one.body);
        if (round != nullptr && round->round > 52)
            return;
        const auto *profile = std::get_if<event::Profile>(&one.body);
        if (profile != nullptr && profile->done > 20 && !measured) {
            measured = true;
            scene.grab(QStringLiteral("measuring-train"), TrainPlace);
            scene.grab(QStringLiteral("measuring-home"), HomePlace);
        }
        scene.controller.send(one);
    }
}

/// What a network might take fashion for: shirts for T-shirts and coats, sneakers for boots.
void writeResults(const PastRuns &past, const QString &id, const std::vector<RunEvent> &recorded) {
    const auto data = loadDataset(QStringLiteral("fashion-mnist"));
    if (!data)
        qFatal("%s", qPrintable(data.error().toString()));
    const auto save = [folder = past.folder() + QLatin1Char('/') + id](const QString &name, const QJsonObject &object) {
        if (!saveFile(folder + QLatin1Char('/') + name, QJsonDocument(object).toJson()))
            qFatal("cannot write %s", qPrintable(name));
    };
    const auto &run = std::get<event::Run>(recorded.front().body);
    save(QStringLiteral("job.json"), run.job);
    save(QStringLiteral("model.json"), run.model);
    RunData described{
        Precision::Float32, QStringLiteral("cross-entropy"), {}, {{DType::UInt8, {1, 28, 28}, false}}, {}};
    described.classes = (*data)->labelNames();
    save(RunData::fileName(), described.toJson());
    EvaluationDetails details;
    details.round = 200;
    details.split = QStringLiteral("test");
    details.samples = (*data)->count(Split::Test);
    const std::map<int, QList<int>> alike{{0, {6, 6, 6, 3}}, {2, {4, 6}}, {4, {2, 6}}, {5, {7}},
                                          {6, {0, 0, 2, 4}}, {7, {9, 5}}, {9, {7}}};
    const Generator chance(5);
    for (qint64 i = 0; i < details.samples; ++i) {
        qint64 label = 0;
        if (!(*data)->readLabels(Split::Test, std::span(&i, 1), std::as_writable_bytes(std::span(&label, 1))))
            qFatal("no labels");
        const auto number = static_cast<int>(label);
        const quint64 word = chance.word(static_cast<quint64>(i));
        const bool isWrong = alike.contains(number) && word % 7 == 0;
        const int answer =
            isWrong ? alike.at(number)[static_cast<qsizetype>(word / 7 % static_cast<quint64>(alike.at(number).size()))]
                    : number;
        const double certainty = 0.5 + 0.49 * static_cast<double>(word / 64 % 1000) / 1000;
        details.add({i, isWrong ? 8 * certainty : -std::log(certainty), static_cast<double>(number),
                     static_cast<double>(answer), certainty, isWrong});
        EvaluationTally::OfClass &own = details.classes[number];
        ++own.labelled;
        own.right += isWrong ? 0 : 1;
        ++details.classes[answer].answered;
    }
    save(EvaluationDetails::fileName(), details.toJson());
}

/// One run's curves and events, one that can go on, and two runs compared.
void shootHistory(const Scene &scene) {
    auto *table = scene.find<QAbstractItemView>("runsTable");
    const auto choose = [table](int row, QItemSelectionModel::SelectionFlags how) {
        table->selectionModel()->select(table->model()->index(row, 0), how | QItemSelectionModel::Rows);
    };
    choose(3, QItemSelectionModel::ClearAndSelect);
    scene.grab(QStringLiteral("history-interrupted"));
    choose(1, QItemSelectionModel::ClearAndSelect);
    scene.grab(QStringLiteral("history-run"));
    const auto write = [table](int column, const QString &text) {
        table->model()->setData(table->model()->index(1, column), text);
    };
    write(RunsTableModel::Name, QStringLiteral("the one with the larger batch"));
    write(RunsTableModel::Tags, QStringLiteral("paper, slow"));
    scene.click("historyLabel");
    scene.find<QCheckBox>("labelStar")->setChecked(true);
    settle();
    scene.grab(QStringLiteral("history-label"), *scene.find<QDialog>("labelDialog"));
    scene.click("labelSave");
    settle();
    scene.grab(QStringLiteral("history-labelled"));
    scene.click("historyShowEvents");
    scene.grab(QStringLiteral("history-events"));
    scene.click("historyShowMistakes");
    const auto *samples = scene.find<QListWidget>("mistakesSamples");
    for (int i = 0; i < 100 && (samples->count() == 0 || samples->item(0)->icon().isNull()); ++i)
        settle();
    scene.grab(QStringLiteral("history-mistakes"));
    Q_EMIT scene.find<ConfusionMatrix>("confusionMatrix")->chosen({6, 0});
    scene.find<ConfusionMatrix>("confusionMatrix")->choose(ConfusionMatrix::Cell{6, 0});
    settle();
    scene.grab(QStringLiteral("history-mistaken-shirts"));
    scene.click("historyShowCurves");
    scene.find<QAction>("historyTakeAlong")->trigger();
    settle();
    scene.grab(QStringLiteral("take-along"), *scene.find<QDialog>("takeAlongDialog"));
    scene.click("takeAlongClose");
    settle();
    choose(3, QItemSelectionModel::Select);
    scene.grab(QStringLiteral("history-two"));
    scene.click("historyCompare");
    scene.grab(QStringLiteral("history-compared"));
    table->selectAll();
    settle();
    scene.click("historyCompare");
    scene.grab(QStringLiteral("history-many"));
}

/// Saved, changed and opened again: layers one by one, in turns of all devices.
void shootInterleaved(Scene &scene) {
    const QTemporaryDir files;
    scene.answers.file = files.filePath(QStringLiteral("plan.json"));
    scene.click("planSave");
    Plan plan = *Plan::fromJson(*readJsonFile(scene.answers.file), scene.answers.file);
    QStringList devices;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares)
            devices << share.device;
    }
    plan.prediction.reset();
    plan.schedule = Schedule::ZeroBubble;
    plan.stages.clear();
    for (int layer = 0; layer < plan.layerCount; ++layer)
        plan.stages.push_back({layer, layer + 1, {{devices.at(layer % devices.size()), plan.microBatch}}, 3});
    if (!saveFile(scene.answers.file, QJsonDocument(plan.toJson()).toJson()))
        qFatal("%s cannot be written", qPrintable(scene.answers.file));
    scene.click("planOpen");
    settle();
    scene.find<QScrollArea>("planScroll")->ensureWidgetVisible(scene.find<QWidget>("roundChart"), 0, 0);
    scene.grab(QStringLiteral("plan-interleaved"));
    scene.find<QScrollArea>("planScroll")->verticalScrollBar()->setValue(0);
}

/// A border moved, one that must not be moved, and the answer to a question beside the drawn round.
void shootPlan(Scene &scene) {
    scene.window->showPlace(PlanPlace);
    auto *strip = scene.find<QWidget>("layerStrip");
    strip->setFocus();
    const auto press = [strip](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QKeyEvent event(QEvent::KeyPress, key, modifiers);
        QCoreApplication::sendEvent(strip, &event);
    };
    press(Qt::Key_Right, Qt::ShiftModifier);
    scene.grab(QStringLiteral("plan-changed"));
    press(Qt::Key_L);
    press(Qt::Key_Right, Qt::ShiftModifier);
    scene.grab(QStringLiteral("plan-refused"));
    const auto settleAs = [](const QPushButton *button, const QString &text) {
        while (button->text() != text)
            settle();
    };
    auto *ask = scene.find<QPushButton>("planAsk");
    const QString asks = ask->text();
    ask->click();
    auto *questions = scene.find<QMenu>("planQuestions");
    questions->close();
    questions->actions().constFirst()->trigger();
    settleAs(ask, asks);
    auto *bar = scene.find<QScrollArea>("planScroll")->verticalScrollBar();
    bar->setValue(bar->maximum());
    scene.grab(QStringLiteral("plan-round"));
    auto *compare = scene.find<QPushButton>("planCompare");
    const QString compares = compare->text();
    compare->click();
    settleAs(compare, compares);
    settle();
    bar->setValue(bar->maximum());
    scene.grab(QStringLiteral("plan-compared"));
    const auto load = [&](const QString &schedule) {
        auto *schedules = scene.find<QTableView>("scheduleTable");
        for (int row = 0; row < schedules->model()->rowCount(); ++row) {
            if (schedules->model()->index(row, 0).data().toString() == schedule)
                schedules->selectRow(row);
        }
        scene.click("planLoad");
        settle();
    };
    load(PlanCompare::tr("Zero-bubble"));
    scene.find<QScrollArea>("planScroll")->ensureWidgetVisible(scene.find<QWidget>("roundChart"), 0, 0);
    scene.grab(QStringLiteral("plan-zero-bubble"));
    shootInterleaved(scene);
    press(Qt::Key_Right, Qt::ShiftModifier);
    scene.grab(QStringLiteral("plan-interleaved-refused"));
}

void shootErrors(Scene &scene) {
    scene.window->showPlace(HomePlace);
    Q_EMIT scene.controller.failed({QStringLiteral("worker.out-of-memory"),
                                    QStringLiteral("local-3 ran out of memory."),
                                    QStringLiteral("Its worker needed 2.1 GiB and may use 1.9 GiB."),
                                    QStringLiteral("Choose a smaller batch or give the device fewer layers.")});
    scene.grab(QStringLiteral("error"));
    scene.window->showPlace(HistoryPlace);
    scene.answers.file = scene.folder.filePath(QStringLiteral("no-such-folder/rounds.csv"));
    scene.find<QAction>("historyExportCsv")->trigger();
    scene.grab(QStringLiteral("history-not-exported"));
}

/// One that computes on its graphics card, and one that cannot.
std::vector<DeviceInfo> withCards(std::vector<DeviceInfo> devices) {
    devices.at(1).card =
        GraphicsCard{QStringLiteral("NVIDIA GeForce RTX 3060"), qint64{12} << 30, QStringLiteral("580.159"), {}, {}};
    devices.at(1).memoryBytes = devices.at(1).card->memoryBytes;
    devices.at(2).card = GraphicsCard{
        {}, 0, {}, sentence("%1 did not answer in time.").arg(sentence("Hearth's program for graphics cards")), {}};
    return devices;
}

}  // namespace

/// Over slow links: what compressing would give, on Plan and on Job, and cuts that are compressed.
void shootCuts(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    Scene scene(variant, folder, RecordedRun::devices(recorded));
    PlanningProblem slow = *RecordedRun::problem();
    for (LinkProfile::Pair &pair : slow.links.pairs)
        pair.bytesPerSecond = 3e6;
    scene.controller.problem = slow;
    scene.open();
    scene.controller.open(QStringLiteral("run"));
    for (RunEvent one : recorded) {
        if (auto *plan = std::get_if<event::Plan>(&one.body)) {
            Plan told = *Plan::fromJson(plan->plan, QStringLiteral("the recording"));
            told.prediction->codecGain = 2.3;
            plan->plan = told.toJson();
        }
        const auto *round = std::get_if<event::Round>(&one.body);
        if (round != nullptr && round->round > 5)
            break;
        scene.controller.send(one);
    }
    scene.window->showPlace(PlanPlace);
    settle();
    auto *area = scene.find<QScrollArea>("planScroll");
    auto *cuts = scene.find<QWidget>("planCuts");
    area->ensureWidgetVisible(cuts);
    scene.grab(QStringLiteral("cuts-offered"));
    const auto pick = [&scene](const char *name, int index) {
        auto *box = scene.find<QComboBox>(name);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    };
    const int levels = scene.find<QComboBox>("planAllCuts")->count();
    pick("planCut1Forward", std::min(2, levels - 1));
    pick("planCut1Backward", std::min(1, levels - 1));
    settle();
    scene.grab(QStringLiteral("cuts-chosen"));
    area->verticalScrollBar()->setValue(0);
    scene.grab(QStringLiteral("cuts-strip"));
    scene.window->showPlace(JobPlace);
    settle();
    auto *jobs = scene.find<QScrollArea>("jobScroll")->verticalScrollBar();
    jobs->setValue(jobs->maximum());
    scene.grab(QStringLiteral("cuts-job"));
    scene.window->jobDraft().setCodec(CodecChoice::Auto);
    settle();
    jobs->setValue(jobs->maximum());
    scene.grab(QStringLiteral("cuts-job-auto"));
}

void shootPages(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    Scene scene(variant, folder, withCards(RecordedRun::devices(recorded)));
    scene.controller.problem = RecordedRun::problem();
    for (TimeTable &times : scene.controller.problem->times) {  // the recording knows no halves of backward passes
        times.weights = times.backward;
        for (std::vector<double> &row : times.weights)
            std::ranges::for_each(row, [](double &seconds) { seconds /= 2; });
    }
    scene.controller.changesPlans = true;
    const PastRuns past;
    scene.controller.past.setFolders({past.folder()});
    scene.open();
    for (const auto &[place, name] : pages)
        scene.grab(QStringLiteral("empty-") + QLatin1String(name), place);

    RunInfo live;
    live.id = liveRun;
    live.live = true;
    RunInfo crashed;
    crashed.id = crashedRun;
    crashed.resumable = true;
    scene.controller.known = {live, crashed};
    addPastRuns(past);
    writeResults(past, liveRun, recorded);
    scene.controller.open(liveRun);
    playUntilTheMiddle(scene, recorded);
    for (const auto &[place, name] : pages)
        scene.grab(QLatin1String(name), place);
    shootHistory(scene);
    shootPlan(scene);
    scene.window->showPlace(HomePlace);
    scene.click("showList");
    auto *table = scene.find<QAbstractItemView>("deviceTable");
    table->setCurrentIndex(table->model()->index(0, 0));
    scene.grab(QStringLiteral("home-list"));
    for (const int row : {1, 2}) {
        table->setCurrentIndex(table->model()->index(row, 0));
        scene.grab(QStringLiteral("home-card-%1").arg(row));
    }
    table->setCurrentIndex(table->model()->index(1, 0));
    scene.click("changeLimits");
    settle();
    auto *limits = scene.find<QDialog>("limitsDialog");
    scene.grab(QStringLiteral("home-card-limits"), *limits);
    limits->reject();
    scene.click("showPicture");
    shootErrors(scene);
}

}  // namespace hearth::shots
