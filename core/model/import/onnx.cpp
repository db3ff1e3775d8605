#include "core/model/import/onnx.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/model/import/onnx_lowering.h"

namespace hearth {
namespace {

using namespace onnx_import;

std::optional<DType> dtypeOf(int onnxType) {
    switch (onnxType) {
        case 1:
            return DType::Float32;
        case 10:
            return DType::Float16;
        case 11:
            return DType::Float64;
        case 16:
            return DType::BFloat16;
        default:
            return std::nullopt;
    }
}

/// Weights where the files have them, and the few constants that the network computes from shapes.
class OnnxWeights : public TensorSource {
  public:
    OnnxWeights(std::map<QString, OnnxTensor> tensors, std::map<QString, Known> constants)
        : m_tensors(std::move(tensors)), m_constants(std::move(constants)) {}

    QStringList names() const override {
        QStringList names;
        for (const auto &[name, tensor] : m_tensors)
            names << name;
        for (const auto &[name, known] : m_constants)
            names << name;
        names.sort();
        return names;
    }
    std::optional<Facts> find(const QString &name) const override {
        if (const auto found = m_tensors.find(name); found != m_tensors.end())
            return Facts{*dtypeOf(found->second.type), found->second.dims};
        if (const auto found = m_constants.find(name); found != m_constants.end())
            return Facts{DType::Float64, shapeOf(found->second)};
        return std::nullopt;
    }
    Result<NamedTensor> read(const QString &name) const override {
        NamedTensor tensor;
        tensor.spec.name = name;
        if (const auto found = m_constants.find(name); found != m_constants.end()) {
            const Known &known = found->second;
            tensor.spec.shape = shapeOf(known);
            tensor.dtype = DType::Float64;
            tensor.data = Buffer::allocate(static_cast<qsizetype>(known.elements.size() * sizeof(double)));
            std::copy(known.elements.begin(), known.elements.end(), reinterpret_cast<double *>(tensor.data->data()));
            return tensor;
        }
        const OnnxTensor &there = m_tensors.at(name);
        const auto bytes = readTensorBytes(there);
        if (!bytes)
            return tl::unexpected(bytes.error());
        tensor.spec.shape = there.dims;
        tensor.dtype = *dtypeOf(there.type);
        tensor.data = Buffer::allocate(bytes->size());
        std::copy(bytes->begin(), bytes->end(), reinterpret_cast<char *>(tensor.data->data()));
        return tensor;
    }

  private:
    static Shape shapeOf(const Known &known) { return known.dims.empty() ? Shape{1} : known.dims; }

    std::map<QString, OnnxTensor> m_tensors;
    std::map<QString, Known> m_constants;
};

Result<ImportedModel> imported(const OnnxFile &file, const QString &source, const OnnxOptions &options) {
    auto lowered = Lowering(file, options, source).run();
    if (!lowered)
        return tl::unexpected(lowered.error());
    const auto inputs = [&] {
        return std::count_if(lowered->draft.ops.begin(), lowered->draft.ops.end(),
                             [](const DraftOp &op) { return op.kind.isEmpty(); });
    };
    const auto all = inputs();
    joinPatterns(lowered->draft);
    joinAttention(lowered->draft, lowered->tensors);
    if (const auto unused = all - inputs(); unused > 0)
        lowered->notes.push_back(
            sentence("%1 {1|input|inputs} of the network, which its output does not need, {1|was|were} left out.")
                .arg(unused));
    QString name = opName(QFileInfo(source).completeBaseName());
    if (name.isEmpty())
        name = QStringLiteral("imported");
    auto model = Model::fromJson(lowered->draft.toJson(name), source);
    if (!model)
        return tl::unexpected(model.error());
    // Only what the network has: files may hold much that nothing takes.
    std::map<QString, OnnxTensor> tensors;
    std::map<QString, Known> constants;
    for (const TensorSpec &spec : model->tensors()) {
        if (const auto found = lowered->tensors.find(spec.name); found != lowered->tensors.end())
            tensors.insert(*found);
        if (const auto found = lowered->draft.constants.find(spec.name); found != lowered->draft.constants.end())
            constants.insert(*found);
    }
    return ImportedModel{std::move(*model), std::make_shared<OnnxWeights>(std::move(tensors), std::move(constants)),
                         std::move(lowered->notes)};
}

}  // namespace

Result<OnnxOptions> OnnxOptions::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    OnnxOptions options;
    for (const QString &name : object.keys())
        options.sizes[name] = reader.integer(name.toUtf8().constData(), 1, ModelLimits::dimension);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return options;
}

bool isOnnxConstant(const QString &tensor) {
    static const QRegularExpression ending(QRegularExpression::escape(constantEnding) +
                                           QStringLiteral("(\\.\\d+)?\\z"));
    return ending.match(tensor).hasMatch();
}

bool isOnnxFile(const QString &path) {
    return path.endsWith(QLatin1String(".onnx"), Qt::CaseInsensitive);
}

Result<ImportedModel> importOnnx(const QString &path, const OnnxOptions &options) {
    auto file = readOnnxFile(path);
    if (!file)
        return tl::unexpected(file.error());
    return imported(*file, path, options);
}

Result<ImportedModel> importOnnx(std::span<const std::byte> content, const QString &source,
                                 const OnnxOptions &options) {
    auto file = parseOnnx(content, source);
    if (!file)
        return tl::unexpected(file.error());
    return imported(*file, source, options);
}

}  // namespace hearth
