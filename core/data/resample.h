// Internal to core/data: a part of a picture in another size.
#pragma once

#include <QImage>
#include <QRectF>

namespace hearth {

/// `source` (in pixels, within the picture) becomes `size` pixels (Format_RGB888). Each is the mean of what it covers,
/// weighted by a triangle as wide as two of its own pixels, and at least two of the picture's: bilinear with
/// antialiasing, as PIL and torchvision call it. Weights are whole numbers: the same bytes on every processor.
QImage resampled(const QImage &picture, const QRectF &source, const QSize &size);

}  // namespace hearth
