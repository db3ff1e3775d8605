#include "core/model/import/onnx_export.h"

#include <QHash>
#include <QIODevice>
#include <limits>

#include "core/base/files.h"
#include "core/model/import/onnx.h"
#include "core/model/import/onnx_writer.h"

namespace hearth {
namespace {

using namespace onnx_export;

Name nameOf(const QString &text) {
    return text.toStdString();
}

void describeValue(ONNX_NAMESPACE::ValueInfoProto &info, const Name &name, int type, const Shape &sample) {
    info.set_name(name);
    auto *tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape()->add_dim()->set_dim_param("batch");
    for (const qint64 dim : sample)
        tensor->mutable_shape()->add_dim()->set_dim_value(dim);
}

/// Each weight once, by its name in the network.
Result<void> addWeights(Writer &writer, const Model &model, const std::vector<NamedTensor> &weights) {
    QHash<QString, const NamedTensor *> byName;
    for (const NamedTensor &tensor : weights)
        byName.insert(tensor.spec.name, &tensor);
    qint64 bytes = 0;
    for (const TensorSpec &spec : model.tensors()) {
        const NamedTensor *found = byName.take(spec.name);
        if (!found)
            continue;
        bytes += found->data->size();
        constexpr qint64 most = std::numeric_limits<int>::max() - (64 << 20);
        if (bytes > most) {
            return fail(QStringLiteral("onnx.too-large"),
                        sentence("The model \"%1\" cannot be written as an ONNX file.").arg(model.name),
                        sentence("Its weights have more than the 2 GiB that such a file may have."),
                        sentence("Save them as safetensors."));
        }
        // Constants stay constants for who reads it.
        ONNX_NAMESPACE::TensorProto &tensor =
            isOnnxConstant(spec.name) ? writer.constant(nameOf(spec.name)) : *writer.graph().add_initializer();
        if (!isOnnxConstant(spec.name))
            tensor.set_name(nameOf(spec.name));
        tensor.set_data_type(writer.realType());
        for (const qint64 dim : spec.shape)
            tensor.add_dims(dim);
        tensor.set_raw_data(found->data->data(), static_cast<std::size_t>(found->data->size()));
    }
    return {};
}

/// Names of the tensors of all ops of a layer, op by op.
std::vector<Names> tensorsOfOps(const Layer &layer) {
    std::vector<Names> all;
    std::size_t next = 0;
    for (const Op &op : layer.ops) {
        Names &own = all.emplace_back();
        for (int i = 0; i < op.tensors; ++i)
            own.push_back(nameOf(layer.shape.tensors[next++].name));
    }
    return all;
}

}  // namespace

Result<void> exportOnnx(const Model &model, const std::vector<NamedTensor> &weights, const QString &path,
                        const std::map<QString, QString> &metadata) {
    Writer writer(weights.empty() ? DType::Float32 : weights.front().dtype);
    writer.model().set_ir_version(8);
    writer.model().set_producer_name("Hearth");
    writer.model().add_opset_import()->set_version(17);
    writer.graph().set_name(nameOf(model.name));
    for (const auto &[key, value] : metadata) {
        auto *property = writer.model().add_metadata_props();
        property->set_key(nameOf(key));
        property->set_value(nameOf(value));
    }
    Names slots;
    for (const ModelInput &input : model.inputs) {
        slots.push_back(nameOf(input.name.isEmpty() ? QStringLiteral("input") : input.name));
        describeValue(*writer.graph().add_input(), slots.back(),
                      input.kind == ValueKind::Int64 ? ONNX_NAMESPACE::TensorProto::INT64 : writer.realType(),
                      input.shape);
    }
    if (auto added = addWeights(writer, model, weights); !added)
        return added;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const Layer &layer = model.layers[l];
        const std::vector<Names> tensors = tensorsOfOps(layer);
        Names values = slots;
        for (std::size_t i = 0; i < layer.ops.size(); ++i) {
            const Op &op = layer.ops[i];
            Names inputs;
            for (const int value : op.from)
                inputs.push_back(values[static_cast<std::size_t>(value)]);
            const int own = static_cast<int>(slots.size() + i);
            const bool isLast = l + 1 == model.layers.size() && layer.outputs.front() == own;
            const Name output = writeOp(writer, op, inputs, tensors[i], isLast ? Name("logits") : Name());
            if (output.empty()) {
                return fail(QStringLiteral("onnx.no-export"),
                            sentence("The model \"%1\" cannot be written as an ONNX file.").arg(model.name),
                            sentence("ONNX has no operator for the op \"%1\" (%2).").arg(op.name, op.kind),
                            sentence("Save the weights as safetensors and build the network where it is used."));
            }
            values.push_back(output);
        }
        Names next;
        for (const int value : layer.outputs)
            next.push_back(values[static_cast<std::size_t>(value)]);
        slots = std::move(next);
    }
    describeValue(*writer.graph().add_output(), "logits", writer.realType(),
                  model.layers.back().shape.outputs.front().shape);
    return saveFile(path, [&](QIODevice &device) -> Result<void> {
        std::string bytes;
        if (writer.model().SerializeToString(&bytes) &&
            device.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size()))
            return {};
        return fail(QStringLiteral("file.unwritable"), sentence("The file %1 could not be saved.").arg(path),
                    device.errorString() + QLatin1Char('.'), sentence("Free some space or choose another folder."));
    });
}

}  // namespace hearth
