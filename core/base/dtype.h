// Element types of tensors on the wire, on disk and in LibTorch.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace hearth {

/// Values are part of the wire format: never renumber.
enum class DType : std::uint8_t {
    Float32 = 1,
    Float64 = 2,
    Int64 = 3,
    UInt8 = 4,
    Int32 = 5,
    Float16 = 6,
    BFloat16 = 7
};

constexpr int byteSize(DType type) {
    switch (type) {
        case DType::Float64:
        case DType::Int64:
            return 8;
        case DType::Float32:
        case DType::Int32:
            return 4;
        case DType::Float16:
        case DType::BFloat16:
            return 2;
        case DType::UInt8:
            return 1;
    }
    return 0;
}

constexpr bool isValid(DType type) {
    return byteSize(type) != 0;
}

/// Names as safetensors writes them: "F32", "F64", "I64", "U8", "I32", "F16", "BF16".
QString safetensorsName(DType type);
std::optional<DType> dtypeFromSafetensors(QStringView name);

}  // namespace hearth
