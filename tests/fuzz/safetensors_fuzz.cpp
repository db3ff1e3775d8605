// Files of weights.
#include <cstdlib>

#include "core/model/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto tensors = parseSafetensors(std::as_bytes(std::span(data, size)), QStringLiteral("fuzz"));
    if (!tensors)
        return 0;
    qint64 total = 0;
    for (const NamedTensor &tensor : *tensors) {
        if (tensor.data->size() != tensor.spec.bytes(tensor.dtype))
            std::abort();
        total += tensor.data->size();
    }
    if (total > static_cast<qint64>(size))
        std::abort();
    weightsSha256(*tensors);
    return 0;
}
