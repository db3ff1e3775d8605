#include "core/model/import/initial_weights.h"

#include <QSet>
#include <bit>
#include <cmath>

#include "core/model/init.h"
#include "core/model/safetensors.h"

namespace hearth {
namespace {

float fromBfloat16(quint16 bits) {
    return std::bit_cast<float>(static_cast<quint32>(bits) << 16);
}

float fromFloat16(quint16 bits) {
    const int exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
    const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 0)
        return sign * std::ldexp(static_cast<float>(fraction), -24);
    if (exponent == 0x1f)
        return fraction == 0 ? sign * INFINITY : NAN;
    return sign * std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
}

template <class To, class From, class Read>
std::shared_ptr<Buffer> convertedBy(const Buffer &from, qint64 elements, Read read) {
    auto to = Buffer::allocate(elements * static_cast<qint64>(sizeof(To)));
    const auto *source = reinterpret_cast<const From *>(from.data());
    auto *target = reinterpret_cast<To *>(to->data());
    for (qint64 i = 0; i < elements; ++i)
        target[i] = static_cast<To>(read(source[i]));
    return to;
}

template <class To>
std::shared_ptr<Buffer> convertedTo(const NamedTensor &tensor) {
    const qint64 elements = tensor.spec.elements();
    const auto same = [](auto value) { return value; };
    switch (tensor.dtype) {
        case DType::Float32:
            return convertedBy<To, float>(*tensor.data, elements, same);
        case DType::Float64:
            return convertedBy<To, double>(*tensor.data, elements, same);
        case DType::Float16:
            return convertedBy<To, quint16>(*tensor.data, elements, fromFloat16);
        case DType::BFloat16:
            return convertedBy<To, quint16>(*tensor.data, elements, fromBfloat16);
        default:
            return nullptr;
    }
}

Result<std::shared_ptr<Buffer>> dataOf(const TensorSource &source, const NamedTensor &wanted) {
    const auto tensor = source.read(wanted.spec.name);
    if (!tensor)
        return tl::unexpected(tensor.error());
    if (tensor->dtype == wanted.dtype)
        return tensor->data;
    auto data = wanted.dtype == DType::Float64 ? convertedTo<double>(*tensor) : convertedTo<float>(*tensor);
    if (!data) {
        return fail(QStringLiteral("weights.mismatch"),
                    sentence("The tensor \"%1\" cannot be trained.").arg(wanted.spec.name),
                    sentence("Its elements are whole numbers (%1).").arg(safetensorsName(tensor->dtype)),
                    sentence("Save the network in float32, float16 or bfloat16."));
    }
    return data;
}

}  // namespace

Result<void> saveInitialWeights(const ImportedModel &imported, quint64 seed, DType dtype, const QString &path) {
    const Model &model = imported.model;
    std::vector<NamedTensor> tensors;
    QSet<QString> known;
    for (int l = 0; l < static_cast<int>(model.layers.size()); ++l) {
        std::vector<NamedTensor> drawn;  // only where it is needed
        const std::vector<TensorSpec> &specs = model.layers[static_cast<std::size_t>(l)].shape.tensors;
        for (std::size_t t = 0; t < specs.size(); ++t) {
            if (known.contains(specs[t].name))
                continue;
            known.insert(specs[t].name);
            const bool came = imported.weights && imported.weights->find(specs[t].name).has_value();
            if (!came && drawn.empty())
                drawn = initialise(model, l, seed, dtype);
            tensors.push_back(came ? NamedTensor{specs[t], dtype, nullptr} : std::move(drawn[t]));
        }
    }
    return writeSafetensors(path, std::move(tensors), {{QStringLiteral("format"), QStringLiteral("pt")}}, {},
                            [&](const NamedTensor &tensor) { return dataOf(*imported.weights, tensor); });
}

}  // namespace hearth
