#include "ui/train/run_texts.h"

#include "core/data/data_registry.h"
#include "ui/base/home_source.h"
#include "ui/run/run_model.h"
#include "ui/train/train_page.h"
#include "ui/words/core_words.h"
#include "ui/words/moment.h"

namespace hearth {

QString runText(const RunModel &run) {
    return run.job() ? TrainPage::tr("%1 on %2").arg(run.job()->model, shownDatasets(run.job()->data)) : run.runId();
}

QString titleText(const RunModel &run, bool isRecording) {
    return isRecording ? TrainPage::tr("Recording: %1").arg(runText(run)) : runText(run);
}

namespace {

/// Why devices of the run rest; others of the home are none of its business.
QString restText(const HomeSource &home, const RunModel &run) {
    std::vector<DeviceInfo> devices = home.devices();
    const QStringList &ids = run.devices().ids();
    std::erase_if(devices, [&ids](const DeviceInfo &device) { return !ids.contains(device.id); });
    return coreText(restCauses(devices));
}

}  // namespace

QString doingText(const HomeSource &home, const RunModel &run) {
    if (!run.isLive())
        return {};
    if (run.state() == QLatin1String("waiting"))
        return TrainPage::tr("Waiting for devices that rest. %1").arg(restText(home, run)).trimmed();
    if (run.isMeasuringBreak())
        return TrainPage::tr("Devices measure for some seconds; training then goes on by itself.");
    if (!run.rounds().empty())
        return {};
    const auto [done, total] = run.devices().measuringProgress();
    if (done < total)
        return measuringText(done, total, run.devices().measuringEnd());
    if (run.plan())
        return TrainPage::tr("Preparing the first round …");
    return run.state() == QLatin1String("planning") ? TrainPage::tr("Making a plan …")
                                                    : TrainPage::tr("Preparing the devices …");
}

bool isSilenceExpected(const RunModel &run) {
    return !run.isLive() || run.state() == QLatin1String("waiting") || run.state() == QLatin1String("paused");
}

}  // namespace hearth
