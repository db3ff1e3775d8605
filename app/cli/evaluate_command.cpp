// `hearth evaluate RUN`: one under way at its next round, one that has ended with the weights that it has saved.
#include <QFileInfo>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "app/cli/run_follower.h"
#include "core/run/files/run_folder.h"

namespace hearth {
namespace {

int tellLive(AgentClient &client, const CommandArguments &line, const QString &run) {
    if (line.isSet(QStringLiteral("best"))) {
        return line.wrongUsage({QStringLiteral("usage.wrong"),
                                sentence("--best is for runs that have ended."),
                                {},
                                sentence("Leave it out, or stop the run first.")});
    }
    const auto answer = commandRun(client, run, QStringLiteral("evaluate"), {});
    if (!answer)
        return printError(answer.error());
    if (line.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("run"), run}, {QStringLiteral("command"), QStringLiteral("evaluate")}});
    else
        printLine(QStringLiteral("The run is evaluated at the end of this round."));
    return Done;
}

int runEvaluate(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("evaluate"));
    line.positional(QStringLiteral("RUN"), QStringLiteral("as \"hearth runs\" lists it"));
    line.flag(QStringLiteral("best"), QStringLiteral("with the weights of its best evaluation, not the last ones"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto run = runToAsk(stateDirOf(line), line.word(0));
    if (!run)
        return printError(run.error());
    StopSignals stops;
    const auto client = connectToAgent(stateDirOf(line), &stops);
    if (!client)
        return endedBy(client.error());
    const auto underWay = isUnderWay(**client, *run, &stops);
    if (!underWay)
        return endedBy(underWay.error());
    const auto folder = folderOfRun(stateDirOf(line), *run);
    if (*underWay)
        return tellLive(**client, line, *run);
    if (!folder)
        return printError(folder.error());
    const RunWeights which = line.isSet(QStringLiteral("best")) ? RunWeights::Best : RunWeights::Last;
    const auto order = savedWeights(*folder, which).and_then([&](const QString &weights) {
        return orderOfRun(*folder, weights, QStringLiteral("evaluate"));
    });
    if (!order)
        return printError(order.error());
    noteWeights(*folder, which);
    const auto started = beginRun(**client, *order, stateDirOf(line), stops);
    if (!started)
        return endedBy(started.error());
    FollowOptions options;
    options.json = line.isSet(QStringLiteral("json"));
    options.stateDir = stateDirOf(line);
    return followRun(**client, *started, options, stops);
}

const CommandRegistration evaluateRegistration({QStringLiteral("evaluate"), QStringLiteral("RUN [--best]"),
                                                QStringLiteral("measure a run's accuracy"), runEvaluate});

}  // namespace
}  // namespace hearth
