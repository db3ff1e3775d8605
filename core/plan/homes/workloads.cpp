#include "core/plan/homes/workloads.h"

#include <QFileInfo>
#include <array>

#include "core/base/json_reader.h"
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

struct Analytic {
    const char *name;
    Workload (*make)();
};
constexpr std::array analytic{Analytic{"bert-small", bertSmall},
                              Analytic{"efficientnet-b1", [] { return efficientNetB1(); }}};

qint64 positionsOf(const Shape &shape) {
    return elementCount(shape) / shape.front();
}

void count(LayerCounter &counter, const Op &op) {
    const qint64 in = elementCount(op.inputShape), out = elementCount(op.outputShape);
    switch (op.kind) {
        case OpKind::Convolution: {
            const qint64 weights = qint64{op.out} * (op.in / op.groups) * op.kernel * op.kernel;
            const qint64 macs = weights * positionsOf(op.outputShape);
            counter.parameters(weights + (op.bias ? op.out : 0)).macs(macs);
            counter.op(2 * static_cast<double>(macs), in, out, in);
            break;
        }
        case OpKind::Linear:
            counter.linear(op.in, op.out, 1, op.bias);
            break;
        case OpKind::BatchNorm:
            counter.batchNorm(op.in, positionsOf(op.inputShape));
            break;
        case OpKind::ReLU:
        case OpKind::ReLU6:
            counter.inPlace(in);
            break;
        case OpKind::MaxPool:
            counter.op(static_cast<double>(in), in, out, in + 2 * out);  // its input and 64-bit places
            break;
        case OpKind::AveragePool:
        case OpKind::GlobalAveragePool:
            counter.op(static_cast<double>(in), in, out, in);
            break;
        case OpKind::Dropout:
            if (op.probability > 0)
                counter.op(static_cast<double>(in), in, out, in);  // the mask
            break;
        case OpKind::Flatten:
            break;
    }
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
    workload.inputBytes = elementCount(model.inputShape);
    for (const Layer &layer : model.layers) {
        LayerCounter counter(layer.name);
        for (const auto *ops : {&layer.main, &layer.shortcut})
            for (const Op &op : *ops)
                count(counter, op);
        const qint64 out = elementCount(layer.shape.output);
        if (layer.residual)
            counter.add(out);
        for (const Op &op : layer.after)
            count(counter, op);
        workload.layers.push_back(counter.minimumSamples(layer.shape.minimumSamples).finish(out));
    }
    return workload;
}

QStringList analyticWorkloads() {
    QStringList names;
    for (const Analytic &each : analytic)
        names << QLatin1String(each.name);
    return names;
}

Result<Workload> loadWorkload(const QString &nameOrPath) {
    for (const Analytic &each : analytic) {
        if (nameOrPath == QLatin1String(each.name))
            return each.make();
    }
    if (!builtinModels().contains(nameOrPath) && !QFileInfo(nameOrPath).isFile()) {
        return fail(
            QStringLiteral("model.unknown"), QStringLiteral("The model \"%1\" is unknown.").arg(nameOrPath.left(200)),
            QStringLiteral("It is neither built in, nor a file, nor one of those that only environments know (%1).")
                .arg(analyticWorkloads().join(QStringLiteral(", "))),
            didYouMean(nameOrPath, builtinModels() + analyticWorkloads()));
    }
    const auto model = loadModel(nameOrPath);
    if (!model)
        return tl::unexpected(model.error());
    return workloadOf(*model);
}

}  // namespace hearth
