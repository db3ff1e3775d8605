#include "core/run/data_fit.h"

#include <algorithm>

#include "core/base/sentence_list.h"
#include "core/data/joined_dataset.h"
#include "core/data/picture_cache.h"
#include "core/data/texts.h"
#include "core/data/told_preparation.h"
#include "core/model/id_limits.h"
#include "core/model/loss_facts.h"
#include "core/run/job_fit.h"
#include "core/run/whole_job.h"

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

/// Bytes of one picture for a network that takes one.
bool arePictures(const Model &model, const DataShape &data) {
    return data.arePictures() && model.inputs.size() == 1 && model.inputs.front().kind == ValueKind::Real;
}

/// By its own name: that of a job may be a long path.
tl::unexpected<Error> doesNotFit(const Job &job, const Model &model, const QString &code, const Sentence &cause,
                                 const Sentence &advice) {
    return fail(code, sentence("The data %1 do not fit the model %2.").arg(job.dataText(), model.name), cause, advice);
}

Sentence asManyClasses() {
    return sentence("Choose a model with as many classes as the data.");
}

Result<void> checkPart(const Job &job, const Model &model, const ModelInput &input, qint64 limit, const DataPart &part,
                       bool ofAnyLength) {
    const auto wrong = [&](const Sentence &cause, const Sentence &step) {
        return doesNotFit(job, model, QStringLiteral("job.input"), cause, step);
    };
    const bool real = part.slot.dtype == DType::Float32;
    if (part.slot.shape != input.shape && !(ofAnyLength && input.shape.size() == 1)) {
        return wrong(sentence("\"%1\" is %2 per sample, and the model's input \"%3\" takes %4.")
                         .arg(part.name, shapeText(part.slot.shape), input.name, shapeText(input.shape)),
                     sentence("Make the model or the data for another length."));
    }
    if (real != (input.kind == ValueKind::Real)) {
        return wrong(sentence("\"%1\" has %2, and the model's input \"%3\" takes %4.")
                         .arg(part.name, real ? sentence("real numbers") : sentence("whole numbers"), input.name,
                              real ? sentence("whole numbers") : sentence("real numbers")),
                     real ? sentence("Save it as int64.") : sentence("Save it as float32."));
    }
    if (part.range && limit > 0 && (part.range->least < 0 || part.range->most >= limit)) {
        return wrong(sentence("\"%1\" has ids from %2 to %3, and the model knows %4 (from 0).")
                         .arg(part.name)
                         .arg(part.range->least)
                         .arg(part.range->most)
                         .arg(limit),
                     sentence("Choose the model whose vocabulary these ids are of."));
    }
    return {};
}

/// Texts of the length that the model takes: of longer samples there are fewer, in the end none.
Result<std::shared_ptr<const Dataset>> asLongAs(const Job &job, const Model &model,
                                                const std::shared_ptr<const Dataset> &data) {
    const auto tokens = std::ranges::find(model.inputs, QStringLiteral("tokens"), &ModelInput::name);
    const Shape &shape = (tokens != model.inputs.end() ? *tokens : model.inputs.front()).shape;
    if (shape.size() != 1)
        return data;
    auto fitted = fitTexts(data, shape.front());
    const bool canTrain = fitted->count(Split::Train) > 0;
    if (canTrain && fitted->count(Split::Test) > 0)
        return fitted;
    return doesNotFit(job, model, QStringLiteral("job.input"),
                      (canTrain ? sentence("The texts to test with are too short for one sample of %1 tokens.")
                                : sentence("The texts to train with are too short for one sample of %1 tokens."))
                          .arg(shape.front()),
                      sentence("Take a model of a shorter sequence, or add text."));
}

Result<std::shared_ptr<const Dataset>> withJobsValidation(const Job &job, std::shared_ptr<const Dataset> data) {
    if (job.validation > 0)
        return withValidation(std::move(data), job.validation, job.seed);
    return data;
}

tl::unexpected<Error> isElsewhere(const Job &job, const DataSource &source) {
    return fail(QStringLiteral("job.data"), sentence("The data %1 are not all on this device.").arg(job.dataText()),
                sentence("\"%1\" is on %2.").arg(source.name, source.device),
                sentence("Only a run of several devices reads them."));
}

