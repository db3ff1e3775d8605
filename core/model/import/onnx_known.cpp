#include <onnx/onnx_pb.h>
#include <QFloat16>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/model/import/onnx_value.h"
#include "core/model/model.h"

namespace hearth::onnx_import {
namespace {

using ONNX_NAMESPACE::TensorProto;

template <class From>
void decode(const QByteArray &bytes, std::vector<double> &elements) {
    const auto count = static_cast<std::size_t>(bytes.size()) / sizeof(From);
    elements.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        From value;
        std::memcpy(&value, bytes.constData() + i * sizeof value, sizeof value);
        elements.push_back(static_cast<double>(value));
    }
}

double fromHalf(quint16 bits) {
    return static_cast<double>(static_cast<float>(std::bit_cast<qfloat16>(bits)));
}

double fromBFloat16(quint16 bits) {
    const quint32 wide = static_cast<quint32>(bits) << 16;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return static_cast<double>(value);
}

void decodeHalves(const QByteArray &bytes, double (*convert)(quint16), std::vector<double> &elements) {
    std::vector<double> bits;
    decode<quint16>(bytes, bits);
    for (const double each : bits)
        elements.push_back(convert(static_cast<quint16>(each)));
}

/// A float32 that was written as 1e-6 is meant to be 1e-6.
double meant(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, static_cast<float>(value));
    double wide = value;
    if (error == std::errc())
        std::from_chars(text, end, wide);
    return wide;
}

}  // namespace

qint64 Known::whole(std::size_t i) const {
    constexpr double largest = 9.2e18;
    return static_cast<qint64>(std::clamp(std::isnan(elements[i]) ? 0 : elements[i], -largest, largest));
}

std::vector<qint64> Known::wholes() const {
    std::vector<qint64> list;
    for (std::size_t i = 0; i < elements.size(); ++i)
        list.push_back(whole(i));
    return list;
}

Shape Value::sampleShape() const {
    Shape shape;
    for (int i = 0; i < rank(); ++i) {
        if (i != batchAt) {
            shape.push_back(dims[static_cast<std::size_t>(i)]);
            continue;
        }
        for (const qint64 part : {before, after}) {
            if (part != 1)
                shape.push_back(part);
        }
    }
    return shape;
}

Tried<Shape> broadcast(const Shape &a, const Shape &b) {
    Shape dims(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const qint64 left = i < a.size() ? a[a.size() - 1 - i] : 1, right = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (left != right && left != 1 && right != 1)
            return trouble(sentence("Its inputs %1 and %2 do not fit together.").arg(shapeText(a), shapeText(b)));
        dims[dims.size() - 1 - i] = left == 1 ? right : left;
    }
    return dims;
}

Tried<int> axisWithin(qint64 axis, int rank) {
    if (axis < -rank || axis >= rank)
        return trouble(sentence("It works along dimension %1 of %2.").arg(axis, rank));
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::optional<qint64> boundedProduct(const Shape &dims, qint64 most) {
    qint64 product = 1;
    for (const qint64 dim : dims) {
        if (dim < 0 || __builtin_mul_overflow(product, dim, &product))
            return std::nullopt;
    }
    return product <= most ? std::optional(product) : std::nullopt;
}

Known knownFrom(const OnnxTensor &tensor, const QByteArray &bytes) {
    Known known{tensor.dims, {}, false};
    switch (tensor.type) {
        case TensorProto::FLOAT:
            decode<float>(bytes, known.elements);
            if (known.isScalar())
                known.elements.front() = meant(known.elements.front());
            break;
        case TensorProto::DOUBLE:
            decode<double>(bytes, known.elements);
            break;
        case TensorProto::FLOAT16:
            decodeHalves(bytes, fromHalf, known.elements);
            break;
        case TensorProto::BFLOAT16:
            decodeHalves(bytes, fromBFloat16, known.elements);
            break;
        case TensorProto::INT64:
            decode<qint64>(bytes, known.elements);
            break;
        case TensorProto::INT32:
            decode<qint32>(bytes, known.elements);
            break;
        case TensorProto::INT16:
            decode<qint16>(bytes, known.elements);
            break;
        case TensorProto::UINT16:
            decode<quint16>(bytes, known.elements);
            break;
        case TensorProto::INT8:
            decode<qint8>(bytes, known.elements);
            break;
        default:
            decode<quint8>(bytes, known.elements);
    }
    known.isReal = isRealType(tensor.type);
    return known;
}

}  // namespace hearth::onnx_import
