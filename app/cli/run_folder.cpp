#include "app/cli/run_folder.h"

#include <QFileInfo>

#include "app/cli/command.h"
#include "core/agent/programs.h"
#include "core/history/run_label.h"
#include "core/history/weights_round.h"
#include "core/run/files/event_file.h"

namespace hearth {

Result<void> mustBeOpenTo(const QString &stateDir, const QString &name) {
    for (const QString &path : {stateDir, stateDir + QLatin1Char('/') + name}) {
        const QFileInfo folder(path);
        if (folder.exists() && !folder.isExecutable()) {
            return fail(QStringLiteral("state.unreadable"), sentence("The folder %1 cannot be read.").arg(path),
                        sentence("It belongs to the user %1.").arg(folder.owner()),
                        sentence("Run this command as that user, with \"sudo -u %1\".").arg(folder.owner()));
        }
    }
    return {};
}

Result<QString> folderOfRun(const QString &stateDir, const QString &word) {
    if (const auto open = mustBeOpenTo(stateDir, QStringLiteral("runs")); !open)
        return tl::unexpected(open.error());
    const QString runs = stateDir + QStringLiteral("/runs");
    if (isRunId(word) && QFileInfo(runs + QLatin1Char('/') + word).isDir())
        return runs + QLatin1Char('/') + word;
    QStringList named;
    for (const QString &id : listRuns(runs)) {
        const QString folder = runs + QLatin1Char('/') + id;
        if (!word.isEmpty() && RunLabel::load(folder).value_or(RunLabel()).name == word)
            named << folder;
    }
    if (named.size() == 1)
        return named.constFirst();
    const Sentence what = sentence("There is no run \"%1\".").arg(word.left(200)),
                   advice = sentence("\"hearth runs%1\" lists them.").arg(stateOption(stateDir));
    return named.isEmpty() ? fail(QStringLiteral("run.unknown"), what, {}, advice)
                           : fail(QStringLiteral("run.ambiguous"), what,
                                  sentence("%1 runs have this name.").arg(named.size()), advice);
}

Result<QString> idOfRun(const QString &stateDir, const QString &word) {
    return folderOfRun(stateDir, word).map([](const QString &folder) { return QFileInfo(folder).fileName(); });
}

Result<QString> runToAsk(const QString &stateDir, const QString &word) {
    auto run = idOfRun(stateDir, word);
    const QString code = run ? QString() : run.error().code;
    const bool mayBeId =
        code == QLatin1String("run.unknown") || (code == QLatin1String("state.unreadable") && isRunId(word));
    return mayBeId ? word : run;
}

void noteWeights(const QString &folder, RunWeights which) {
    const auto last = roundOfWeights(weightsPath(folder, RunWeights::Last)),
               best = roundOfWeights(weightsPath(folder, RunWeights::Best));
    if (which == RunWeights::Best && best) {
        printNote(QStringLiteral("These are the weights of the best evaluation, after round %1.").arg(*best));
    } else if (which == RunWeights::Last && last && best && *last != *best) {
        printNote(QStringLiteral("These are the last weights, after round %1. Those of the best evaluation, after "
                                 "round %2: --best.")
                      .arg(*last)
                      .arg(*best));
    }
}

}  // namespace hearth