/// With nothing to tell apart, any network is right. One set of several may have one class alone.
Result<void> mustHaveClasses(const Job &job, const Dataset &data) {
    if (data.labelNames().size() != 1)
        return {};
    return fail(
        QStringLiteral("data.one-class"), sentence("There is nothing to learn from the data %1.").arg(job.dataText()),
        sentence("All samples are in one class, \"%1\", and there is nothing to tell apart.")
            .arg(data.labelNames().front()),
        sentence("Add samples of at least one other class, or join the data with others in \"data\" of the job."));
}

/// Several sets as one.
Result<JobData> joined(const Job &job, const Model &model, const std::vector<JobData> &parts) {
    std::vector<std::shared_ptr<const Dataset>> sets;
    for (const JobData &part : parts) {
        if (part.input != parts.front().input) {
            return doesNotFit(job, model, QStringLiteral("job.input"),
                              sentence("%1 and %2 would enter it in different ways.")
                                  .arg(parts.front().data->name(), part.data->name()),
                              sentence("Set \"input\" of the job, or make them of one size with \"fit\"."));
        }
        sets.push_back(part.data);
    }
    auto data = joinDatasets(std::move(sets));
    if (!data)
        return tl::unexpected(data.error());
    if ((*data)->classes() > model.classes) {
        const Sentence cure = cureOf(job, model, DataShape::of(**data), true);
        return doesNotFit(job, model, QStringLiteral("job.classes"),
                          sentence("Together the data have %1 classes, and the model knows %2.")
                              .arg((*data)->classes())
                              .arg(model.classes),
                          cure.isEmpty() ? asManyClasses() : cure);
    }
    if (isTokenizerElsewhere((*data)->preparation())) {
        return fail(QStringLiteral("job.data"), sentence("None of the texts of the job are on this device."),
                    sentence("A run keeps their tokenizer, which is on other devices alone."),
                    sentence("Start the run on a device that holds some of the texts."));
    }
    return JobData{parts.front().input, std::move(*data)};
}

/// What is random in the training samples of each set of a job differs, also between samples of one index.
quint64 seedOf(const Job &job, int place) {
    constexpr quint64 placeStream = 6;
    return place == 0 ? job.seed : Generator(job.seed).child(placeStream).word(static_cast<quint64>(place));
}

Result<InputTransform> checkedInput(const Job &job, const Model &model, const DataShape &data) {
    if (data.classes > model.classes) {
        return doesNotFit(
            job, model, QStringLiteral("job.classes"),
            sentence("The data have %1 classes and the model knows %2.").arg(data.classes).arg(model.classes),
            asManyClasses());
    }
    const LossFacts *loss = LossFacts::byName(job.loss);
    const Slot label = loss ? loss->label(model.layers.back().shape.outputs.front().shape) : data.label;
    if (label.dtype != data.label.dtype) {
        return doesNotFit(
            job, model, QStringLiteral("job.labels"),
            label.dtype == DType::Int64
                ? sentence("Labels are real numbers, and the loss \"%1\" takes classes.").arg(job.loss)
                : sentence("Labels are whole numbers, and the loss \"%1\" takes real ones.").arg(job.loss),
            label.dtype == DType::Int64
                ? sentence("Choose another loss, or save the labels as int64.")
                : sentence("Choose \"%1\", or save the labels as float32.").arg(crossEntropyName()));
    }
    const bool isToken = data.ownSizes && data.label.shape.size() == 1 && label.shape.size() == 1;
    if (label.shape != data.label.shape && !isToken) {
        const auto text = [](const Shape &shape) {
            return shape.empty() ? sentence("one label") : sentence("%1 labels").arg(shapeText(shape));
        };
        return doesNotFit(
            job, model, QStringLiteral("job.labels"),
            sentence("A sample has %1, and the model answers %2.").arg(text(data.label.shape), text(label.shape)),
            sentence("Choose data made for such a model."));
    }
    const bool pictures = arePictures(model, data);
    if ((job.fit || !job.augment.isNone()) && !(pictures && (data.sample[0] == 1 || data.sample[0] == 3))) {
        return doesNotFit(job, model, QStringLiteral("job.augment"),
                          sentence("Only pictures can be augmented or made of another size."),
                          sentence("Leave \"augment\" and \"fit\" out, or choose other data."));
    }
    if (job.augment.mixes() && (job.loss != crossEntropyName() || !label.shape.empty())) {
        return doesNotFit(job, model, QStringLiteral("job.augment"),
                          sentence("Only samples with one class each can be mixed."),
                          sentence("Leave \"mixup\" and \"cutmix\" out, or choose other data."));
    }
    if (auto parts = partsFor(job, model, data); !parts)
        return tl::unexpected(parts.error());
    if (!pictures)
        return InputTransform();
    Job named = job;
    named.model = model.name;
    return isResized(job, data.ownSizes) ? resizedInputOf(named, model.inputShape())
                                         : inputOf(named, data.sample, model.inputShape());
}

