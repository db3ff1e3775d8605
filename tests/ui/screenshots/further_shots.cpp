// A long run that has saved its weights: its details in History, what is taken along, and the job that trains it
// further.
#include <QAbstractItemView>
#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <cmath>

#include "tests/ui/past_runs.h"
#include "tests/ui/screenshots/scene.h"

namespace hearth::shots {
namespace {

const QString longRun = QStringLiteral("20261110-070000-long");
constexpr int longRounds = 3000, evaluatedEvery = 250;
constexpr double roundSeconds = 11.4;

/// The recorded run up to its first round, and that one until all are done: over nine hours.
QByteArray linesOfLongRun(const std::vector<RunEvent> &recorded) {
    QByteArray lines;
    quint64 seq = 0;
    const auto add = [&](double t, const RunEventBody &body) { lines += eventLine(++seq, t, body) + '\n'; };
    for (const RunEvent &one : recorded) {
        RunEventBody body = one.body;
        if (auto *run = std::get_if<event::Run>(&body)) {
            run->id = longRun;
            run->started = QStringLiteral("2026-11-10T07:00:00Z");
            run->job[QLatin1String("rounds")] = longRounds;
        }
        auto *round = std::get_if<event::Round>(&body);
        if (round == nullptr) {
            add(one.t, body);
            continue;
        }
        for (int number = 1; number <= longRounds; ++number) {
            const double t = one.t + roundSeconds * number;
            round->round = number;
            round->roundS = roundSeconds;
            round->samplesPerS = 128 / roundSeconds + 0.4 * std::sin(number / 90.0);
            round->loss = 0.2 + 2 / (1 + number / 120.0) + 0.05 * std::sin(number * 1.7);
            add(t, body);
            if (number % evaluatedEvery == 0)
                add(t, event::Evaluation{number, 0.93 - 0.5 / (1 + number / 300.0), 0.2 + 1.2 / (1 + number / 200.0)});
        }
        add(one.t + roundSeconds * longRounds, event::State{QStringLiteral("finished")});
        break;
    }
    return lines;
}

}  // namespace

void shootFurther(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const PastRuns past;
    const QString last = QStringLiteral("weights.safetensors");
    past.write(longRun, linesOfLongRun(recorded));
    past.addFiles(longRun, {last, QStringLiteral("best.safetensors")});
    Scene scene(variant, folder, RecordedRun::devices(recorded));
    scene.controller.past.setFolders({past.folder()});
    scene.open().showPlace(HistoryPlace);
    const auto *runs = scene.find<QAbstractItemView>("runsTable");
    settleUntil([&] { return runs->model()->rowCount() > 0; });
    runs->selectionModel()->select(runs->model()->index(0, 0),
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    const auto *further = scene.find<QPushButton>("historyFurther");
    settleUntil([&] { return further->isEnabled(); });
    scene.grab(QStringLiteral("history-long"));
    scene.find<QAction>("historyTakeAlong")->trigger();
    settle();
    auto *dialog = scene.find<QDialog>("takeAlongDialog");
    scene.grab(QStringLiteral("take-along-weights"), *dialog);
    scene.answers.file = past.file(QStringLiteral("a-folder-that-is-gone/weights.safetensors"));
    scene.click("takeAlongWeights");
    const auto *told = scene.find<QLabel>("takeAlongTold");
    settleUntil([&] { return told->property("role").toString() == QLatin1String("wrong"); });
    scene.grab(QStringLiteral("take-along-failed"), *dialog);
    scene.click("takeAlongClose");
    settle();
    scene.click("historyFurther");
    const auto grabCard = [&](const QString &name) {
        settle();
        scene.find<QScrollArea>("jobScroll")->ensureWidgetVisible(scene.find<QWidget>("startWeights"));
        scene.grab(name);
    };
    grabCard(QStringLiteral("further"));
    if (!QFile::remove(past.folder() + QLatin1Char('/') + longRun + QLatin1Char('/') + last))
        qFatal("cannot remove %s", qPrintable(last));
    scene.window->showPlace(HistoryPlace);
    scene.window->showPlace(JobPlace);
    grabCard(QStringLiteral("further-gone"));
}

}  // namespace hearth::shots
