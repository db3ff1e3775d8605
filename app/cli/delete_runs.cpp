#include "app/cli/delete_runs.h"

#include <unistd.h>
#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>
#include <atomic>
#include <vector>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "app/cli/terminal_prompt.h"
#include "core/agent/programs.h"
#include "core/base/sentence.h"
#include "core/history/deleted_runs.h"
#include "core/history/run_label.h"
#include "core/run/files/run_folder.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

struct RunToDelete {
    QString id, folder;
    qint64 bytes = 0;
};

/// An error where any of them is under way.
Result<void> mustBeOver(const std::vector<RunToDelete> &chosen, const QString &stateDir) {
    const auto client = connectToAgent(stateDir);
    if (!client)
        return tl::unexpected(client.error());
    const auto known =
        waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { (*client)->runs(context, done); });
    if (!known)
        return tl::unexpected(known.error());
    for (const RunInfo &run : *known) {
        if (run.live && std::ranges::find(chosen, run.id, &RunToDelete::id) != chosen.end()) {
            return fail(QStringLiteral("run.live"),
                        sentence("The run %1 is under way, and nothing was deleted.").arg(run.id), {},
                        sentence("Stop it first: hearth stop %1%2").arg(run.id, stateOption(stateDir)));
        }
    }
    return {};
}

/// Those that are named, each once, and none that is under way.
Result<std::vector<RunToDelete>> runsToDelete(const CommandArguments &line) {
    std::vector<RunToDelete> chosen;
    for (const QString &word : line.wordsFrom(0)) {
        const auto folder = folderOfRun(stateDirOf(line), word);
        if (!folder)
            return tl::unexpected(folder.error());
        if (std::ranges::find(chosen, *folder, &RunToDelete::folder) == chosen.end())
            chosen.push_back({QFileInfo(*folder).fileName(), *folder, bytesOfRun(*folder)});
    }
    return mustBeOver(chosen, stateDirOf(line)).map([&] { return std::move(chosen); });
}

QString runsAndBytes(qsizetype count, qint64 bytes) {
    return Sentence::filled(QStringLiteral("%1 {1|run|runs} (%2)"), {formatCount(count), formatBytes(bytes)});
}

/// What a person says at the terminal.
Result<bool> isAgreed(const std::vector<RunToDelete> &chosen) {
    TerminalPrompt prompt;
    if (::isatty(STDIN_FILENO) == 0 || !prompt.hasTerminal()) {
        return fail(QStringLiteral("run.not-agreed"), sentence("Nothing was deleted."),
                    sentence("Nobody is there to agree."), sentence("Where nobody can be asked, add --yes."));
    }
    qint64 bytes = 0;
    for (const RunToDelete &run : chosen) {
        bytes += run.bytes;
        const QString name = RunLabel::load(run.folder).value_or(RunLabel()).name;
        printNote(QStringLiteral("  %1  %2  %3").arg(run.id, formatBytes(run.bytes), name));
    }
    const auto count = static_cast<qsizetype>(chosen.size());
    StopSignals stops;
    return waitFor<bool>(
        [&](QObject *context, auto done) {
            QObject::connect(&prompt, &TerminalPrompt::answered, context, [done](const QByteArray &answer) {
                const QByteArray word = answer.trimmed().toLower();
                done(word == "yes" || word == "y");
            });
            prompt.ask(QStringLiteral("Delete %1 for good? (yes/no)").arg(runsAndBytes(count, bytes)),
                       TerminalPrompt::Echo::Shown);
        },
        &stops);
}

}  // namespace

int deleteRuns(const CommandArguments &line) {
    const auto chosen = runsToDelete(line);
    if (!chosen)
        return printError(chosen.error());
    if (!line.isSet(QStringLiteral("yes"))) {
        const auto agreed = isAgreed(*chosen);
        if (!agreed)
            return endedBy(agreed.error());
        if (!*agreed) {
            printNote(QStringLiteral("Nothing was deleted."));
            return Failed;
        }
        // The answer may have taken long.
        if (const auto over = mustBeOver(*chosen, stateDirOf(line)); !over)
            return printError(over.error());
    }
    const std::atomic<bool> never{false};
    QJsonArray gone;
    qint64 bytes = 0;
    int status = Done;
    for (const RunToDelete &run : *chosen) {
        // As in the window: an agent never sees half a run.
        const auto removed = deleteRun(run.folder).and_then([&](const DeletedRun &deleted) {
            return removeForGood({deleted.place}, never);
        });
        if (!removed) {
            status = printError(removed.error());
            continue;
        }
        gone << run.id;
        bytes += run.bytes;
    }
    if (line.isSet(QStringLiteral("json"))) {
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-deleted-runs/1")},
                   {QStringLiteral("runs"), gone},
                   {QStringLiteral("bytes"), bytes}});
    } else if (!gone.isEmpty()) {
        printLine(QStringLiteral("Deleted %1.").arg(runsAndBytes(gone.size(), bytes)));
    }
    return status;
}

}  // namespace hearth
