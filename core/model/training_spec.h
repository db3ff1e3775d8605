// What the mathematics of a run depends on besides model and data. Shared by job, deployment and executor.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <array>
#include <optional>

#include "core/base/dtype.h"
#include "core/base/error.h"
#include "core/model/asynchrony.h"
#include "core/model/local_steps.h"
#include "core/model/optimizer_state.h"
#include "core/model/rate_schedule.h"
#include "core/model/shapes.h"

namespace hearth {

/// Plain value; update rules are torch.optim's: SGD without dampening; Adam with bias correction and decay added to the
/// gradient; AdamW, whose decay is apart from it (Loshchilov and Hutter 2019). Adafactor is Shazeer and Stern's (2018),
/// their algorithms 4 and 5 with the constants of algorithm 6 (adafactor.h); its decay is apart, too. JSON:
/// {"kind":"sgd","learning_rate":0.05,"momentum":0.9,"nesterov":false,"weight_decay":0,"decay":"weights",
/// "clip_norm":0,"ema":0} or {"kind":"adam" |
/// "adamw","learning_rate":…,"beta1":…,"beta2":…,"epsilon":…,"weight_decay":…, "decay":…,"clip_norm":…,"ema":…} or
/// {"kind":"adafactor","learning_rate":0.01,"beta1":0,"scale_parameter":true,"relative_step":false,"weight_decay":…,
/// "decay":…,"clip_norm":…,"ema":…}; all but kind have defaults.
struct OptimizerSpec {
    enum class Kind : quint8 { Sgd, Adam, AdamW, Adafactor };
    /// What weight decay applies to.
    enum class Decay : quint8 {
        Weights,  // tensors of two dimensions or more: no biases, no norms
        All,      // all that is trained, as torch.optim where nobody makes groups
    };
    Kind kind = Kind::Sgd;
    double learningRate = 0.05;  // Adam's default is 0.001, Adafactor's 0.01
    double momentum = 0.9;       // SGD
    bool nesterov = false;       // SGD with momentum
    double weightDecay = 0;      // AdamW's default is 0.01
    Decay decay = Decay::Weights;
    double beta1 = 0.9;    // Adam; Adafactor's default is 0: no mean of updates is kept
    double beta2 = 0.999;  // Adam
    double epsilon = 1e-8;
    bool scaleParameter = true;  // Adafactor: steps are in parts of the tensor's size
    bool relativeStep = false;   // Adafactor: from step 1/rate² on the rate is 1/sqrt(step)
    /// The gradients of all tensors together, as one vector, are made this long where they are longer, as
    /// torch.nn.utils.clip_grad_norm_ does it; 0: they stay as they are.
    double clipNorm = 0;
    /// Above 0 an exponential moving average of the weights is kept: after every step ema of it and 1 - ema of them,
    /// from the first step on. It is what is evaluated and saved.
    double ema = 0;

    bool operator==(const OptimizerSpec &) const = default;
    static OptimizerSpec defaultOf(Kind kind);
    bool isAdam() const { return kind == Kind::Adam || kind == Kind::AdamW; }
    /// SGD keeps no copy, with momentum one, Adam two, Adafactor factored second moments and with beta1 one copy; the
    /// average is one copy more, the last.
    OptimizerState state() const;
    /// Whether its values go together is for checkTraining(). `source` and `path` are what errors name ("job.json",
    /// "optimizer").
    static Result<OptimizerSpec> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;
};

/// Bfloat16: weights, sums of gradients, optimizer and loss in float32; large products in bfloat16 on devices that are
/// faster in it. What crosses cuts is float32.
enum class Precision : quint8 { Float32, Float64, Bfloat16 };
/// Of a run's values.
DType dtypeOf(Precision precision);
QStringList precisionNames();                // "float32", "float64", "bfloat16"
QString precisionName(Precision precision);  // one of them
std::optional<Precision> precisionFromName(const QString &name);

/// How a uint8 sample {c,h,w} becomes the model's input {c*repeatChannels, h+2*pad[0], w+2*pad[1]}: value * scale, a
/// border of zeros, the channels as a block repeated. With `mean` and `deviation`, one for each channel of the input,
/// it is (value * scale - mean) / deviation, and the border is still of zeros. JSON:
/// {"scale":0.0039…,"pad":[2,2],"repeat_channels":1,"mean":[0.5],"std":[0.25]}.
struct InputTransform {
    double scale = 1.0 / 255.0;
    std::vector<double> mean{}, deviation{};  // of the same length; empty: 0 and 1
    std::array<int, 2> pad{0, 0};
    int repeatChannels = 1;

    bool operator==(const InputTransform &) const = default;
    Shape outputShape(const Shape &sample) const;
    /// The samples that become `input`; none do where border or channels do not go into it.
    std::optional<Shape> sampleShape(const Shape &input) const;
    static Result<InputTransform> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;
};

/// JSON: {"optimizer":{…},"schedule":{…},"rounds":500,"precision":"float32","seed":1,"loss":"cross-entropy",
/// "label_smoothing":0,"mixed":true,"asynchronous":{…},"local_steps":{…}}, the last three where it is so, one of the
/// last two at most. The loss is the sum over samples divided by the normaliser that travels with the labels.
struct TrainingSpec {
    OptimizerSpec optimizer;
    RateSchedule schedule;
    qint64 rounds = 1;  // of the whole run: what the schedule goes by
    Precision precision = Precision::Float32;
    quint64 seed = 1;  // at most 2^53, so that JSON carries it exactly
    QString loss = QStringLiteral("cross-entropy");
    double labelSmoothing = 0;  // of cross-entropy: this part of every label is spread over all classes alike
    static constexpr double mostSmoothing = 0.999;

    bool mixed = false;  // two samples became one: labels of cross-entropy are two classes and the first's share
    std::optional<Asynchrony> asynchronous{};  // absent: all stages wait for each other at the end of every round
    std::optional<LocalSteps> localSteps{};    // devices average now and then; absent: they sum gradients every round

    /// What is kept of every trained tensor besides the optimizer's own.
    OptimizerState state() const { return LocalSteps::stateOf(localSteps, optimizer.state()); }
    /// Of the steps within a round, which the optimizer counts as if each were a round.
    TrainingSpec inner() const;
    bool operator==(const TrainingSpec &) const = default;
    static constexpr quint64 maximumSeed = quint64{1} << 53;
    static Result<TrainingSpec> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;
    QCborMap toCbor() const;
};

/// Whether loss, optimizer, asynchrony and local steps go together, of a job as well. Errors: "json.invalid";
/// "training.asynchronous": this optimizer needs all stages at once, or cannot be corrected. `source` and `path`, where
/// the spec stands in it, are what they name.
Result<void> checkTraining(const TrainingSpec &spec, const QString &source, const QString &path);

}  // namespace hearth
