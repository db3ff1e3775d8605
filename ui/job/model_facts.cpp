#include "ui/job/model_facts.h"

#include <QJsonArray>
#include <QSet>
#include <QStringList>

#include "core/model/adapters.h"
#include "core/model/import/open_model.h"

namespace hearth {

namespace {

/// The last op with weights; of a network that is described by layers the last such layer.
QString headOf(const Model &model) {
    for (auto layer = model.layers.rbegin(); layer != model.layers.rend(); ++layer) {
        if (!model.isGraph && layer->shape.parameterCount() > 0)
            return layer->name;
        for (auto op = layer->ops.rbegin(); model.isGraph && op != layer->ops.rend(); ++op) {
            if (op->tensors > 0)
                return op->name;
        }
    }
    return {};
}

Result<Model> withHeadAlone(const Model &model) {
    const QString head = headOf(model);
    const QString key = model.isGraph ? QStringLiteral("graph") : QStringLiteral("layers");
    QStringList holders;
    for (const Layer &layer : model.layers) {
        if (!model.isGraph && !layer.shape.tensors.empty())
            holders << layer.name;
        for (const Op &op : layer.ops) {
            if (model.isGraph && op.tensors > 0)
                holders << op.name;
        }
    }
    const QSet<QString> frozen(holders.begin(), holders.end());
    QJsonObject description = model.toJson();
    QJsonArray list = description[key].toArray();
    for (qsizetype i = 0; i < list.size(); ++i) {
        QJsonObject node = list[i].toObject();
        const QString name = node[QStringLiteral("name")].toString();
        if (name != head && frozen.contains(name))
            node[QStringLiteral("frozen")] = true;
        list[i] = node;
    }
    description[key] = list;
    return Model::fromJson(description, model.name);
}

Result<Model> networkOf(const Model &model, TrainedPart part) {
    AdapterSpec spec;
    switch (part) {
        case TrainedPart::All:
            return model;
        case TrainedPart::Lora:
            return withAdapters(model, spec);
        case TrainedPart::Bottleneck:
            spec.kind = AdapterSpec::Kind::Bottleneck;
            return withAdapters(model, spec);
        case TrainedPart::Head:
            return withHeadAlone(model);
    }
    return model;
}

}  // namespace

ModelFacts readModelFacts(const QString &name, DType dtype) {
    ModelFacts facts;
    facts.name = name;
    Result<ImportedModel> opened = openModel(name);
    if (!opened) {
        facts.error = opened.error();
        return facts;
    }
    facts.notes = std::move(opened->notes);
    for (const TrainedPart which : trainedParts) {
        ModelFacts::Part &part = facts.parts[static_cast<std::size_t>(which)];
        if (const auto network = networkOf(opened->model, which))
            part.memory = trainingMemory(*network, dtype);
        else
            part.why = network.error();
    }
    facts.model = std::move(opened->model);
    return facts;
}

qint64 leastBytes(const TrainingMemory &memory, int optimizerBuffers, qint64 runtimeBytes) {
    return runtimeBytes + memory.weights + memory.gradients * (1 + optimizerBuffers) + memory.activations;
}

}  // namespace hearth
