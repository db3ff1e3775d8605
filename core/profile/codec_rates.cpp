#include "core/profile/codec_rates.h"

#include <QElapsedTimer>
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "core/base/generator.h"
#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

/// What cuts of small networks have at least, and more than the fast caches of most processors.
constexpr std::size_t measuredValues = std::size_t{1} << 20;
/// The best of them: others were disturbed.
constexpr int tries = 3;
constexpr double mostSecondsPerByte = 1e-3;

double bestSeconds(const std::function<void()> &work) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i) {
        QElapsedTimer timer;
        timer.start();
        work();
        best = std::min(best, static_cast<double>(std::max<qint64>(1, timer.nsecsElapsed())) * 1e-9);
    }
    return best;
}

}  // namespace

CodecSeconds CodecRates::of(const Codec &codec) const {
    const CodecSeconds own = measured.value(QString::fromLatin1(codec.name), codec.usual);
    if (&codec == &noCodec())
        return own;
    const CodecSeconds way = of(noCodec());
    return {own.encode + way.encode, own.decode + way.decode};
}

QJsonObject CodecRates::toJson() const {
    QJsonObject json;
    for (auto it = measured.constBegin(); it != measured.constEnd(); ++it) {
        json[it.key()] = QJsonObject{{QStringLiteral("encode_s"), it.value().encode},
                                     {QStringLiteral("decode_s"), it.value().decode}};
    }
    return json;
}

Result<CodecRates> CodecRates::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    CodecRates rates;
    if (object.size() > ProfileLimits::codecs)
        return fail(QStringLiteral("profile.codecs"), sentence("%1: \"%2\" is not valid.").arg(source, path),
                    sentence("There are too many."));
    for (auto it = object.constBegin(); it != object.constEnd(); ++it) {
        JsonReader reader(it.value(), source, jsonPointer(path, it.key().left(ProfileLimits::idLength)));
        const double encode = reader.number("encode_s", 0, mostSecondsPerByte);
        const double decode = reader.number("decode_s", 0, mostSecondsPerByte);
        if (auto ok = reader.finish(); !ok)
            return tl::unexpected(ok.error());
        rates.measured[it.key()] = {encode, decode};
    }
    return rates;
}

CodecRates measureCodecs() {
    // About what activations are: one in two zero.
    std::vector<float> values(measuredValues);
    const Generator random(1);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::max(0.F, static_cast<float>(random.symmetric(i)));
    const std::span<const std::byte> raw = std::as_bytes(std::span<const float>(values));
    std::vector<std::byte> back(raw.size());
    CodecRates rates;
    for (const Codec *codec : codecs()) {
        if (!codec->encode || !codec->decode)
            continue;
        std::vector<std::byte> encoded(codec->encodedBytes(DType::Float32, raw.size()));
        const auto bytes = static_cast<double>(raw.size());
        const double encode =
            bestSeconds([&] { codec->encode(DType::Float32, raw, encoded, Rounding::Stochastic); }) / bytes;
        const double decode = bestSeconds([&] { codec->decode(DType::Float32, encoded, back); }) / bytes;
        rates.measured[QString::fromLatin1(codec->name)] = {std::min(encode, mostSecondsPerByte),
                                                            std::min(decode, mostSecondsPerByte)};
    }
    return rates;
}

}  // namespace hearth
