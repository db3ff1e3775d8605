// The events of a run: what events.jsonl holds, and what window, terminal, history and tests read.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <optional>
#include <variant>
#include <vector>

#include "core/base/card_load.h"
#include "core/base/error.h"

namespace hearth {

/// One struct per kind of event; ids are device fingerprints (64 hex digits), times seconds, amounts bytes.
/// Plain values, any thread. JSON names are those of the members in snake case, as the documentation lists them.
namespace event {

struct Run {              // always the first
    QString id, started;  // started: ISO 8601, UTC
    QJsonObject job, model;
    QString only{};  // "measure", "plan", "evaluate" or "answer": it ends once that is done; empty: it trains
    qint64 trainingSamples = 0;    // of its data; 0: they were not counted
    qint64 evaluationSamples = 0;  // that one of its evaluations judges; likewise
    QString weights{};             // the file that it began with; empty: none, it began by the seed
    QString origin{};              // the Hugging Face folder that its network came from, as a job names it
};
struct State {
    /// profiling|planning|training|paused|recovering|interrupted|stopped|failed|finished
    QString state;
    Sentence why{};  // of a run that finished before its last round; else empty
};
struct Device {
    QString id, name, state, address;
    qint64 agentPid = 0;  // 0 = not on this machine
};
struct Profile {
    QString id;
    int done = 0, total = 0;
};
struct Plan {
    quint32 term = 1;
    qint64 round = 1;  // first round under it
    QJsonObject plan;  // hearth-plan/1
    QString reason;    // first|replay|full|drift|measured|return|join|leave|codec|user
    Sentence why{};    // one sentence with numbers; empty where the reason says it all
    /// By which part a round would take longer if this device got work, too: of those at rest, where that is known.
    QMap<QString, double> resting{};
};
struct Worker {
    QString id;
    qint64 workerPid = 0;
};
struct RoundDevice {
    double computeS = 0, waitForwardS = 0, waitBackwardS = 0, waitAllreduceS = 0, sendS = 0, allreduceS = 0,
           optimizerS = 0;
    qint64 memoryBytes = 0;
    CardLoad card = {};
};
struct RoundLink {
    QString from, to;
    qint64 bytes = 0;
};
struct Round {
    qint64 round = 0;
    quint32 term = 1;
    quint64 version = 0;
    double loss = 0, roundS = 0, predictedRoundS = 0, samplesPerS = 0;
    QMap<QString, RoundDevice> devices;
    std::vector<RoundLink> links;
    qint64 savedBytes = 0;                    // that codecs left out of what crossed cuts
    std::optional<double> learningRate = {};  // of the job: before asynchronous stages divide it
    std::optional<double> gradientNorm = {};  // of all gradients, before they were clipped
};
/// A cut is written by other codecs, from a round on.
struct Codec {
    int cut = 0;  // behind this stage
    QString forward, backward;
    qint64 round = 0;
    Sentence reason;
};
/// What a checked round's first micro-batch lost on its way.
struct CodecCheck {
    struct Cut {
        int cut = 0;
        QString forward, backward;                   // codecs
        double forwardError = 0, backwardError = 0;  // relative L2
    };
    qint64 round = 0;
    double loss = 0, rawLoss = 0;  // mean per sample: as it was, and with cuts that lose nothing
    std::vector<Cut> cuts;
};
struct Suspect {
    QString id;
};
struct Lost {
    QString id;
    qint64 round = 0;  // the round under way
    Sentence cause;
};
struct Joined {
    QString id;
};
struct Left {
    QString id;
};
struct Recovered {
    quint32 term = 0;
    quint64 fromVersion = 0;
    double detectS = 0, planS = 0, moveS = 0, rebuildS = 0, replayS = 0, seconds = 0;
    qint64 replayedRounds = 0, movedBytes = 0;
    QString method;  // lightweight|heavy|disk
};
struct Replica {
    QString id;
    int ofStage = 0;
    quint64 version = 0;
};
struct Checkpoint {
    quint64 version = 0;
    qint64 bytes = 0;
};
/// The weights of the best evaluation so far are on the disk.
struct Best {
    qint64 round = 0;               // after which they were evaluated
    double loss = 0, accuracy = 0;  // as Evaluation
    qint64 bytes = 0;
};
struct Warning {
    Sentence what, cause, advice;
};
/// An evaluation is under way: when it begins, and about once a second from then on.
struct Evaluating {
    qint64 round = 0;            // after which
    qint64 done = 0, total = 0;  // samples
};
struct Evaluation {
    qint64 round = 0;
    double accuracy = 0, loss = 0;  // accuracy 0…1, NaN where answers are numbers; mean loss per sample
    /// As EvaluationScores (core/protocol) says.
    std::optional<double> top5 = {}, f1 = {}, perplexity = {}, meanAbsoluteError = {};
    /// How a language model goes on with the prompts of its job.
    struct Continued {
        QString prompt, text;
    };
    std::vector<Continued> continued = {};
};
struct Finished {
    qint64 rounds = 0;
    double samplesPerS = 0;
    QString weightsSha256;  // empty where nothing was trained (a plan only)
};
struct Failure {  // "error"
    Error error;
};
struct Unknown {  // a kind of a later version: passes through untouched
    QString kind;
};

}  // namespace event

using RunEventBody =
    std::variant<event::Run, event::State, event::Device, event::Profile, event::Plan, event::Worker, event::Round,
                 event::Suspect, event::Lost, event::Joined, event::Left, event::Recovered, event::Replica,
                 event::Checkpoint, event::Best, event::Warning, event::Evaluating, event::Evaluation, event::Codec,
                 event::CodecCheck, event::Finished, event::Failure, event::Unknown>;

struct RunEvent {
    quint64 seq = 0;  // from 1, no gaps
    double t = 0;     // seconds of the run
    RunEventBody body;
    QJsonObject json;  // the line as it was read, unknown keys included

    /// Reads one line. Tolerant: unknown kinds become event::Unknown, unknown keys stay in `json`, missing ones keep
    /// their defaults. Fails only on what is no JSON object with a "seq" and an "event".
    static Result<RunEvent> fromLine(const QByteArray &line);
};

/// The kind's name in JSON: "run", "state", …
QString eventKind(const RunEventBody &body);
/// The event without "seq" and "t" (RunDirectory gives them); numbers that JSON cannot say are null.
QJsonObject toJson(const RunEventBody &body);
/// The reverse; `kind` is the "event" of the line.
RunEventBody eventFromJson(const QString &kind, const QJsonObject &json);
/// The line of events.jsonl without its newline: seq, t and event first, for those who read it by eye.
QByteArray eventLine(quint64 seq, double t, const RunEventBody &body);

}  // namespace hearth
