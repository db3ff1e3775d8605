// What to train: a value with the JSON form "hearth-job/1" of the documentation.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <optional>

#include "core/base/codec.h"
#include "core/base/codec_choice.h"
#include "core/base/error.h"
#include "core/data/fitted_pictures.h"
#include "core/model/adapters.h"
#include "core/model/training_spec.h"
#include "core/run/data_source.h"

namespace hearth {

/// What makes one evaluation better than another: a lower loss, or a higher accuracy.
enum class BestBy { Loss, Accuracy };

/// One training job. Plain value, any thread. Everything has a default that works: an empty object with only the
/// format is a valid job. Models and data are named here; between devices a model travels by value (RunRequest).
struct Job {
    static constexpr qint64 mostRounds = 1'000'000'000;
    static constexpr double leastValidation = 1e-4, mostValidation = 0.9;
    static constexpr int mostData = 16;  // that are joined
    static constexpr int mostPrompts = 4, mostPromptTokens = 256;

    QString model = QStringLiteral("fashion-cnn");  // a built-in name, or on this machine a readable file
    /// One that is here, a built-in or registered name or a path; or several that are joined (joinDatasets()), each
    /// here or, as NAME@DEVICE, registered on another device (DataSource).
    QStringList data{QStringLiteral("fashion-mnist")};
    std::optional<InputTransform> input;  // absent: fitted to the data and the model, see inputOf()
    std::optional<PictureFit> fit;        // absent: pictures of one size stay as they are, others are cropped
    Augmentation augment;                 // of training pictures
    double validation = 0;                // of the training samples, where the data have no validation set; 0: none
    std::optional<AdapterSpec> adapters;  // what is added to the network, and all that is trained of it but ...
    QStringList freeze;                   // ... what this says; without adapters: what is not trained of it
    QString loss = QStringLiteral("cross-entropy");
    double labelSmoothing = 0;
    OptimizerSpec optimizer = defaultOptimizer();
    RateSchedule schedule;                   // of the learning rate
    std::optional<Asynchrony> asynchronous;  // "mode"; absent: synchronous
    int batch = 128;                         // samples of one mini-batch: what the mathematics sees
    std::optional<LocalSteps> localSteps;  // devices average their weights after so many mini-batches: that is a round
    std::optional<int> microBatch;         // absent: the planner chooses a divisor of batch
    Precision precision = Precision::Float32;
    CodecChoice codec = CodecChoice::None;    // of what crosses cuts
    const Codec *gradientCodec = &noCodec();  // of gradients inside a group (GradientCodec)
    std::optional<qint64> rounds = 500;       // exactly one of rounds and epochs is set
    std::optional<qint64> epochs;
    quint64 seed = 1;
    bool shuffle = true;
    qint64 evaluateEvery = 100;  // every that many rounds and at the end; 0: never. On the validation set, where
                                 // `validation` asks for one, else on the test set
    BestBy bestBy = BestBy::Loss;
    bool keepBest = true;                // the weights of the best evaluation, besides the last
    std::optional<QStringList> prompts;  // that a language model continues at evaluations; absent: one of the data
    int promptTokens = 24;               // by so many tokens at most
    qint64 patience = 0;  // evaluations without a better one after which the run ends; 0: it does all its rounds

    /// SGD, learning rate 0.05, momentum 0.9.
    static OptimizerSpec defaultOptimizer();
    /// As it stands, for whoever is still writing it: whether its values go together is for validate(). `source` is the
    /// file name that errors tell. Strict: unknown keys are errors with the nearest valid word, and so are values out
    /// of their bounds.
    static Result<Job> fromJson(const QJsonObject &json, const QString &source = QStringLiteral("the job"));
    /// The same, and validate(): for whoever uses it.
    static Result<Job> validFromJson(const QJsonObject &json, const QString &source = QStringLiteral("the job"));
    /// Likewise validFromJson(), of a file.
    static Result<Job> load(const QString &path);
    QJsonObject toJson() const;
    /// That fromJson() reads what toJson() writes, and that nothing in it contradicts anything else.
    Result<void> validate(const QString &source = QStringLiteral("the job")) const;

    /// For sentences: all names.
    QString dataText() const;
    std::vector<DataSource> dataSources() const { return DataSource::of(data); }

    /// Samples that all devices together take in a round.
    int roundSamples() const { return localSteps ? batch * localSteps->every : batch; }
    /// What a micro-batch has, where the planner has no choice.
    std::optional<int> fixedMicroBatch() const { return localSteps ? std::optional(batch) : microBatch; }
    /// What is kept of every trained tensor from round to round.
    OptimizerState state() const { return LocalSteps::stateOf(localSteps, optimizer.state()); }
    /// What the mathematics of a run of so many rounds depends on.
    TrainingSpec training(qint64 ofRounds) const;
    /// Rounds of the whole run with `samples` training samples: epochs are rounded up to whole rounds.
    qint64 totalRounds(qint64 samples) const;
    /// Whether the test set is evaluated after `round` (from 1) of `total`.
    bool evaluatesAfter(qint64 round, qint64 total) const;

    /// Nothing that is sent is rounded: the mathematics of one device.
    bool isExact() const { return codec == CodecChoice::None && gradientCodec == &noCodec(); }
    /// The weights do not depend on the plan, nor on the devices.
    bool isSameAnywhere() const {
        return isExact() && precision != Precision::Bfloat16 && !asynchronous && !localSteps;
    }

    bool operator==(const Job &) const = default;
};

/// The network that a job trains, of the one that it names: with its adapters, and frozen what it freezes.
Result<Model> networkOf(const Job &job, const Model &named);
/// Whether both train the same network.
bool haveSameNetwork(const Job &one, const Job &other);

/// The job's transform, or one fitted to both shapes (c, h, w): symmetric zero padding, a single channel repeated, and
/// bytes scaled to [0, 1]. Fails when padding and repeating cannot turn the one shape into the other.
Result<InputTransform> inputOf(const Job &job, const Shape &sample, const Shape &model);
/// Whether pictures are made of the network's size on the device that holds them: the job asks for it, or they have no
/// common one.
bool isResized(const Job &job, bool hasOwnSizes);
/// The job's transform then, or one that scales to [0, 1]. Fails where no picture in colours or grey becomes the input.
Result<InputTransform> resizedInputOf(const Job &job, const Shape &model);

}  // namespace hearth
