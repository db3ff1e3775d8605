// Frames of an AllReduce as a hostile member may send them. The first bytes: members, numbers, whether they are
// rounded; then for each frame who sends it, its piece, its phase and its codec, its length, and what is in it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/base/block_codecs.h"
#include "core/train/group_sum.h"

using namespace hearth;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    std::span<const std::uint8_t> rest(data, size);
    const auto take = [&rest]() -> unsigned {
        if (rest.empty())
            return 0;
        const unsigned byte = rest.front();
        rest = rest.subspan(1);
        return byte;
    };
    const int members = 2 + static_cast<int>(take() % 4);
    const qint64 elements = take();
    const unsigned how = take();
    const DType type = how & 1 ? DType::Float64 : DType::Float32;
    const auto bytes = static_cast<std::size_t>(elements * byteSize(type));
    std::vector<std::byte> values(bytes), owed(bytes);
    const SumLayout layout = SumLayout::make(elements, members, type, how & 2 ? bfp8Codec : noCodec());
    GroupSum sum(layout, 0, type, [](int, int, GroupSum::Phase, const Encoded &) {});
    const auto start = [&] {
        sum.start(values.data(), {layout.codec == &noCodec() ? nullptr : owed.data(), (how & 8) != 0});
        sum.ready(0, elements);
    };
    if (how & 4)
        start();
    while (!rest.empty()) {
        const int from = static_cast<int>(take() % 6), piece = static_cast<int>(take() % 6);
        const unsigned written = take();
        const std::size_t eights = take(), ones = take() % 8;
        const auto length = std::min(8 * eights + ones, rest.size());
        auto payload = Buffer::allocate(static_cast<qsizetype>(length));
        std::ranges::copy(std::as_bytes(rest.first(length)), payload->data());
        rest = rest.subspan(length);
        const Codec &codec = written & 2 ? bfp8Codec : noCodec();
        (void)sum.deliver(from, piece, written & 1 ? GroupSum::Phase::Sum : GroupSum::Phase::Contribution, payload,
                          codec);
        if (sum.done() && sum.isOwed() && layout.codec == &noCodec())
            std::abort();  // nobody rounds here
    }
    if (!sum.started())
        start();
    return 0;
}
