#include "app/cli/data_doubt.h"

#include "app/cli/command.h"
#include "core/data/dataset.h"
#include "core/model/import/open_model.h"
#include "core/run/job_fit.h"

namespace hearth {
namespace {

std::optional<DataShape> shapeOf(const QString &data) {
    const auto read = loadDataset(data);
    if (!read)
        return std::nullopt;
    return DataShape::of(**read);
}

}  // namespace

Result<void> tellMisfit(const Job &job, DataShapes &shapes) {
    const auto model = openModel(job.model);
    // Of several, each device looks at its own when the run begins.
    if (!model || job.data.size() > 1)
        return {};
    const QString &data = job.data.front();
    auto known = shapes.find(data);
    if (known == shapes.end())
        known = shapes.emplace(data, shapeOf(data)).first;
    if (!known->second)
        return {};
    const auto misfit = misfitOf(job, model->model, *known->second);
    if (!misfit)
        return {};
    if (misfit->error.code != QLatin1String("job.misfit"))
        return tl::unexpected(misfit->error);
    printError(misfit->error);
    return {};
}

Result<void> tellMisfit(const Job &job) {
    DataShapes none;
    return tellMisfit(job, none);
}

}  // namespace hearth
