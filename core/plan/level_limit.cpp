#include "core/plan/level_limit.h"

#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {

QJsonObject LevelLimit::toJson() const {
    return {{QStringLiteral("layer"), layer},
            {QStringLiteral("way"), isForward ? QStringLiteral("forward") : QStringLiteral("backward")},
            {QStringLiteral("codec"), QString::fromLatin1(codec->name)}};
}

Result<LevelLimit> LevelLimit::fromJson(const QJsonValue &value, const QString &source, const QString &path) {
    JsonReader reader(value, source, path);
    LevelLimit limit;
    limit.layer = static_cast<int>(reader.integer("layer", 0, ProfileLimits::layers));
    limit.isForward =
        reader.choice("way", {QStringLiteral("forward"), QStringLiteral("backward")}) == QLatin1String("forward");
    const QString name = reader.string("codec");
    if (const Codec *codec = codecByName(name))
        limit.codec = codec;
    else
        reader.reject(QStringLiteral("codec"), sentence("\"%1\" is unknown here.").arg(name.left(60)));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return limit;
}

CutCodec limited(CutCodec codec, int layer, const std::vector<LevelLimit> &limits) {
    for (const LevelLimit &limit : limits) {
        const Codec *&way = limit.isForward ? codec.forward : codec.backward;
        if (limit.layer == layer)
            way = &lessLossy(*way, *limit.codec);
    }
    return codec;
}

}  // namespace hearth
