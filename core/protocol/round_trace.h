// What a device did in one round, moment by moment: where a RoundReport has sums, this has every span.
#pragma once

#include <QCborMap>
#include <QMap>
#include <QString>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// What the one computing thread of a worker does. WeightGradients is what of a backward pass is put off until its
/// gradient is on the way to the stage before. WaitAllReduce ends for a member with what the others send of their
/// gradients; what AllReduce is moves and adds them.
enum class Activity : quint8 {
    Forward,
    Backward,
    WeightGradients,
    WaitForward,
    WaitBackward,
    Send,
    AllReduce,
    Optimizer,
    Evaluation,
    WaitAllReduce
};
constexpr int activityCount = 10;
/// In small letters: "wait forward", "weight gradients".
QString activityName(Activity activity);
bool isWait(Activity activity);

/// Nanoseconds of this device's steady clock, here and below.
struct TraceSpan {
    Activity activity = Activity::Forward;
    int microBatch = -1;  // -1: of the round
    qint64 start = 0;
    qint64 end = 0;
    int stage = -1;  // of the deployment; -1: the device waits, with all of its stages
    bool operator==(const TraceSpan &) const = default;
};

/// The tensors of a round, numbered as on the wire (TensorKind).
enum class Cargo : quint8 { Activation = 1, Gradient, Input, Label, AllReduce };
/// "activation", "gradient", "input", "label", "allreduce".
QString cargoName(Cargo cargo);

/// One tensor between two members of a run. What it is tells it apart from all others between these two in this round.
struct TraceFrame {
    Cargo cargo = Cargo::Activation;
    int microBatch = 0;  // of an AllReduce: the piece
    int slot = 0;
    int firstSample = 0;
    qint64 at = 0;     // sent: handed over by the computing thread; received: here as a whole
    qint64 bytes = 0;  // of the tensor, without header and TLS
    int stage = 0;     // that it is for
    bool operator==(const TraceFrame &) const = default;
};

/// Plain value, any thread. Spans ascend and do not overlap; frames are in the order of their times. Peers are worker
/// fingerprints in hex, the coordinator is the empty word.
struct RoundTrace {
    /// Spans and frames of one round: what is beyond is left out, and `cut` says so. A message of them stays far below
    /// Channel::maximumControlBytes.
    static constexpr qsizetype mostEntries = 1 << 16;

    quint32 round = 0;
    quint32 term = 0;
    bool cut = false;
    std::vector<TraceSpan> spans;
    QMap<QString, std::vector<TraceFrame>> sent;
    QMap<QString, std::vector<TraceFrame>> received;

    QCborMap toCbor() const;
    /// Strict: "trace.invalid" for whatever a worker would not send.
    static Result<RoundTrace> fromCbor(const QCborMap &map);
};

}  // namespace hearth
