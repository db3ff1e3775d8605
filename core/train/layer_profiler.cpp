#include "core/train/layer_profiler.h"

#include <algorithm>
#include <functional>

#include "core/base/heap.h"
#include "core/model/alike_layers.h"
#include "core/profile/declared_facts.h"
#include "core/train/host_copy.h"
#include "core/train/layer_chain.h"
#include "core/train/memory.h"
#include "core/train/stage_errors.h"
#include "core/train/threads.h"
#include "core/train/torch_api.h"

namespace hearth {
namespace {

/// By layer, for batches of `samples`: the one by which its times are known. Of layers that are alike the first one is
/// measured; all of them where one could find in the caches what the one before has left there. The first and the last
/// layer have more to do, or less.
std::vector<int> measuredFor(const Model &model, int samples, DType dtype) {
    const int count = static_cast<int>(model.layers.size());
    std::vector<int> by(model.layers.size());
    std::vector<int> measured;
    for (int l = 0; l < count; ++l) {
        const Layer &layer = model.layers[static_cast<std::size_t>(l)];
        by[static_cast<std::size_t>(l)] = l;
        if (l == 0 || l + 1 == count)
            continue;
        const auto like = std::ranges::find_if(
            measured, [&](int other) { return areAlike(model.layers[static_cast<std::size_t>(other)], layer); });
        if (like == measured.end())
            measured.push_back(l);
        else if (touchedBytes(layer, samples, dtype) >= cacheBytes)
            by[static_cast<std::size_t>(l)] = *like;
    }
    return by;
}

/// Batch sizes that are measured, however long they take.
constexpr std::size_t leastSizes = 2;

/// Times of larger batches lie on the line through the last two. A larger batch is not less efficient, and not twice as
/// efficient either: that was a disturbed time, or a layer that was measured with its least samples both times.
void prolong(std::vector<double> &seconds, const std::vector<int> &batches, int minimumSamples) {
    const std::size_t known = seconds.size();
    if (known == batches.size())
        return;
    const auto sizeOf = [&](std::size_t i) { return static_cast<double>(std::max(batches[i], minimumSamples)); };
    const double last = seconds[known - 1], size = sizeOf(known - 1), mean = last / size;
    const double more = size - sizeOf(known - 2);
    const double slope = more > 0 ? std::clamp((last - seconds[known - 2]) / more, mean / 2, mean) : mean;
    while (seconds.size() < batches.size())
        seconds.push_back(last + slope * (sizeOf(seconds.size()) - size));
}

}  // namespace

Result<ModelProfile> profileLayers(const ProfileRequest &request, const ProfileProgress &progress,
                                   ComputeDevice &device) {
    const DType dtype = dtypeOf(request.precision);
    ModelProfile profile;
    profile.model = request.model.name;
    profile.modelSha256 = QString::fromLatin1(request.model.sha256());
    profile.library = computeLibrary();
    profile.computeDevice = device.name();
    profile.precision = precisionName(request.precision);
    if (request.precision == Precision::Bfloat16)
        profile.bfloat16Gain = device.bfloat16Gain();
    profile.threads = request.threads;
    profile.times.batch = request.batches;
    const auto layers = static_cast<int>(request.model.layers.size());
    profile.layers = declaredFacts(request.model, dtype);
    profile.times.forward.resize(request.model.layers.size());
    profile.times.backward.resize(request.model.layers.size());
    profile.times.weights.resize(request.model.layers.size());
    const int total = layers * static_cast<int>(request.batches.size());
    int done = 0;
    // What fits into memory together is measured together; what did not at one batch size does not at the next.
    std::vector<std::pair<int, int>> ranges{{0, layers}};
    std::unique_ptr<LayerChain> chain;  // of the last batch size
    auto &batches = profile.times.batch;
    std::size_t measuredSizes = 0;
    for (double pass = 0; measuredSizes < batches.size(); ++measuredSizes) {
        // What takes this long is compute-bound: larger batches cost in proportion, and nobody should wait for them.
        if (measuredSizes >= leastSizes && pass > request.secondsPerBatch)
            break;
        pass = 0;
        const int size = batches[measuredSizes];
        const std::vector<int> by = measuredFor(request.model, size, dtype);
        std::vector<LayerPoint> points(request.model.layers.size());
        bool tooLarge = false;
        for (std::size_t r = 0; r < ranges.size();) {
            const auto [first, last] = ranges[r];
            std::vector<int> own;
            for (int l = first; l < last; ++l) {
                if (by[static_cast<std::size_t>(l)] == l)
                    own.push_back(l);
            }
            if (own.empty()) {
                done += last - first;
                ++r;
                continue;
            }
            const auto wanted = [&] { return progress(done, total); };
            const auto measured = guarded([&]() -> Result<std::vector<LayerPoint>> {
                if (!chain || chain->indices() != own) {
                    chain.reset();
                    chain = std::make_unique<LayerChain>(request, own, device);
                }
                return chain->measure(size, request, wanted);
            });
            if (!measured && measured.error().code == QLatin1String("worker.out-of-memory")) {
                chain.reset();
                if (last - first > 1) {
                    const int middle = (first + last) / 2;
                    ranges[r] = {first, middle};
                    ranges.insert(ranges.begin() + static_cast<std::ptrdiff_t>(r) + 1, {middle, last});
                    continue;
                }
                if (measuredSizes > 0) {
                    tooLarge = true;
                    break;
                }
            }
            if (!measured)
                return tl::unexpected(measured.error());
            if (measured->empty())
                return fail(QStringLiteral("worker.cancelled"), sentence("The profile was given up."));
            for (std::size_t i = 0; i < own.size(); ++i) {
                points[static_cast<std::size_t>(own[i])] = (*measured)[i];
                pass += (*measured)[i].forward + (*measured)[i].backward;
            }
            done += last - first;
            ++r;
        }
        if (tooLarge) {
            batches.resize(measuredSizes);
            break;
        }
        for (std::size_t l = 0; l < points.size(); ++l) {
            const LayerPoint &point = points[static_cast<std::size_t>(by[l])];
            LayerFacts &facts = profile.layers[l];
            profile.times.forward[l].push_back(point.forward);
            profile.times.backward[l].push_back(point.backward);
            profile.times.weights[l].push_back(point.weights);
            // Of the largest batch: fixed parts weigh least there.
            const int samples = std::max(size, facts.minimumSamples);
            facts.savedBytes = (point.saved + samples - 1) / samples;
            facts.workspaceBytes = (point.workspace + samples - 1) / samples;
            if (!point.packed.isEmpty())
                facts.packed = point.packed;
        }
    }
    chain.reset();
    if (!progress(total, total))
        return fail(QStringLiteral("worker.cancelled"), sentence("The profile was given up."));
    TimeTable &times = profile.times;
    for (std::size_t l = 0; l < profile.layers.size(); ++l) {
        for (auto *table : {&times.forward, &times.backward, &times.weights})
            prolong((*table)[l], batches, profile.layers[l].minimumSamples);
        // A half is not more than the whole.
        for (std::size_t i = measuredSizes; i < batches.size(); ++i)
            times.weights[l][i] = std::min(times.weights[l][i], times.backward[l][i]);
    }
    returnFreedMemory();  // large batches were tried: the run should not carry their memory
    if (request.isAlone)
        device.measureRuntime();
    return profile;
}

void measureWays(ComputeDevice &device, CodecRates &rates) {
    constexpr qint64 samples = 16, values = 1 << 18, bytes = samples * values * qint64{sizeof(float)};
    constexpr int tries = 4;  // the first one makes room
    const at::Tensor host = at::ones({samples, values});
    const auto least = [&](const std::function<double()> &seconds) {
        double best = 1;
        for (int i = 0; i < tries; ++i)
            best = std::min(best, seconds() / static_cast<double>(bytes));
        return best;
    };
    at::Tensor there;
    CodecSeconds way;
    way.decode = least([&] {
        const auto began = device.mark();
        there = device.fromHost(host);
        return device.mark()->secondsSince(*began);
    });
    way.encode = least([&] {
        const auto began = device.mark();
        device.toHost(there);
        return device.mark()->secondsSince(*began);
    });
    rates.measured[QString::fromLatin1(noCodec().name)] = way;
    for (const Codec *codec : codecs()) {
        if (!codec->encode || !device.startCoded(there, *codec, Rounding::Nearest))
            continue;
        const double coded = least([&] {
            const auto began = device.mark();
            device.startCoded(there, *codec, Rounding::Nearest)->bytes.there->wait();
            return device.mark()->secondsSince(*began);
        });
        rates.measured[QString::fromLatin1(codec->name)].encode = std::max(0.0, coded - way.encode);
    }
}

Result<std::vector<UnitSeconds>> profileUnits(const ProfileRequest &request, const std::vector<ProbedUnit> &units,
                                              const ProfileProgress &progress, ComputeDevice &device) {
    std::vector<UnitSeconds> measured;
    const auto total = static_cast<int>(units.size());
    for (int done = 0; done < total; ++done) {
        const ProbedUnit &unit = units[static_cast<std::size_t>(done)];
        const auto wanted = [&] { return progress(done, total); };
        const auto point = guarded([&]() -> Result<std::optional<LayerPoint>> {
            return LayerChain(request, {unit.layer}, device).probe(unit.samples, wanted);
        });
        if (!point && point.error().code == QLatin1String("worker.out-of-memory"))
            break;
        if (!point)
            return tl::unexpected(point.error());
        if (!*point)
            return fail(QStringLiteral("worker.cancelled"), sentence("The profile was given up."));
        measured.push_back({unit.layer, unit.samples, (*point)->forward, (*point)->backward, (*point)->weights});
    }
    returnFreedMemory();
    if (request.isAlone)
        device.measureRuntime();
    return measured;
}

}  // namespace hearth
