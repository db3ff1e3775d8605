#include "core/model/import/onnx_export.h"

#include <QByteArray>
#include <QFileInfo>
#include <QHash>
#include <QIODevice>
#include <memory>
#include <string>
#include <utility>

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

tl::unexpected<Error> notWritten(const QString &path, const QIODevice &device) {
    return fail(QStringLiteral("file.unwritable"), sentence("The file %1 could not be saved.").arg(path),
                device.errorString() + QLatin1Char('.'), sentence("Free some space or choose another folder."));
}

/// The weights of a file that would be too large with them: ONNX's external data.
class WeightsBeside {
  public:
    explicit WeightsBeside(QString path) : m_path(std::move(path)) {}

    void place(ONNX_NAMESPACE::TensorProto &tensor, std::shared_ptr<const Buffer> data) {
        m_end = aligned(m_end);
        const auto tell = [&tensor](const char *key, const std::string &value) {
            auto *entry = tensor.add_external_data();
            entry->set_key(key);
            entry->set_value(value);
        };
        tensor.set_data_location(ONNX_NAMESPACE::TensorProto::EXTERNAL);
        tell("location", nameOf(QFileInfo(m_path).fileName()));
        tell("offset", std::to_string(m_end));
        tell("length", std::to_string(data->size()));
        m_end += data->size();
        m_pieces.push_back(std::move(data));
    }

    bool isEmpty() const { return m_pieces.empty(); }

    Result<void> save() const {
        return saveFile(m_path, [this](QIODevice &device) -> Result<void> {
            qint64 end = 0;
            for (const auto &piece : m_pieces) {
                const QByteArray gap(aligned(end) - end, '\0');
                const auto *bytes = reinterpret_cast<const char *>(piece->data());
                if (device.write(gap) != gap.size() || device.write(bytes, piece->size()) != piece->size())
                    return notWritten(m_path, device);
                end += gap.size() + piece->size();
            }
            return {};
        });
    }

  private:
    /// Whoever maps the file into memory begins at a page.
    static qint64 aligned(qint64 offset) {
        constexpr qint64 page = 4096;
        return (offset + page - 1) / page * page;
    }

    QString m_path;
    std::vector<std::shared_ptr<const Buffer>> m_pieces;
    qint64 m_end = 0;
};

qint64 bytesOf(const std::vector<NamedTensor> &weights) {
    qint64 bytes = 0;
    for (const NamedTensor &tensor : weights)
        bytes += tensor.data->size();
    return bytes;
}

/// Each weight once, by its name in the network; in the file where `beside` is null.
void addWeights(Writer &writer, const Model &model, const std::vector<NamedTensor> &weights, WeightsBeside *beside) {
    QHash<QString, const NamedTensor *> byName;
    for (const NamedTensor &tensor : weights)
        byName.insert(tensor.spec.name, &tensor);
    for (const TensorSpec &spec : model.tensors()) {
        const NamedTensor *found = byName.take(spec.name);
        if (!found)
            continue;
        // Constants stay constants for who reads it.
        const bool isConstant = isOnnxConstant(spec.name);
        ONNX_NAMESPACE::TensorProto &tensor =
            isConstant ? writer.constant(nameOf(spec.name)) : *writer.graph().add_initializer();
        if (!isConstant)
            tensor.set_name(nameOf(spec.name));
        tensor.set_data_type(writer.realType());
        for (const qint64 dim : spec.shape)
            tensor.add_dims(dim);
        if (beside && !isConstant)
            beside->place(tensor, found->data);
        else
            tensor.set_raw_data(found->data->data(), static_cast<std::size_t>(found->data->size()));
    }
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

Result<QString> exportOnnx(const Model &model, const std::vector<NamedTensor> &weights, const QString &path,
                           const std::map<QString, QString> &metadata, qint64 mostInside) {
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
    const QString besidePath = path + QStringLiteral(".data");
    WeightsBeside beside(besidePath);
    addWeights(writer, model, weights, bytesOf(weights) > mostInside ? &beside : nullptr);
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
    const auto saved = saveFile(path, [&](QIODevice &device) -> Result<void> {
        std::string bytes;
        if (!writer.model().SerializeToString(&bytes) ||
            device.write(bytes.data(), static_cast<qint64>(bytes.size())) != static_cast<qint64>(bytes.size()))
            return notWritten(path, device);
        // What the file names is there before the file is.
        return beside.isEmpty() ? Result<void>() : beside.save();
    });
    if (!saved)
        return tl::unexpected(saved.error());
    return beside.isEmpty() ? QString() : besidePath;
}

}  // namespace hearth
