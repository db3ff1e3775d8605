#include "core/run/job.h"

#include "core/base/json_reader.h"
#include "core/data/sampler.h"
#include "core/model/loss_facts.h"
#include "core/plan/gradient_codec.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

const QString jobFormat = QStringLiteral("hearth-job/1");
constexpr int largestBatch = 1 << 20;

const QStringList &bestByNames() {  // in the order of BestBy
    static const QStringList names{QStringLiteral("loss"), QStringLiteral("accuracy")};
    return names;
}

template <class T>
QJsonValue orNull(const std::optional<T> &value) {
    return value ? QJsonValue(static_cast<qint64>(*value)) : QJsonValue(QJsonValue::Null);
}

/// A name, or a list of them.
void readData(JsonReader &reader, Job &job) {
    if (!reader.has("data")) {
        reader.ignore("data");
        return;
    }
    if (const QJsonValue value = reader.value("data"); !value.isArray()) {
        job.data = QStringList{reader.string("data")};
        return;
    }
    const QJsonArray names = reader.array("data");
    job.data.clear();
    for (const QJsonValue name : names)
        job.data << name.toString();
    if (job.data.size() < 2 || job.data.size() > Job::mostData || job.data.contains(QString())) {
        reader.reject(QStringLiteral("data"), sentence("It is a name, or a list of 2 to %1 names.").arg(Job::mostData),
                      sentence("Write what is on another device as NAME@DEVICE."));
    }
}

void readPrompts(JsonReader &reader, Job &job) {
    job.promptTokens = static_cast<int>(reader.integer("prompt_tokens", 1, Job::mostPromptTokens, job.promptTokens));
    if (!reader.has("prompts")) {
        reader.ignore("prompts");
        return;
    }
    const QJsonArray texts = reader.array("prompts");
    job.prompts.emplace();
    for (const QJsonValue &text : texts)
        *job.prompts << text.toString();
    if (job.prompts->size() > Job::mostPrompts || job.prompts->contains(QString())) {
        reader.reject(QStringLiteral("prompts"),
                      sentence("It is a list of at most %1 beginnings of texts.").arg(Job::mostPrompts),
                      sentence("Every token of theirs takes a pass through all devices."));
    }
}

void readEvaluations(JsonReader &reader, Job &job) {
    job.evaluateEvery = reader.integer("evaluate_every", 0, Job::mostRounds, job.evaluateEvery);
    job.bestBy =
        static_cast<BestBy>(bestByNames().indexOf(reader.choice("best_by", bestByNames(), bestByNames().front())));
    job.keepBest = reader.boolean("keep_best", job.keepBest);
    job.patience = reader.integer("patience", 0, Job::mostRounds, job.patience);
    readPrompts(reader, job);
}

QString synchronousMode() {
    return QStringLiteral("synchronous");
}

QString asynchronousMode() {
    return QStringLiteral("asynchronous");
}

/// How stages train together, and what the mode says of itself.
void readMode(JsonReader &reader, QString *mode, std::optional<QJsonObject> *asynchronous) {
    *mode = reader.choice("mode", {synchronousMode(), asynchronousMode()}, synchronousMode());
    const bool isGiven = reader.has("asynchronous");
    const QJsonObject given = reader.object("asynchronous", false);
    if (*mode == asynchronousMode())
        *asynchronous = given;
    else if (reader.ok() && isGiven)
        reader.reject(QStringLiteral("asynchronous"), sentence("The \"mode\" of the job is %1.").arg(*mode),
                      sentence("Leave it out, or choose the mode \"%1\".").arg(asynchronousMode()));
}

void readLength(JsonReader &reader, Job &job) {
    const bool rounds = reader.has("rounds");
    const bool epochs = reader.has("epochs");
    if (rounds && epochs) {
        reader.reject(QStringLiteral("epochs"), sentence("Both rounds and epochs are given."),
                      sentence("Keep one of them."));
    }
    if (epochs) {
        job.epochs = reader.integer("epochs", 1, Job::mostRounds);
        job.rounds.reset();
        reader.ignore("rounds");
    } else {
        job.rounds = reader.integer("rounds", 1, Job::mostRounds, *Job{}.rounds);
        reader.ignore("epochs");
    }
}

