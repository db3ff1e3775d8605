#include "core/predict/home_prediction.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/model/catalogue.h"
#include "core/model/training_spec.h"
#include "core/profile/declared_facts.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

DType dtypeOf(const QString &precision) {
    return hearth::dtypeOf(precisionFromName(precision).value_or(Precision::Float32));
}

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
            computer.key = knowledgeKey(profile.device, profile.computeDevice, profile.precision);
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

/// For others: what is predicted itself is none.
bool isReference(const ModelProfile *profile, const Model &model) {
    return profile && !profile->times.isPredicted() && profile->layers.size() == model.layers.size();
}

TimeTable asMeasured(const ModelProfile &profile, const std::vector<int> &batch) {
    const MeasuredCosts costs({profile.times});
    TimeTable result;
    result.batch = batch;
    for (std::size_t l = 0; l < profile.layers.size(); ++l) {
        std::vector<double> forward, backward, error;
        for (const int samples : batch) {
            const LayerSeconds seconds = costs.seconds(0, static_cast<int>(l), samples);
            forward.push_back(seconds.forward);
            backward.push_back(seconds.backward);
            error.push_back(costs.relativeError(0, static_cast<int>(l), samples));
        }
        result.forward.push_back(std::move(forward));
        result.backward.push_back(std::move(backward));
        result.error.push_back(std::move(error));
    }
    return result;
}

}  // namespace

QString knowledgeKey(const QString &device, const QString &computeDevice, const QString &precision) {
    const QString key = device + QLatin1Char('/') + computeDevice;
    // The usual one has no name here, so that what homes know already stays known.
    return precision == precisionName(Precision::Float32) ? key : key + QLatin1Char('/') + precision;
}

QString knowledgeFile(const QString &profileFolder) {
    return profileFolder + QStringLiteral("/predictor/own.json");
}

Knowledge homeKnowledge(const QString &profileFolder, const QString &precision,
                        const std::vector<StoredProfile> &profiles, const ModelOfProfile &modelOf) {
    return homeKnowledge(Knowledge::load(knowledgeFile(profileFolder)), profileFolder, precision, profiles, modelOf);
}

Knowledge homeKnowledge(Knowledge own, const QString &profileFolder, const QString &precision,
                        const std::vector<StoredProfile> &profiles, const ModelOfProfile &modelOf) {
    const QString ownFile = knowledgeFile(profileFolder);
    for (const QFileInfo &file : QFileInfo(ownFile).dir().entryInfoList({QStringLiteral("*.json")}, QDir::Files)) {
        if (file.filePath() != ownFile)
            own.join(Knowledge::load(file.filePath()));
    }
    own.join(learnFrom(computersOf(profiles, precision), dtypeOf(precision), modelOf));
    return own;
}

void learnFrom(Knowledge &knowledge, const Model &model, const ModelProfile &profile,
               const std::vector<StoredProfile> &profiles) {
    const DType dtype = dtypeOf(profile.precision);
    const QString key = knowledgeKey(profile.device, profile.computeDevice, profile.precision);
    knowledge.learn(key, {}, compare(model, dtype, profile.times, std::nullopt));
    for (const Computer &other : computersOf(profiles, profile.precision)) {
        const ModelProfile *their = profileOf(other, profile.modelSha256);
        if (their && other.key != key)
            knowledge.learn(key, other.key, compare(model, dtype, profile.times, their->times));
    }
}

std::vector<ObservedUnit> observedInRounds(const Model &model, DType dtype, const TimeTable &table, int firstLayer,
                                           int lastLayer, int samples, double ratio) {
    const std::vector<LayerWork> work = layerWork(model, dtype);
    const MeasuredCosts costs({table});
    std::vector<ObservedUnit> units;
    for (int l = firstLayer; l < lastLayer; ++l) {
        const LayerWork &own = work[static_cast<std::size_t>(l)];
        const LayerSeconds told = costs.seconds(0, l, samples);
        const double madeUp = own.seconds(samples);
        units.push_back({own.features(samples), std::log(std::max(ratio * told.forward, 1e-9) / madeUp),
                         std::log(std::max(ratio * told.backward, 1e-9) / (2 * madeUp))});
    }
    return units;
}

TimeTable correctedBy(TimeTable table, double ratio) {
    const double left = std::sqrt(1 - TimeTable::commonError);
    for (std::size_t l = 0; l < table.error.size(); ++l) {
        for (std::size_t i = 0; i < table.batch.size(); ++i) {
            if (table.error[l][i] <= 0)
                continue;
            for (auto *rows : {&table.forward, &table.backward, &table.weights}) {
                if (!rows->empty())
                    (*rows)[l][i] = std::min((*rows)[l][i] * ratio, ProfileLimits::seconds);
            }
            table.error[l][i] *= left;
        }
    }
    return table;
}

