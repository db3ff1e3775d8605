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

qint64 LayerShape::elements(TensorRole role) const {
    qint64 count = 0;
    for (const TensorSpec &tensor : tensors)
        count += tensor.role == role ? tensor.elements() : 0;
    return count;
}

}  // namespace hearth