/// Whether the model takes samples of another kind: pictures, or rows of numbers.
bool isForOthers(const Model &model, const DataShape &data) {
    const std::size_t rank =
        model.inputs.size() == 1 && model.inputs.front().kind == ValueKind::Real ? model.inputShape().size() : 0;
    return (rank == 3) != data.arePictures() || (rank == 1) != data.areRowsOfNumbers();
}

}  // namespace

bool DataShape::arePictures() const {
    const bool bytes = parts.empty() || (parts.size() == 1 && parts.front().slot.dtype == DType::UInt8);
    return bytes && sample.size() == 3;
}

bool DataShape::areRowsOfNumbers() const {
    return parts.size() == 1 && parts.front().slot.dtype == DType::Float32 && parts.front().slot.shape.size() == 1;
}

DataShape DataShape::of(const Dataset &data) {
    return {data.sample().shape, data.classes(), data.parts(), data.label(), data.hasOwnSizes()};
}

Result<std::vector<std::size_t>> partsFor(const Job &job, const Model &model, const DataShape &data) {
    if (arePictures(model, data))
        return std::vector<std::size_t>{0};
    if (data.parts.empty()) {
        return doesNotFit(job, model, QStringLiteral("job.input"),
                          sentence("The data are pictures, and the model takes none."),
                          sentence("Choose other data, or a model for pictures."));
    }
    const std::vector<qint64> limits = idLimits(model, 0);
    std::vector<std::size_t> parts;
    QStringList names;
    for (const DataPart &part : data.parts)
        names << part.name;
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
        const ModelInput &input = model.inputs[i];
        const bool only = model.inputs.size() == 1 && data.parts.size() == 1;
        const auto found = only ? data.parts.begin() : std::ranges::find(data.parts, input.name, &DataPart::name);
        if (found == data.parts.end()) {
            return doesNotFit(job, model, QStringLiteral("job.input"),
                              sentence("The model takes \"%1\", and the data have %2.")
                                  .arg(input.name, names.join(QStringLiteral(", "))),
                              sentence("Add \"%1\" to \"inputs\" of the data.").arg(input.name));
        }
        if (auto fits = checkPart(job, model, input, limits[i], *found, data.ownSizes); !fits)
            return tl::unexpected(fits.error());
        parts.push_back(static_cast<std::size_t>(found - data.parts.begin()));
    }
    return parts;
}

Result<InputTransform> inputFor(const Job &job, const Model &model, const DataShape &data) {
    auto input = checkedInput(job, model, data);
    if (input)
        return input;
    Error error = input.error();
    const bool isInput = error.code == QLatin1String("job.input");
    const bool isOfNetwork = error.code == QLatin1String("job.classes") || error.code == QLatin1String("job.labels");
    const Sentence cure = cureOf(job, model, data, isOfNetwork || (isInput && isForOthers(model, data)));
    if (!cure.isEmpty())
        error.advice = cure;
    return tl::unexpected(std::move(error));
}

Result<std::shared_ptr<const Dataset>> dataFor(const Job &job, const Model &model, const InputTransform &input,
                                               std::shared_ptr<const Dataset> data, int place) {
    auto apart = withJobsValidation(job, std::move(data));
    if (!apart)
        return apart;
    data = std::move(*apart);
    if (data->arePictures() && (isResized(job, data->hasOwnSizes()) || !job.augment.isNone())) {
        data = fitPictures(std::move(data), {*input.sampleShape(model.inputShape()), job.fit.value_or(PictureFit::Crop),
                                             job.augment, seedOf(job, place)});
    }
    return data;
}

Split evaluatedSplit(const Job &job) {
    return job.validation > 0 ? Split::Validation : Split::Test;
}

CountedSamples countedIn(const Job &job, const Model &model, const std::shared_ptr<const Dataset> &data) {
    auto taken = asLongAs(job, model, data);
    if (taken)
        taken = withJobsValidation(job, *taken);
    return taken ? CountedSamples{(*taken)->count(Split::Train), (*taken)->count(evaluatedSplit(job))}
                 : CountedSamples();
}

