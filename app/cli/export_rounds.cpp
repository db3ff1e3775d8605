#include "app/cli/export_rounds.h"

#include "core/base/files.h"
#include "core/history/run_index.h"
#include "core/history/run_report.h"

namespace hearth {
namespace {

template <RunExport form>
Result<void> writeRounds(RunIndex &index, const QString &run, const QString &path) {
    return index.exportRuns(form, {run}, path);
}

template <QByteArray (*textOf)(const RunDetails &, const std::optional<RunResults> &)>
Result<void> writeText(RunIndex &index, const QString &run, const QString &path) {
    return index.read({run}).and_then([&](const std::vector<RunDetails> &runs) {
        // A run that was not evaluated has none.
        auto results = RunResults::withoutSamples(runs.front().summary.folder);
        return saveFile(path, textOf(runs.front(), results ? std::optional(std::move(*results)) : std::nullopt));
    });
}

}  // namespace

const std::vector<RoundsOption> &roundsOptions() {
    static const std::vector<RoundsOption> options{
        {"csv", "FILE", "write a table of its rounds", writeRounds<RunExport::Rounds>},
        {"devices-csv", "FILE", "write a table of what each device did in each round", writeRounds<RunExport::Devices>},
        {"jsonl", "FILE", "write its rounds as JSON Lines", writeRounds<RunExport::JsonLines>},
        {"tensorboard", "FOLDER", "write its rounds for TensorBoard, in a folder of the run's name",
         writeRounds<RunExport::TensorBoard>},
        {"report", "FILE", "write a page (HTML) of what it reached, with plots", writeText<runReport>},
        {"card", "FILE", "write a model card (Markdown)", writeText<modelCard>},
    };
    return options;
}

Result<void> exportRounds(const RoundsOption &option, const QString &stateDir, const QString &run,
                          const QString &path) {
    // In memory: the window's index may be busy, and of one run all is read in a moment.
    RunIndex index;
    if (auto opened = index.open(QString()); !opened)
        return opened;
    index.setFolders({stateDir + QStringLiteral("/runs")});
    return option.write(index, run, path);
}

}  // namespace hearth
