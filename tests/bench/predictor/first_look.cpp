// What measuring in brief costs and tells, beside a whole profile, where nothing is known: `predictor_first_look
// BATCH MODEL…`, on this processor, one thread. The whole profile comes first: the brief one finds nothing warm that
// the whole one did not. The benchmark network counts as part of what is measured in brief, though a device measures it
// once for all networks.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "core/base/median.h"
#include "core/model/catalogue.h"
#include "core/predict/home_prediction.h"
#include "core/train/layer_profiler.h"
#include "core/train/memory.h"
#include "core/train/threads.h"

using namespace hearth;

namespace {

double secondsOf(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ModelProfile profiled(const ProfileRequest &request) {
    auto profile = profileLayers(request, [](int, int) { return true; });
    if (!profile)
        qFatal("%s", qPrintable(profile.error().toString()));
    return std::move(*profile);
}

ModelProfile inBrief(const ProfileRequest &request) {
    ProfileRequest few = request;
    few.model = benchmarkNetwork();
    few.batches.assign(benchmarkBatch.begin(), benchmarkBatch.end());
    few.secondsPerBatch = 0;
    Knowledge knowledge;
    knowledge.learn(QStringLiteral("this"), {}, compare(few.model, DType::Float32, profiled(few).times, std::nullopt));
    BriefProfile brief(request.model, DType::Float32, request.batches,
                       {{std::nullopt, knowledge.beforeMeasuring(QStringLiteral("this"), {})}});
    few.model = request.model;
    few.batches = {brief.samples()};
    if (!brief.takePass(profiled(few)))
        qFatal("That was no pass.");
    std::vector<ProbedUnit> units;
    for (const UnitSeconds &unit : brief.probes())
        units.push_back({unit.layer, unit.samples});
    const auto told = profileUnits(request, units, [](int, int) { return true; });
    if (!told)
        qFatal("%s", qPrintable(told.error().toString()));
    brief.takeUnits(*told);
    return brief.profile();
}

void compareTimes(const char *name, const TimeTable &told, const TimeTable &real) {
    std::vector<double> units, stages;
    double isolated = 0;
    int probes = 0;
    const auto isPass = [&told](std::size_t b) {
        return std::ranges::all_of(told.error, [b](const std::vector<double> &row) { return row[b] == 0; });
    };
    for (std::size_t b = 0; b < real.batch.size(); ++b) {
        double guess = 0, truth = 0;
        const auto window = [&](std::size_t l, double sign) {
            guess += sign * (told.forward[l][b] + told.backward[l][b]);
            truth += sign * (real.forward[l][b] + real.backward[l][b]);
        };
        for (std::size_t l = 0; l < real.forward.size(); ++l) {
            const double ratio =
                (told.forward[l][b] + told.backward[l][b]) / (real.forward[l][b] + real.backward[l][b]);
            if (!told.isPredicted() || told.error[l][b] > 0) {
                units.push_back(std::abs(ratio - 1));
            } else if (!isPass(b)) {
                isolated += std::log(ratio);
                ++probes;
            }
            window(l, 1);
            if (l >= 3)
                window(l - 3, -1);
            if (l >= 2)
                stages.push_back(std::abs(guess / truth - 1));
        }
    }
    const std::size_t last = real.batch.size() - 1;
    std::printf("  %-28s unit %5.1f %%, stage %5.1f %%, all layers at %d samples %+5.1f %%", name,
                100 * medianOf(units), 100 * medianOf(stages), real.batch[last],
                100 * (told.seconds(last) / real.seconds(last) - 1));
    if (told.isPredicted())
        std::printf(" (said: ± %.0f %%); alone a unit takes %.2f of its time in the chain",
                    100 * told.relativeError(last), std::exp(isolated / std::max(probes, 1)));
    std::printf("\n");
}

}  // namespace

int main(int count, char **words) {
    const int most = count > 2 ? std::atoi(words[1]) : 0;
    if (most < 2) {
        std::fprintf(stderr, "Usage: predictor_first_look BATCH MODEL…\n");
        return 2;
    }
    ProfileRequest request;
    for (int size = 1; size <= most; size *= 2)
        request.batches.push_back(size);
    prepareComputeThread(1);
    warmUpComputeThread(*processor());
    for (int i = 2; i < count; ++i) {
        const auto model = loadModel(QString::fromLocal8Bit(words[i]));
        if (!model) {
            std::fprintf(stderr, "%s\n", qPrintable(model.error().toString()));
            return 1;
        }
        request.model = *model;
        ModelProfile whole, again, brief;
        const double wholeSeconds = secondsOf([&] { whole = profiled(request); });
        const double briefSeconds = secondsOf([&] { brief = inBrief(request); });
        again = profiled(request);
        std::printf("%s: whole %.2f s, in brief %.2f s (%.1f %%)\n", words[i], wholeSeconds, briefSeconds,
                    100 * briefSeconds / wholeSeconds);
        compareTimes("the measurement again", again.times, whole.times);
        compareTimes("in brief", brief.times, whole.times);
        std::fflush(stdout);
    }
    return 0;
}
