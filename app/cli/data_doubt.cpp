#include "app/cli/data_doubt.h"

#include "app/cli/command.h"
#include "core/data/dataset.h"
#include "core/model/import/open_model.h"
#include "core/run/data_fit.h"

namespace hearth {

Result<void> tellMisfit(const Job &job) {
    const auto model = openModel(job.model);
    // Of several, each device looks at its own when the run begins.
    if (job.data.size() > 1)
        return {};
    const auto data = loadDataset(job.data.front());
    if (!model || !data)
        return {};
    const auto misfit = misfitOf(job, model->model, DataShape::of(**data));
    if (!misfit)
        return {};
    if (misfit->code != QLatin1String("job.misfit"))
        return tl::unexpected(*misfit);
    printError(*misfit);
    return {};
}

}  // namespace hearth
