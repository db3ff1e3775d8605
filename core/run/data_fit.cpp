#include "core/run/data_fit.h"

#include <algorithm>

#include "core/model/id_limits.h"
#include "core/model/loss_facts.h"

namespace hearth {
namespace {

/// Bytes of one picture for a network that takes one.
bool arePictures(const Model &model, const DataShape &data) {
    return data.arePictures() && model.inputs.size() == 1 && model.inputs.front().kind == ValueKind::Real;
}

bool takesPictures(const Model &model) {
    return std::ranges::any_of(
        model.inputs, [](const ModelInput &input) { return input.kind == ValueKind::Real && input.shape.size() == 3; });
}

tl::unexpected<Error> takesNoPictures(const Job &job, const Model &model) {
    return doesNotFit(job, model, QStringLiteral("job.input"),
                      sentence("The data are pictures, and the model takes none."),
                      sentence("Choose other data, or a model for pictures."));
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

}  // namespace

tl::unexpected<Error> doesNotFit(const Job &job, const Model &model, const QString &code, const Sentence &cause,
                                 const Sentence &advice) {
    return fail(code, sentence("The data %1 do not fit the model %2.").arg(job.dataText(), model.name), cause, advice);
}

Sentence asManyClasses() {
    return sentence("Choose a model with as many classes as the data.");
}

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
    if (data.parts.empty())
        return takesNoPictures(job, model);
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

Result<InputTransform> checkedInput(const Job &job, const Model &model, const DataShape &data) {
    // First: with a model for others, classes or labels are no help.
    if (data.arePictures() && !takesPictures(model))
        return takesNoPictures(job, model);
    if (data.classes > model.classes) {
        return doesNotFit(
            job, model, QStringLiteral("job.classes"),
            sentence("The data have %1 {1|class|classes} and the model knows %2.").arg(data.classes).arg(model.classes),
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

}  // namespace hearth
