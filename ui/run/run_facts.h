// What History says about runs in words and numbers.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/history/run_summary.h"
#include "core/plan/plan.h"
#include "core/run/job.h"

namespace hearth {

struct Fact {
    QString label;
    QStringList values;  // one per run
    bool differs() const { return values.size() > 1 && values.at(0) != values.at(1); }
};
struct FactSection {
    QString title;
    std::vector<Fact> facts;
};

/// A run's details and the state that is shown for it.
struct ShownRun {
    RunDetails details;
    QString state;
};

/// The job as its events tell it; nothing where a later version wrote what this one does not know.
std::optional<Job> jobOf(const RunDetails &run);
/// The plan that the user gave when the run was started.
std::optional<Plan> givenPlan(const RunDetails &run);

/// Where a run's folder has its network, with what was added to it and what of it is frozen.
QString networkOfRun(const QString &folder);
/// A job that a run told, to be trained by a new run. The run knows a network that was brought by its name alone: the
/// one of its folder takes its place. Error "run.no-network".
Result<Job> jobToTrain(const Job &told, const QString &folder);
/// The same for a run that begins as that one did, but with new weights; `weights` is the file that it began with.
/// Error "run.weights-not-kept": a network came with weights that nobody has kept.
Result<Job> jobToStartAgain(const Job &told, const QString &folder, const QString &weights);
/// The file of weights that it began with; empty: it began by the seed.
QString begunWith(const RunDetails &run);

/// Job, result, devices and plans of one run, or of two side by side.
std::vector<FactSection> factsOf(const std::vector<ShownRun> &runs);
/// What laying these two over each other does not show, in sentences.
QStringList comparisonLimits(const RunDetails &a, const RunDetails &b);
/// How a run is called where there are two: "fashion-cnn, 21.11.26 09:45".
QString runTitle(const RunSummary &run);
/// As the job says it: "500 rounds", "3 epochs".
QString plannedLength(const RunSummary &run);

}  // namespace hearth