void checkEvaluations(JsonReader &reader, const Job &job) {
    if (job.bestBy == BestBy::Accuracy && LossFacts::byName(job.loss)->answers == LossFacts::Answers::Numbers) {
        reader.reject(QStringLiteral("best_by"), sentence("Answers of the loss %1 have no accuracy.").arg(job.loss),
                      sentence("Choose \"loss\"."));
    }
    if (job.patience > 0 && job.evaluateEvery == 0) {
        reader.reject(QStringLiteral("patience"), sentence("The job is never evaluated: its \"evaluate_every\" is 0."),
                      sentence("Say after how many rounds it is."));
    }
}

void checkCodecs(JsonReader &reader, const Job &job) {
    if (!job.isExact() && job.precision == Precision::Float64) {
        reader.reject(job.codec != CodecChoice::None ? QStringLiteral("codec") : QStringLiteral("gradient_codec"),
                      sentence("Codecs round numbers, and a job in float64 is there to be compared exactly."),
                      sentence("Choose \"none\", or the precision float32."));
    }
}

/// What a round of local steps is must be a round of a plan.
void checkBatches(JsonReader &reader, const Job &job) {
    if (job.microBatch && job.batch % *job.microBatch != 0) {
        reader.reject(QStringLiteral("micro_batch"),
                      sentence("The batch of %1 is no multiple of %2.").arg(job.batch).arg(*job.microBatch),
                      sentence("Choose a divisor of the batch, or leave it to the planner."));
    }
    if (!job.localSteps)
        return;
    if (job.microBatch && *job.microBatch != job.batch) {
        reader.reject(QStringLiteral("local_steps"),
                      sentence("The micro-batch is %1: with \"local_steps\" it is the batch, of which every device "
                               "takes its share at once.")
                          .arg(*job.microBatch),
                      sentence("Leave \"micro_batch\" out, or \"local_steps\"."));
    }
    if (qint64{job.batch} * job.localSteps->every > ProfileLimits::batch) {
        reader.rejectAt(QStringLiteral("/local_steps/every"),
                        sentence("So many batches of %1 are more than a round may have, which is %2 samples.")
                            .arg(job.batch)
                            .arg(ProfileLimits::batch),
                        sentence("Give at most %1, or a smaller batch.").arg(ProfileLimits::batch / job.batch));
    }
}

}  // namespace

OptimizerSpec Job::defaultOptimizer() {
    OptimizerSpec spec;
    spec.kind = OptimizerSpec::Kind::Sgd;
    spec.learningRate = 0.05;
    spec.momentum = 0.9;
    return spec;
}

Result<Job> Job::fromJson(const QJsonObject &json, const QString &source) {
    JsonReader reader(json, source);
    Job job;
    reader.choice("format", {jobFormat});
    job.model = reader.string("model", job.model);
    readData(reader, job);
    job.loss = reader.choice("loss", LossFacts::names(), job.loss);
    job.labelSmoothing = reader.number("label_smoothing", 0, TrainingSpec::mostSmoothing, 0);
    job.freeze = readPatterns(reader, "freeze");
    const bool hasAdapters = reader.has("adapters");
    const QJsonObject adapters = reader.object("adapters", false);
    job.batch = static_cast<int>(reader.integer("batch", 1, largestBatch, job.batch));
    if (reader.has("micro_batch"))
        job.microBatch = static_cast<int>(reader.integer("micro_batch", 1, largestBatch));
    else
        reader.ignore("micro_batch");
    const QString precision = reader.choice("precision", precisionNames(), precisionName(job.precision));
    job.precision = precisionFromName(precision).value_or(Precision::Float32);
    const QString codec = reader.choice("codec", codecChoiceNames(), codecChoiceName(job.codec));
    job.codec = codecChoiceFromName(codec).value_or(CodecChoice::None);
    job.gradientCodec = &GradientCodec::read(reader);
    readLength(reader, job);
    QString mode;
    std::optional<QJsonObject> asynchronous;
    readMode(reader, &mode, &asynchronous);
    job.seed = static_cast<quint64>(
        reader.integer("seed", 0, static_cast<qint64>(TrainingSpec::maximumSeed), static_cast<qint64>(job.seed)));
    job.shuffle = reader.boolean("shuffle", job.shuffle);
    readEvaluations(reader, job);
    if (reader.has("fit"))
        job.fit = static_cast<PictureFit>(
            pictureFitNames().indexOf(reader.choice("fit", pictureFitNames(), pictureFitNames().front())));
    else
        reader.ignore("fit");
    if (reader.number("validation", 0, Job::mostValidation, 0) > 0)
        job.validation = reader.number("validation", Job::leastValidation, Job::mostValidation);
    const QJsonObject augment = reader.object("augment", false);
    const bool hasInput = reader.has("input");
    const QJsonObject input = reader.object("input", false);
    const bool hasOptimizer = reader.has("optimizer");
    const QJsonObject optimizer = reader.object("optimizer", false);
    const bool hasSchedule = reader.has("schedule");
    const QJsonObject schedule = reader.object("schedule", false);
    const bool hasLocalSteps = reader.has("local_steps");
    const QJsonObject localSteps = reader.object("local_steps", false);
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (hasAdapters) {
        auto spec = AdapterSpec::fromJson(adapters, source, QStringLiteral("/adapters"));
        if (!spec)
            return tl::unexpected(spec.error());
        job.adapters = std::move(*spec);
    }
    const auto augmentation = Augmentation::fromJson(augment, source, QStringLiteral("/augment"));
    if (!augmentation)
        return tl::unexpected(augmentation.error());
    job.augment = *augmentation;
    if (hasInput) {
        const auto transform = InputTransform::fromJson(input, source, QStringLiteral("/input"));
        if (!transform)
            return tl::unexpected(transform.error());
        job.input = *transform;
    }
    if (hasOptimizer) {
        const auto spec = OptimizerSpec::fromJson(optimizer, source, QStringLiteral("/optimizer"));
        if (!spec)
            return tl::unexpected(spec.error());
        job.optimizer = *spec;
    }
    if (hasSchedule) {
        const auto given = RateSchedule::fromJson(schedule, source, QStringLiteral("/schedule"));
        if (!given)
            return tl::unexpected(given.error());
        job.schedule = *given;
    }
    if (asynchronous) {
        const auto given = Asynchrony::fromJson(*asynchronous, source, QStringLiteral("/asynchronous"));
        if (!given)
            return tl::unexpected(given.error());
        job.asynchronous = *given;
    }
    if (hasLocalSteps) {
        const auto given = LocalSteps::fromJson(localSteps, source, QStringLiteral("/local_steps"));
        if (!given)
            return tl::unexpected(given.error());
        job.localSteps = *given;
    }
    return job;
}

