// What a snapshot of a whole model costs the compute thread: milliseconds and per megabyte, the median of repeats.
#include <QCoreApplication>
#include <chrono>
#include <cstdio>

#include "core/base/median.h"
#include "core/model/catalogue.h"
#include "core/train/memory.h"
#include "core/train/stage_executor.h"
#include "core/train/threads.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

int main(int argc, char **argv) {
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const auto model = loadModel(arguments.value(1, QStringLiteral("mobilenetv2")));
    if (!model) {
        std::fprintf(stderr, "%s\n", qPrintable(model.error().toString()));
        return 2;
    }
    installTensorMemory();
    prepareComputeThread(1);
    for (const bool adam : {false, true}) {
        TrainingSpec training;
        training.optimizer.momentum = 0.9;
        training.optimizer.kind = adam ? OptimizerSpec::Kind::Adam : OptimizerSpec::Kind::Sgd;
        const int layers = static_cast<int>(model->layers.size());
        const LoopbackHome home(1);
        const Deployment deployment = home.deployment(*model, {2, {{0, layers, {{0, 2}}}}}, 2, training, {});
        const auto executor = StageExecutor::make(deployment, *model, LoopbackHome::fingerprintOf(0).toHex(), 0, {});
        if (!executor) {
            std::fprintf(stderr, "%s\n", qPrintable(executor.error().toString()));
            return 2;
        }
        std::vector<std::shared_ptr<Buffer>> states;
        qint64 bytes = 0;
        for (int layer = 0; layer < layers; ++layer) {
            states.push_back(Buffer::allocate((*executor)->stateBytes(layer)));
            bytes += states.back()->size();
        }
        std::vector<double> milliseconds;
        constexpr int repeats = 31;
        for (int i = 0; i < repeats; ++i) {
            const auto start = std::chrono::steady_clock::now();
            std::vector<StageExecutor::LayerBytes> wanted;
            wanted.reserve(static_cast<std::size_t>(layers));
            for (int layer = 0; layer < layers; ++layer)
                wanted.push_back({layer, states[static_cast<std::size_t>(layer)]->bytes()});
            if (!(*executor)->readStates(wanted))
                return 2;
            milliseconds.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
        const double median = medianOf(std::move(milliseconds)), megabytes = static_cast<double>(bytes) / 1e6;
        std::printf("%s, %s: %.1f MB, %.2f ms, %.3f ms/MB\n", qPrintable(model->name), adam ? "Adam" : "SGD", megabytes,
                    median, median / megabytes);
    }
    return 0;
}
