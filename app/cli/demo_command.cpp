// `hearth demo` in the terminal: an embedded home that trains, and is gone afterwards.
#include <QEventLoop>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_follower.h"
#include "app/demo_options.h"
#include "core/agent/embedded_home.h"
#include "core/agent/stop_signals.h"

namespace hearth {
namespace {

int runDemo(const QStringList &arguments) {
    DemoOptions options;
    if (const auto status = parseDemo(arguments, options))
        return *status;
    const auto order = makeOrder(options.job, options.files);
    if (!order)
        return printError(order.error());

    StopSignals stops;
    EmbeddedHome home;
    QEventLoop starting;
    int status = Done;
    QObject::connect(&home, &EmbeddedHome::ready, &starting, &QEventLoop::quit);
    QObject::connect(&home, &EmbeddedHome::failed, &starting, [&](const Error &reason) {
        status = printError(reason);
        starting.quit();
    });
    QObject::connect(&stops, &StopSignals::received, &starting, [&] {
        status = Interrupted;
        starting.quit();
    });
    QObject::connect(&home, &EmbeddedHome::agentEnded, &home,
                     [](int, const Error &reason) { printNote(QStringLiteral("hearth: ") + reason.toString()); });
    EmbeddedHomeOptions homeOptions;
    homeOptions.devices = options.devices;
    home.start(homeOptions);
    starting.exec();
    if (status != Done)
        return status;

    const auto client = connectToRunningAgent(home.stateDir(), &stops);
    if (!client)
        return endedBy(client.error());
    const auto run = beginRun(**client, *order, {}, stops);
    if (!run)
        return endedBy(run.error());
    return followRun(**client, *run, {.json = options.json, .onInterrupt = OnInterrupt::Quit}, stops);
}

const CommandRegistration demoRegistration({QStringLiteral("demo"), QStringLiteral("[JOB] [OPTIONS]"),
                                            QStringLiteral("a home of several devices inside this machine, training"),
                                            runDemo});

}  // namespace
}  // namespace hearth