Result<JobData> dataOf(const Job &job, const Model &model, const DataPlace &place) {
    auto loaded = loadDataset(place.name).and_then(withoutGone).and_then([&](const auto &data) {
        return preparedAs(data, place.preparation);
    });
    if (!loaded)
        return tl::unexpected(loaded.error());
    // Before anything asks whether the network has outputs for all classes: a run that goes on cannot have others.
    auto fitting =
        asLongAs(job, model, *loaded).and_then([&](const auto &data) { return numberedAs(place.classes, data); });
    if (!fitting)
        return tl::unexpected(fitting.error());
    const DataShape shape = DataShape::of(**fitting);
    const auto input = inputFor(job, model, shape);
    if (!input)
        return tl::unexpected(input.error());
    const LossFacts *loss = LossFacts::byName(job.loss);
    if (loss && loss->answers == LossFacts::Answers::YesOrNo && !(*loaded)->columns().isEmpty()) {
        return doesNotFit(
            job, model, QStringLiteral("job.labels"),
            sentence("Numbers of a table are scaled to 0 on average, and the loss \"%1\" takes 0 or 1.").arg(job.loss),
            sentence("Add the table again with --task classification, and choose \"%1\".").arg(crossEntropyName()));
    }
    const auto parts = partsFor(job, model, shape);
    if (!parts)
        return tl::unexpected(parts.error());
    return dataFor(job, model, *input, withParts(std::move(*fitting), *parts), place.place).map([&input](auto fitted) {
        return JobData{*input, std::move(fitted)};
    });
}

Result<JobData> dataOf(const Job &job, const Model &model, ReadyData ready, const KeptData &kept) {
    const std::vector<DataSource> sources = job.dataSources();
    QJsonObject preparation = kept.table;  // then that of the first
    // One of several may have classes that another lacks.
    const QStringList classes = sources.size() == 1 ? kept.classes : QStringList();
    std::vector<JobData> parts;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const int place = static_cast<int>(i);
        if (!ready.contains(place) && !sources[i].isHere())
            return isElsewhere(job, sources[i]);
        auto data = ready.contains(place) ? Result<JobData>(ready[place])
                                          : dataOf(job, model, DataPlace{sources[i].name, place, preparation, classes});
        if (!data)
            return data;
        if (place == 0 && sources.size() > 1) {
            auto told = preparationToTell(*data->data);
            if (!told)
                return tl::unexpected(told.error());
            preparation = std::move(*told);
        }
        parts.push_back(std::move(*data));
    }
    auto all = joined(job, model, parts);
    if (!all)
        return all;
    if (auto apart = mustHaveClasses(job, *all->data); !apart)
        return tl::unexpected(apart.error());
    return numberedAs(kept.classes, all->data).map([&all](auto data) { return JobData{all->input, std::move(data)}; });
}

void keepDecodedPictures() {
    if (auto cache = PictureCache::open(PictureCache::usualFolder()))
        PictureCache::use(std::move(*cache));
}

std::optional<Error> misfitOf(const Job &job, const Model &model, const DataShape &data) {
    if (const auto input = inputFor(job, model, data); !input)
        return input.error();
    QList<Sentence> causes, cures;
    if (!data.ownSizes && isMostlyBorder(job, model, data.sample)) {
        causes << sentence(
                      "The model takes pictures of %1 pixels; these are %2, and most of the work would go into the "
                      "border around them.")
                      .arg(pixels(model.inputShape()), pixels(data.sample));
        cures << sentence("Choose a model for such pictures, or how they become its input (\"fit\" of the job).");
    }
    // Of a vocabulary no text uses all.
    if (data.classes < model.classes && data.label.dtype == DType::Int64 && data.label.shape.empty()) {
        causes << sentence("The model tells %1 classes apart; the data have %2.").arg(model.classes).arg(data.classes);
        const Sentence cure = cureOf(job, model, data, true);
        cures << (cure.isEmpty() ? asManyClasses() : cure);
    }
    if (causes.isEmpty())
        return std::nullopt;
    return Error{QStringLiteral("job.misfit"),
                 sentence("The model %1 and the data %2 do not fit each other.").arg(model.name, job.dataText()),
                 listed(causes), listed(cures)};
}

}  // namespace hearth
