#include "app/cli/export_rounds.h"

#include "core/history/run_index.h"

namespace hearth {

const std::vector<RoundsOption> &roundsOptions() {
    static const std::vector<RoundsOption> options{
        {"csv", "FILE", "write a table of its rounds", RunExport::Rounds},
        {"devices-csv", "FILE", "write a table of what each device did in each round", RunExport::Devices},
        {"jsonl", "FILE", "write its rounds as JSON Lines", RunExport::JsonLines},
        {"tensorboard", "FOLDER", "write its rounds for TensorBoard, in a folder of the run's name",
         RunExport::TensorBoard},
    };
    return options;
}

Result<void> exportRounds(RunExport form, const QString &stateDir, const QString &run, const QString &path) {
    // In memory: the window's index may be busy, and of one run all is read in a moment.
    RunIndex index;
    if (auto opened = index.open(QString()); !opened)
        return opened;
    index.setFolders({stateDir + QStringLiteral("/runs")});
    auto written = index.exportRuns(form, {run}, path);
    if (!written && written.error().code == QLatin1String("history.unknown")) {
        return fail(QStringLiteral("run.unknown"),
                    sentence("There is no run \"%1\" on this computer.").arg(run.left(200)), {},
                    sentence("\"hearth runs\" lists the runs."));
    }
    return written;
}

}  // namespace hearth
