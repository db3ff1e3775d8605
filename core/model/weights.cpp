// Weights of a file in the places of a model.
#include <QHash>
#include <QSet>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/model/safetensors.h"

namespace hearth {
namespace {

template <class To, class From>
std::shared_ptr<Buffer> convert(const Buffer &from, qint64 elements) {
    auto to = Buffer::allocate(elements * static_cast<qint64>(sizeof(To)));
    const auto *source = reinterpret_cast<const From *>(from.data());
    std::transform(source, source + elements, reinterpret_cast<To *>(to->data()),
                   [](From value) { return static_cast<To>(value); });
    return to;
}

bool isConvertible(DType type) {
    return type == DType::Float32 || type == DType::Float64;
}

std::shared_ptr<Buffer> converted(const NamedTensor &tensor, DType dtype) {
    if (tensor.dtype == dtype)
        return tensor.data;
    const qint64 elements = tensor.spec.elements();
    return dtype == DType::Float64 ? convert<double, float>(*tensor.data, elements)
                                   : convert<float, double>(*tensor.data, elements);
}

tl::unexpected<Error> doesNotBelong(const Model &model, const QString &source, const QString &cause,
                                    const QString &advice) {
    return fail(QStringLiteral("weights.mismatch"),
                QStringLiteral("%1 has no weights for the model \"%2\".").arg(source, model.name), cause, advice);
}

QString nearestHint(const QString &word, const QSet<QString> &names) {
    constexpr qsizetype worthComparing = 20'000;
    const auto near = names.size() <= worthComparing ? nearestWord(word, names.values()) : std::nullopt;
    return near ? QStringLiteral(" There is \"%1\" instead.").arg(*near) : QString();
}

}  // namespace

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
    const QString advice =
        QStringLiteral("Choose weights saved from this model (hearth model %1 lists its tensors).").arg(model.name);

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
                return doesNotBelong(
                    model, source,
                    QStringLiteral("The tensor \"%1\" is missing.").arg(spec.name) + nearestHint(spec.name, strangers),
                    advice);
            }
            if (found->spec.shape != spec.shape) {
                return doesNotBelong(model, source,
                                     QStringLiteral("The tensor \"%1\" is %2, but the model wants %3.")
                                         .arg(spec.name, shapeText(found->spec.shape), shapeText(spec.shape)),
                                     advice);
            }
            if (!isConvertible(found->dtype)) {
                return doesNotBelong(model, source,
                                     QStringLiteral("The tensor \"%1\" has elements of type %2 instead of F32 or F64.")
                                         .arg(spec.name, safetensorsName(found->dtype)),
                                     advice);
            }
            list.push_back({spec, dtype, converted(*found, dtype)});
            found->data.reset();
        }
    }
    if (!byName.isEmpty()) {
        QStringList rest = byName.keys();
        rest.sort();
        return doesNotBelong(model, source,
                             QStringLiteral("The tensor \"%1\" is not part of the model.").arg(rest.first().left(100)),
                             advice);
    }
    return layers;
}

}  // namespace hearth
