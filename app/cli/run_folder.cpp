#include "app/cli/run_folder.h"

#include <QFileInfo>

#include "app/cli/command.h"
#include "core/history/run_label.h"
#include "core/history/weights_round.h"
#include "core/run/files/event_file.h"

namespace hearth {

Result<QString> folderOfRun(const QString &stateDir, const QString &word) {
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
                   advice = sentence("\"hearth runs\" lists them.");
    return named.isEmpty() ? fail(QStringLiteral("run.unknown"), what, {}, advice)
                           : fail(QStringLiteral("run.ambiguous"), what,
                                  sentence("%1 runs have this name.").arg(named.size()), advice);
}

Result<QString> idOfRun(const QString &stateDir, const QString &word) {
    return folderOfRun(stateDir, word).map([](const QString &folder) { return QFileInfo(folder).fileName(); });
}

Result<QString> runToAsk(const QString &stateDir, const QString &word) {
    auto run = idOfRun(stateDir, word);
    return !run && run.error().code == QLatin1String("run.unknown") ? word : run;
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
