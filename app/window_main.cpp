#include "app/window_main.h"

#include <QApplication>
#include <QSettings>
#include <cstdlib>
#include <optional>

#include "app/cli/command.h"
#include "app/demo_options.h"
#include "app/window_claim.h"
#include "app/window_demo_switches.h"
#include "app/window_home_source.h"
#include "app/window_homes.h"
#include "app/window_run_controller.h"
#include "app/window_start_log.h"
#include "core/agent/agent_client.h"
#include "core/agent/programs.h"
#include "core/agent/stop_signals.h"
#include "ui/base/message_questions.h"
#include "ui/shell/app_window.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"
#include "ui/shell/tray_notifier.h"
#include "ui/shell/window_shell.h"

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

int sayNoWindow(const Sentence &cause) {
    return printError({QStringLiteral("app.no-display"), sentence("The window cannot open."), cause,
                       sentence("Try \"hearth demo --headless\", or \"hearth --help\" for what the terminal can do.")});
}

QtMessageHandler logOfProgram = nullptr;

/// The log while QApplication looks for the display: where it finds none, Qt would abort the program.
void logOrSayNoWindow(QtMsgType type, const QMessageLogContext &context, const QString &message) {
    if (type == QtFatalMsg) {
        std::_Exit(sayNoWindow(sentence("No display answers: DISPLAY is \"%1\", WAYLAND_DISPLAY is \"%2\".")
                                   .arg(qEnvironmentVariable("DISPLAY"), qEnvironmentVariable("WAYLAND_DISPLAY"))));
    }
    logOfProgram(type, context, message);
}

}  // namespace

int windowMain(int argc, char **argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    WindowOptions options;
    if (const auto status = parseWindow(arguments, options))
        return *status;

    if (!hasDisplay())
        return sayNoWindow(sentence("There is no display here."));
    logOfProgram = qInstallMessageHandler(logOrSayNoWindow);
    QApplication app(argc, argv);
    qInstallMessageHandler(logOfProgram);
    QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.hearth.Hearth"));
    // A demo is a home of its own each time.
    WindowClaim claim(options.stateDir);
    if (!options.demo && !claim.take()) {
        printNote(QStringLiteral("Hearth is open already: its window is in front now."));
        return Done;
    }
    StopSignals stops;
    // exit, not quit: whoever sends a signal has decided, and is not asked by the window.
    constexpr int signalBase = 128;
    QObject::connect(&stops, &StopSignals::received, &app,
                     [](int signal) { QCoreApplication::exit(signalBase + signal); });

    AgentClient client;
    AgentHomeSource home(client);
    AgentRunController controller(client, options.demo ? defaultStateDir() : options.stateDir);
    MessageQuestions questions;
    ProcessSwitches switches(home);
    QObject::connect(&switches, &DemoSwitches::failed, &home, &AgentHomeSource::failed);
    WindowHomes homes({client, home, controller, switches}, options.demo ? defaultStateDir() : options.stateDir);
    QSettings settings;
    TrayNotifier notifier;
    SpokenLanguage language;
    AppWindow window({home, controller, questions, notifier, settings, language});
    if (options.demo) {
        window.window().setJob(options.demo->job);
        homes.enterDemo(options.demo->devices);
        controller.setFiles(options.demo->files);
    } else {
        homes.enterOwn();
    }
    window.begin();
    if (options.demo)
        window.window().beginDemo();
    // Runs that were deleted in a window before. That of a demo may stand beside one in which they can still come back.
    if (!options.demo)
        controller.history().removeDeleted(options.stateDir + QStringLiteral("/runs"));
    // A closed window may leave its icon beside the clock.
    QGuiApplication::setQuitOnLastWindowClosed(false);
    QObject::connect(&claim, &WindowClaim::windowWanted, &window, [&window](const QByteArray &token) {
        // Qt hands it to the compositor with the next request.
        if (!token.isEmpty())
            qputenv("XDG_ACTIVATION_TOKEN", token);
        window.shell().showWindow();
    });
    QObject::connect(&window, &AppWindow::over, &claim, &WindowClaim::release);
    // Queued: the last word may come from within an answer of the agent.
    QObject::connect(&window, &AppWindow::over, &homes, &WindowHomes::end, Qt::QueuedConnection);
    QObject::connect(&homes, &WindowHomes::leftBehind, &app, &MessageQuestions::tellLeftBehind);
    QObject::connect(&homes, &WindowHomes::ended, &app, &QCoreApplication::quit);
    logFirstPaint(&window.window());
    window.window().show();
    const int status = QApplication::exec();
    return status;
}

}  // namespace hearth
