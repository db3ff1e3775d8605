#include "core/model/import/initial_weights.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QSet>
#include <QStandardPaths>

#include "core/model/init.h"
#include "core/model/safetensors.h"

namespace hearth {
namespace {

Result<std::shared_ptr<Buffer>> dataOf(const TensorSource &source, const NamedTensor &wanted) {
    const auto tensor = source.read(wanted.spec.name);
    if (!tensor)
        return tl::unexpected(tensor.error());
    if (!isFloatingPoint(tensor->dtype)) {
        return fail(QStringLiteral("weights.mismatch"),
                    sentence("The tensor \"%1\" cannot be trained.").arg(wanted.spec.name),
                    sentence("Its elements are whole numbers (%1).").arg(safetensorsName(tensor->dtype)),
                    sentence("Save the network in float32, float16 or bfloat16."));
    }
    return valuesAs(*tensor, wanted.dtype);
}

}  // namespace

QString initialWeightsFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/hearth/initial-weights");
}

bool areInitialWeights(const QString &path) {
    return QFileInfo(path).path() == initialWeightsFolder();
}

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

Result<QByteArray> initialWeightsKey(const ImportedModel &imported, quint64 seed, DType dtype) {
    QCryptographicHash hash(QCryptographicHash::Blake2b_256);  // there may be gigabytes
    for (const QByteArray &part :
         {imported.model.sha256(), QByteArray::number(seed), safetensorsName(dtype).toUtf8()}) {
        hash.addData(part);
        hash.addData("\n");
    }
    QSet<QString> known;
    for (const auto &layer : imported.model.layers) {
        for (const TensorSpec &spec : layer.shape.tensors) {
            if (known.contains(spec.name) || !imported.weights || !imported.weights->find(spec.name))
                continue;
            known.insert(spec.name);
            const auto tensor = imported.weights->read(spec.name);
            if (!tensor)
                return tl::unexpected(tensor.error());
            for (const QByteArray &part : {spec.name.toUtf8(), safetensorsName(tensor->dtype).toUtf8()}) {
                hash.addData(part);
                hash.addData("\n");
            }
            hash.addData(QByteArrayView(reinterpret_cast<const char *>(tensor->data->data()), tensor->data->size()));
        }
    }
    return hash.result().toHex();
}

}  // namespace hearth
