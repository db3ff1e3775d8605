#include "app/cli/run_folder.h"

#include <QFileInfo>

#include "core/history/run_label.h"
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
    return fail(QStringLiteral("run.unknown"), sentence("There is no run \"%1\".").arg(word.left(200)),
                named.isEmpty() ? Sentence() : sentence("%1 runs have this name.").arg(named.size()),
                sentence("\"hearth runs\" lists them."));
}

}  // namespace hearth
