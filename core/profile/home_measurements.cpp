#include "core/profile/home_measurements.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/model/catalogue.h"

namespace hearth {
namespace {

using MeasuredModel = std::pair<QString, QString>;  // sha256, precision

MeasuredModel modelOf(const ModelProfile &profile) {
    return {profile.modelSha256, profile.precision};
}

/// The largest batch size that all have; 0 where they have none in common.
int commonBatch(const std::map<QString, const StoredProfile *> &chosen) {
    std::set<int> common;
    bool first = true;
    for (const auto &[id, stored] : chosen) {
        const std::vector<int> &batch = stored->profile.times.batch;
        std::set<int> both;
        for (const int size : batch) {
            if (first || common.contains(size))
                both.insert(size);
        }
        common = std::move(both);
        first = false;
    }
    return common.empty() ? 0 : *common.rbegin();
}

MeasuredDevice measuredAt(const StoredProfile &stored, int batch) {
    const TimeTable &times = stored.profile.times;
    const auto column = static_cast<std::size_t>(std::ranges::find(times.batch, batch) - times.batch.begin());
    MeasuredDevice device;
    device.threads = stored.profile.threads;
    device.measured = stored.measured;
    device.relativeError = times.relativeError(column);
    double seconds = 0;
    for (std::size_t i = 0; i < stored.profile.layers.size(); ++i) {
        device.layers.push_back({stored.profile.layers[i].name, times.forward[i][column], times.backward[i][column],
                                 times.isPredicted() ? times.error[i][column] : 0});
        seconds += device.layers.back().forwardS + device.layers.back().backwardS;
    }
    device.samplesPerSecond = seconds > 0 ? batch / seconds : 0;
    return device;
}

}  // namespace

const MeasuredDevice *HomeMeasurements::device(const QString &id) const {
    const auto at = devices.find(id);
    return at == devices.end() ? nullptr : &at->second;
}

const LinkProfile::Pair *HomeMeasurements::link(const QString &from, const QString &to) const {
    const auto at = links.find({from, to});
    return at == links.end() ? nullptr : &at->second;
}

bool HomeMeasurements::isHalfDuplex(const QString &device, const QString &other) const {
    const StoredSharing *known = newestSharing(sharing, {device, other});
    return known && std::ranges::any_of(known->links.nics, [&](const LinkProfile::Nic &nic) {
               return nic.duplex == Duplex::Half && (nic.id == device || nic.id == other);
           });
}

QStringList HomeMeasurements::sharesAirWith(const QString &device) const {
    QStringList others;
    const StoredSharing *known = newestSharing(sharing, {device});
    if (known == nullptr)
        return others;
    const std::vector<LinkProfile::Nic> &nics = known->links.nics;
    const auto own = std::ranges::find(nics, device, &LinkProfile::Nic::id);
    for (const LinkProfile::Nic &nic : nics) {
        if (own != nics.end() && !own->medium.isEmpty() && nic.medium == own->medium && nic.id != device)
            others << nic.id;
    }
    return others;
}

double HomeMeasurements::ratio(const QString &id, const QString &other) const {
    const MeasuredDevice *one = device(id), *two = device(other);
    return one && two && two->samplesPerSecond > 0 ? one->samplesPerSecond / two->samplesPerSecond : 0;
}

HomeMeasurements chooseMeasurements(const std::vector<StoredProfile> &profiles,
                                    const std::vector<LinkProfile::Pair> &links, const MeasurementChoice &choice) {
    HomeMeasurements found;
    for (const LinkProfile::Pair &link : links) {
        if (choice.threads.contains(link.from) && choice.threads.contains(link.to))
            found.links[{link.from, link.to}] = link;
    }
    const QString benchmark = QString::fromLatin1(benchmarkNetwork().sha256());
    std::vector<const StoredProfile *> ours;
    for (const StoredProfile &stored : profiles) {
        const ModelProfile &profile = stored.profile;
        if (choice.threads.contains(profile.device) && profile.times.isComplete() && profile.modelSha256 != benchmark)
            ours.push_back(&stored);
    }
    if (ours.empty())
        return found;
    MeasuredModel model{choice.modelSha256, choice.precision};
    if (std::ranges::none_of(ours, [&](const StoredProfile *each) { return modelOf(each->profile) == model; }))
        model = modelOf((*std::ranges::max_element(ours, {}, &StoredProfile::measured))->profile);

    const auto rank = [&](const StoredProfile &stored) {
        return std::tuple(stored.profile.threads == choice.threads[stored.profile.device], stored.measured);
    };
    std::map<QString, const StoredProfile *> chosen;
    for (const StoredProfile *stored : ours) {
        if (modelOf(stored->profile) != model)
            continue;
        const StoredProfile *&best = chosen[stored->profile.device];
        if (!best || rank(*best) < rank(*stored))
            best = stored;
    }
    found.batch = commonBatch(chosen);
    if (found.batch == 0)
        return found;
    found.model = chosen.begin()->second->profile.model;
    std::tie(found.modelSha256, found.precision) = model;
    for (const auto &[id, stored] : chosen)
        found.devices[id] = measuredAt(*stored, found.batch);
    return found;
}

}  // namespace hearth
