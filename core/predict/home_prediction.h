// What the devices of a home take for a network: measured, or predicted from what they measured of others.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/predict/times_predictor.h"
#include "core/profile/profile_store.h"

namespace hearth {

struct DevicePrediction {
    QString device;         // id
    QString computeDevice;  // "cpu"
    int threads = 1;
    bool isMeasured = false;
    QString reference;  // id of the device whose times of this network it follows; empty: measured, or there is none
    PredictedTimes times;
};

/// The network that a profile is of, by its name; nothing where it is not known any more.
using ModelOfProfile = std::function<std::optional<Model>(const ModelProfile &)>;

/// One answer for each device that measured any network in that precision, as it computed last, in order of id.
/// `batch` ascends. Any thread; reads nothing.
std::vector<DevicePrediction> predictHome(const Model &model, const QString &precision, std::vector<int> batch,
                                          const std::vector<StoredProfile> &profiles, const ModelOfProfile &modelOf);

}  // namespace hearth