Result<Job> Job::validFromJson(const QJsonObject &json, const QString &source) {
    return fromJson(json, source).and_then([&source](const Job &job) {
        return job.validate(source).map([&job] { return job; });
    });
}

Result<Job> Job::load(const QString &path) {
    const auto json = readJsonFile(path);
    if (!json)
        return tl::unexpected(json.error());
    return validFromJson(*json, path);
}

QJsonObject Job::toJson() const {
    QJsonObject object{
        {QStringLiteral("format"), jobFormat},
        {QStringLiteral("model"), model},
        {QStringLiteral("data"), data.size() == 1 ? QJsonValue(data.front()) : QJsonArray::fromStringList(data)},
        {QStringLiteral("input"), input ? QJsonValue(input->toJson()) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("fit"),
         fit ? QJsonValue(pictureFitNames().at(static_cast<int>(*fit))) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("augment"), augment.toJson()},
        {QStringLiteral("validation"), validation},
        {QStringLiteral("adapters"), adapters ? QJsonValue(adapters->toJson()) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("freeze"), QJsonArray::fromStringList(freeze)},
        {QStringLiteral("loss"), loss},
        {QStringLiteral("label_smoothing"), labelSmoothing},
        {QStringLiteral("optimizer"), optimizer.toJson()},
        {QStringLiteral("schedule"), schedule.toJson()},
        {QStringLiteral("batch"), batch},
        {QStringLiteral("micro_batch"), orNull(microBatch)},
        {QStringLiteral("precision"), precisionName(precision)},
        {QStringLiteral("codec"), codecChoiceName(codec)},
        {QStringLiteral("gradient_codec"), QString::fromLatin1(gradientCodec->name)},
        {QStringLiteral("rounds"), orNull(rounds)},
        {QStringLiteral("epochs"), orNull(epochs)},
        {QStringLiteral("seed"), static_cast<qint64>(seed)},
        {QStringLiteral("shuffle"), shuffle},
        {QStringLiteral("evaluate_every"), evaluateEvery},
        {QStringLiteral("best_by"), bestByNames().at(static_cast<int>(bestBy))},
        {QStringLiteral("keep_best"), keepBest},
        {QStringLiteral("prompts"), prompts ? QJsonValue(QJsonArray::fromStringList(*prompts)) : QJsonValue()},
        {QStringLiteral("prompt_tokens"), promptTokens},
        {QStringLiteral("patience"), patience}};
    if (asynchronous) {
        object[QStringLiteral("mode")] = asynchronousMode();
        object[QStringLiteral("asynchronous")] = asynchronous->toJson();
    }
    if (localSteps)
        object[QStringLiteral("local_steps")] = localSteps->toJson();
    return object;
}

