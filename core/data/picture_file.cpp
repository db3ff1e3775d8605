#include "core/data/picture_file.h"

#include <QBuffer>
#include <QFile>
#include <QImageReader>
#include <QPainter>

#include "core/base/files.h"
#include "core/base/foreign_file.h"
#include "core/base/thread_time.h"
#include "core/data/jpeg.h"
#include "core/data/picture_cache.h"
#include "core/data/picture_memory.h"

namespace hearth {
namespace {

/// As it is read, with 16 bits a channel or in passes, and as it is given.
constexpr qint64 mostPixelBytes = 16;

/// Known by how they begin; Qt would try all its plugins on anything.
QByteArray formatOf(const QByteArray &bytes) {
    const auto begins = [&](const char *magic, qsizetype length) {
        return bytes.startsWith(QByteArray::fromRawData(magic, length));
    };
    // Little and big endian.
    static constexpr char tiff[] = {'I', 'I', '*', 0, 'M', 'M', 0, '*'};
    if (isJpeg(bytes))
        return "jpeg";
    if (begins("\x89PNG", 4))
        return "png";
    if (begins("RIFF", 4) && bytes.mid(8, 4) == "WEBP")
        return "webp";
    if (begins("BM", 2))
        return "bmp";
    if (begins("GIF8", 4))
        return "gif";
    if (begins(tiff, 4) || begins(tiff + 4, 4))
        return "tiff";
    if (bytes.size() > 1 && bytes[0] == 'P' && bytes[1] >= '4' && bytes[1] <= '6')
        return bytes[1] == '4' ? "pbm" : bytes[1] == '5' ? "pgm" : "ppm";
    return {};
}

QImage inColours(const QImage &picture) {
    if (!picture.hasAlphaChannel())
        return picture.convertToFormat(QImage::Format_RGB888);
    QImage flat(picture.size(), QImage::Format_RGB888);
    flat.fill(Qt::white);
    QPainter(&flat).drawImage(0, 0, picture);
    return flat;
}

tl::expected<QImage, Sentence> decodeByQt(const QByteArray &bytes, const QByteArray &format) {
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, format);
    reader.setAutoTransform(true);
    if (!QImageReader::supportedImageFormats().contains(format)) {
        return tl::unexpected(
            sentence("Nothing here reads %1; for WebP and TIFF there is the package qt6-image-formats-plugins.")
                .arg(QString::fromLatin1(format.toUpper())));
    }
    const QSize size = reader.size();
    if (qint64{size.width()} * size.height() > PictureLimits::pixels) {
        return tl::unexpected(sentence("It has %1×%2 pixels, more than the %3 million that a picture may have which is "
                                       "no JPEG.")
                                  .arg(size.width())
                                  .arg(size.height())
                                  .arg(PictureLimits::pixels / 1'000'000));
    }
    // Some formats tell their size only when they are read.
    const qint64 pixels = size.isValid() ? qint64{size.width()} * size.height() : PictureLimits::pixels;
    auto memory = pictureMemory().take(pixels * mostPixelBytes);
    const QImage picture = reader.read();
    if (picture.isNull())
        return tl::unexpected(sentence("It is damaged: %1.").arg(reader.errorString()));
    return holding(inColours(picture), std::move(memory));
}

}  // namespace

Result<PictureBytes> readPictureBytes(const QString &path) {
    const auto unreadable = [&](const Sentence &cause) {
        if (isGone(path)) {
            return fail(QStringLiteral("data.gone"), sentence("The file %1 could not be read.").arg(path), cause,
                        sentence("A run that is started or resumed leaves it out. For later runs take it off the list "
                                 "of the data: \"Check again\" under \"Your data\", or hearth data check."));
        }
        return fail(QStringLiteral("data.unreadable"), sentence("The file %1 could not be read.").arg(path), cause,
                    sentence("Check whether it is still there, and its permissions."));
    };
    QFile file(path);
    if (auto opened = openPlainFile(file, true); !opened)
        return unreadable(opened.error().cause);
    const qint64 size = file.size();
    if (size == 0)
        return unreadable(sentence("It is empty."));
    if (size > PictureLimits::fileBytes)
        return unreadable(sentence("It has %1 bytes; a picture may have %2.").arg(size).arg(PictureLimits::fileBytes));
    PictureBytes read{pictureFileMemory().take(size), {}};
    read.bytes = file.read(size);
    if (read.bytes.isEmpty())
        return unreadable(file.errorString() + QLatin1Char('.'));
    return read;
}

tl::expected<QImage, Sentence> decodePicture(const QByteArray &bytes, const ScaleChoice &scale) {
    const QByteArray format = formatOf(bytes);
    if (format.isEmpty()) {
        const auto foreign =
            foreignContent(bytes.left(ForeignFile::Limits::begin), bytes.right(ForeignFile::Limits::end));
        return tl::unexpected(foreign ? Sentence::joined({foreign->what, foreign->cure})
                                      : sentence("It is no picture: neither JPEG, PNG, WebP, BMP, GIF nor TIFF."));
    }
    if (format == "jpeg") {
        auto picture = decodeJpeg(bytes, scale);
        if (!picture || !picture->isNull())
            return picture;
    }
    auto picture = decodeByQt(bytes, format);
    if (picture)
        scale(picture->size());
    return picture;
}

Result<QImage> readPictureFile(const QString &path, const ScaleChoice &scale) {
    PictureCache *cache = PictureCache::used();
    const QString key = cache ? PictureCache::keyOf(path) : QString();
    if (auto kept = cache ? cache->find(key, scale) : std::nullopt)
        return *std::move(kept);
    const auto read = readPictureBytes(path);
    if (!read)
        return tl::unexpected(read.error());
    PictureCache::Decoded decoded;
    decoded.sourceBytes = read->bytes.size();
    const auto begun = threadTime();
    auto picture = decodePicture(read->bytes, [&](const QSize &upright) {
        const double wanted = scale(upright);
        decoded.upright = upright;
        decoded.part = isJpeg(read->bytes) ? jpegPart(wanted) : 0;
        return wanted;
    });
    decoded.seconds = std::chrono::duration<double>(threadTime() - begun).count();
    if (!picture) {
        return fail(QStringLiteral("data.broken-picture"), sentence("The picture %1 cannot be used.").arg(path),
                    picture.error(), sentence("Repair or remove it, and check the data set again."));
    }
    if (cache)
        cache->keep(key, *picture, decoded);
    return std::move(*picture);
}

}  // namespace hearth
