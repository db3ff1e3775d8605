#include "ui/job/model_facts.h"

#include <QFileInfo>

#include "core/model/adapters.h"
#include "core/model/catalogue.h"
#include "core/model/import/open_model.h"
#include "core/model/model_name.h"
#include "core/run/job.h"

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

/// What a job says to train that part of a network.
ModelFacts::Part usualPart(const Model &model, TrainedPart part) {
    ModelFacts::Part usual;
    if (part == TrainedPart::Head) {
        usual.freeze = QStringList{QStringLiteral("*"), QStringLiteral("!") + headOf(model)};
    } else if (part != TrainedPart::All) {
        usual.adapters.emplace();
        usual.adapters->kind = part == TrainedPart::Lora ? AdapterSpec::Kind::Lora : AdapterSpec::Kind::Bottleneck;
        usual.targets = usualTargets(model, usual.adapters->kind);
        // Names from elsewhere may tell nothing.
        if (usual.targets.isEmpty() && model.isGraph)
            usual.adapters->targets = QStringList{QStringLiteral("*")};
    }
    return usual;
}

}  // namespace

TrainedPart trainedPartOf(const Job &job) {
    if (job.adapters)
        return job.adapters->kind == AdapterSpec::Kind::Lora ? TrainedPart::Lora : TrainedPart::Bottleneck;
    return job.freeze.isEmpty() ? TrainedPart::All : TrainedPart::Head;
}

ModelFacts readModelFacts(const QString &name, DType dtype) {
    ModelFacts facts;
    facts.name = name;
    Result<ImportedModel> opened = openModel(name);
    if (!opened) {
        facts.error = opened.error();
        facts.isGone = !isBuiltinModel(name) && !QFileInfo::exists(ModelName::split(name).base);
        return facts;
    }
    facts.notes = std::move(opened->notes);
    for (const TrainedPart which : trainedParts) {
        ModelFacts::Part &part = facts.parts[static_cast<std::size_t>(which)];
        part = usualPart(opened->model, which);
        Job job;
        job.adapters = part.adapters;
        job.freeze = part.freeze;
        if (const auto network = networkOf(job, opened->model)) {
            part.memory = trainingMemory(*network, dtype);
            part.trained = network->elements(TensorRole::Trainable);
        } else {
            part.why = network.error();
        }
    }
    facts.model = std::move(opened->model);
    return facts;
}

qint64 leastBytes(const TrainingMemory &memory, const OptimizerState &optimizer, qint64 runtimeBytes) {
    return runtimeBytes + memory.weights + memory.gradients + memory.optimizerBytes(optimizer) + memory.activations;
}

}  // namespace hearth
