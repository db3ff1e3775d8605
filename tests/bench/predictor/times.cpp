// A profile of each network as this process computes, one line of JSON each: `predictor_times NAME THREADS MODEL…`.
// NAME stands for the device; "no-onednn" in it leaves that library out. run.py sets the rest by the environment.
#include <QJsonDocument>
#include <cstdio>

#include "core/model/catalogue.h"
#include "core/train/layer_profiler.h"
#include "core/train/memory.h"
#include "core/train/threads.h"
#include "core/train/torch_api.h"

using namespace hearth;

int main(int count, char **words) {
    if (count < 4) {
        std::fprintf(stderr, "Usage: predictor_times NAME THREADS MODEL…\n");
        return 2;
    }
    ProfileRequest request;
    request.threads = std::max(1, std::atoi(words[2]));
    request.batches = {1, 4, 8, 16, 32, 64};
    request.secondsPerBatch = 1;
    prepareComputeThread(request.threads);
    if (QByteArray(words[1]).contains("no-onednn"))
        at::globalContext().setUserEnabledMkldnn(false);
    warmUpComputeThread(*processor());
    for (int i = 3; i < count; ++i) {
        const QString name = QString::fromLocal8Bit(words[i]);
        const auto model = name == benchmarkNetwork().name ? benchmarkNetwork() : loadModel(name);
        if (!model) {
            std::fprintf(stderr, "%s\n", qPrintable(model.error().toString()));
            return 1;
        }
        request.model = *model;
        auto profile = profileLayers(request, [](int, int) { return true; });
        if (!profile) {
            std::fprintf(stderr, "%s\n", qPrintable(profile.error().toString()));
            return 1;
        }
        profile->device = QString::fromLocal8Bit(words[1]);
        profile->model = name;
        std::printf("%s\n", QJsonDocument(profile->toJson()).toJson(QJsonDocument::Compact).constData());
        std::fflush(stdout);
    }
    return 0;
}
