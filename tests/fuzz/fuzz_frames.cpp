// Frames as a hostile peer may send them: the first byte chooses how they are cut, the rest is the stream.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/wire/frame_reader.h"
#include "core/wire/packed_tensor.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::size_t piece = 1 + data[0];
    // Small limits: what is looked for is reading beyond them, not how much memory a machine has.
    hearth::FrameReader reader({1 << 16, 1 << 20});
    std::size_t at = 1;
    while (at < size) {
        const auto wanted = reader.wanted();
        if (wanted.empty())
            __builtin_trap();
        const std::size_t count = std::min({piece, wanted.size(), size - at});
        std::memcpy(wanted.data(), data + at, count);
        at += count;
        auto event = reader.filled(static_cast<qsizetype>(count));
        if (!event)
            return 0;
        if (const auto *tensor = std::get_if<hearth::TensorFrame>(&*event)) {
            if (!tensor->header.validate(1 << 20) ||
                static_cast<quint64>(tensor->payload->size()) != tensor->header.payloadBytes())
                __builtin_trap();
            const hearth::TensorHeader &header = tensor->header;
            if (header.dtype == hearth::DType::Float32 || header.dtype == hearth::DType::Float64) {
                const auto values = hearth::valuesOf(*tensor);
                // Only of what is packed the header may say more than is there.
                const quint64 expected = header.lacksValues() ? header.encodedBytes : header.rawBytes;
                if (values ? static_cast<quint64>((*values)->size()) != expected : header.packedBytes == 0)
                    __builtin_trap();
            }
        }
    }
    return 0;
}
