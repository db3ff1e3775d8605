#include "core/model/shapes.h"

#include <QStringList>

namespace hearth {

qint64 elementCount(const Shape &shape) {
    qint64 count = 1;
    for (const qint64 dimension : shape)
        count *= dimension;
    return count;
}

QString shapeText(const Shape &shape) {
    QStringList parts;
    for (const qint64 dimension : shape)
        parts << QString::number(dimension);
    return parts.join(QStringLiteral("×"));
}

qint64 LayerShape::parameterCount() const {
    qint64 count = 0;
    for (const TensorSpec &tensor : tensors)
        count += tensor.isBuffer ? 0 : tensor.elements();
    return count;
}

qint64 LayerShape::bufferCount() const {
    qint64 count = 0;
    for (const TensorSpec &tensor : tensors)
        count += tensor.isBuffer ? tensor.elements() : 0;
    return count;
}

}  // namespace hearth
