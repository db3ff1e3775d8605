#include "core/run/data_fit.h"

namespace hearth {
namespace {

/// A border around pictures is a means to fit them; where more than this of the input is border, it is most of the
/// work.
constexpr double mostBorder = 0.75;

bool isMostlyBorder(const Job &job, const Model &model, const Shape &sample) {
    const auto area = [](const Shape &shape) { return static_cast<double>(shape[1] * shape[2]); };
    return !job.input && area(sample) < (1 - mostBorder) * area(model.inputShape());
}

QString pixels(const Shape &shape) {
    return QStringLiteral("%1×%2").arg(shape[2]).arg(shape[1]);
}

}  // namespace

Result<InputTransform> inputFor(const Job &job, const Model &model, const DataShape &data) {
    if (data.classes > model.classes) {
        return fail(
            QStringLiteral("job.classes"),
            QStringLiteral("The data %1 do not fit the model %2.").arg(job.data, job.model),
            QStringLiteral("The data have %1 classes and the model knows %2.").arg(data.classes).arg(model.classes),
            QStringLiteral("Choose a model with as many classes as the data."));
    }
    return inputOf(job, data.sample, model.inputShape());
}

std::optional<Error> misfitOf(const Job &job, const Model &model, const DataShape &data) {
    if (const auto input = inputFor(job, model, data); !input)
        return input.error();
    QStringList causes;
    if (isMostlyBorder(job, model, data.sample)) {
        causes << QStringLiteral(
                      "The model takes pictures of %1 pixels; these are %2, and most of the work would go into the "
                      "border around them.")
                      .arg(pixels(model.inputShape()), pixels(data.sample));
    }
    if (data.classes < model.classes) {
        causes << QStringLiteral("The model tells %1 classes apart; the data have %2.")
                      .arg(model.classes)
                      .arg(data.classes);
    }
    if (causes.isEmpty())
        return std::nullopt;
    return Error{QStringLiteral("job.misfit"),
                 QStringLiteral("The model %1 and the data %2 do not fit each other.").arg(job.model, job.data),
                 causes.join(QLatin1Char(' ')),
                 QStringLiteral("Choose a model for such pictures, or data that the model was made for.")};
}

}  // namespace hearth
