#include "ui/train/run_texts.h"

#include "core/data/data_registry.h"
#include "ui/run/run_model.h"
#include "ui/train/train_page.h"
#include "ui/words/moment.h"

namespace hearth {

QString runText(const RunModel &run) {
    return run.job() ? TrainPage::tr("%1 on %2").arg(run.job()->model, shownDatasets(run.job()->data)) : run.runId();
}

QString beginningText(const RunModel &run) {
    const auto [done, total] = run.devices().measuringProgress();
    if (done < total)
        return measuringText(done, total, run.devices().measuringEnd());
    if (run.plan())
        return TrainPage::tr("Preparing the first round …");
    return run.state() == QLatin1String("planning") ? TrainPage::tr("Making a plan …")
                                                    : TrainPage::tr("Preparing the devices …");
}

}  // namespace hearth
