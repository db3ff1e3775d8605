#include "core/history/run_results.h"

#include <algorithm>

#include "core/data/preparation.h"
#include "core/run/job_data.h"

namespace hearth {
namespace {

/// A network learns the quantities of rows in deviations from their mean; people know them in the unit of the table.
Result<void> tellInTheirUnit(EvaluationDetails &details, const QString &runFolder) {
    const auto preparation = Preparation::load(runFolder);
    if (!preparation) {
        // Numbers of arrays are learnt as they are.
        return preparation.error().code == QLatin1String("run.no-preparation") ? Result<void>()
                                                                               : tl::unexpected(preparation.error());
    }
    const RowLabels &labels = (*preparation)->labels();
    const auto tell = [&labels](std::vector<JudgedSample> &samples) {
        for (JudgedSample &one : samples) {
            one.label = labels.inUnit(one.label);
            one.answer = labels.inUnit(one.answer);
        }
    };
    tell(details.hardest);
    for (EvaluationDetails::Watched &one : details.watched)
        tell(one.samples);
    return {};
}

}  // namespace

Result<std::shared_ptr<const EvaluatedSamples>> EvaluatedSamples::open(const QString &runFolder,
                                                                       const EvaluationDetails &details) {
    const auto job = Job::load(runFolder + QStringLiteral("/job.json"));
    if (!job)
        return tl::unexpected(job.error());
    const auto model = Model::load(runFolder + QStringLiteral("/model.json"));
    if (!model)
        return tl::unexpected(model.error());
    auto data = dataOf(*job, *model);
    if (!data)
        return tl::unexpected(data.error());
    const Split split = details.split == QLatin1String("validation") ? Split::Validation : Split::Test;
    if (data->data->count(split) != details.samples) {
        return fail(QStringLiteral("run.other-data"),
                    sentence("The data %1 are no longer those of this run.").arg(job->dataText()),
                    sentence("It was evaluated on %1 {1|sample|samples}; there {2|is|are} %2 now.")
                        .arg(details.samples)
                        .arg(data->data->count(split)),
                    sentence("Evaluate the run again to see samples of the data as they are."));
    }
    return std::shared_ptr<const EvaluatedSamples>(new EvaluatedSamples(std::move(data->data), split));
}

Result<SeenSample> EvaluatedSamples::read(qint64 sample, int side) const {
    SeenSample seen;
    seen.file = fileOf(sample);
    // A run has a black picture in its place (withoutGone()); a person gets the reason.
    if (m_data->gone().count > 0 && !seen.file.isEmpty() && isGone(seen.file)) {
        return fail(QStringLiteral("data.gone"), sentence("The file %1 could not be read.").arg(seen.file),
                    sentence("It is gone or empty."));
    }
    if (m_data->arePictures()) {
        const auto picture = m_data->readPicture(m_split, sample, [side](const QSize &upright) {
            return std::min(1.0, static_cast<double>(side) / std::max(upright.width(), upright.height()));
        });
        if (!picture)
            return tl::unexpected(picture.error());
        const bool isLarger = std::max(picture->width(), picture->height()) > side;
        seen.picture = isLarger ? picture->scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation) : *picture;
    }
    if (!m_data->columns().isEmpty()) {
        auto fields = m_data->readFields(m_split, sample);
        if (!fields)
            return tl::unexpected(fields.error());
        seen.fields = std::move(*fields);
    }
    return seen;
}

Result<RunResults> RunResults::withoutSamples(const QString &runFolder) {
    auto details = EvaluationDetails::load(runFolder);
    if (!details)
        return tl::unexpected(details.error());
    auto data = RunData::load(runFolder);
    if (!data)
        return tl::unexpected(data.error());
    RunResults results{std::move(*details), std::move(data->classes)};
    if (const LossFacts *facts = LossFacts::byName(data->loss))
        results.answers = facts->answers;
    if (results.answers == LossFacts::Answers::Numbers) {
        if (auto told = tellInTheirUnit(results.details, runFolder); !told)
            return tl::unexpected(told.error());
    }
    return results;
}

Result<RunResults> RunResults::load(const QString &runFolder) {
    return withoutSamples(runFolder).map([&runFolder](RunResults results) {
        if (auto samples = EvaluatedSamples::open(runFolder, results.details))
            results.samples = std::move(*samples);
        else
            results.unseen = samples.error();
        return results;
    });
}

QString RunResults::className(int number) const {
    if (answers == LossFacts::Answers::YesOrNo)
        return number == 1 ? QStringLiteral("yes") : QStringLiteral("no");
    const QString name = classes.value(number);
    return name.isEmpty() ? QString::number(number) : name;
}

}  // namespace hearth
