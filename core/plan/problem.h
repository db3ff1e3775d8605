// What a planner is asked: devices, layers, times, links (hearth-problem/1).
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/codec.h"
#include "core/base/error.h"
#include "core/model/asynchrony.h"
#include "core/plan/level_limit.h"
#include "core/plan/local_steps_facts.h"
#include "core/profile/cost_source.h"
#include "core/profile/device_profile.h"
#include "core/profile/link_profile.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// The order in which the sample intervals of a group lie: by id, bytewise.
bool idLess(const QString &a, const QString &b);

/// Plain value, any thread. `times` is parallel to `devices`. A problem read by fromJson() is valid; one made by hand
/// must pass validate() before a planner sees it.
struct PlanningProblem {
    struct Device {
        QString id;
        qint64 memoryBytes = 0;   // usable
        qint64 runtimeBytes = 0;  // what a worker takes before the first tensor
        CodecRates codecs = {};
        bool operator==(const Device &) const = default;
    };

    QString modelName;    // empty for a problem from a file
    QString modelSha256;  // hex; likewise
    int batch = 0;
    std::optional<int> microBatch;  // absent: the planner chooses a divisor of the batch
    double optimizerStateFactor = 0;
    LocalStepsFacts localSteps = {};
    int keptStates = 0;     // that a device keeps of its own layers, beside the one at work
    int keptCopies = 0;     // of a stage's state, on another device (copyHolders() of core/plan/plan_memory.h)
    qint64 inputBytes = 0;  // per sample
    qint64 labelBytes = 0;
    QString dataDevice;  // empty: inputs and labels cost nothing
    /// Beside none: what planners may give to cuts, the least lossy first.
    std::vector<const Codec *> levels = {};
    std::vector<LevelLimit> levelLimits = {};
    const Codec *gradientCodec = &noCodec();      // of gradients inside a group (GradientCodec)
    std::optional<Asynchrony> asynchronous = {};  // absent: synchronous
    std::vector<Device> devices;
    std::vector<LayerFacts> layers;
    std::vector<TimeTable> times;
    LinkProfile links;

    bool operator==(const PlanningProblem &) const = default;
    int indexOf(const QString &device) const;  // -1: unknown
    QStringList deviceIds() const;
    /// Gives up what devices keep beside the states at work: copies first, then the rest. False: they keep nothing.
    bool keepLess();
    /// What the layers take, for all who plan. The problem must be valid.
    std::shared_ptr<const CostSource> costs() const;
    Result<void> validate(const QString &source = QStringLiteral("the planning problem")) const;
    QJsonObject toJson() const;
    static Result<PlanningProblem> fromJson(const QJsonObject &object, const QString &source);
};

/// The micro-batch sizes that a planner may choose from: the fixed one, or the divisors of the batch, descending.
std::vector<int> microBatchChoices(const PlanningProblem &problem);

/// The facts of a job that a planner needs.
struct JobFacts {
    int batch = 0;
    std::optional<int> microBatch;
    int optimizerStateFactor = 0;
    LocalStepsFacts localSteps = {};
    qint64 inputBytes = 0;
    qint64 labelBytes = 8;
    QString dataDevice;
    std::vector<const Codec *> levels = {};
    const Codec *gradientCodec = &noCodec();
    std::optional<Asynchrony> asynchronous = {};
    bool operator==(const JobFacts &) const = default;
};

/// Puts measurements together: one ModelProfile per device, in the same order, all of one model. Bytes are taken as the
/// largest that any device measured; times that a device did not measure follow from the others' (completeTimes). Error
/// when the profiles disagree on the model, or nobody measured a layer.
Result<PlanningProblem> makeProblem(const std::vector<DeviceProfile> &devices,
                                    const std::vector<ModelProfile> &profiles, const LinkProfile &links,
                                    const JobFacts &job);

/// As if the devices of the problem had measured all that it says of their layers: to go together with profiles of
/// others.
std::vector<ModelProfile> profilesOf(const PlanningProblem &problem, const QByteArray &modelSha256);

}  // namespace hearth
