// What the devices of a home take for a network: measured, or predicted from what they measured of others.
#pragma once

#include <QStringList>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/predict/brief_profile.h"
#include "core/profile/profile_store.h"

namespace hearth {

struct DevicePrediction {
    QString device;         // id
    QString computeDevice;  // "cpu"
    QString library;
    int threads = 1;
    enum class Source {
        Measured,  // by it, this network
        Brief,     // likewise, but for what is predicted
        Reference,
        OtherNetworks
    };
    Source source = Source::OtherNetworks;
    QStringList references;  // ids of the devices whose times of this network tell it
    TimeTable times;
};

/// The network that a profile is of, by its name; nothing where it is not known any more.
using ModelOfProfile = std::function<std::optional<Model>(const ModelProfile &)>;

/// So many samples of benchmarkNetwork() tell how a device compares with others at all sizes of a batch.
inline constexpr std::array benchmarkBatch{1, 16};

/// By its name, where it is built in; the benchmark network.
std::optional<Model> builtinModelOf(const ModelProfile &profile);

/// How a device is called in Knowledge: each way in which it computes is one of its own, and so is each precision.
QString knowledgeKey(const QString &device, const QString &computeDevice, const QString &precision);

/// The knowledge of a home whose profiles lie in that folder: what it has learned itself, what its trusted devices have
/// told, and what profiles tell of devices that none of them knows. Blocks while it reads.
Knowledge homeKnowledge(const QString &profileFolder, const QString &precision,
                        const std::vector<StoredProfile> &profiles, const ModelOfProfile &modelOf);
/// The same, where it has learned this itself.
Knowledge homeKnowledge(Knowledge own, const QString &profileFolder, const QString &precision,
                        const std::vector<StoredProfile> &profiles, const ModelOfProfile &modelOf);
/// The file of what it has learned itself.
QString knowledgeFile(const QString &profileFolder);
/// Takes up what one more profile of that network tells, beside those that others have of it: what was measured in it.
void learnFrom(Knowledge &knowledge, const Model &model, const ModelProfile &profile,
               const std::vector<StoredProfile> &profiles);

/// What rounds of a stage tell that takes `ratio` times as long as its table says, at that many samples: its layers in
/// the proportions of the table, against the made-up device. The table is complete.
std::vector<ObservedUnit> observedInRounds(const Model &model, DType dtype, const TimeTable &table, int firstLayer,
                                           int lastLayer, int samples, double ratio);
/// What was predicted takes `ratio` times as long; errors lose what they had in common.
TimeTable correctedBy(TimeTable table, double ratio);

/// What others tell of how long a device will take for a network that it measures: each that measured it in that
/// precision, and the made-up one. Any thread; reads nothing.
std::vector<PredictionBase> basesFor(const QString &device, const QString &computeDevice, const Model &model,
                                     const QString &precision, const std::vector<StoredProfile> &profiles,
                                     const Knowledge &knowledge);

/// Two devices by their keys; `reference` is what `against` takes for the network, nothing where that is empty.
struct KnownPair {
    const Knowledge &knowledge;
    QString device, against;
    std::optional<TimeTable> reference;
};
/// What a device takes for a network of which it measured nothing. How far off that may be is told as if other networks
/// had told little: what is particular to this one shows in no measurement.
TimeTable predictUnmeasured(const Model &model, DType dtype, const std::vector<int> &batch, const KnownPair &pair);

/// One answer for each device that measured any network in that precision, as it computed last, in order of id.
/// `batch` ascends. Any thread; reads nothing.
std::vector<DevicePrediction> predictHome(const Model &model, const QString &precision, std::vector<int> batch,
                                          const std::vector<StoredProfile> &profiles, const Knowledge &knowledge);

/// What a device would measure of the network that the key names, with bytes by its description; nothing where it
/// measured no network as the key says that it computes, or this one. Any thread; reads nothing.
std::optional<ModelProfile> unmeasuredProfile(const Model &model, const ProfileKey &key, std::vector<int> batch,
                                              const std::vector<StoredProfile> &profiles, const Knowledge &knowledge);

}  // namespace hearth
