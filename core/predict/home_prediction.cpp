#include "core/predict/home_prediction.h"

#include <algorithm>
#include <map>
#include <utility>

namespace hearth {
namespace {

/// One way in which a device computes: its processor, its card.
struct Computer {
    QString key;
    qint64 measured = 0;
    std::vector<const ModelProfile *> profiles;  // as it computed last
};

bool areOneSetting(const ModelProfile &a, const ModelProfile &b) {
    return a.threads == b.threads && a.library == b.library;
}

std::vector<Computer> computersOf(const std::vector<StoredProfile> &stored, const QString &precision) {
    std::vector<const StoredProfile *> newest;
    for (const StoredProfile &each : stored) {
        if (each.profile.precision == precision && each.profile.times.isComplete())
            newest.push_back(&each);
    }
    std::stable_sort(newest.begin(), newest.end(),
                     [](const StoredProfile *a, const StoredProfile *b) { return a->measured > b->measured; });
    std::map<std::pair<QString, QString>, Computer> found;
    for (const StoredProfile *each : newest) {
        const ModelProfile &profile = each->profile;
        Computer &computer = found[{profile.device, profile.computeDevice}];
        if (computer.profiles.empty()) {
            computer.key = profile.device + QLatin1Char('/') + profile.computeDevice;
            computer.measured = each->measured;
        }
        if (computer.profiles.empty() || areOneSetting(*computer.profiles.front(), profile))
            computer.profiles.push_back(&profile);
    }
    std::vector<Computer> computers;
    for (auto &[where, computer] : found)
        computers.push_back(std::move(computer));
    return computers;
}

const ModelProfile *profileOf(const Computer &computer, const QString &sha256) {
    const auto found = std::find_if(computer.profiles.begin(), computer.profiles.end(),
                                    [&](const ModelProfile *each) { return each->modelSha256 == sha256; });
    return found == computer.profiles.end() ? nullptr : *found;
}

/// From all networks, and all devices that measured them.
Knowledge learnFrom(const std::vector<Computer> &computers, DType dtype, const ModelOfProfile &modelOf) {
    std::map<QString, std::vector<std::pair<const Computer *, const ModelProfile *>>> networks;
    for (const Computer &computer : computers) {
        for (const ModelProfile *profile : computer.profiles)
            networks[profile->modelSha256].emplace_back(&computer, profile);
    }
    Knowledge knowledge;
    for (const auto &[sha256, measured] : networks) {
        const auto model = modelOf(*measured.front().second);
        if (!model || QString::fromLatin1(model->sha256()) != sha256)
            continue;
        for (std::size_t i = 0; i < measured.size(); ++i) {
            const auto &[device, profile] = measured[i];
            knowledge.learn(device->key, {}, compare(*model, dtype, profile->times, std::nullopt));
            for (std::size_t j = 0; j < i; ++j) {
                const auto &[other, their] = measured[j];
                knowledge.learn(device->key, other->key, compare(*model, dtype, profile->times, their->times));
            }
        }
    }
    return knowledge;
}

PredictedTimes asMeasured(const ModelProfile &profile, const std::vector<int> &batch) {
    const MeasuredCosts costs({profile.times});
    PredictedTimes result;
    result.times.batch = batch;
    for (std::size_t l = 0; l < profile.layers.size(); ++l) {
        std::vector<double> forward, backward;
        for (const int samples : batch) {
            const LayerSeconds seconds = costs.seconds(0, static_cast<int>(l), samples);
            forward.push_back(seconds.forward);
            backward.push_back(seconds.backward);
        }
        result.times.forward.push_back(std::move(forward));
        result.times.backward.push_back(std::move(backward));
        result.error.emplace_back(batch.size(), 0.0);
    }
    return result;
}

}  // namespace

std::vector<DevicePrediction> predictHome(const Model &model, const QString &precision, std::vector<int> batch,
                                          const std::vector<StoredProfile> &profiles, const ModelOfProfile &modelOf) {
    const DType dtype = precision == QLatin1String("float64") ? DType::Float64 : DType::Float32;
    const QString sha256 = QString::fromLatin1(model.sha256());
    const auto fits = [&](const ModelProfile *profile) {
        return profile && profile->layers.size() == model.layers.size();
    };
    const std::vector<Computer> computers = computersOf(profiles, precision);
    const Knowledge knowledge = learnFrom(computers, dtype, modelOf);
    std::vector<DevicePrediction> result;
    for (const Computer &computer : computers) {
        const ModelProfile &last = *computer.profiles.front();
        DevicePrediction answer{last.device, last.computeDevice, last.threads, false, {}, {}};
        if (const ModelProfile *own = profileOf(computer, sha256); fits(own)) {
            answer.isMeasured = true;
            answer.times = asMeasured(*own, batch);
            result.push_back(std::move(answer));
            continue;
        }
        answer.times = TimesPredictor(model, dtype, batch, std::nullopt, knowledge.about(computer.key, {})).predict();
        double best = -1;  // the reference that says most is the one that leaves least open
        for (const Computer &other : computers) {
            const ModelProfile *their = profileOf(other, sha256);
            if (!fits(their))
                continue;
            PredictedTimes times =
                TimesPredictor(model, dtype, batch, their->times, knowledge.about(computer.key, other.key)).predict();
            const double error = times.relativeError(batch.size() - 1);
            if (best >= 0 && error >= best)
                continue;
            best = error;
            answer.times = std::move(times);
            answer.reference = their->device;
        }
        result.push_back(std::move(answer));
    }
    return result;
}

}  // namespace hearth
