// Internal to core/data: pictures of files.
#pragma once

#include <QImage>

#include "core/data/dataset.h"

namespace hearth {

struct PictureLimits {
    static constexpr qint64 fileBytes = qint64{256} << 20;
    static constexpr qint64 pixels = qint64{32} << 20;  // of all but JPEG, which decodes to a smaller size
};

/// The content of a file that a picture may be; "data.unreadable" with the cause.
Result<QByteArray> readPictureBytes(const QString &path);
/// JPEG (jpeg.h), and what Qt's readers know of PNG, WebP, BMP, GIF, TIFF and portable maps: the first picture,
/// upright, in colours (Format_RGB888), transparent parts before white. Memory is bounded by PictureLimits, whatever a
/// file says of itself. Error: the cause alone. Any thread.
tl::expected<QImage, Sentence> decodePicture(const QByteArray &bytes, const ScaleChoice &scale);
/// Both; "data.broken-picture" names the file.
Result<QImage> readPictureFile(const QString &path, const ScaleChoice &scale);

}  // namespace hearth
