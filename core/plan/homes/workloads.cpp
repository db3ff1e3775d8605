#include "core/plan/homes/workloads.h"

#include "core/model/catalogue.h"
#include "core/plan/homes/workload_builder.h"

namespace hearth {
namespace {

using detail::LayerCounter;

template <class Number>
Number sumOf(const std::vector<WorkloadLayer> &layers, Number WorkloadLayer::*member) {
    Number sum = 0;
    for (const WorkloadLayer &layer : layers)
        sum += layer.*member;
    return sum;
}

}  // namespace

qint64 Workload::parameterCount() const {
    qint64 bytes = 0;
    for (const WorkloadLayer &layer : layers)
        bytes += layer.facts.parameterBytes;
    return bytes / byteSize(DType::Float32);
}

qint64 Workload::macs() const {
    return sumOf(layers, &WorkloadLayer::macs);
}

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
    Workload workload;
    workload.name = model.name;
    workload.modelSha256 = QString::fromLatin1(model.sha256());
    for (const ModelInput &input : model.inputs)  // pictures travel as bytes
        workload.inputBytes +=
            elementCount(input.shape) * (input.kind == ValueKind::Int64 ? byteSize(DType::Int64) : 1);
    for (const Layer &layer : model.layers) {
        LayerCounter counter(layer.name);
        counter.parameters(layer.shape.parameterCount(), layer.shape.bufferCount()).macs(layer.shape.macs);
        for (const Op &op : layer.ops) {
            qint64 in = 0;
            for (const Shape &shape : op.inputShapes)
                in += elementCount(shape);
            if (op.cost.launched)
                counter.op(op.cost.flops, in, elementCount(op.outputShape), op.kept());
        }
        const qint64 out = layer.shape.outputBytes(DType::Float32) / byteSize(DType::Float32);
        workload.layers.push_back(counter.minimumSamples(layer.shape.minimumSamples).finish(out));
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
