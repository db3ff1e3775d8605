// A state folder in which devices have left what they measured.
#pragma once

#include <vector>

#include "core/home/device_info.h"
#include "core/model/catalogue.h"
#include "core/profile/profile_store.h"

namespace hearth {

/// The whole model takes `secondsPerSample` there, forward and backward; later layers take longer.
inline Result<void> storeMeasurement(const QString &stateDir, const QString &modelName, const DeviceInfo &device,
                                     double secondsPerSample) {
    const auto model = loadModel(modelName);
    if (!model)
        return tl::unexpected(model.error());
    ModelProfile profile;
    profile.device = device.id;
    profile.model = model->name;
    profile.modelSha256 = QString::fromLatin1(model->sha256());
    profile.library = QStringLiteral("libtorch 1.13.1");
    profile.precision = QStringLiteral("float32");
    profile.threads = device.threads;
    profile.times.batch = {1, 64, 128};
    const auto count = static_cast<double>(model->layers.size());
    double number = 0;
    for (const Layer &layer : model->layers) {
        LayerFacts facts;
        facts.name = layer.name;
        profile.layers.push_back(facts);
        ++number;
        const double share = 2 * number / (count * (count + 1));  // they add up to one
        std::vector<double> forward, backward;
        for (const int samples : profile.times.batch) {
            forward.push_back(secondsPerSample * samples * share / 3);
            backward.push_back(secondsPerSample * samples * share * 2 / 3);
        }
        profile.times.forward.push_back(forward);
        profile.times.backward.push_back(backward);
    }
    return ProfileStore(stateDir + QStringLiteral("/profiles")).save(profile);
}

/// As after brief measurements: every third layer is measured, the others predicted, later ones less surely.
inline Result<void> predictMost(const QString &stateDir) {
    const ProfileStore store(stateDir + QStringLiteral("/profiles"));
    for (const StoredProfile &stored : store.profiles()) {
        ModelProfile profile = stored.profile;
        profile.times.error.clear();
        for (std::size_t l = 0; l < profile.layers.size(); ++l) {
            const double error = l % 3 == 0 ? 0 : 0.1 + 0.01 * static_cast<double>(l);
            profile.times.error.emplace_back(profile.times.batch.size(), error);
        }
        if (auto saved = store.save(profile); !saved)
            return saved;
    }
    return {};
}

inline Result<void> storeLink(const QString &stateDir, const DeviceInfo &from, const DeviceInfo &to, double megabytes,
                              double latency = 0.0003) {
    return ProfileStore(stateDir + QStringLiteral("/profiles")).saveLink({from.id, to.id, megabytes * 1e6, latency});
}

}  // namespace hearth