std::optional<Model> builtinModelOf(const ModelProfile &profile) {
    if (profile.modelSha256 == QLatin1String(benchmarkNetwork().sha256()))
        return benchmarkNetwork();
    if (!isBuiltinModel(profile.model))
        return std::nullopt;
    const auto model = loadModel(profile.model);
    return model ? std::optional(*model) : std::nullopt;
}

std::vector<PredictionBase> basesFor(const QString &device, const QString &computeDevice, const Model &model,
                                     const QString &precision, const std::vector<StoredProfile> &profiles,
                                     const Knowledge &knowledge) {
    const QString key = knowledgeKey(device, computeDevice, precision), sha256 = QString::fromLatin1(model.sha256());
    const std::vector<Computer> computers = computersOf(profiles, precision);
    std::vector<PredictionBase> bases{{std::nullopt, knowledge.beforeMeasuring(key, {})}};
    for (const Computer &other : computers) {
        const ModelProfile *their = profileOf(other, sha256);
        if (other.key != key && isReference(their, model))
            bases.push_back({their->times, knowledge.beforeMeasuring(key, other.key)});
    }
    return bases;
}

TimeTable predictUnmeasured(const Model &model, DType dtype, const std::vector<int> &batch, const KnownPair &pair) {
    const auto by = [&](const RatioBeliefs &beliefs) {
        return TimesPredictor(model, dtype, batch, pair.reference, beliefs).predict();
    };
    TimeTable times = by(pair.knowledge.about(pair.device, pair.against));
    times.error = by(pair.knowledge.beforeMeasuring(pair.device, pair.against)).error;
    return times;
}

std::vector<DevicePrediction> predictHome(const Model &model, const QString &precision, std::vector<int> batch,
                                          const std::vector<StoredProfile> &profiles, const Knowledge &knowledge) {
    const DType dtype = dtypeOf(precision);
    const QString sha256 = QString::fromLatin1(model.sha256());
    const std::vector<Computer> computers = computersOf(profiles, precision);
    std::vector<DevicePrediction> result;
    for (const Computer &computer : computers) {
        const ModelProfile &last = *computer.profiles.front();
        using Source = DevicePrediction::Source;
        DevicePrediction answer{last.device, last.computeDevice, last.library, last.threads, Source::OtherNetworks, {},
                                {}};
        if (const ModelProfile *own = profileOf(computer, sha256); own && own->layers.size() == model.layers.size()) {
            answer.source = own->times.isPredicted() ? Source::Brief : Source::Measured;
            answer.times = asMeasured(*own, batch);
            result.push_back(std::move(answer));
            continue;
        }
        std::vector<TimeTable> told{predictUnmeasured(model, dtype, batch, {knowledge, computer.key, {}, {}})};
        for (const Computer &other : computers) {
            const ModelProfile *their = profileOf(other, sha256);
            if (!isReference(their, model))
                continue;
            told.push_back(predictUnmeasured(model, dtype, batch, {knowledge, computer.key, other.key, their->times}));
            answer.source = Source::Reference;
            if (!answer.references.contains(their->device))
                answer.references << their->device;
        }
        answer.times = middleOf(told);
        result.push_back(std::move(answer));
    }
    return result;
}

std::optional<ModelProfile> unmeasuredProfile(const Model &model, const ProfileKey &key, std::vector<int> batch,
                                              const std::vector<StoredProfile> &profiles, const Knowledge &knowledge) {
    using Source = DevicePrediction::Source;
    for (DevicePrediction &each : predictHome(model, key.precision, std::move(batch), profiles, knowledge)) {
        const bool isIt = each.device == key.device && each.computeDevice == key.computeDevice &&
                          each.library == key.library && each.threads == key.threads;
        if (!isIt || (each.source != Source::Reference && each.source != Source::OtherNetworks))
            continue;
        ModelProfile profile;
        profile.device = key.device;
        profile.model = model.name;
        profile.modelSha256 = key.modelSha256;
        profile.library = key.library;
        profile.computeDevice = key.computeDevice;
        profile.precision = key.precision;
        profile.threads = key.threads;
        profile.layers = estimatedFacts(model, dtypeOf(key.precision));
        profile.times = std::move(each.times);
        return profile;
    }
    return std::nullopt;
}

}  // namespace hearth
