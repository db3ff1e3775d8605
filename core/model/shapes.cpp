#include "core/model/shapes.h"

#include <QStringList>
#include <algorithm>
#include <limits>

namespace hearth {

qint64 elementCount(const Shape &shape) {
    qint64 count = 1;
    for (const qint64 dimension : shape) {
        if (__builtin_mul_overflow(count, dimension, &count))
            return std::numeric_limits<qint64>::max();
    }
    return count;
}

QString shapeText(const Shape &shape) {
    QStringList parts;
    for (const qint64 dimension : shape)
        parts << QString::number(dimension);
    return parts.join(QStringLiteral("×"));
}

QJsonArray shapeJson(const Shape &shape) {
    QJsonArray array;
    for (const qint64 dimension : shape)
        array.append(dimension);
    return array;
}

bool isRepeat(const std::vector<TensorSpec> &tensors, std::size_t index) {
    const TensorSpec &own = tensors[index];
    const auto end = tensors.begin() + static_cast<std::ptrdiff_t>(index);
    return own.tiedTo &&
           std::any_of(tensors.begin(), end, [&](const TensorSpec &before) { return before.name == own.name; });
}

qint64 LayerShape::outputBytes(DType type) const {
    qint64 bytes = 0;
    for (const ValueSpec &value : outputs)
        bytes += value.bytes(type);
    return bytes;
}

qint64 LayerShape::elements(TensorRole role) const {
    qint64 count = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        count += tensors[i].role == role && !isRepeat(tensors, i) ? tensors[i].elements() : 0;
    return count;
}

}  // namespace hearth
