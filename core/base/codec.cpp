#include "core/base/codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/block_codecs.h"
#include "core/base/json_reader.h"

namespace hearth {
namespace {

constexpr Codec none{.name = "none", .encodedBytes = [](DType, quint64 rawBytes) { return rawBytes; }};

/// The least lossy first. The last one is so lossy that a run must notice: tests force it, nobody is offered it.
constexpr std::array all{&none, &bf16Codec, &bfp8Codec, &bfp4Codec, &bfp2Codec};
constexpr std::size_t offered = all.size() - 1;

std::size_t rankOf(const Codec &codec) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), &codec) - all.begin());
}

quint64 partsOf(quint64 rawBytes, quint64 samples) {
    return samples == 0 || rawBytes % samples != 0 ? 1 : samples;
}

QString nameOf(const Codec &codec) {
    return QString::fromLatin1(codec.name);
}

const Codec *readCodec(JsonReader &reader, const char *key) {
    const QString name = reader.string(key, nameOf(none));
    if (const Codec *codec = codecByName(name))
        return codec;
    QStringList names;
    for (const Codec *codec : codecs())
        names.append(nameOf(*codec));
    reader.reject(QLatin1String(key), sentence("\"%1\" is unknown here.").arg(name.left(60)), didYouMean(name, names));
    return &none;
}

void decodeParts(const Codec &codec, DType type, std::span<const std::byte> from, std::span<std::byte> to,
                 quint64 parts) {
    const std::size_t part = to.size() / parts, written = from.size() / parts;
    for (quint64 i = 0; i < parts; ++i)
        codec.decode(type, from.subspan(i * written, written), to.subspan(i * part, part));
}

template <class Number>
CodecLoss lossOf(const std::byte *raw, const std::byte *back, std::size_t bytes) {
    CodecLoss loss;
    for (std::size_t at = 0; at + sizeof(Number) <= bytes; at += sizeof(Number)) {
        Number value, read;
        std::memcpy(&value, raw + at, sizeof value);
        std::memcpy(&read, back + at, sizeof read);
        const double error = static_cast<double>(value) - static_cast<double>(read);
        loss.error += error * error;
        loss.power += static_cast<double>(value) * static_cast<double>(value);
    }
    return loss;
}

}  // namespace

std::span<const Codec *const> codecs() {
    return std::span(all).first(offered);
}

const Codec &noCodec() {
    return none;
}

const Codec &lessLossy(const Codec &one, const Codec &other) {
    return rankOf(one) <= rankOf(other) ? one : other;
}

const Codec &nextLessLossy(const Codec &codec) {
    const std::size_t rank = rankOf(codec);
    return rank == 0 || rank >= all.size() ? none : *all[rank - 1];
}

const Codec *codecByNumber(std::uint8_t number) {
    const auto found =
        std::find_if(all.begin(), all.end(), [number](const Codec *own) { return own->number == number; });
    return found == all.end() ? nullptr : *found;
}

const Codec *codecByName(const QString &name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&name](const Codec *own) { return name == QLatin1String(own->name); });
    return found == all.end() ? nullptr : *found;
}

quint64 encodedBytes(const Codec &codec, DType type, quint64 rawBytes, quint64 samples) {
    const quint64 parts = partsOf(rawBytes, samples);
    return parts * codec.encodedBytes(type, rawBytes / parts);
}

Encoded encoded(const Codec &codec, DType type, Payload raw, quint64 samples, Rounding rounding) {
    if (!codec.encode)
        return {&codec, std::move(raw)};
    const auto rawBytes = static_cast<quint64>(raw.size);
    const quint64 parts = partsOf(rawBytes, samples);
    auto buffer = Buffer::allocate(static_cast<qsizetype>(encodedBytes(codec, type, rawBytes, samples)));
    const std::span<const std::byte> from(raw.data, rawBytes);
    const std::size_t part = rawBytes / parts, written = buffer->bytes().size() / parts;
    for (quint64 i = 0; i < parts; ++i) {
        if (!codec.encode(type, from.subspan(i * part, part), buffer->bytes().subspan(i * written, written), rounding))
            return {&none, std::move(raw)};
    }
    return {&codec, Payload::of(std::move(buffer))};
}

std::shared_ptr<Buffer> decoded(const Codec &codec, DType type, std::shared_ptr<Buffer> payload, quint64 rawBytes,
                                quint64 samples) {
    if (!codec.decode)
        return payload;
    auto buffer = Buffer::allocate(static_cast<qsizetype>(rawBytes));
    decodeParts(codec, type, std::as_const(*payload).bytes(), buffer->bytes(), partsOf(rawBytes, samples));
    return buffer;
}

CodecLoss lossOf(const Encoded &written, DType type, const Payload &raw, quint64 samples) {
    std::vector<std::byte> back(static_cast<std::size_t>(raw.size));
    const std::byte *read = written.payload.data;
    if (written.codec->decode) {
        const quint64 parts = partsOf(back.size(), samples);
        const std::span<const std::byte> from(written.payload.data, static_cast<std::size_t>(written.payload.size));
        decodeParts(*written.codec, type, from, back, parts);
        read = back.data();
    }
    return type == DType::Float64 ? lossOf<double>(raw.data, read, back.size())
                                  : lossOf<float>(raw.data, read, back.size());
}

QJsonValue CutCodec::toJson() const {
    if (*this == CutCodec{})
        return nameOf(none);
    return QJsonObject{{QStringLiteral("forward"), nameOf(*forward)}, {QStringLiteral("backward"), nameOf(*backward)}};
}

Result<CutCodec> CutCodec::fromJson(const QJsonValue &value, const QString &source, const QString &path) {
    CutCodec codec;
    if (value.isUndefined() || value == nameOf(none))
        return codec;
    JsonReader reader(value, source, path);
    codec.forward = readCodec(reader, "forward");
    codec.backward = readCodec(reader, "backward");
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return codec;
}

}  // namespace hearth
