// Tells whether this processor finds the bytes that all have to find. Without Qt, so that it runs wherever qemu runs
// it.
#include "tests/core/base/codec_bytes.h"

#include <cstdio>

int main() {
    const std::uint64_t found = hearth::codec_bytes::found();
    std::printf("%016llx\n", static_cast<unsigned long long>(found));
    return found == hearth::codec_bytes::expected ? 0 : 1;
}