Result<void> Job::validate(const QString &source) const {
    if (const auto again = fromJson(toJson(), source); !again)
        return tl::unexpected(again.error());
    JsonReader reader(QJsonObject(), source);
    checkPatterns(reader, QStringLiteral("/freeze"), freeze);
    if (adapters)
        checkPatterns(reader, QStringLiteral("/adapters/targets"), adapters->targets);
    checkCodecs(reader, *this);
    checkBatches(reader, *this);
    checkEvaluations(reader, *this);
    if (auto finished = reader.finish(); !finished)
        return finished;
    if (QStringList unique = data; unique.removeDuplicates() > 0) {
        return fail(QStringLiteral("job.data"), sentence("A data set of %1 is named twice.").arg(source),
                    sentence("\"data\" is %1.").arg(dataText()), sentence("Name each once."));
    }
    return checkTraining(training(1), source, {});
}

QString Job::dataText() const {
    return data.join(QStringLiteral(", "));
}

TrainingSpec Job::training(qint64 ofRounds) const {
    return {optimizer, schedule,       ofRounds,        precision,    seed,
            loss,      labelSmoothing, augment.mixes(), asynchronous, localSteps};
}

qint64 Job::totalRounds(qint64 samples) const {
    return epochs ? Sampler::roundsOfEpochs(*epochs, samples, roundSamples()) : rounds.value_or(0);
}

bool Job::evaluatesAfter(qint64 round, qint64 total) const {
    return evaluateEvery > 0 && round > 0 && (round == total || round % evaluateEvery == 0);
}

Result<Model> networkOf(const Job &job, const Model &named) {
    if (job.adapters)
        return withAdapters(named, *job.adapters, job.freeze);
    return job.freeze.isEmpty() ? Result<Model>(named) : withFrozen(named, job.freeze);
}

bool haveSameNetwork(const Job &one, const Job &other) {
    return one.model == other.model && one.adapters == other.adapters && one.freeze == other.freeze;
}

bool isResized(const Job &job, bool hasOwnSizes) {
    return hasOwnSizes || job.fit.has_value();
}

Result<InputTransform> resizedInputOf(const Job &job, const Shape &model) {
    const InputTransform input = job.input.value_or(InputTransform());
    const auto sample = input.sampleShape(model);
    if (sample && ((*sample)[0] == 1 || (*sample)[0] == 3))
        return input;
    return fail(QStringLiteral("job.input"),
                sentence("The data %1 do not fit the model %2.").arg(job.dataText(), job.model),
                sample || !job.input
                    ? sentence("The model takes %1, and pictures have 3 channels, or 1 in grey.").arg(shapeText(model))
                    : sentence("No picture becomes the model's input of %1 as \"input\" says.").arg(shapeText(model)),
                sentence("Choose another model, or correct \"input\" of the job."));
}

Result<InputTransform> inputOf(const Job &job, const Shape &sample, const Shape &model) {
    const auto misfit = [&](const Sentence &cause) {
        return fail(QStringLiteral("job.input"),
                    sentence("The data %1 do not fit the model %2.").arg(job.dataText(), job.model), cause,
                    sentence("Choose another model, or set \"input\" of the job: \"pad\" adds a border and "
                             "\"repeat_channels\" repeats the channels."));
    };
    const Sentence plain = sentence("A sample is %1 and the model takes %2.").arg(shapeText(sample), shapeText(model));
    if (sample.size() != 3 || model.size() != 3)
        return misfit(plain);
    if (job.input) {
        if (job.input->sampleShape(model) != sample)
            return misfit(sentence("A sample is %1 and the model takes %2, but the job's input makes %3.")
                              .arg(shapeText(sample), shapeText(model), shapeText(job.input->outputShape(sample))));
        return *job.input;
    }
    InputTransform fitted;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const qint64 border = model[axis + 1] - sample[axis + 1];
        if (border < 0 || border % 2 != 0)
            return misfit(plain);
        fitted.pad[axis] = static_cast<int>(border / 2);
    }
    if (model[0] % sample[0] != 0)
        return misfit({});
    fitted.repeatChannels = static_cast<int>(model[0] / sample[0]);
    return fitted;
}

}  // namespace hearth
