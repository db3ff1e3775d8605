// hearth-walk WISHES.json: opens the real window on this computer's home, installs Hearth on another computer with the
// wizard, and trains there. tests/lab/walk_install runs it on a computer of the lab. Prints one line of JSON.
#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <algorithm>
#include <cstdio>

#include "core/base/json_reader.h"
#include "core/run/job.h"
#include "tests/app/walk/walk.h"
#include "tests/app/walk/walked_window.h"
#include "ui/base/message_questions.h"

namespace hearth {
namespace {

constexpr qint64 largestWishes = 1 << 20;

bool isReady(const HomeSource &home, const QString &name) {
    const auto devices = home.devices();
    return std::ranges::any_of(devices, [&name](const DeviceInfo &device) {
        return device.name == name && device.state == DeviceState::Ready;
    });
}

/// Every page of the wizard; how long it took from the first click and from the consent.
QJsonObject install(Walk &walk, const WalkedWindow &parts, const QJsonObject &wishes) {
    const auto wish = [&wishes](const char *key) { return wishes[QLatin1String(key)].toString(); };
    walk.shoot("getting-started");
    walk.click("addDevices");
    walk.shoot("add-a-device");
    walk.click("addInstall");
    walk.shoot("where");
    walk.type("installHost", wish("host"));
    walk.click("installAdvanced");
    walk.type("installPackage", wish("package"));
    walk.shoot("filled-in");
    QElapsedTimer all, work;
    all.start();
    walk.click("installGo");
    walk.wait("the host's key", [&walk] { return walk.isShown("installDetail"); });
    if (!walk.find<QLabel>("installDetail")->text().contains(wish("host_key")))
        qFatal("The window shows another key: %s", qPrintable(walk.find<QLabel>("installDetail")->text()));
    walk.shoot("host-key");
    walk.click("installYes");
    walk.wait("the password", [&walk] { return walk.isShown("installPassword"); });
    walk.type("installPassword", wish("password"));
    walk.shoot("password");
    walk.click("installYes");
    walk.wait("the consent", [&walk] { return walk.isShown("installAsked") && !walk.isShown("installPassword"); });
    walk.shoot("consent");
    work.start();
    walk.click("installYes");
    walk.wait("the package", [&walk] { return walk.isShown("install-step-package"); });
    walk.shoot("at-work");
    walk.wait("the end", [&walk] { return walk.isShown("installGo"); });
    if (!walk.isShown("installSaid")) {
        for (const QLabel *said : walk.find<QWidget>("installDialog")->findChildren<QLabel *>())
            qWarning("%s", qUtf8Printable(said->text()));
        qFatal("The installation did not come to its end.");
    }
    walk.wait("the device", [&] { return isReady(parts.home, wish("device")); });
    const double ready = static_cast<double>(all.elapsed()) / 1000,
                 installed = static_cast<double>(work.elapsed()) / 1000;
    walk.shoot("done");
    walk.wait("the measurement", [&walk] { return !walk.isShown("skipMeasuring"); });
    walk.shoot("measured");
    walk.click("installClose");
    walk.shoot("home");
    return {{QStringLiteral("ready_s"), ready}, {QStringLiteral("installed_s"), installed}};
}

/// Until so many rounds are done, in which all devices of one round took part.
void train(Walk &walk, WalkedWindow &parts, int rounds, QJsonObject &told) {
    int done = 0;
    std::size_t devices = 0;
    QObject::connect(&parts.controller, &RunController::event, &parts.window, [&](const RunEvent &one) {
        if (const auto *round = std::get_if<event::Round>(&one.body)) {
            ++done;
            devices = round->devices.size();
        }
    });
    walk.click("homeStart");
    walk.wait("the training", [&] { return done >= rounds; });
    walk.shoot("training");
    bool isOver = false;
    QObject::connect(&parts.controller, &RunController::runEnded, &parts.window, [&isOver] { isOver = true; });
    parts.controller.stop();
    walk.wait("the end of the training", [&isOver] { return isOver; });
    told[QStringLiteral("rounds")] = done;
    told[QStringLiteral("devices")] = static_cast<int>(devices);
}

int run(const QJsonObject &wishes) {
    const WalkedLook look(wishes[QStringLiteral("language")].toString(), wishes[QStringLiteral("dark")].toBool());
    const auto job = readJsonFile(wishes[QStringLiteral("job")].toString(), largestWishes);
    const auto parsed = job ? Job::validFromJson(*job, QStringLiteral("the job")) : tl::unexpected(job.error());
    if (!parsed)
        qFatal("%s", qPrintable(parsed.error().toString()));

    MessageQuestions questions;
    WalkedWindow parts(questions);
    parts.window.setJob(*parsed);
    parts.show();
    parts.controller.setFiles({.plan = wishes[QStringLiteral("plan")].toString(),
                               .weights = {},
                               .save = {},
                               .trace = {},
                               .trustedFabric = {}});
    QObject::connect(&parts.home, &HomeSource::failed, &parts.window,
                     [](const Error &error) { qFatal("%s", qPrintable(error.toString())); });
    Walk walk(parts.window, wishes[QStringLiteral("pictures")].toString());
    walk.wait("this computer's agent", [&parts] { return !parts.home.devices().empty(); });
    QJsonObject told = install(walk, parts, wishes);
    if (const int rounds = wishes[QStringLiteral("rounds")].toInt(); rounds > 0)
        train(walk, parts, rounds, told);
    told[QStringLiteral("pictures")] = static_cast<int>(walk.save());
    std::printf("%s\n", QJsonDocument(told).toJson(QJsonDocument::Compact).constData());
    return 0;
}

}  // namespace
}  // namespace hearth

int main(int argc, char **argv) {
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("hearth"));
    const QStringList arguments = QCoreApplication::arguments();
    const auto wishes = hearth::readJsonFile(arguments.value(1), hearth::largestWishes);
    if (!wishes) {
        std::fprintf(stderr, "Usage: hearth-walk WISHES.json: %s\n", qUtf8Printable(wishes.error().toString()));
        return 2;
    }
    return hearth::run(*wishes);
}
