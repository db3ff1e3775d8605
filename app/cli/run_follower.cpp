#include "app/cli/run_follower.h"

#include <QEventLoop>
#include <QTimer>
#include <cstdio>

#include "app/cli/command.h"
#include "core/agent/programs.h"

namespace hearth {
namespace {

// For the second Ctrl-C of "twice": long enough to mean it, short enough to wait for.
constexpr std::chrono::milliseconds secondThought{1500};

}  // namespace

int followRun(AgentClient &client, const QString &run, const FollowOptions &options, StopSignals &stops) {
    QEventLoop loop;
    RunPrinter printer(options.json);
    printer.showFrom(options.showFrom);
    QTimer leave;
    leave.setSingleShot(true);
    const auto comeBack = [&] {
        return QStringLiteral("hearth attach %1 --from %2").arg(run).arg(printer.lastSeq() + 1) +
               stateOption(options.stateDir);
    };

    QObject::connect(&client, &AgentClient::runEvent, &loop, [&](const QString &id, const QByteArray &line) {
        if (id != run)
            return;
        printer.add(line);
        if (std::ferror(stdout)) {
            loop.exit(printError({QStringLiteral("app.no-output"),
                                  sentence("The events can no longer be written to standard output."),
                                  sentence("The program that reads it has ended, or the disk is full."), QString()}));
        }
    });
    QObject::connect(&client, &AgentClient::runEnded, &loop, [&](const QString &id) {
        if (id == run)
            loop.exit(printer.exitStatus());
    });
    QObject::connect(&client, &AgentClient::closed, &loop, [&](const Error &reason) {
        printer.finishLine();
        loop.exit(printError({reason.code, QStringLiteral("The connection to the agent ended."), reason.toString(),
                              QStringLiteral("See the run with \"%1\".").arg(comeBack())}));
    });
    QObject::connect(&leave, &QTimer::timeout, &loop, [&] {
        printNote(QStringLiteral("The run goes on. Come back with: %1").arg(comeBack()));
        loop.exit(Done);
    });

    QObject::connect(&stops, &StopSignals::received, &loop, [&](int, int count) {
        printer.finishLine();
        if (options.onInterrupt == OnInterrupt::Quit) {
            printNote(QStringLiteral("The demo ends."));
            loop.exit(Interrupted);
        } else if (count == 1) {
            printNote(QStringLiteral("Leaving the run alone; press Ctrl-C again now to stop it and save."));
            leave.start(secondThought);
        } else if (count == 2) {
            leave.stop();
            printNote(QStringLiteral("Stopping the run at the end of this round and saving …"));
            client.command(run, QStringLiteral("stop"), {}, &loop, [&](const Result<QCborMap> &result) {
                if (!result)
                    loop.exit(printError(result.error()));
            });
        }
    });

    client.attach(run, options.from, &loop, [&](const Result<QCborMap> &result) {
        if (!result)
            loop.exit(printError(result.error()));
    });
    const int status = loop.exec();
    printer.finishLine();
    client.disconnect(&loop);
    return status;
}

}  // namespace hearth
