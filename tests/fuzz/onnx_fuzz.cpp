// ONNX files: they come from anywhere.
#include <cstdlib>

#include "core/model/import/onnx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto imported = importOnnx(std::as_bytes(std::span(data, size)), QStringLiteral("fuzz.onnx"));
    if (!imported)
        return 0;
    // What was accepted is a network with all its weights.
    for (const TensorSpec &spec : imported->model.tensors()) {
        const auto facts = imported->weights->find(spec.name);
        if (!facts || facts->shape != spec.shape)
            std::abort();
        // From memory there is no file to read from: only small tensors have bytes.
        if (const auto tensor = imported->weights->read(spec.name);
            tensor && tensor->data->size() != elementCount(facts->shape) * byteSize(facts->dtype))
            std::abort();
    }
    return 0;
}
