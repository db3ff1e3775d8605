// What History knows of a run: its line in the list, and its details.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <limits>
#include <vector>

#include "core/history/run_label.h"
#include "core/run/run_event.h"

namespace hearth {

/// One run as its events tell it. Numbers that were never told are NaN, counts 0. Plain value, any thread.
struct RunSummary {
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    QString id;
    QString folder;   // absolute; holds events.jsonl
    QString state;    // of the last state event: a run that crashed has no final one
    QString started;  // ISO 8601, UTC
    QString model, data;
    QJsonObject job;    // as the run tells it; empty where it is longer than any job
    RunLabel label;     // what people wrote on it
    QString only;       // "measure", "plan", "evaluate" or "answer" where it was no training
    QString optimizer;  // "sgd", "adam"
    double learningRate = unknown;
    int batch = 0;
    qint64 wantedRounds = 0;  // 0 where the job says epochs
    qint64 wantedEpochs = 0;  // 0 where the job says rounds
    QStringList devices;      // names of those that did a part of any round, else of all; in the order of being told

    qint64 rounds = 0;   // done, and not undone by a recovery
    double seconds = 0;  // from the first event to the last
    double firstLoss = unknown, loss = unknown, lowestLoss = unknown;
    double accuracy = unknown, bestAccuracy = unknown;  // 0…1: the last, the best
    double samplesPerSecond = unknown;  // as the run said at its end; until then over all rounds that count
    double joules = unknown;            // that graphics cards took in its rounds, as far as their drivers tell
    int plans = 0;
    int losses = 0, recoveries = 0;
    qint64 replayedRounds = 0, movedBytes = 0;  // by recoveries
    int warnings = 0, errors = 0;
    qint64 badLines = 0;  // lines of the file that are no events
    quint64 lastSeq = 0;
    qint64 modified = 0;  // of the file, milliseconds since 1970
    qint64 bytes = -1;    // of all files of the run, when its events were read last; negative: not known yet
};

/// What is written of runs for other programs: a table of their rounds, with the evaluations; one of each device in
/// each round; the rounds as JSON Lines; a folder for TensorBoard.
enum class RunExport { Rounds, Devices, JsonLines, TensorBoard };

/// A value over rounds and over time. A value that is not finite is a gap: a new plan began there.
struct CurvePoint {
    double round = 0;
    double t = 0;  // seconds of the run
    double value = 0;
};
using Curve = std::vector<CurvePoint>;

/// Curves have at most some thousand points: of the rounds that share one the lowest and the highest value are kept.
struct RunDetails {
    RunSummary summary;
    /// Those that a person should know of, in order; before each the last round, without its figures of devices. Begins
    /// with the "run" event. The middle of a very long list is left out.
    std::vector<RunEvent> events;
    qint64 eventsLeftOut = 0;
    Curve loss, speed, accuracy;  // mean loss per sample; samples per second; 0…1
};

/// The last event of this kind among those that are listed; null where there is none.
template <class Event>
const Event *lastOf(const RunDetails &run) {
    const Event *found = nullptr;
    for (const RunEvent &one : run.events) {
        if (const auto *told = std::get_if<Event>(&one.body))
            found = told;
    }
    return found;
}

}  // namespace hearth
