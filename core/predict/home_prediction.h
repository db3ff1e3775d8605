// What the devices of a home take for a network: measured, or predicted from what they measured of others.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/predict/brief_profile.h"
#include "core/profile/profile_store.h"

namespace hearth {

struct DevicePrediction {
    QString device;         // id
    QString computeDevice;  // "cpu"
    int threads = 1;
    enum class Source {
        Measured,  // by it, this network
        Brief,     // likewise, but for what is predicted
        Reference,
        OtherNetworks
    };
    Source source = Source::OtherNetworks;
    QString reference;  // id of the device whose times of this network it follows
    TimeTable times;
};

/// The network that a profile is of, by its name; nothing where it is not known any more.
using ModelOfProfile = std::function<std::optional<Model>(const ModelProfile &)>;

/// By its name, where it is built in.
std::optional<Model> builtinModelOf(const ModelProfile &profile);

/// What others tell of how long a device takes for a network: each that measured it in that precision, and the made-up
/// one. Any thread; reads nothing.
std::vector<PredictionBase> basesFor(const QString &device, const QString &computeDevice, const Model &model,
                                     const QString &precision, const std::vector<StoredProfile> &profiles,
                                     const ModelOfProfile &modelOf);

/// One answer for each device that measured any network in that precision, as it computed last, in order of id.
/// `batch` ascends. Any thread; reads nothing.
std::vector<DevicePrediction> predictHome(const Model &model, const QString &precision, std::vector<int> batch,
                                          const std::vector<StoredProfile> &profiles, const ModelOfProfile &modelOf);

}  // namespace hearth
