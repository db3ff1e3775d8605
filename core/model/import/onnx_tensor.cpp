#include "core/model/import/onnx_tensor.h"

#include <onnx/onnx_pb.h>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <charconv>
#include <cstring>

#include "core/base/files.h"
#include "core/model/model.h"

namespace hearth::onnx_import {
namespace {

using ONNX_NAMESPACE::AttributeProto;
using ONNX_NAMESPACE::TensorProto;

/// A name as a person may see it.
QString shown(const std::string &name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(std::min<std::size_t>(name.size(), 100)));
}

/// Attributes are float32; what was written as 1e-5 is meant to be 1e-5.
double meant(float value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    double wide = value;
    if (error == std::errc())
        std::from_chars(text, end, wide);
    return wide;
}

template <class To, class List>
void append(QByteArray &content, const List &list) {
    for (const auto value : list) {
        const To narrow = static_cast<To>(value);
        content.append(reinterpret_cast<const char *>(&narrow), sizeof narrow);
    }
}

/// The typed lists of a message in the form of raw_data.
QByteArray listed(const TensorProto &proto) {
    QByteArray content;
    switch (proto.data_type()) {
        case TensorProto::FLOAT:
            append<float>(content, proto.float_data());
            break;
        case TensorProto::DOUBLE:
            append<double>(content, proto.double_data());
            break;
        case TensorProto::INT64:
            append<qint64>(content, proto.int64_data());
            break;
        case TensorProto::INT32:
            append<qint32>(content, proto.int32_data());
            break;
        case TensorProto::FLOAT16:
        case TensorProto::BFLOAT16:
        case TensorProto::INT16:
        case TensorProto::UINT16:
            append<quint16>(content, proto.int32_data());
            break;
        default:
            append<quint8>(content, proto.int32_data());
    }
    return content;
}

/// Within the folder of the ONNX file, and no step of the way a link: what is opened is what was named.
Checked<QString> externalFile(const QString &path, const QString &location) {
    const auto refused = [&](const Sentence &why) {
        return tl::unexpected(sentence("Its weights are said to be in \"%1\". %2").arg(location.left(200), why));
    };
    if (path.isEmpty())
        return refused(sentence("There is no folder to look in."));
    if (location.isEmpty() || QDir::isAbsolutePath(location) || location.contains(QLatin1Char('\\')) ||
        location.contains(QChar(0)))
        return refused(sentence("Weights must lie in the folder of the ONNX file."));
    QString file = QFileInfo(path).absolutePath();
    const QStringList steps = location.split(QLatin1Char('/'));
    for (const QString &step : steps) {
        if (step.isEmpty() || step == QLatin1String(".."))
            return refused(sentence("Weights must lie in the folder of the ONNX file."));
        if (step == QLatin1String("."))
            continue;
        file += QLatin1Char('/') + step;
        if (QFileInfo(file).isSymLink())
            return refused(sentence("A link is not followed."));
    }
    if (!QFileInfo(file).isFile())
        return refused(sentence("There is no such file."));
    return file;
}

Checked<void> placeExternal(const TensorProto &proto, const QString &path, OnnxTensor &tensor) {
    QString location;
    qint64 offset = 0, length = -1;
    for (const auto &entry : proto.external_data()) {
        bool ok = true;
        if (entry.key() == "location")
            location = QString::fromStdString(entry.value());
        else if (entry.key() == "offset")
            offset = QString::fromStdString(entry.value()).toLongLong(&ok);
        else if (entry.key() == "length")
            length = QString::fromStdString(entry.value()).toLongLong(&ok);
        if (!ok)
            return tl::unexpected(sentence("The place of the tensor \"%1\" is no number.").arg(shown(proto.name())));
    }
    auto file = externalFile(path, location);
    if (!file)
        return tl::unexpected(file.error());
    const qint64 size = QFileInfo(*file).size();
    if (length < 0)
        length = size - offset;
    if (offset < 0 || length < 0 || offset > size || length > size - offset) {
        return tl::unexpected(sentence("The tensor \"%1\" is said to have %2 bytes at %3 of \"%4\", which has %5.")
                                  .arg(shown(proto.name()), length, offset, location.left(200), size));
    }
    tensor.file = *file;
    tensor.offset = offset;
    tensor.bytes = length;
    return {};
}

Checked<OnnxAttribute> takeAttribute(const AttributeProto &proto, const QString &path, qint64 &parts) {
    OnnxAttribute attribute;
    attribute.name = proto.name();
    attribute.real = meant(proto.f());
    attribute.whole = proto.i();
    attribute.text = proto.s();
    for (const float value : proto.floats())
        attribute.reals.push_back(meant(value));
    attribute.wholes.assign(proto.ints().begin(), proto.ints().end());
    attribute.graph = proto.has_g() || proto.graphs_size() > 0;
    parts += 1 + proto.floats_size() + proto.ints_size();
    if (proto.has_t()) {
        auto tensor = takeTensor(proto.t(), path);
        if (!tensor)
            return tl::unexpected(tensor.error());
        attribute.tensor = std::make_shared<OnnxTensor>(std::move(*tensor));
    }
    return attribute;
}

}  // namespace

