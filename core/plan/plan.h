// Who computes what, and what that is predicted to cost (hearth-plan/1).
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/codec.h"
#include "core/base/error.h"
#include "core/plan/local_steps_facts.h"
#include "core/plan/schedule.h"

namespace hearth {

struct PlanningProblem;

/// Samples of every micro-batch that one device of a group takes.
struct Share {
    QString device;
    int samples = 0;
    bool operator==(const Share &) const = default;
};

/// Consecutive layers [firstLayer, lastLayer) given to a group.
struct PlanStage {
    int firstLayer = 0;
    int lastLayer = 0;
    std::vector<Share> shares;  // ascending by device id, bytewise: so the sample intervals lie
    int inFlight = 1;           // K_p: micro-batches whose forward began and whose backward has not ended
    bool recompute = false;
    CutCodec codec{};  // of the cut after the stage; none after the last

    void sortShares();
    bool operator==(const PlanStage &) const = default;
};

/// A pass includes what its device encodes, decodes and copies from or to its card for it. A backward pass is drawn
/// whole, though its gradient travels while the weights' half is under way; where the schedule puts that half off,
/// `Backward` is the first and `Weights` the other one. A lane of the schedule is a device ("nx0") or a directed pair
/// ("nx0>tx1"). Stages count as in Plan::allStages(), micro-batches as they are dealt out.
struct ScheduledTask {
    enum class Kind { Forward, Backward, Weights, Transfer, AllReduce, Update };
    QString lane;
    Kind kind = Kind::Forward;
    int stage = 0;
    int microBatch = 0;
    double startSeconds = 0;
    double endSeconds = 0;
    qint64 bytes = 0;
    bool operator==(const ScheduledTask &) const = default;
};

/// "forward", "backward", "weights", "transfer", "allreduce", "update".
QString taskKindName(ScheduledTask::Kind kind);

struct Violation {
    QString device;
    qint64 neededBytes = 0;
    qint64 availableBytes = 0;
    bool operator==(const Violation &) const = default;
};

/// What keeps a round from being shorter.
struct RoundLimit {
    enum class Kind {
        Step,   // the dominant step of its prediction
        Feed,   // serving inputs and labels
        Card,   // all that crosses a device's network card
        Device  // all that a device with several stages computes
    };
    Kind kind = Kind::Step;
    QString device;  // that serves, whose card it is, or that computes; empty for a step
    bool operator==(const RoundLimit &) const = default;
};

struct Prediction {
    /// Beyond what a double counts exactly (and JSON carries) only the verdict matters.
    static constexpr double mostBytes = 9e15;

    double roundSeconds = 0;                   // by the event simulator
    double modelRoundSeconds = 0;              // by the closed form
    std::optional<double> playedRoundSeconds;  // device by device (play/round_player.h), where that was asked for
    double samplesPerSecond = 0;
    int dominantStep = 0;  // even: execution of stage step/2 of Plan::allStages(); odd: the cut after it
    RoundLimit limit = {};
    bool fits = true;
    std::vector<Violation> violations;
    QMap<QString, qint64> memoryBytes;  // by device, runtime included
    QMap<QString, qint64> roundBytes;   // by directed pair "a>b"
    std::vector<int> delays = {};       // by stage, in updates (Asynchrony); empty in synchronous training
    bool provedOptimal = false;
    std::optional<double> gap;
    std::optional<double> planningSeconds;
    /// The factor by which rounds would be shorter with codecs (explain/codec_gain.h), where that was asked and is
    /// much.
    std::optional<double> codecGain;
    /// What another way of training would bring (explain/local_steps_gain.h), where that was asked and is much.
    std::optional<LocalStepsGain> localStepsGain;
    /// So much longer the round may well last, as a part of roundSeconds: by the uncertainty of times that were
    /// predicted. Nothing where all times of the problem were measured.
    std::optional<double> relativeError;
    std::vector<ScheduledTask> schedule;  // only when asked for

    /// How much longer (shorter: below 0) the round lasts when played device by device, as a part of roundSeconds;
    /// nothing where that is no news (5 % at most), or where nobody played it.
    std::optional<double> playedLonger() const;
    /// What a round sends, in bytes, over all pairs of devices.
    double sentBytes() const;

    QJsonObject toJson() const;
    static Result<Prediction> fromJson(const QJsonObject &object, const QString &source, const QString &path);
};

/// Plain value, any thread.
struct Plan {
    /// One of several pipelines side by side, each with devices of its own and the whole model. Every mini-batch is
    /// dealt out to them in their order; `samples` of it go to this one: whole micro-batches of the plan's size, which
    /// is the same for all, so it plays samples / microBatch of them. At the end of the round, when the slowest one is
    /// done, they bring their gradients together.
    struct Pipeline {
        int samples = 0;
        std::vector<PlanStage> stages;
        bool operator==(const Pipeline &) const = default;
    };

    QString modelName;
    QString modelSha256;  // hex; empty where the problem named no model
    int layerCount = 0;
    QString planner;
    int batch = 0;
    int microBatch = 0;
    Schedule schedule = Schedule::OneForwardOneBackward;
    std::vector<PlanStage> stages;
    std::vector<Pipeline> pipelines;  // instead of stages
    std::optional<Prediction> prediction;

    int microBatches() const { return microBatch > 0 ? batch / microBatch : 0; }
    /// The stages of all pipelines, one pipeline after the other: in this order stages are numbered in predictions.
    std::vector<const PlanStage *> allStages() const;
    std::size_t stageCount() const { return allStages().size(); }
    std::size_t deviceCount() const;
    /// Interleaved pipelining (Megatron-LM, Narayanan et al. 2021): devices have several stages, so that a micro-batch
    /// passes each of them several times, and what fills and drains the pipeline is shorter.
    bool isInterleaved() const;
    /// The same devices compute the same in the same order; whoever planned it, and whatever is predicted of it.
    bool isSame(const Plan &other) const;
    /// The pipelines as plans of their own, with their samples as the batch and no prediction; of a plan of stages that
    /// is the plan itself.
    std::vector<Plan> sideBySide() const;
    /// Structure alone: layers contiguous from 0, each device once, shares sum to the micro-batch and ascend, limits
    /// ≥ 1, pipelines take whole micro-batches. Where all stages are of one device each, a device may have several that
    /// are no neighbors.
    Result<void> validate(const QString &source = QStringLiteral("the plan")) const;
    /// validate(), and: same layers, batch and micro-batch, devices known, shares large enough for every layer; what is
    /// interleaved trains synchronously.
    Result<void> validateFor(const PlanningProblem &problem, const QString &source = QStringLiteral("the plan")) const;

    QJsonObject toJson() const;
    static Result<Plan> fromJson(const QJsonObject &object, const QString &source);
};

/// Fastest first; plans without a prediction before them.
void sortByRoundTime(std::vector<Plan> &plans);
/// hearth-comparison/1: the plans from fastest to slowest, those that do not fit included.
QJsonObject comparisonToJson(std::vector<Plan> plans);

}  // namespace hearth
