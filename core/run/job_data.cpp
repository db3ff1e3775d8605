#include "core/run/job_data.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/base/generator.h"
#include "core/data/joined_dataset.h"
#include "core/data/picture_cache.h"
#include "core/data/texts.h"
#include "core/data/told_preparation.h"
#include "core/model/loss_facts.h"
#include "core/run/job_fit.h"
#include "core/run/whole_job.h"

namespace hearth {
namespace {

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
    return doesNotFit(
        job, model, QStringLiteral("job.input"),
        (canTrain ? sentence("The texts to test with are too short for one sample of %1 {1|token|tokens}.")
                  : sentence("The texts to train with are too short for one sample of %1 {1|token|tokens}."))
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
        const DataShape shape = DataShape::of(**data);
        return doesNotFit(job, model, QStringLiteral("job.classes"),
                          sentence("Together the data have %1 {1|class|classes}, and the model knows %2.")
                              .arg((*data)->classes())
                              .arg(model.classes),
                          cureOfClasses(job, model, shape, std::nullopt));  // no fit is a cure for one of several
    }
    if (isTokenizerElsewhere((*data)->preparation())) {
        return fail(QStringLiteral("job.data"), sentence("None of the texts of the job are on this device."),
                    sentence("A run keeps their tokenizer, which is on other devices alone."),
                    sentence("Start the run on a device that holds some of the texts."));
    }
    return JobData{parts.front().input, std::move(*data)};
}

/// What a device tells of its samples is only its word, and their bytes are read as what it told: it has to be what
/// dataOf() makes of such data here.
Result<JobData> asTheJobTakes(const Job &job, const Model &model, const DataSource &source, const JobData &held) {
    const auto wrong = [&source](const Sentence &cause) {
        return fail(QStringLiteral("job.data"),
                    sentence("What %1 tells of its data \"%2\" does not fit the job.").arg(source.device, source.name),
                    cause, sentence("Run the same version of Hearth on all devices."));
    };
    const DataShape shape = DataShape::of(*held.data);
    const auto input = checkedInput(job, model, shape);
    if (!input)
        return wrong(input.error().cause);
    const auto parts = partsFor(job, model, shape);
    if (!parts)
        return wrong(parts.error().cause);
    std::vector<std::size_t> inOrder(shape.parts.size());
    std::iota(inOrder.begin(), inOrder.end(), std::size_t{0});
    if (*parts != inOrder)
        return wrong(sentence("Its samples have other parts than the model has inputs."));
    // Ids that lie in no range may index anything.
    const auto isBounded = [](const DataPart &part) {
        const DType type = part.slot.dtype;
        return type == DType::Float32 || type == DType::UInt8 ||
               ((type == DType::Int64 || type == DType::Int32) && part.range);
    };
    if (const auto part = std::ranges::find_if_not(shape.parts, isBounded); part != shape.parts.end())
        return wrong(sentence("It does not tell between which whole numbers \"%1\" lies.").arg(part->name));
    // Others have the shapes of the model's inputs, or checkedInput() had said so.
    if (shape.arePictures()) {
        const Shape taken = *input->sampleShape(model.inputShape());
        if (taken != shape.sample) {
            return wrong(
                sentence("A sample is %1 and the model takes %2.").arg(shapeText(shape.sample), shapeText(taken)));
        }
    }
    if (held.input != *input)
        return wrong(sentence("Its samples would enter the model in another way."));
    return held;
}

/// What is random in the training samples of each set of a job differs, also between samples of one index.
quint64 seedOf(const Job &job, int place) {
    constexpr quint64 placeStream = 6;
    return place == 0 ? job.seed : Generator(job.seed).child(placeStream).word(static_cast<quint64>(place));
}

}  // namespace

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
    auto loaded = loadDataset(place.name)
                      .and_then([](const auto &data) { return withoutGone(data); })
                      .and_then([&](const auto &data) { return preparedAs(data, place.preparation); });
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
            sentence("Add the table again with \"classes\" beside \"Learn\", or --task classification, and choose "
                     "\"%1\".")
                .arg(crossEntropyName()));
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
        const auto there = ready.find(place);
        auto data = there == ready.end()  ? dataOf(job, model, DataPlace{sources[i].name, place, preparation, classes})
                    : sources[i].isHere() ? Result<JobData>(there->second)
                                          : asTheJobTakes(job, model, sources[i], there->second);
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

}  // namespace hearth
