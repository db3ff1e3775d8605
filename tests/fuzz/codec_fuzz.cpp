// What codecs of cuts decode of any bytes, and encode of any numbers. The first bytes: codec, type, samples, numbers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/base/codec.h"

using namespace hearth;

namespace {

std::shared_ptr<Buffer> bufferOf(std::span<const std::byte> bytes) {
    auto buffer = Buffer::allocate(static_cast<qsizetype>(bytes.size()));
    std::ranges::copy(bytes, buffer->data());
    return buffer;
}

bool isFinite(DType type, const std::byte *at) {
    if (type == DType::Float32) {
        float value = 0;
        std::memcpy(&value, at, sizeof value);
        return std::isfinite(value);
    }
    double value = 0;
    std::memcpy(&value, at, sizeof value);
    return std::isfinite(value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    constexpr std::size_t choices = 4;
    if (size < choices)
        return 0;
    const Codec &codec = *codecs()[data[0] % codecs().size()];
    const DType type = data[1] & 1 ? DType::Float64 : DType::Float32;
    const quint64 samples = 1 + data[2] % 5, width = static_cast<quint64>(byteSize(type));
    const std::span<const std::byte> rest = std::as_bytes(std::span(data + choices, size - choices));
    // As a frame's header is checked: so many bytes and no others.
    quint64 values = samples * (data[3] % 80);
    while (values > 0 && encodedBytes(codec, type, values * width, samples) > rest.size())
        values -= samples;
    const auto payload = bufferOf(rest.first(encodedBytes(codec, type, values * width, samples)));
    if (static_cast<quint64>(decoded(codec, type, payload, values * width, samples)->size()) != values * width)
        std::abort();

    const auto raw = bufferOf(rest.first(rest.size() / (samples * width) * samples * width));
    const Rounding rounding = data[1] & 2 ? Rounding::Stochastic : Rounding::Nearest;
    const Encoded sent = encoded(codec, type, Payload::of(raw), samples, rounding);
    if (sent.codec == &noCodec())
        return 0;
    const auto back =
        decoded(*sent.codec, type, bufferOf({sent.payload.data, static_cast<std::size_t>(sent.payload.size)}),
                static_cast<quint64>(raw->size()), samples);
    for (qsizetype at = 0; at < back->size(); at += static_cast<qsizetype>(width)) {
        if (!isFinite(type, raw->data() + at) || !isFinite(type, back->data() + at))
            std::abort();
    }
    return 0;
}
