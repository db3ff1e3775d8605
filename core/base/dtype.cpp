#include "core/base/dtype.h"

#include <array>
#include <utility>

namespace hearth {
namespace {
constexpr std::array<std::pair<DType, const char *>, 7> names{{{DType::Float32, "F32"},
                                                               {DType::Float64, "F64"},
                                                               {DType::Int64, "I64"},
                                                               {DType::UInt8, "U8"},
                                                               {DType::Int32, "I32"},
                                                               {DType::Float16, "F16"},
                                                               {DType::BFloat16, "BF16"}}};
}

QString safetensorsName(DType type) {
    for (const auto &[candidate, name] : names) {
        if (candidate == type)
            return QLatin1String(name);
    }
    return {};
}

std::optional<DType> dtypeFromSafetensors(QStringView name) {
    for (const auto &[type, text] : names) {
        if (name == QLatin1String(text))
            return type;
    }
    return std::nullopt;
}

}  // namespace hearth
