#include "core/inference/asked_run.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "core/data/preparation.h"
#include "core/history/weights_round.h"
#include "core/inference/picture_source.h"
#include "core/inference/row_source.h"
#include "core/model/model.h"
#include "core/run/data_fit.h"

namespace hearth {
namespace {

bool arePictures(const std::vector<Slot> &samples) {
    const Slot &slot = samples.front();
    return samples.size() == 1 && slot.dtype == DType::UInt8 && slot.shape.size() == 3 &&
           (slot.shape[0] == 1 || slot.shape[0] == 3);
}

tl::unexpected<Error> doesNotFit(const AskedRun &run) {
    return fail(
        QStringLiteral("job.input"), sentence("The run cannot be asked."),
        sentence("Its network does not take what %1 says of its data.").arg(run.folder + QStringLiteral("/data.json")),
        sentence("Train it again to try it."));
}

Result<void> findParts(AskedRun &run, const Job &job, const Model &model) {
    const std::vector<Slot> &samples = run.data.samples;
    if (run.takes == AskedRun::Takes::Prompts) {
        const Shape &output = model.layers.back().shape.outputs.front().shape;
        const bool fits = samples.size() == 1 && samples.front().dtype == DType::Int64 && output.size() == 2 &&
                          samples.front().shape == Shape{output.front()};
        return fits ? Result<void>() : doesNotFit(run);
    }
    const auto coder = run.preparation->coder(samples.front().elements());
    auto parts = partsFor(job, model, {coder->parts().front().slot.shape, 0, coder->parts(), {}, false});
    if (!parts)
        return tl::unexpected(parts.error());
    for (std::size_t i = 0; i < parts->size(); ++i) {
        if (i >= samples.size() || coder->parts()[(*parts)[i]].slot != samples[i])
            return doesNotFit(run);
    }
    run.parts = std::move(*parts);
    return {};
}

}  // namespace

Result<AskedRun> AskedRun::open(const QString &folder, RunWeights which) {
    auto data = RunData::load(folder);
    if (!data)
        return tl::unexpected(data.error());
    const auto job = Job::load(folder + QStringLiteral("/job.json"));
    if (!job)
        return tl::unexpected(job.error());
    const auto weights = savedWeights(folder, which);
    if (!weights)
        return tl::unexpected(weights.error());
    const auto model = Model::load(folder + QStringLiteral("/model.json"));
    if (!model)
        return tl::unexpected(model.error());
    AskedRun run;
    run.folder = folder;
    run.weights = *weights;
    run.round = roundOfWeights(*weights);
    run.data = std::move(*data);
    run.outputs = elementCount(model->layers.back().shape.outputs.front().shape);
    if (const LossFacts *loss = LossFacts::byName(run.data.loss))
        run.answers = loss->answers;
    if (hearth::arePictures(run.data.samples)) {
        run.pictures = {run.data.samples.front().shape, job->fit.value_or(PictureFit::Crop)};
        return run;
    }
    auto preparation = Preparation::load(folder);
    if (!preparation)
        return tl::unexpected(preparation.error());
    run.preparation = std::move(*preparation);
    using Kind = Preparation::Kind;
    const Kind kind = run.preparation->kind();
    run.takes = kind == Kind::Table ? Takes::Rows : kind == Kind::Texts ? Takes::Texts : Takes::Prompts;
    if (auto found = findParts(run, *job, *model); !found)
        return tl::unexpected(found.error());
    return run;
}

bool AskedRun::isChoice() const {
    return answers == LossFacts::Answers::Classes || (answers == LossFacts::Answers::YesOrNo && outputs == 1);
}

QString AskedRun::outputName(std::size_t output) const {
    const auto at = static_cast<qsizetype>(output);
    if (answers == LossFacts::Answers::YesOrNo && isChoice())
        return output == 1 ? QStringLiteral("yes") : QStringLiteral("no");
    if (at == 0 && answers == LossFacts::Answers::Numbers && preparation)
        return preparation->labels().column;
    return data.classes.value(at, QString::number(output));
}

std::vector<double> AskedRun::toAnswer(std::span<const double> given) const {
    std::vector<double> values(given.begin(), given.end());
    if (answers == LossFacts::Answers::YesOrNo) {
        for (double &value : values)
            value = 1 / (1 + std::exp(-value));
        if (isChoice())
            values.insert(values.begin(), 1 - values.front());
    } else if (answers == LossFacts::Answers::Classes) {
        const double most = *std::ranges::max_element(values);
        double sum = 0;
        for (double &value : values)
            sum += value = std::exp(value - most);
        for (double &value : values)
            value /= sum;
    } else if (preparation) {
        for (double &value : values)
            value = preparation->labels().inUnit(value);
    }
    return values;
}

Result<std::shared_ptr<SampleSource>> AskedRun::files(const QStringList &paths,
                                                      const std::function<bool()> &cancelled) const {
    if (takes == Takes::Prompts) {
        return fail(QStringLiteral("predict.prompts"), sentence("This network continues texts, and takes no files."),
                    {}, sentence("Give it the beginning of one: hearth predict RUN --prompt TEXT"));
    }
    if (takes != Takes::Pictures)
        return rowSource(*this, paths);
    const QStringList found = picturesAt(paths, cancelled);
    if (found.isEmpty()) {
        return fail(QStringLiteral("predict.nothing"),
                    sentence("There are no pictures in %1.").arg(paths.join(QStringLiteral(", "))), {},
                    sentence("Name pictures, or a folder that has some."));
    }
    return pictureSource(found, pictures);
}

std::shared_ptr<SampleSource> AskedRun::typed(const QStringList &fields) const {
    return typedSource(*this, fields);
}

QStringList AskedRun::columns() const {
    return preparation ? preparation->columns() : QStringList();
}

}  // namespace hearth
