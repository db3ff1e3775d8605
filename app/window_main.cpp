#include "app/window_main.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QSettings>
#include <QTranslator>
#include <optional>

#include "app/cli/command.h"
#include "app/demo_options.h"
#include "app/window_claim.h"
#include "app/window_demo_switches.h"
#include "app/window_home_source.h"
#include "app/window_homes.h"
#include "app/window_run_controller.h"
#include "app/window_start_log.h"
#include "core/home/agent_client.h"
#include "core/home/programs.h"
#include "core/home/stop_signals.h"
#include "ui/base/message_questions.h"
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
    QGuiApplication::setDesktopFileName(QStringLiteral("org.hearth.Hearth"));
    installTranslations(app);
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
    MainWindow window(home, controller, questions);
    if (options.demo) {
        window.setJob(options.demo->job);
        controller.setFiles(options.demo->files);
        homes.enterDemo(options.demo->devices);
    } else {
        homes.enterOwn();
    }
    QSettings settings;
    TrayNotifier notifier;
    WindowShell shell({window, home, controller, questions, notifier, settings});
    // A closed window may leave its icon beside the clock.
    QGuiApplication::setQuitOnLastWindowClosed(false);
    QObject::connect(&claim, &WindowClaim::windowWanted, &shell, [&shell](const QByteArray &token) {
        // Qt hands it to the compositor with the next request.
        if (!token.isEmpty())
            qputenv("XDG_ACTIVATION_TOKEN", token);
        shell.showWindow();
    });
    QObject::connect(&shell, &WindowShell::over, &claim, &WindowClaim::release);
    // Queued: the last word may come from within an answer of the agent.
    QObject::connect(&shell, &WindowShell::over, &homes, &WindowHomes::end, Qt::QueuedConnection);
    QObject::connect(&homes, &WindowHomes::ended, &app, &QCoreApplication::quit);
    logFirstPaint(&window);
    window.show();
    const int status = QApplication::exec();
    return status;
}

}  // namespace hearth
