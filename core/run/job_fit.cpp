#include "core/run/job_fit.h"

#include <QFileInfo>
#include <QJsonDocument>

#include "core/base/sentence_list.h"
#include "core/model/catalogue.h"
#include "core/model/loss_facts.h"
#include "core/model/model_name.h"

namespace hearth {
namespace {

/// A border around pictures is a means to fit them; where more than this of the input is border, it is most of the
/// work.
constexpr double mostBorder = 0.75;

bool isMostlyBorder(const Job &job, const Model &model, const Shape &sample) {
    const auto area = [](const Shape &shape) { return static_cast<double>(shape[1] * shape[2]); };
    return !job.input && !job.fit && model.inputShape().size() == 3 && sample.size() == 3 &&
           area(sample) < (1 - mostBorder) * area(model.inputShape());
}

QString pixels(const Shape &shape) {
    return QStringLiteral("%1×%2").arg(shape[2]).arg(shape[1]);
}

/// Of each sample.
bool areQuantities(const DataShape &data) {
    return data.label.dtype == DType::Float32;
}

bool takesRowsOfNumbers(const Model &model) {
    return model.inputs.size() == 1 && model.inputs.front().kind == ValueKind::Real && model.inputShape().size() == 1;
}

/// What the last dimension of the network's output has to be.
qint64 outputsFor(const DataShape &data) {
    return areQuantities(data) ? data.label.elements() : data.classes;
}

/// The name of the network with these options besides its own; empty where it does not take them.
QString networkWith(const QString &nameOrPath, const Model &model, const QJsonObject &options) {
    ModelName name = ModelName::split(nameOrPath);
    if (name.options.isEmpty() && model.inputShape().size() == 3) {
        // Without options "resnet50" is a network for photographs, with some it is for small pictures.
        const QJsonObject size{{QStringLiteral("image"), model.inputShape()[1]}};
        if (takesOptions(ModelName{name.base, size}.text()))
            name.options = size;
    }
    for (const QString &option : options.keys())
        name.options[option] = options.value(option);
    const QString text = name.text();
    return takesOptions(text) ? text : QString();
}

/// A built-in network for such data; one without a name: there is none.
ModelName networkFor(const DataShape &data) {
    QJsonObject options{{QStringLiteral("classes"), outputsFor(data)}};
    const bool oneLabel = data.label.shape.empty() && outputsFor(data) > (areQuantities(data) ? 0 : 1);
    if (oneLabel && data.arePictures())
        return {QStringLiteral("resnet18"), options};
    if (data.areRowsOfNumbers() && oneLabel) {
        options[QStringLiteral("features")] = data.parts.front().slot.elements();
        return {QStringLiteral("mlp"), options};
    }
    const bool areTexts = !data.parts.empty() && data.parts.front().name == QLatin1String("tokens") && data.ownSizes;
    if (areTexts && oneLabel)
        return {QStringLiteral("bert-small"), options};
    return areTexts ? ModelName{QStringLiteral("gpt2"), {}} : ModelName();
}

/// False: no loss takes such labels.
bool fitLoss(FittedJob &fitted, const Shape &output, const DataShape &data) {
    Job &job = fitted.job;
    const LossFacts *loss = LossFacts::byName(job.loss);
    if (loss == nullptr || loss->label(output).dtype == data.label.dtype)
        return true;
    if (!areQuantities(data) && data.label.dtype != DType::Int64)
        return false;
    job.loss = areQuantities(data) ? meanSquaredErrorName() : crossEntropyName();
    fitted.changes << sentence("The loss is \"%1\".").arg(job.loss);
    if (!areQuantities(data))
        return true;
    if (job.labelSmoothing > 0) {
        job.labelSmoothing = 0;
        fitted.changes << sentence("Labels are not smoothed.");
    }
    if (job.bestBy == BestBy::Accuracy) {
        job.bestBy = BestBy::Loss;
        fitted.changes << sentence("The best evaluation is the one with the lowest loss.");
    }
    if (job.augment.mixes()) {
        job.augment.mixup = job.augment.cutmix = 0;
        fitted.changes << sentence("Pictures are not mixed.");
    }
    return true;
}

void leavePicturesOut(FittedJob &fitted, const DataShape &data) {
    Job &job = fitted.job;
    if (data.arePictures() || (!job.fit && job.augment.isNone()))
        return;
    job.fit.reset();
    job.augment = {};
    fitted.changes << sentence("Nothing is varied or made of another size, for the data are no pictures.");
}

/// Changes `model`, as far as the fit of data is concerned, to what the job names then.
void fitNetwork(FittedJob &fitted, Model &model, const DataShape &data) {
    QJsonObject options;
    QList<Sentence> changes;
    Shape &output = model.layers.back().shape.outputs.front().shape;
    const qint64 outputs = outputsFor(data);
    const bool isFew = outputs < (areQuantities(data) ? 1 : 2);
    if (output.size() == 1 && (areQuantities(data) || data.label.shape.empty()) && outputs != output.front() &&
        !isFew) {
        options[QStringLiteral("classes")] = outputs;
        changes << (areQuantities(data) ? sentence("The network answers as many numbers as a sample has labels: %1.")
                                        : sentence("The network tells %1 {1|class|classes} apart."))
                       .arg(outputs);
        output = {outputs};
        model.classes = static_cast<int>(outputs);
    }
    if (data.areRowsOfNumbers() && takesRowsOfNumbers(model) && data.parts.front().slot.shape != model.inputShape()) {
        options[QStringLiteral("features")] = data.parts.front().slot.elements();
        changes
            << sentence("The network takes %1 {1|number|numbers} of each row.").arg(data.parts.front().slot.elements());
        model.inputs.front().shape = data.parts.front().slot.shape;
    }
    if (options.isEmpty())
        return;
    fitted.job.model = networkWith(fitted.job.model, model, options);
    fitted.changes = changes + fitted.changes;
}

/// Of a network that somebody brought a run has the name alone, and the folder that may take options is not told.
bool isNameAlone(const QString &nameOrPath) {
    return !isBuiltinModel(nameOrPath) && !QFileInfo::exists(ModelName::split(nameOrPath).base);
}

/// How the job's own network tells so many classes apart. Empty: no option does that.
Sentence cureByClasses(const Job &job, const Model &model, qint64 classes) {
    if (model.layers.back().shape.outputs.front().shape.size() != 1)
        return {};
    if (isNameAlone(job.model)) {
        return sentence(
                   "Where the model comes from a folder, write classes=%1 under \"Options of this model\", or "
                   "\"model\": \"FOLDER:classes=%1\" in the job's file; else choose one with as many classes as "
                   "the data.")
            .arg(classes);
    }
    const QString network = networkWith(job.model, model, QJsonObject{{QStringLiteral("classes"), classes}});
    if (network.isEmpty())
        return {};
    const qsizetype base = ModelName::split(network).base.size();
    return sentence("Write %1 under \"Options of this model\", or \"model\": \"%2\" in the job's file.")
        .arg(network.mid(base + 1), network);
}

/// What a job's file has to say otherwise.
QString entriesOf(const Job &job, const Job &wanted) {
    const QJsonObject before = job.toJson(), after = wanted.toJson();
    QStringList entries;
    for (const QString &key : after.keys()) {
        const QJsonValue value = after.value(key);
        if (before.value(key) == value)
            continue;
        const QByteArray text = QJsonDocument(QJsonObject{{key, value}}).toJson(QJsonDocument::Compact);
        entries << QString::fromUtf8(text.mid(1, text.size() - 2));
    }
    return entries.join(QStringLiteral(", "));
}

/// Whether the model takes samples of another kind: pictures, or rows of numbers.
bool isForOthers(const Model &model, const DataShape &data) {
    const std::size_t rank =
        model.inputs.size() == 1 && model.inputs.front().kind == ValueKind::Real ? model.inputShape().size() : 0;
    return (rank == 3) != data.arePictures() || (rank == 1) != data.areRowsOfNumbers();
}

Sentence cureByFit(const Job &job, const FittedJob &fitted) {
    return sentence("Press \"Fit to these data\" on the Job page, or write %1 in the job's file.")
        .arg(entriesOf(job, fitted.job));
}

/// A built-in network for such data. Empty: nobody knows one.
Sentence cureByNetwork(const Job &job, const Model &model, const DataShape &data) {
    if (!isForOthers(model, data) && data.label.dtype == DType::Int64 && data.classes > model.classes) {
        if (Sentence cure = cureByClasses(job, model, data.classes); !cure.isEmpty())
            return cure;
    }
    const ModelName network = networkFor(data);
    if (network.base.isEmpty() || network.base == ModelName::split(job.model).base)
        return {};
    FittedJob wanted{job, {}};
    wanted.job.model = network.text();
    if (!fitLoss(wanted, {outputsFor(data)}, data))
        return {};
    leavePicturesOut(wanted, data);
    const QString entries = entriesOf(job, wanted.job);
    if (job.data.size() > 1) {
        return sentence("Choose the model %1 and write %2 under \"Options of this model\", or %3 in the job's file.")
            .arg(network.base, network.text().mid(network.base.size() + 1), entries);
    }
    return sentence("Choose the model %1 and press \"Fit to these data\", or write %2 in the job's file.")
        .arg(network.base, entries);
}

/// Where anybody knows better than what the check says.
Error withCure(Error error, const Job &job, const Model &model, const DataShape &data,
               const std::optional<FittedJob> &fitted) {
    const bool isInput = error.code == QLatin1String("job.input");
    const bool isOfNetwork = error.code == QLatin1String("job.classes") || error.code == QLatin1String("job.labels");
    Sentence cure;
    if (fitted)
        cure = cureByFit(job, *fitted);
    else if (isOfNetwork || (isInput && isForOthers(model, data)))
        cure = cureByNetwork(job, model, data);
    if (!cure.isEmpty())
        error.advice = cure;
    return error;
}

}  // namespace

std::optional<FittedJob> fittedTo(const Job &job, const Model &model, const DataShape &data) {
    if (job.data.size() > 1)
        return std::nullopt;
    FittedJob fitted{job, {}};
    Model made = model;
    if (!fitLoss(fitted, model.layers.back().shape.outputs.front().shape, data))
        return std::nullopt;
    leavePicturesOut(fitted, data);
    fitNetwork(fitted, made, data);
    if (fitted.job.model.isEmpty() || fitted.changes.isEmpty() || !checkedInput(fitted.job, made, data))
        return std::nullopt;
    return fitted;
}

Result<InputTransform> inputFor(const Job &job, const Model &model, const DataShape &data) {
    auto input = checkedInput(job, model, data);
    if (input)
        return input;
    return tl::unexpected(withCure(input.error(), job, model, data, fittedTo(job, model, data)));
}

Sentence cureOfClasses(const Job &job, const Model &model, const DataShape &data,
                       const std::optional<FittedJob> &fitted) {
    if (fitted)
        return cureByFit(job, *fitted);
    const Sentence cure =
        isNameAlone(job.model) ? cureByClasses(job, model, data.classes) : cureByNetwork(job, model, data);
    return cure.isEmpty() ? asManyClasses() : cure;
}

std::optional<Misfit> doubtOf(const Job &job, const Model &model, const DataShape &data) {
    QList<Sentence> causes, cures;
    if (!data.ownSizes && isMostlyBorder(job, model, data.sample)) {
        causes << sentence(
                      "The model takes pictures of %1 pixels; these are %2, and most of the work would go into the "
                      "border around them.")
                      .arg(pixels(model.inputShape()), pixels(data.sample));
        cures << sentence("Choose a model for such pictures, or how they become its input (\"fit\" of the job).");
    }
    // Of a vocabulary no text uses all.
    const bool hasFewer = data.classes < model.classes && data.label.dtype == DType::Int64 && data.label.shape.empty();
    if (causes.isEmpty() && !hasFewer)
        return std::nullopt;
    auto fitted = fittedTo(job, model, data);
    if (hasFewer) {
        causes << sentence("The model tells %1 {1|class|classes} apart; the data have %2.")
                      .arg(model.classes)
                      .arg(data.classes);
        cures << cureOfClasses(job, model, data, fitted);
    }
    const Sentence what =
        sentence("The model %1 and the data %2 do not fit each other.").arg(model.name, job.dataText());
    return Misfit{{QStringLiteral("job.misfit"), what, listed(causes), listed(cures)}, fitted};
}

std::optional<Misfit> misfitOf(const Job &job, const Model &model, const DataShape &data) {
    if (const auto input = checkedInput(job, model, data); !input) {
        auto fitted = fittedTo(job, model, data);
        return Misfit{withCure(input.error(), job, model, data, fitted), fitted};
    }
    return doubtOf(job, model, data);
}

}  // namespace hearth
