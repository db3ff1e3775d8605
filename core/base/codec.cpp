#include "core/base/codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/block_codecs.h"
#include "core/base/json_reader.h"

namespace hearth {
namespace {

constexpr Codec none{.name = "none", .encodedBytes = [](DType, quint64 rawBytes) { return rawBytes; }};

constexpr std::array all{&none, &bf16Codec, &bfp8Codec, &bfp4Codec};

quint64 partsOf(quint64 rawBytes, quint64 samples) {
    return samples == 0 || rawBytes % samples != 0 ? 1 : samples;
}

QString nameOf(const Codec &codec) {
    return QString::fromLatin1(codec.name);
}

const Codec *readCodec(JsonReader &reader, const char *key) {
    QStringList names;
    for (const Codec *codec : all)
        names.append(nameOf(*codec));
    const QString name = reader.choice(key, names, nameOf(none));
    return all[static_cast<std::size_t>(std::max<qsizetype>(0, names.indexOf(name)))];
}

}  // namespace

std::span<const Codec *const> codecs() {
    return all;
}

const Codec &noCodec() {
    return none;
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
    const quint64 parts = partsOf(rawBytes, samples);
    const std::span<const std::byte> from = std::as_const(*payload).bytes();
    const std::size_t part = rawBytes / parts, written = from.size() / parts;
    for (quint64 i = 0; i < parts; ++i)
        codec.decode(type, from.subspan(i * written, written), buffer->bytes().subspan(i * part, part));
    return buffer;
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
