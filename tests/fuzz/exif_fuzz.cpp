// What cameras write into pictures.
#include <cstdint>
#include <cstdlib>

#include "core/data/exif.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const int orientation = hearth::exifOrientation(std::as_bytes(std::span(data, size)));
    if (orientation < 1 || orientation > 8)
        std::abort();
    return 0;
}
