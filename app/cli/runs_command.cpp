// `hearth runs` and `attach`: the runs of this home, live or past.
#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/delete_runs.h"
#include "app/cli/run_folder.h"
#include "app/cli/run_follower.h"
#include "app/cli/table.h"
#include "core/agent/programs.h"
#include "core/history/run_label.h"
#include "ui/run/event_sentences.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

QString resumeText(const RunInfo &run) {
    if (run.live || !run.only.isEmpty() || (run.state == QLatin1String("finished") && !run.endedEarly))
        return {};
    return run.resumable ? QStringLiteral("yes") : QStringLiteral("no");
}

QString stateOf(const RunInfo &run) {
    const QString state = stateText(run.state);
    return run.only.isEmpty() ? state : QStringLiteral("%1 (only to %2)").arg(state, run.only);
}

/// A run of the agent's list, and what people wrote on it.
struct LabelledRun {
    RunInfo run;
    RunLabel label;

    QJsonObject toJson() const {
        QJsonObject json = run.toJson();
        json[QStringLiteral("name")] = label.name;
        json[QStringLiteral("note")] = label.note;
        json[QStringLiteral("tags")] = QJsonArray::fromStringList(label.tags);
        json[QStringLiteral("starred")] = label.starred;
        return json;
    }
};

/// Those of `runs` that have all the tags, and the star where it is asked for.
std::vector<LabelledRun> labelled(const std::vector<RunInfo> &runs, const CommandArguments &line) {
    const QStringList tags = tagsIn(line.get(QStringLiteral("tag")));
    std::vector<LabelledRun> list;
    for (const RunInfo &run : runs) {
        const RunLabel label =
            RunLabel::load(stateDirOf(line) + QStringLiteral("/runs/") + run.id).value_or(RunLabel());
        const bool tagged = std::ranges::all_of(tags, [&label](const QString &tag) { return label.hasTag(tag); });
        if (tagged && (label.starred || !line.isSet(QStringLiteral("starred"))))
            list.push_back({run, label});
    }
    return list;
}

QStringList rowOf(const LabelledRun &each, bool names) {
    const RunInfo &run = each.run;
    QStringList row{run.id,
                    stateOf(run),
                    formatCount(run.rounds),
                    std::isnan(run.loss) ? QString() : formatLoss(run.loss),
                    run.accuracy < 0 ? QString() : formatPercent(run.accuracy),
                    run.model,
                    run.data,
                    resumeText(run)};
    if (names) {
        row << (each.label.starred ? QStringLiteral("★ ") : QString()) + each.label.name
            << each.label.tags.join(QLatin1Char(','));
    }
    return row;
}

/// What does not go with --delete, or not without it.
std::optional<Error> misusedDelete(const CommandArguments &line) {
    const auto wrong = [](const Sentence &what) { return Error{QStringLiteral("usage.wrong"), what, {}, {}}; };
    const bool deletes = line.isSet(QStringLiteral("delete"));
    if (deletes && line.wordCount() == 0)
        return wrong(sentence("--delete takes the runs that are to be deleted."));
    if (deletes && (line.isSet(QStringLiteral("tag")) || line.isSet(QStringLiteral("starred"))))
        return wrong(sentence("--delete takes runs by their ids or names, not by tags or stars."));
    if (!deletes && (line.wordCount() > 0 || line.isSet(QStringLiteral("yes"))))
        return wrong(sentence("Runs and --yes go with --delete alone."));
    return std::nullopt;
}

int runRuns(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("runs"));
    line.positional(QStringLiteral("RUN…"), QStringLiteral("those that --delete deletes"), false);
    line.value(QStringLiteral("tag"), QStringLiteral("a,b"), QStringLiteral("only those with these tags"));
    line.flag(QStringLiteral("starred"), QStringLiteral("only those with a star"));
    line.flag(QStringLiteral("delete"), QStringLiteral("remove these runs for good, with all their files"));
    line.flag(QStringLiteral("yes"), QStringLiteral("do not ask before"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    if (const auto wrong = misusedDelete(line))
        return line.wrongUsage(*wrong);
    if (line.isSet(QStringLiteral("delete")))
        return deleteRuns(line);
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto runs =
        waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { (*client)->runs(context, done); });
    if (!runs)
        return printError(runs.error());
    const std::vector<LabelledRun> shown = labelled(*runs, line);
    if (line.isSet(QStringLiteral("json"))) {
        QJsonArray list;
        for (const LabelledRun &run : shown)
            list << run.toJson();
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-runs/1")}, {QStringLiteral("runs"), list}});
        return Done;
    }
    if (runs->empty()) {
        printLine(QStringLiteral("No runs yet. Start one with \"hearth train\"."));
        return Done;
    }
    if (shown.empty()) {
        printLine(QStringLiteral("No run is labelled so. \"hearth label RUN --tag NAME\" does."));
        return Done;
    }
    const bool names = std::ranges::any_of(shown, [](const LabelledRun &run) { return run.label != RunLabel(); });
    QList<QStringList> rows{{QStringLiteral("RUN"), QStringLiteral("STATE"), QStringLiteral("ROUNDS"),
                             QStringLiteral("LOSS"), QStringLiteral("ACCURACY"), QStringLiteral("MODEL"),
                             QStringLiteral("DATA"), QStringLiteral("RESUME")}};
    if (names)
        rows.first() << QStringLiteral("NAME") << QStringLiteral("TAGS");
    for (const LabelledRun &run : shown)
        rows << rowOf(run, names);
    printTable(rows);
    if (std::ranges::any_of(shown, [](const LabelledRun &each) { return each.run.resumable; })) {
        printLine({});
        printLine(QStringLiteral("A run with \"yes\" goes on from its newest checkpoint: hearth train --resume RUN%1")
                      .arg(stateOption(stateDirOf(line))));
    }
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
    const auto run = runToAsk(stateDirOf(line), line.word(0));
    if (!run)
        return printError(run.error());
    StopSignals stops;
    const auto client = connectToAgent(stateDirOf(line), &stops);
    if (!client)
        return endedBy(client.error());
    return followRun(**client, *run,
                     {.showFrom = static_cast<quint64>(*from),
                      .json = line.isSet(QStringLiteral("json")),
                      .stateDir = stateDirOf(line)},
                     stops);
}

const CommandRegistration runsRegistration(
    {QStringLiteral("runs"), QStringLiteral("[--tag a,b] [--starred] [--json] [--state DIR] | --delete RUN… [--yes]"),
     QStringLiteral("the runs of this home, live or past"), runRuns});
const CommandRegistration attachRegistration({QStringLiteral("attach"), QStringLiteral("RUN [--from SEQ]"),
                                              QStringLiteral("show a run from its first event on, and follow it"),
                                              runAttach});

}  // namespace
}  // namespace hearth
