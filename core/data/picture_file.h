// Internal to core/data: pictures of files.
#pragma once

#include <QImage>

#include "core/data/byte_budget.h"
#include "core/data/dataset.h"

namespace hearth {

struct PictureLimits {
    static constexpr qint64 fileBytes = qint64{256} << 20;
    static constexpr qint64 pixels = qint64{32} << 20;         // of all but JPEG, which decodes to a smaller size
    static constexpr qint64 decodedBytes = qint64{768} << 20;  // of all threads, what decoding takes included
};

/// The content of a file, and its part of what all threads may hold of files.
struct PictureBytes {
    ByteBudget::Lease memory;
    QByteArray bytes;
};

/// Of a file that a picture may be. Errors, with the cause: "data.gone" (isGone()); "data.unreadable": perhaps later.
/// Waits while other files hold the memory.
Result<PictureBytes> readPictureBytes(const QString &path);
/// JPEG (jpeg.h), and what Qt's readers know of PNG, WebP, BMP, GIF, TIFF and portable maps: the first picture,
/// upright, in colours (Format_RGB888), transparent parts before white. Memory is bounded by PictureLimits, whatever a
/// file says of itself, and for all threads together: this waits while other pictures hold it, and a thread holds one
/// at a time. Error: the cause alone. Any thread.
tl::expected<QImage, Sentence> decodePicture(const QByteArray &bytes, const ScaleChoice &scale);
/// Both, or from PictureCache::used(); "data.broken-picture" names the file. `scale` may be asked twice.
Result<QImage> readPictureFile(const QString &path, const ScaleChoice &scale);

}  // namespace hearth