int elementBytes(int type) {
    switch (type) {
        case TensorProto::DOUBLE:
        case TensorProto::INT64:
            return 8;
        case TensorProto::FLOAT:
        case TensorProto::INT32:
            return 4;
        case TensorProto::FLOAT16:
        case TensorProto::BFLOAT16:
        case TensorProto::INT16:
        case TensorProto::UINT16:
            return 2;
        case TensorProto::BOOL:
        case TensorProto::INT8:
        case TensorProto::UINT8:
            return 1;
        default:
            return 0;
    }
}

bool isRealType(qint64 type) {
    return type == TensorProto::FLOAT || type == TensorProto::DOUBLE || type == TensorProto::FLOAT16 ||
           type == TensorProto::BFLOAT16;
}

Checked<void> describeTensor(const TensorProto &facts, OnnxTensor &tensor) {
    if (facts.name().size() > OnnxLimits::nameBytes)
        return tl::unexpected(sentence("A name has more than %1 bytes.").arg(OnnxLimits::nameBytes));
    tensor.name = facts.name();
    tensor.type = facts.data_type();
    const int size = elementBytes(tensor.type);
    if (size == 0) {
        return tl::unexpected(sentence("The tensor \"%1\" has elements of type %2, which is not supported.")
                                  .arg(shown(tensor.name), tensor.type));
    }
    if (facts.dims_size() > OnnxLimits::rank) {
        return tl::unexpected(sentence("The tensor \"%1\" has more than %2 dimensions.")
                                  .arg(shown(tensor.name), static_cast<int>(OnnxLimits::rank)));
    }
    qint64 bytes = size;
    for (const qint64 dim : facts.dims()) {
        if (dim < 0 || __builtin_mul_overflow(bytes, dim, &bytes) || bytes > ModelLimits::elements * size)
            return tl::unexpected(
                sentence("The shape of the tensor \"%1\" is not valid or too large.").arg(shown(tensor.name)));
        tensor.dims.push_back(dim);
    }
    if (bytes != tensor.bytes) {
        return tl::unexpected(sentence("The tensor \"%1\" has %2 bytes, but its type and shape %3 need %4.")
                                  .arg(shown(tensor.name), tensor.bytes, shapeText(tensor.dims), bytes));
    }
    return {};
}

Checked<OnnxTensor> takeTensor(const TensorProto &proto, const QString &path) {
    OnnxTensor tensor;
    if (proto.has_segment())
        return tl::unexpected(sentence("The tensor \"%1\" is in pieces.").arg(shown(proto.name())));
    if (proto.data_location() == TensorProto::EXTERNAL) {
        if (auto placed = placeExternal(proto, path, tensor); !placed)
            return tl::unexpected(placed.error());
    } else {
        const std::string &raw = proto.raw_data();
        tensor.content =
            proto.has_raw_data() ? QByteArray(raw.data(), static_cast<qsizetype>(raw.size())) : listed(proto);
        tensor.bytes = tensor.content.size();
    }
    if (auto described = describeTensor(proto, tensor); !described)
        return tl::unexpected(described.error());
    return tensor;
}

Checked<OnnxNode> takeNode(const ONNX_NAMESPACE::NodeProto &proto, const QString &path, qint64 &parts) {
    OnnxNode node;
    node.type = proto.op_type();
    node.domain = proto.domain() == "ai.onnx" ? std::string() : proto.domain();
    node.name = proto.name();
    node.inputs.assign(proto.input().begin(), proto.input().end());
    node.outputs.assign(proto.output().begin(), proto.output().end());
    parts += 1 + proto.input_size() + proto.output_size();
    if (proto.input_size() > OnnxLimits::values || proto.output_size() > OnnxLimits::values)
        return tl::unexpected(
            sentence("A node has more than %1 inputs or outputs.").arg(static_cast<int>(OnnxLimits::values)));
    for (const std::vector<std::string> *names : {&node.inputs, &node.outputs}) {
        for (const std::string &name : *names) {
            if (name.size() > OnnxLimits::nameBytes)
                return tl::unexpected(sentence("A name has more than %1 bytes.").arg(OnnxLimits::nameBytes));
        }
    }
    for (const AttributeProto &attribute : proto.attribute()) {
        auto taken = takeAttribute(attribute, path, parts);
        if (!taken)
            return tl::unexpected(taken.error());
        node.attributes.push_back(std::move(*taken));
    }
    return node;
}

Result<QByteArray> readTensorBytes(const OnnxTensor &tensor) {
    // Larger tensors of a file that was read from memory are nowhere to be read from again.
    if (tensor.content.size() == tensor.bytes)
        return tensor.content;
    QFile file(tensor.file);
    if (auto opened = openPlainFile(file); !opened)
        return tl::unexpected(opened.error());
    if (file.seek(tensor.offset)) {
        QByteArray bytes = file.read(tensor.bytes);
        if (bytes.size() == tensor.bytes)
            return bytes;
    }
    return fail(QStringLiteral("onnx.malformed"), sentence("The file %1 could not be read.").arg(tensor.file),
                sentence("It has become shorter since it was opened."), sentence("Open it again."));
}

}  // namespace hearth::onnx_import
