// hearth-photo-walk PICTURES LANGUAGE light|dark FOLDER: what a person does who has a folder of photos, with real
// agents and workers: Add data, Job, train on three devices, unplug one, Mistakes, Try it with a picture that it never
// saw, Take along. FOLDER holds icons/, network.json and unseen.png: tests/app/walk/record --photos writes it. Prints
// one line of JSON.
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QScrollArea>
#include <QTableView>
#include <QTableWidget>
#include <cstdio>

#include "tests/app/walk/walk.h"
#include "tests/app/walk/walked_window.h"
#include "tests/ui/fake_home.h"
#include "ui/history/confusion_matrix.h"

namespace hearth {
namespace {

constexpr int rounds = 600;

struct Told {
    int rounds = 0;
    double accuracy = 0;
    bool recovered = false, over = false;
    QMap<QString, QString> names;  // of devices, by id
    QStringList atWork;            // ids, as the last plan has them

    void take(const RunEvent &one) {
        if (const auto *device = std::get_if<event::Device>(&one.body))
            names[device->id] = device->name;
        if (const auto *plan = std::get_if<event::Plan>(&one.body)) {
            atWork.clear();
            for (const QJsonValue stage : plan->plan[QLatin1String("stages")].toArray())
                atWork << stage[QLatin1String("shares")].toObject().keys();
        }
        if (std::holds_alternative<event::Round>(one.body))
            ++rounds;
        if (const auto *evaluation = std::get_if<event::Evaluation>(&one.body))
            accuracy = evaluation->accuracy;
        recovered = recovered || std::holds_alternative<event::Recovered>(one.body);
    }
    /// A device that will be missed; the run's own stays.
    QString toUnplug() const {
        for (const QString &id : atWork) {
            if (names.value(id) != QLatin1String("local-1"))
                return names.value(id);
        }
        return {};
    }
};

void addData(Walk &walk, FakeQuestions &questions, const QDir &folder) {
    walk.click("railJob");
    walk.click("jobDataAdd");
    questions.folder = folder.filePath(QStringLiteral("icons"));
    walk.click("addDataFolder");
    walk.click("addDataAdd");
    walk.wait("the look at the photos", [&walk] { return walk.find<QListWidget>("addDataBroken")->count() == 1; });
    walk.shoot("added");
    walk.click("addDataClose");
}

void describeJob(Walk &walk, FakeQuestions &questions, const QDir &folder) {
    questions.file = folder.filePath(QStringLiteral("network.json"));
    walk.click("jobModelFile");
    walk.type("jobRounds", QString::number(rounds));
    walk.type("jobBatch", QStringLiteral("48"));
    walk.type("jobLearningRate", QLocale().toString(0.01));
    walk.type("jobEvaluateEvery", QStringLiteral("100"));
    walk.wait("the sheet of photos",
              [&walk] { return walk.find<QLabel>("jobDataNote")->text().contains(QStringLiteral("mimetypes")); });
    walk.find<QScrollArea>("jobScroll")->ensureWidgetVisible(walk.find<QWidget>("sampleSheet"));
    walk.shoot("job");
    walk.pick("jobVary", 1);
    walk.find<QScrollArea>("jobScroll")->ensureWidgetVisible(walk.find<QWidget>("jobVaryNote"));
    walk.shoot("varied");
    walk.pick("jobVary", 0);  // in so few rounds it would cost more than it gives
}

void train(Walk &walk, Told &told) {
    walk.click("jobStart");
    walk.wait("some rounds of several devices", [&told] { return told.rounds >= 200 && !told.toUnplug().isEmpty(); });
    walk.click("railTrain");
    walk.shoot("training");
    walk.click(qPrintable(QStringLiteral("unplug-") + told.toUnplug()));
    walk.wait("the recovery", [&told] { return told.recovered; });
    const int then = told.rounds;
    walk.wait("rounds after the recovery", [&] { return told.rounds >= then + 60; });
    walk.shoot("recovered");
    walk.wait("the end of the run", [&told] { return told.over; });
    walk.shoot("finished");
}

void lookAtResults(Walk &walk, FakeQuestions &questions, const QDir &folder) {
    walk.click("railHistory");
    walk.wait("the run in History", [&walk] { return walk.find<QTableView>("runsTable")->model()->rowCount() == 1; });
    walk.click("historyShowMistakes");
    const auto *samples = walk.find<QListWidget>("mistakesSamples");
    walk.wait("the hardest photos", [samples] { return samples->count() > 0 && !samples->item(0)->icon().isNull(); });
    walk.shoot("mistakes");
    questions.file = folder.filePath(QStringLiteral("unseen.png"));
    walk.click("historyTry");
    walk.click("tryFile");
    walk.wait("an answer", [&walk] { return walk.find<QTableWidget>("tryAnswers")->rowCount() == 1; });
    walk.shoot("tried");
    walk.click("tryClose");
    walk.click("railTrain");
    walk.click("trainTakeAlong");
    questions.file = folder.filePath(QStringLiteral("report.html"));
    walk.wait("what was reached", [&walk] { return walk.isShown("takeAlongDialog"); });
    walk.click("takeAlongReport");
    walk.wait("the report", [&questions] { return QFileInfo(questions.file).size() > 0; });
    walk.shoot("taken-along");
    walk.click("takeAlongClose");
}

int run(const QStringList &arguments) {
    const WalkedLook look(arguments[2], arguments[3] == QLatin1String("dark"));
    FakeQuestions questions;
    questions.startsAnyway = true;
    WalkedWindow parts(questions);
    parts.show();
    parts.mustNotFail();
    Told told;
    QObject::connect(&parts.controller, &RunController::event, &parts.window,
                     [&told](const RunEvent &event) { told.take(event); });
    QObject::connect(&parts.controller, &RunController::runEnded, &parts.window, [&told] { told.over = true; });
    Walk walk(parts.window, arguments[1]);
    const QDir folder(arguments[4]);
    parts.homes.enterDemo(3);
    walk.wait("three devices",
              [&parts] { return parts.home.waitingFor().isEmpty() && parts.home.devices().size() == 3; });
    addData(walk, questions, folder);
    describeJob(walk, questions, folder);
    train(walk, told);
    lookAtResults(walk, questions, folder);
    std::printf("%s\n", QJsonDocument(QJsonObject{{QStringLiteral("rounds"), told.rounds},
                                                  {QStringLiteral("accuracy"), told.accuracy},
                                                  {QStringLiteral("pictures"), static_cast<int>(walk.save())}})
                            .toJson(QJsonDocument::Compact)
                            .constData());
    return parts.end();
}

}  // namespace
}  // namespace hearth

int main(int argc, char **argv) {
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("hearth"));
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 5) {
        std::fprintf(stderr, "Usage: hearth-photo-walk PICTURES LANGUAGE light|dark FOLDER\n");
        return 2;
    }
    return hearth::run(arguments);
}
