#include "core/model/training_spec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/json_reader.h"
#include "core/model/loss_facts.h"

namespace hearth {
namespace {

constexpr int largestPad = 1 << 10;
constexpr double largestMean = 1e6;
constexpr qint64 mostRounds = qint64{1} << 53;  // so that JSON carries it exactly

struct OptimizerName {
    OptimizerSpec::Kind kind;
    const char *name;
};
constexpr std::array optimizers{
    OptimizerName{OptimizerSpec::Kind::Sgd, "sgd"}, OptimizerName{OptimizerSpec::Kind::Adam, "adam"},
    OptimizerName{OptimizerSpec::Kind::AdamW, "adamw"}, OptimizerName{OptimizerSpec::Kind::Adafactor, "adafactor"}};

QString decayName(OptimizerSpec::Decay decay) {
    return decay == OptimizerSpec::Decay::All ? QStringLiteral("all") : QStringLiteral("weights");
}

}  // namespace

OptimizerSpec OptimizerSpec::defaultOf(Kind kind) {
    OptimizerSpec spec;
    spec.kind = kind;
    if (kind != Kind::Sgd) {
        spec.learningRate = kind == Kind::Adafactor ? 0.01 : 0.001;
        spec.momentum = 0;
    }
    if (kind == Kind::Adafactor)
        spec.beta1 = 0;
    spec.weightDecay = kind == Kind::AdamW ? 0.01 : 0;
    return spec;
}

OptimizerState OptimizerSpec::state() const {
    const int average = ema > 0 ? 1 : 0;
    if (isAdam())
        return {2 + average, false};
    if (kind == Kind::Adafactor)
        return {(beta1 != 0 ? 1 : 0) + average, true};
    return {(momentum != 0 ? 1 : 0) + average, false};
}

Result<OptimizerSpec> OptimizerSpec::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    OptimizerSpec spec;
    QStringList kinds;
    for (const OptimizerName &each : optimizers)
        kinds << QLatin1String(each.name);
    const qsizetype kind = kinds.indexOf(reader.choice("kind", kinds));
    if (reader.ok()) {
        spec = defaultOf(optimizers.at(static_cast<std::size_t>(kind)).kind);
        spec.learningRate = reader.number("learning_rate", 0, 1e6, spec.learningRate);
        spec.weightDecay = reader.number("weight_decay", 0, 1e6, spec.weightDecay);
        spec.clipNorm = reader.number("clip_norm", 0, 1e12, spec.clipNorm);
        spec.ema = reader.number("ema", 0, 0.999999999, spec.ema);
        const QString all = decayName(Decay::All);
        spec.decay = reader.choice("decay", {decayName(Decay::Weights), all}, decayName(spec.decay)) == all
                         ? Decay::All
                         : Decay::Weights;
        if (spec.kind == Kind::Adafactor) {
            spec.beta1 = reader.number("beta1", 0, 0.999999999, spec.beta1);
            spec.scaleParameter = reader.boolean("scale_parameter", spec.scaleParameter);
            spec.relativeStep = reader.boolean("relative_step", spec.relativeStep);
        } else if (spec.isAdam()) {
            spec.beta1 = reader.number("beta1", 0, 0.999999999, spec.beta1);
            spec.beta2 = reader.number("beta2", 0, 0.999999999, spec.beta2);
            spec.epsilon = reader.number("epsilon", 0, 1, spec.epsilon);
        } else {
            spec.momentum = reader.number("momentum", 0, 0.999999999, spec.momentum);
            spec.nesterov = reader.boolean("nesterov", false);
        }
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return spec;
}

QJsonObject OptimizerSpec::toJson() const {
    const auto named = std::ranges::find(optimizers, kind, &OptimizerName::kind);
    QJsonObject object{{QStringLiteral("kind"), QLatin1String(named->name)},
                       {QStringLiteral("learning_rate"), learningRate},
                       {QStringLiteral("weight_decay"), weightDecay},
                       {QStringLiteral("decay"), decayName(decay)},
                       {QStringLiteral("clip_norm"), clipNorm},
                       {QStringLiteral("ema"), ema}};
    if (kind == Kind::Adafactor) {
        object[QStringLiteral("beta1")] = beta1;
        object[QStringLiteral("scale_parameter")] = scaleParameter;
        object[QStringLiteral("relative_step")] = relativeStep;
    } else if (isAdam()) {
        object[QStringLiteral("beta1")] = beta1;
        object[QStringLiteral("beta2")] = beta2;
        object[QStringLiteral("epsilon")] = epsilon;
    } else {
        object[QStringLiteral("momentum")] = momentum;
        object[QStringLiteral("nesterov")] = nesterov;
    }
    return object;
}

QStringList precisionNames() {
    return {QStringLiteral("float32"), QStringLiteral("float64"), QStringLiteral("bfloat16")};
}

DType dtypeOf(Precision precision) {
    return precision == Precision::Float64 ? DType::Float64 : DType::Float32;
}

QString precisionName(Precision precision) {
    return precisionNames().at(static_cast<int>(precision));
}

std::optional<Precision> precisionFromName(const QString &name) {
    const qsizetype place = precisionNames().indexOf(name);
    return place < 0 ? std::nullopt : std::optional(static_cast<Precision>(place));
}

Shape InputTransform::outputShape(const Shape &sample) const {
    return {sample.at(0) * repeatChannels, sample.at(1) + 2 * pad[0], sample.at(2) + 2 * pad[1]};
}

std::optional<Shape> InputTransform::sampleShape(const Shape &input) const {
    if (input.size() != 3 || input[0] % repeatChannels != 0 ||
        (!mean.empty() && static_cast<qint64>(mean.size()) != input[0]))
        return std::nullopt;
    const Shape sample{input[0] / repeatChannels, input[1] - 2 * pad[0], input[2] - 2 * pad[1]};
    if (std::ranges::any_of(sample, [](qint64 dimension) { return dimension < 1; }))
        return std::nullopt;
    return sample;
}

Result<InputTransform> InputTransform::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    InputTransform transform;
    transform.scale = reader.number("scale", -1e6, 1e6, transform.scale);
    if (reader.has("pad")) {
        const QJsonArray pad = reader.array("pad");
        for (int i = 0; i < 2; ++i) {
            transform.pad[static_cast<std::size_t>(i)] = pad[i].toInt(-1);
            if (pad.size() != 2 || pad[i].toInt(-1) < 0 || pad[i].toInt(-1) > largestPad) {
                reader.reject(QStringLiteral("pad"), sentence("It is not a pair of border widths."),
                              sentence("Give [rows, columns], each from 0 to %1.").arg(largestPad));
            }
        }
    } else {
        reader.ignore("pad");
    }
    transform.repeatChannels = static_cast<int>(reader.integer("repeat_channels", 1, 1024, 1));
    for (const QJsonValue mean : reader.array("mean", false))
        transform.mean.push_back(mean.toDouble(std::numeric_limits<double>::quiet_NaN()));
    for (const QJsonValue deviation : reader.array("std", false))
        transform.deviation.push_back(deviation.toDouble());
    const auto all = [](const std::vector<double> &values, auto fine) { return std::ranges::all_of(values, fine); };
    if (transform.mean.size() != transform.deviation.size() ||
        !all(transform.mean, [](double mean) { return std::abs(mean) <= largestMean; }) ||
        !all(transform.deviation, [](double deviation) { return deviation >= 1 / largestMean; })) {
        reader.reject(
            QStringLiteral("mean"), sentence("\"mean\" and \"std\" are no numbers for each channel."),
            sentence("Give both as lists of as many numbers as the input has channels, those of \"std\" above 0."));
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return transform;
}

namespace {

QJsonArray listOf(const std::vector<double> &values) {
    QJsonArray list;
    for (const double value : values)
        list << value;
    return list;
}

}  // namespace

QJsonObject InputTransform::toJson() const {
    return {{QStringLiteral("scale"), scale},
            {QStringLiteral("pad"), QJsonArray{pad[0], pad[1]}},
            {QStringLiteral("repeat_channels"), repeatChannels},
            {QStringLiteral("mean"), listOf(mean)},
            {QStringLiteral("std"), listOf(deviation)}};
}

namespace {

Result<void> checkAsynchrony(const Asynchrony &asynchrony, const OptimizerSpec &optimizer, const QString &source) {
    const auto refuse = [&](const Sentence &cause, const Sentence &advice) {
        return fail(QStringLiteral("training.asynchronous"),
                    sentence("%1 cannot train asynchronously as it says.").arg(source), cause, advice);
    };
    if (optimizer.clipNorm > 0) {
        return refuse(sentence("\"clip_norm\" needs the gradients of all stages at once, and they never wait for each "
                               "other."),
                      sentence("Leave \"clip_norm\" out, or train synchronously."));
    }
    if (asynchrony.correctRate && optimizer.kind == OptimizerSpec::Kind::Adafactor && optimizer.relativeStep) {
        return refuse(sentence("With \"relative_step\" there is no learning rate that \"correct_rate\" could divide."),
                      sentence("Leave relative_step out, or set correct_rate to false."));
    }
    return {};
}

}  // namespace

Result<void> checkTraining(const TrainingSpec &spec, const QString &source, const QString &path) {
    JsonReader reader(QJsonObject(), source, path);
    const OptimizerSpec &optimizer = spec.optimizer;
    const QString localSteps = QStringLiteral("local_steps");
    if (spec.labelSmoothing > 0 && spec.loss != crossEntropyName()) {
        reader.reject(QStringLiteral("label_smoothing"), sentence("The loss \"%1\" knows no classes.").arg(spec.loss),
                      sentence("Leave it out, or choose \"%1\".").arg(crossEntropyName()));
    }
    if (optimizer.kind == OptimizerSpec::Kind::Sgd && optimizer.nesterov && optimizer.momentum == 0) {
        reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("optimizer")), QStringLiteral("nesterov")),
                        sentence("There is no momentum."), sentence("Give a \"momentum\", or leave \"nesterov\" out."));
    }
    if (spec.localSteps && optimizer.ema > 0) {
        reader.reject(localSteps,
                      sentence("The optimizer keeps a moving average (\"ema\"), which every device would have of "
                               "its own weights alone."),
                      sentence("Leave \"ema\" out, or \"local_steps\"."));
    }
    if (spec.localSteps && spec.asynchronous) {
        reader.reject(localSteps,
                      sentence("Asynchronous training has several stages that never wait for each other, and here "
                               "every device holds the whole network."),
                      sentence("Leave one of the two out."));
    }
    if (auto finished = reader.finish(); !finished)
        return finished;
    return spec.asynchronous ? checkAsynchrony(*spec.asynchronous, optimizer, source) : Result<void>();
}

