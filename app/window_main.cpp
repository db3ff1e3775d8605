#include "app/window_main.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QTranslator>
#include <memory>

#include "app/cli/command.h"
#include "app/demo_options.h"
#include "app/window_demo_switches.h"
#include "app/window_home_source.h"
#include "app/window_run_controller.h"
#include "core/home/agent_client.h"
#include "core/home/embedded_home.h"
#include "core/home/stop_signals.h"
#include "ui/main_window.h"
#include "ui/message_questions.h"

namespace hearth {

namespace {

/// What the words behind `hearth` ask of the window.
struct WindowOptions {
    std::optional<DemoOptions> demo;
    QString stateDir;
};

std::optional<int> parseWindow(const QStringList &arguments, WindowOptions &options) {
    if (!arguments.isEmpty() && arguments.first() == QLatin1String("demo")) {
        options.demo.emplace();
        return parseDemo(arguments.mid(1), *options.demo);
    }
    CommandArguments line{QString()};
    line.value(QStringLiteral("state"), QStringLiteral("DIR"), QStringLiteral("another home than the default one"));
    if (const auto status = line.parse(arguments))
        return status;
    options.stateDir = line.get(QStringLiteral("state"), defaultStateDir());
    return std::nullopt;
}

void installTranslations(QApplication &app) {
    auto *own = new QTranslator(&app);
    const QString folder = QStringLiteral(":/hearth/translations");
    // English is a translation, too: it knows the plurals.
    if (own->load(QLocale(), QStringLiteral("hearth"), QStringLiteral("_"), folder) ||
        own->load(QStringLiteral("hearth_en"), folder))
        QCoreApplication::installTranslator(own);
    auto *qt = new QTranslator(&app);
    if (qt->load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"),
                 QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qt);
}

/// The home inside this program: its agents start while the window is already visible.
std::unique_ptr<EmbeddedHome> startDemo(int devices, AgentClient &client, AgentHomeSource &source) {
    auto home = std::make_unique<EmbeddedHome>();
    EmbeddedHome *raw = home.get();
    QObject::connect(raw, &EmbeddedHome::ready, &client, [raw, &client] { client.open(raw->stateDir()); });
    QObject::connect(raw, &EmbeddedHome::failed, &source, &AgentHomeSource::fail);
    EmbeddedHomeOptions options;
    options.devices = devices;
    home->start(options);
    return home;
}

void reachHome(const QString &stateDir, AgentClient &client, AgentHomeSource &source) {
    ensureAgentAsync(stateDir, &source, [&client, &source, stateDir](const Result<void> &outcome) {
        if (outcome) {
            client.open(stateDir);
        } else {
            source.fail(outcome.error());
        }
    });
}

}  // namespace

int windowMain(int argc, char **argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    WindowOptions options;
    if (const auto status = parseWindow(arguments, options))
        return *status;

    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
    installTranslations(app);
    StopSignals stops;
    // exit, not quit: whoever sends a signal has decided, and is not asked by the window.
    constexpr int signalBase = 128;
    QObject::connect(&stops, &StopSignals::received, &app,
                     [](int signal) { QCoreApplication::exit(signalBase + signal); });

    AgentClient client;
    const QString waiting =
        options.demo ? QCoreApplication::translate("WindowMain", "Starting %n device(s) inside this computer …",
                                                   nullptr, options.demo->devices)
                     : QCoreApplication::translate("WindowMain", "Looking for the agent of this computer …");
    AgentHomeSource home(client, options.demo.has_value(), waiting);
    AgentRunController controller(client);
    MessageQuestions questions;
    std::unique_ptr<EmbeddedHome> demo;
    // They die before the demo's agents, which could not end while they are stopped.
    ProcessSwitches switches(home);
    if (options.demo)
        home.setSwitches(&switches);
    QObject::connect(&switches, &DemoSwitches::failed, &home, &AgentHomeSource::failed);
    MainWindow window(home, controller, questions);
    if (options.demo) {
        window.setJob(options.demo->job);
        controller.setFiles(options.demo->files);
        demo = startDemo(options.demo->devices, client, home);
        controller.setStateDir(demo->stateDir());
    } else {
        controller.setStateDir(options.stateDir);
        QObject::connect(&client, &AgentClient::ready, &controller, &AgentRunController::attachToLiveRun);
        reachHome(options.stateDir, client, home);
    }
    window.show();
    const int status = QApplication::exec();
    // The client goes first: its end of the socket must not report the end of the demo as a loss.
    client.disconnect();
    client.close();
    return status;
}

}  // namespace hearth
