#include "core/base/codec.h"

#include <algorithm>
#include <array>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

constexpr Codec none{.name = "none", .encodedBytes = [](DType, quint64 rawBytes) { return rawBytes; }};

constexpr std::array all{&none};

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

Payload encoded(const Codec &codec, DType type, Payload raw) {
    if (!codec.encode)
        return raw;
    const auto bytes = codec.encodedBytes(type, static_cast<quint64>(raw.size));
    auto buffer = Buffer::allocate(static_cast<qsizetype>(bytes));
    codec.encode(type, {raw.data, static_cast<std::size_t>(raw.size)}, buffer->bytes());
    return Payload::of(std::move(buffer));
}

std::shared_ptr<Buffer> decoded(const Codec &codec, DType type, std::shared_ptr<Buffer> payload, quint64 rawBytes) {
    if (!codec.decode)
        return payload;
    auto buffer = Buffer::allocate(static_cast<qsizetype>(rawBytes));
    codec.decode(type, payload->bytes(), buffer->bytes());
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
