// What fake workers tell of themselves before a run is planned.
#include "core/model/layer_state.h"
#include "core/profile/declared_facts.h"
#include "core/profile/profile_store.h"
#include "fake_home.h"

namespace hearth::fake {

void Home::remember(const QString &network) {
    const Model model = *loadModel(network);
    ModelProfile profile;
    profile.model = model.name;
    profile.modelSha256 = QString::fromLatin1(model.sha256());
    profile.library = library;
    profile.precision = QStringLiteral("float32");
    profile.times.batch = {1, 4, 16, 64};
    profile.layers = declaredFacts(model, DType::Float32);
    for (const Layer &layer : model.layers) {
        auto &forward = profile.times.forward.emplace_back();
        for (const int samples : profile.times.batch)
            forward.push_back(asDescribed * layerWork(layer, DType::Float32).seconds(samples));
        auto &backward = profile.times.backward.emplace_back(forward);
        for (double &seconds : backward)
            seconds *= 2;
    }
    for (const DeviceInfo &device : request.devices) {
        profile.device = device.id;
        if (!ProfileStore(request.profiles).save(profile))
            qFatal("A profile could not be stored.");
    }
}

/// By the description, or of an odd device that nobody can predict.
LayerSeconds Worker::secondsOf(const Layer &layer, int samples) const {
    if (home.asDescribed > 0) {
        const double forward = home.asDescribed * home.slower * layerWork(layer, DType::Float32).seconds(samples);
        return {forward, 2 * forward, 0};
    }
    const double forward = (samples > 1 ? 0.03 : 0.001) * home.slower;
    return {forward, 2 * forward, 0};
}

QCborMap Worker::profile(const QCborMap &args) const {
    const Model model = *Model::fromJson(args[QStringLiteral("model")].toMap().toJsonObject(), QStringLiteral("asked"));
    ModelProfile profile;
    profile.device = key(2, static_cast<quint8>(number)).toHex();
    profile.model = model.name;
    profile.modelSha256 = QString::fromLatin1(model.sha256());
    profile.library = QStringLiteral("fake 1");
    profile.precision = QStringLiteral("float32");
    const bool isAsAsked = home.asDescribed > 0 || args[QStringLiteral("brief")].toBool();
    profile.times.batch = home.sizesThatFit;
    if (isAsAsked) {
        profile.times.batch.clear();
        for (const QCborValue size : args[QStringLiteral("batches")].toArray())
            profile.times.batch.push_back(static_cast<int>(size.toInteger()));
    }
    for (const Layer &layer : model.layers) {
        LayerFacts facts;
        facts.name = layer.name;
        facts.outputBytes = layer.shape.outputBytes(DType::Float32);
        facts.gradientBytes = facts.outputBytes;
        facts.savedBytes = 2 * facts.outputBytes;
        facts.parameterBytes = layer.shape.parameterBytes(DType::Float32);
        facts.trainableBytes = facts.parameterBytes;
        profile.layers.push_back(facts);
        auto &forward = profile.times.forward.emplace_back();
        auto &backward = profile.times.backward.emplace_back();
        for (const int samples : profile.times.batch) {
            const LayerSeconds took = secondsOf(layer, samples);
            forward.push_back(took.forward);
            backward.push_back(took.backward);
        }
    }
    return profile.toCbor();
}

}  // namespace hearth::fake
