// How far a sweep is: its trials, what each reached, and which of them are not worth going on with.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <limits>
#include <optional>
#include <vector>

#include "core/history/job_values.h"
#include "core/run/run_event.h"
#include "core/sweep/hyperband.h"

namespace hearth {

/// One run of a sweep. Plain value.
struct SweepTrial {
    /// Paused: stopped at a rung, and perhaps worth going on with.
    enum class State { Waiting, Running, Paused, Finished, Stopped, Failed };
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    JobValues values;
    State state = State::Waiting;
    QString run;                            // its id; empty until the agent told it
    QString begun;                          // when it was asked for, ISO 8601, UTC; empty once `run` is known
    QString cause;                          // why it failed, in English
    qint64 evaluations = 0;                 // seen so far
    qint64 lastRound = 0;                   // of the last evaluation
    double last = unknown, best = unknown;  // by the metric of the sweep
    qint64 bestRound = 0;
    std::vector<double> rungs;  // what was reached at each of them
    qint64 until = 0;           // evaluations after which it is paused; 0: it goes to its end
    bool isOutdone = false;     // others are better: the sweep has stopped it, and no person

    bool isOver() const { return state >= State::Finished; }
    bool isAtRung() const { return until > 0 && evaluations >= until; }
    /// As before its first evaluation: its run is told from the beginning.
    void forgetResults();
    QJsonObject toJson() const;
};

/// sweep.json ("hearth-sweep-state/1") in a folder of the state folder: STATE/sweeps/NAME. It is written after each
/// step, so that a sweep that was killed goes on where it was. Plain value, any thread.
struct Sweep {
    /// Unknown in files of older versions that had no evaluation: accuracy where the first one has it.
    enum class Metric { Unknown, Accuracy, Loss };
    enum class Stopping { None, Halving, Hyperband };

    QString name;           // a tag of all its runs, too
    QJsonObject job;        // what all trials have in common
    QString workingFolder;  // absolute: files that the job names by relative paths are found from here
    QStringList devices;    // ids or unique names; empty: all that are ready
    Stopping stopping = Stopping::None;
    qint64 evaluations = 0;           // of a run that goes to its end; known for Hyperband alone
    Metric metric = Metric::Unknown;  // what the job takes for the best evaluation, as its runs do
    std::vector<SweepTrial> trials;

    static Result<Sweep> fromJson(const QJsonObject &json, const QString &source);
    QJsonObject toJson() const;
    static Result<Sweep> load(const QString &folder);
    Result<void> save(const QString &folder) const;

    /// The trial that is to be trained now: one under way, or else the next one in order, with Hyperband in that of its
    /// brackets. Their trials wait at each rung until all have come; those that are not worth going on with are stopped
    /// then. Nothing: the sweep is over.
    std::optional<std::size_t> next();
    /// Takes an evaluation of this trial; those of rounds that were seen already are passed over. True where its run is
    /// to be stopped early. With Hyperband it has come to its rung. With halving, at its 1st, 3rd, 9th, … evaluation,
    /// it is not among the best third of the trials that came so far. That is successive halving (Li et al., Hyperband,
    /// JMLR 18 (185), 2018, section 3) as it is done where runs follow each other: nobody waits at a rung, the first
    /// runs go through (Li et al., MLSys 2020, algorithm 2).
    bool take(std::size_t trial, const event::Evaluation &evaluation);
    /// Indices of the trials, the best first, those without an evaluation last.
    std::vector<std::size_t> ranking() const;
    /// nullptr where nothing was evaluated.
    const SweepTrial *best() const;
    /// Runs that nobody goes on with: those that have finished, or were outdone, but for the best.
    QStringList spentRuns() const;
    bool isBetter(double one, double other) const { return metric == Metric::Loss ? one < other : one > other; }

  private:
    /// As next(), of the bracket whose trials begin with this one.
    std::optional<std::size_t> nextOf(const SweepBracket &bracket, std::size_t first);
    /// Evaluations at the rung that this trial reaches next; 0: there is none.
    double nextRung(std::size_t trial) const;
    /// Numbers that are none behind all others.
    bool isAhead(double one, double other) const;
};

QString sweepsFolder(const QString &stateDir);
QString sweepStateName(SweepTrial::State state);
/// "accuracy", "loss"; empty where it is not known.
QString sweepMetricName(Sweep::Metric metric);
/// "none", "halving", "hyperband": in the order of Sweep::Stopping.
const QStringList &sweepStoppings();

}  // namespace hearth