Result<TrainingSpec> TrainingSpec::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    TrainingSpec spec;
    const QJsonObject optimizer = reader.object("optimizer");
    const bool hasSchedule = reader.has("schedule");
    const QJsonObject schedule = reader.object("schedule", false);
    spec.rounds = reader.integer("rounds", 1, mostRounds, spec.rounds);
    const QString precision = reader.choice("precision", precisionNames(), precisionName(spec.precision));
    spec.precision = precisionFromName(precision).value_or(spec.precision);
    spec.seed = static_cast<quint64>(reader.integer("seed", 0, maximumSeed, 1));
    spec.loss = reader.choice("loss", LossFacts::names(), spec.loss);
    spec.labelSmoothing = reader.number("label_smoothing", 0, mostSmoothing, 0);
    spec.mixed = reader.boolean("mixed", false);
    const bool isAsynchronous = reader.has("asynchronous");
    const QJsonObject asynchronous = reader.object("asynchronous", false);
    if (reader.ok() && spec.mixed && spec.loss != crossEntropyName()) {
        reader.reject(QStringLiteral("mixed"), sentence("The loss \"%1\" knows no classes.").arg(spec.loss),
                      sentence("Leave it out, or choose \"%1\".").arg(crossEntropyName()));
    }
    const bool hasLocalSteps = reader.has("local_steps");
    const QJsonObject localSteps = reader.object("local_steps", false);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    auto parsed = OptimizerSpec::fromJson(optimizer, source, reader.pathOf(QStringLiteral("optimizer")));
    if (!parsed)
        return tl::unexpected(parsed.error());
    spec.optimizer = *parsed;
    if (hasSchedule) {
        auto given = RateSchedule::fromJson(schedule, source, reader.pathOf(QStringLiteral("schedule")));
        if (!given)
            return tl::unexpected(given.error());
        spec.schedule = *given;
    }
    if (isAsynchronous) {
        auto given = Asynchrony::fromJson(asynchronous, source, reader.pathOf(QStringLiteral("asynchronous")));
        if (!given)
            return tl::unexpected(given.error());
        spec.asynchronous = *given;
    }
    if (hasLocalSteps) {
        auto given = LocalSteps::fromJson(localSteps, source, reader.pathOf(QStringLiteral("local_steps")));
        if (!given)
            return tl::unexpected(given.error());
        spec.localSteps = *given;
    }
    if (auto fits = checkTraining(spec, source, path); !fits)
        return tl::unexpected(fits.error());
    return spec;
}

TrainingSpec TrainingSpec::inner() const {
    if (!localSteps)
        return *this;
    TrainingSpec result = *this;
    result.schedule = schedule.inSteps(localSteps->every);
    result.rounds = std::min(rounds, std::numeric_limits<qint64>::max() / localSteps->every) * localSteps->every;
    return result;
}

QJsonObject TrainingSpec::toJson() const {
    QJsonObject object{{QStringLiteral("optimizer"), optimizer.toJson()},
                       {QStringLiteral("schedule"), schedule.toJson()},
                       {QStringLiteral("rounds"), rounds},
                       {QStringLiteral("precision"), precisionName(precision)},
                       {QStringLiteral("seed"), static_cast<qint64>(seed)},
                       {QStringLiteral("loss"), loss},
                       {QStringLiteral("label_smoothing"), labelSmoothing}};
    if (mixed)
        object[QStringLiteral("mixed")] = true;
    if (asynchronous)
        object[QStringLiteral("asynchronous")] = asynchronous->toJson();
    if (localSteps)
        object[QStringLiteral("local_steps")] = localSteps->toJson();
    return object;
}

QCborMap TrainingSpec::toCbor() const {
    return QCborMap::fromJsonObject(toJson());
}

}  // namespace hearth
