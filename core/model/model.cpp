#include "core/model/model.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/model/layer.h"
#include "core/model/network_graph.h"
#include "core/model/ties.h"

namespace hearth {
namespace {

Shape readInput(JsonReader &reader) {
    const QJsonArray dims = reader.array("input");
    Shape shape;
    for (const QJsonValue dim : dims) {
        const int value = dim.toInt(0);
        if (value < 1 || value > ModelLimits::dimension || shape.size() == 3)
            break;
        shape.push_back(value);
    }
    if (reader.ok() && (dims.size() != 3 || shape.size() != 3 || elementCount(shape) > ModelLimits::elements)) {
        reader.reject(QStringLiteral("input"), sentence("It is not the shape of a sample."),
                      sentence("Give [channels, height, width], each from 1 to %1.").arg(ModelLimits::dimension));
        return {};
    }
    return shape;
}

Result<void> checkWhole(const Model &model, const QString &source) {
    qint64 elements = 0;
    for (const Layer &layer : model.layers) {
        for (const TensorSpec &tensor : layer.shape.tensors)
            elements += tensor.tiedTo ? 0 : tensor.elements();
        if (elements > ModelLimits::totalElements) {
            return fail(QStringLiteral("model.too-large"), sentence("%1: the model is too large.").arg(source),
                        sentence("It has more than %1 weights.").arg(ModelLimits::totalElements));
        }
    }
    return {};
}

Result<void> checkClasses(const Model &model, const QString &source) {
    const Shape &last = model.layers.back().shape.outputs.front().shape;
    if (last != Shape{model.classes}) {
        return fail(
            QStringLiteral("model.shape"),
            sentence("%1: layer \"%2\" does not fit as the last one.").arg(source, model.layers.back().name),
            sentence("It gives %1 but the loss expects one value for each of %2 {2|class|classes}.")
                .arg(shapeText(last))
                .arg(model.classes),
            sentence("End with a linear op of %1 {1|feature|features}, or correct \"classes\".").arg(model.classes));
    }
    return {};
}

/// The form in which layers are given.
Result<Model> readLayers(JsonReader &reader) {
    Model model;
    model.inputs = {{QStringLiteral("input"), ValueKind::Real, readInput(reader)}};
    model.classes = static_cast<int>(reader.integer("classes", 1, ModelLimits::dimension));
    const QJsonArray layers = reader.array("layers");
    if (reader.ok() && (layers.isEmpty() || layers.size() > ModelLimits::layers)) {
        reader.reject(QStringLiteral("layers"), sentence("There are %1.").arg(layers.size()),
                      sentence("Give 1 to %1 layers.").arg(ModelLimits::layers));
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());

    ValueSpec value{ValueKind::Real, model.inputShape(), false};
    QSet<QString> names;
    for (qsizetype i = 0; i < layers.size(); ++i) {
        const QString path = jsonPointer(QStringLiteral("/layers"), i);
        auto layer = detail::readLayer(layers[i], reader.source(), path, value);
        if (!layer)
            return tl::unexpected(layer.error());
        if (names.contains(layer->name)) {
            return fail(QStringLiteral("model.duplicate-name"),
                        sentence("%1: the layer name \"%2\" is there twice.").arg(reader.source(), layer->name),
                        sentence("Weights are named after their layer."), sentence("Rename %1.").arg(path));
        }
        names.insert(layer->name);
        value = layer->shape.outputs.front();
        model.layers.push_back(std::move(*layer));
    }
    if (auto classes = checkClasses(model, reader.source()); !classes)
        return tl::unexpected(classes.error());
    return model;
}

}  // namespace

Result<Model> Model::load(const QString &path) {
    return readJsonFile(path, ModelLimits::fileBytes).and_then([&path](const QJsonObject &object) {
        return fromJson(object, path);
    });
}

Result<Model> Model::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    reader.choice("format", {QStringLiteral("hearth-model/1")});
    const QString name = reader.string("name");
    if (reader.ok() && (name.isEmpty() || name.size() > ModelLimits::nameLength))
        reader.reject(
            QStringLiteral("name"),
            sentence("It has %1 characters, 1 to %2 are allowed.").arg(name.size()).arg(ModelLimits::nameLength));
    auto model = reader.has("graph") ? detail::readGraphModel(reader) : readLayers(reader);
    if (!model)
        return model;
    model->name = name;
    if (auto tied = tieTensors(model->layers, source); !tied)
        return tl::unexpected(tied.error());
    detail::markGradients(model->layers);
    if (auto whole = checkWhole(*model, source); !whole)
        return tl::unexpected(whole.error());
    return model;
}

QJsonObject Model::toJson() const {
    QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-model/1")}, {QStringLiteral("name"), name}};
    if (isGraph) {
        detail::describeGraphModel(*this, object);
        return object;
    }
    QJsonArray descriptions;
    for (const Layer &layer : layers)
        descriptions.append(layer.description);
    object[QStringLiteral("input")] = shapeJson(inputShape());
    object[QStringLiteral("classes")] = classes;
    object[QStringLiteral("layers")] = descriptions;
    return object;
}

QByteArray Model::sha256() const {
    // QJsonObject keeps its keys sorted, and Compact writes no spaces: the canonical form.
    const QByteArray text = QJsonDocument(toJson()).toJson(QJsonDocument::Compact);
    return QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
}

qint64 Model::parameterCount() const {
    return elements(TensorRole::Trainable) + elements(TensorRole::Frozen);
}

qint64 Model::elements(TensorRole role) const {
    qint64 count = 0;
    for (const Layer &layer : layers) {
        for (const TensorSpec &tensor : layer.shape.tensors)
            count += tensor.role == role && !tensor.tiedTo ? tensor.elements() : 0;
    }
    return count;
}

std::vector<TensorSpec> Model::tensors() const {
    std::vector<TensorSpec> all;
    for (const Layer &layer : layers)
        std::copy_if(layer.shape.tensors.begin(), layer.shape.tensors.end(), std::back_inserter(all),
                     [](const TensorSpec &tensor) { return !tensor.tiedTo; });
    return all;
}

}  // namespace hearth
