// `hearth runs` and `attach`: the runs of this home, live or past.
#include <QJsonArray>
#include <algorithm>
#include <cmath>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_follower.h"
#include "app/cli/table.h"
#include "ui/run/event_sentences.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

QString resumeText(const RunInfo &run) {
    if (run.live || !run.only.isEmpty() || run.state == QLatin1String("finished"))
        return {};
    return run.resumable ? QStringLiteral("yes") : QStringLiteral("no");
}

QString stateOf(const RunInfo &run) {
    const QString state = stateText(run.state);
    return run.only.isEmpty() ? state : QStringLiteral("%1 (only to %2)").arg(state, run.only);
}

int runRuns(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("runs"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto runs =
        waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { (*client)->runs(context, done); });
    if (!runs)
        return printError(runs.error());
    if (line.isSet(QStringLiteral("json"))) {
        QJsonArray list;
        for (const RunInfo &run : *runs)
            list << run.toJson();
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-runs/1")}, {QStringLiteral("runs"), list}});
        return Done;
    }
    if (runs->empty()) {
        printLine(QStringLiteral("No runs yet. Start one with \"hearth train\"."));
        return Done;
    }
    QList<QStringList> rows{{QStringLiteral("RUN"), QStringLiteral("STATE"), QStringLiteral("ROUNDS"),
                             QStringLiteral("LOSS"), QStringLiteral("ACCURACY"), QStringLiteral("MODEL"),
                             QStringLiteral("DATA"), QStringLiteral("RESUME")}};
    for (const RunInfo &run : *runs) {
        rows << QStringList{run.id,
                            stateOf(run),
                            formatCount(run.rounds),
                            std::isnan(run.loss) ? QString() : formatLoss(run.loss),
                            run.accuracy < 0 ? QString() : formatPercent(run.accuracy),
                            run.model,
                            run.data,
                            resumeText(run)};
    }
    printTable(rows);
    if (std::any_of(runs->begin(), runs->end(), [](const RunInfo &run) { return run.resumable; }))
        printOwnLines(
            QStringLiteral("\nA run with \"yes\" goes on from its newest checkpoint: hearth train --resume RUN"));
    return Done;
}

int runAttach(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("attach"));
    line.positional(QStringLiteral("RUN"), QStringLiteral("as \"hearth runs\" lists it"));
    line.value(QStringLiteral("from"), QStringLiteral("SEQ"), QStringLiteral("the first event to show (default 1)"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto from = line.integer(QStringLiteral("from"), 1, qint64(1) << 53, 1);
    if (!from)
        return line.wrongUsage(from.error());
    StopSignals stops;
    const auto client = connectToAgent(stateDirOf(line), &stops);
    if (!client)
        return endedBy(client.error());
    return followRun(
        **client, line.word(0),
        {.from = static_cast<quint64>(*from), .json = line.isSet(QStringLiteral("json")), .stateDir = stateDirOf(line)},
        stops);
}

const CommandRegistration runsRegistration({QStringLiteral("runs"), QStringLiteral("[--json] [--state DIR]"),
                                            QStringLiteral("the runs of this home, live or past"), runRuns});
const CommandRegistration attachRegistration({QStringLiteral("attach"), QStringLiteral("RUN [--from SEQ]"),
                                              QStringLiteral("show a run from its first event on, and follow it"),
                                              runAttach});

}  // namespace
}  // namespace hearth
