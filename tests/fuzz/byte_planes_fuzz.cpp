// Packed chunks of states as a hostile peer may send them, and any bytes there and back.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/wire/byte_planes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size < 2)
        return 0;
    const auto rest = std::as_bytes(std::span(data + 2, size - 2));
    // Memory of exactly this size: what lies beyond it is a sanitizer's.
    const auto raw = hearth::Buffer::allocate(data[0] | (data[1] & 15) << 8);
    static_cast<void>(hearth::unpackPlanes(rest, raw->bytes()));
    if (const auto packed = hearth::packPlanes(rest)) {
        const auto back = hearth::Buffer::allocate(static_cast<qsizetype>(rest.size()));
        if (packed->bytes().size() >= rest.size() || !hearth::unpackPlanes(packed->bytes(), back->bytes()) ||
            !std::ranges::equal(rest, back->bytes()))
            std::abort();
    }
    return 0;
}
