// Weights of a file in the places of a model.
#include <QFloat16>
#include <QHash>
#include <QSet>
#include <algorithm>
#include <bit>

#include "core/base/json_reader.h"
#include "core/model/safetensors.h"

namespace hearth {
namespace {

struct BFloat {
    quint16 bits;
};

float widened(qfloat16 value) {
    return static_cast<float>(value);
}
float widened(BFloat value) {
    return std::bit_cast<float>(static_cast<quint32>(value.bits) << 16);
}
float widened(float value) {
    return value;
}
double widened(double value) {
    return value;
}

template <class To, class From>
std::shared_ptr<Buffer> convert(const Buffer &from, qint64 elements) {
    auto to = Buffer::allocate(elements * static_cast<qint64>(sizeof(To)));
    const auto *source = reinterpret_cast<const From *>(from.data());
    std::transform(source, source + elements, reinterpret_cast<To *>(to->data()),
                   [](From value) { return static_cast<To>(widened(value)); });
    return to;
}

template <class To>
std::shared_ptr<Buffer> convertedTo(const NamedTensor &tensor) {
    const qint64 elements = tensor.spec.elements();
    switch (tensor.dtype) {
        case DType::Float16:
            return convert<To, qfloat16>(*tensor.data, elements);
        case DType::BFloat16:
            return convert<To, BFloat>(*tensor.data, elements);
        case DType::Float32:
            return convert<To, float>(*tensor.data, elements);
        default:
            Q_ASSERT(tensor.dtype == DType::Float64);
            return convert<To, double>(*tensor.data, elements);
    }
}

tl::unexpected<Error> doesNotBelong(const Model &model, const QString &source, const Sentence &cause,
                                    const Sentence &advice) {
    return fail(QStringLiteral("weights.mismatch"),
                sentence("%1 has no weights for the model \"%2\".").arg(source, model.name), cause, advice);
}

Sentence nearestHint(const QString &word, const QSet<QString> &names) {
    constexpr qsizetype worthComparing = 20'000;
    const auto near = names.size() <= worthComparing ? nearestWord(word, names.values()) : std::nullopt;
    return near ? sentence("There is \"%1\" instead.").arg(*near) : Sentence();
}

}  // namespace

bool isFloatingPoint(DType type) {
    return type == DType::Float16 || type == DType::BFloat16 || type == DType::Float32 || type == DType::Float64;
}

std::shared_ptr<Buffer> valuesAs(const NamedTensor &tensor, DType dtype) {
    if (tensor.dtype == dtype)
        return tensor.data;
    return dtype == DType::Float64 ? convertedTo<double>(tensor) : convertedTo<float>(tensor);
}

Result<std::vector<std::vector<NamedTensor>>> weightsForModel(const Model &model, std::vector<NamedTensor> tensors,
                                                              DType dtype, const QString &source) {
    QHash<QString, NamedTensor *> byName;
    QSet<QString> strangers;
    for (NamedTensor &tensor : tensors) {
        byName.insert(tensor.spec.name, &tensor);
        strangers.insert(tensor.spec.name);
    }
    for (const TensorSpec &spec : model.tensors())
        strangers.remove(spec.name);
    const Sentence advice =
        sentence("Choose weights saved from this model (hearth model %1 lists its tensors).").arg(model.name);

    std::vector<std::vector<NamedTensor>> layers;
    for (const Layer &layer : model.layers) {
        std::vector<NamedTensor> &list = layers.emplace_back();
        for (const TensorSpec &spec : layer.shape.tensors) {
            if (spec.tiedTo) {
                const NamedTensor &first =
                    layers[static_cast<std::size_t>(spec.tiedTo->layer)][static_cast<std::size_t>(spec.tiedTo->tensor)];
                list.push_back({spec, dtype, first.data});
                continue;
            }
            NamedTensor *found = byName.take(spec.name);
            if (!found) {
                return doesNotBelong(model, source,
                                     Sentence::joined({sentence("The tensor \"%1\" is missing.").arg(spec.name),
                                                       nearestHint(spec.name, strangers)}),
                                     advice);
            }
            if (found->spec.shape != spec.shape) {
                return doesNotBelong(model, source,
                                     sentence("The tensor \"%1\" is %2, but the model wants %3.")
                                         .arg(spec.name, shapeText(found->spec.shape), shapeText(spec.shape)),
                                     advice);
            }
            if (!isFloatingPoint(found->dtype)) {
                return doesNotBelong(
                    model, source,
                    sentence("The tensor \"%1\" has elements of type %2, which are no floating-point numbers.")
                        .arg(spec.name, safetensorsName(found->dtype)),
                    advice);
            }
            list.push_back({spec, dtype, valuesAs(*found, dtype)});
            found->data.reset();
        }
    }
    if (!byName.isEmpty()) {
        QStringList rest = byName.keys();
        rest.sort();
        return doesNotBelong(
            model, source, sentence("The tensor \"%1\" is not part of the model.").arg(rest.first().left(100)), advice);
    }
    return layers;
}

}  // namespace hearth
