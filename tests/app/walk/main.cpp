// hearth-demo-walk PICTURES [LANGUAGE [light|dark]]: what a person does who opens the window for the first time, with
// real agents and workers: Try it now, Unplug, plug in again, stop, and a look at every page and at History. Uses this
// user's home: tests/app/walk/record gives it an empty one, and a display. Prints one line of JSON.
#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTableView>
#include <cstdio>

#include "tests/app/walk/walk.h"
#include "tests/app/walk/walked_window.h"
#include "ui/base/message_questions.h"

namespace hearth {
namespace {

/// What the run has told.
struct Told {
    int rounds = 0;
    double firstLoss = 0, loss = 0;
    bool suspected = false, recovered = false, returned = false, over = false;

    void take(const RunEvent &one) {
        if (const auto *round = std::get_if<event::Round>(&one.body)) {
            if (rounds++ == 0)
                firstLoss = round->loss;
            loss = round->loss;
        }
        suspected = suspected || std::holds_alternative<event::Suspect>(one.body);
        const auto *recovery = std::get_if<event::Recovered>(&one.body);
        recovered = recovered || recovery != nullptr;
        // A plan with it follows only where that pays.
        returned = returned || std::holds_alternative<event::Joined>(one.body);
    }
};

QJsonObject tryIt(Walk &walk, Told &told) {
    constexpr double fallen = 0.9;
    walk.shoot("getting-started");
    QElapsedTimer since;
    since.start();
    walk.click("tryDemo");
    walk.wait("the loss to fall", [&told] { return told.rounds > 0 && told.loss < fallen * told.firstLoss; });
    const double seconds = static_cast<double>(since.elapsed()) / 1000;
    walk.wait("some rounds", [&told] { return told.rounds >= 60; });
    walk.shoot("training");
    return {{QStringLiteral("clicks"), 1}, {QStringLiteral("falling_loss_s"), seconds}};
}

void unplug(Walk &walk, Told &told) {
    walk.click("unplug-local-2");
    walk.wait("silence to be noticed", [&told] { return told.suspected; });
    walk.shoot("no-answer");
    walk.wait("the recovery", [&told] { return told.recovered; });
    const int then = told.rounds;
    walk.wait("rounds after the recovery", [&] { return told.rounds >= then + 40; });
    walk.shoot("recovered");
    walk.click("railHome");
    walk.shoot("home-without-it");
    walk.click("railPlan");
    walk.shoot("plan-without-it");
    walk.click("railTrain");
    walk.click("unplug-local-2");
    walk.wait("its return", [&told] { return told.returned; });
    const int back = told.rounds;
    walk.wait("rounds after the return", [&] { return told.rounds >= back + 40; });
    walk.shoot("returned");
}

void lookAtHistory(Walk &walk, Told &told) {
    walk.click("railJob");
    walk.shoot("job");
    walk.click("railTrain");
    walk.click("trainStop");
    walk.wait("the end of the run", [&told] { return told.over; });
    walk.shoot("stopped");
    walk.click("railHistory");
    walk.wait("the run in History", [&walk] { return walk.find<QTableView>("runsTable")->model()->rowCount() == 1; });
    walk.shoot("history");
    walk.click("historyOpen");
    walk.shoot("opened-again");
}

int run(const QStringList &arguments) {
    const WalkedLook look(arguments.value(2, QStringLiteral("en_US")), arguments.value(3) == QLatin1String("dark"));
    MessageQuestions questions;
    WalkedWindow parts(questions);
    parts.show();
    parts.mustNotFail();
    Told told;
    QObject::connect(&parts.controller, &RunController::event, &parts.window,
                     [&told](const RunEvent &event) { told.take(event); });
    QObject::connect(&parts.controller, &RunController::runEnded, &parts.window, [&told] { told.over = true; });
    Walk walk(parts.window, arguments.value(1));
    QJsonObject result = tryIt(walk, told);
    unplug(walk, told);
    lookAtHistory(walk, told);
    result[QStringLiteral("rounds")] = told.rounds;
    result[QStringLiteral("pictures")] = static_cast<int>(walk.save());
    std::printf("%s\n", QJsonDocument(result).toJson(QJsonDocument::Compact).constData());
    return parts.end();
}

}  // namespace
}  // namespace hearth

int main(int argc, char **argv) {
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("hearth"));
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 2) {
        std::fprintf(stderr, "Usage: hearth-demo-walk PICTURES [LANGUAGE [light|dark]]\n");
        return 2;
    }
    return hearth::run(arguments);
}
