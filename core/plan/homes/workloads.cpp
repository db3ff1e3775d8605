#include "core/plan/homes/workloads.h"

#include <algorithm>

#include "core/model/catalogue.h"
#include "core/model/cut_slots.h"
#include "core/model/loss_facts.h"
#include "core/profile/declared_facts.h"

namespace hearth {
namespace {

template <class Number>
Number sumOf(const std::vector<WorkloadLayer> &layers, Number WorkloadLayer::*member) {
    Number sum = 0;
    for (const WorkloadLayer &layer : layers)
        sum += layer.*member;
    return sum;
}

}  // namespace

double Workload::work() const {
    return sumOf(layers, &WorkloadLayer::work);
}

int Workload::kernels() const {
    return sumOf(layers, &WorkloadLayer::kernels);
}

double Workload::flops() const {
    return sumOf(layers, &WorkloadLayer::flops);
}

Workload workloadOf(const Model &model) {
    constexpr qint64 elementBytes = byteSize(DType::Float32);
    Workload workload;
    workload.name = model.name;
    workload.modelSha256 = QString::fromLatin1(model.sha256());
    workload.parameterCount = model.parameterCount();
    for (const ModelInput &input : model.inputs)  // pictures travel as bytes
        workload.inputBytes +=
            elementCount(input.shape) * (input.kind == ValueKind::Int64 ? byteSize(DType::Int64) : 1);
    const Slot logits = cutSlots(model, model.layers.size(), DType::Float32).front();
    workload.labelBytes = LossFacts::byName(QStringLiteral("cross-entropy"))->label(logits.shape).bytes();
    std::vector<LayerFacts> facts = declaredFacts(model, DType::Float32);
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        WorkloadLayer layer;
        layer.facts = std::move(facts[l]);
        for (const Op &op : model.layers[l].ops) {
            if (!op.cost.launched)
                continue;
            qint64 elements = elementCount(op.outputShape);
            for (const Shape &shape : op.inputShapes)
                elements += elementCount(shape);
            const qint64 moved = elementBytes * elements;
            layer.flops += op.cost.flops;
            layer.work += std::max(op.cost.flops, flopsPerByte * static_cast<double>(moved));
            layer.facts.savedBytes += elementBytes * op.kept();
            layer.facts.workspaceBytes = std::max(layer.facts.workspaceBytes, moved);
            ++layer.kernels;
        }
        workload.layers.push_back(std::move(layer));
    }
    return workload;
}

Result<Workload> loadWorkload(const QString &nameOrPath) {
    const auto model = loadModel(nameOrPath);
    if (!model)
        return tl::unexpected(model.error());
    return workloadOf(*model);
}

}  // namespace hearth
