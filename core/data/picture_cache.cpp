#include "core/data/picture_cache.h"

#include <zstd.h>

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLoggingCategory>
#include <QSaveFile>
#include <QStandardPaths>
#include <QStorageInfo>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/crc32c.h"
#include "core/base/files.h"
#include "core/base/thread_time.h"
#include "core/data/jpeg.h"
#include "core/data/picture_memory.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(log, "hearth.data.cache")

const QString pictureSuffix = QStringLiteral(".picture");
constexpr int pictureLevel = 1;  // zstd's: higher ones take longer and save little of photographs
/// A device between home's slowest and fastest unpacks so much; then it is measured.
constexpr double usualUnpackedBytes = 5e8;
/// Reading back is worth its room where it takes at most half of the time, ...
constexpr double leastGain = 2;
/// ... and not much more room than the file itself.
constexpr qint64 mostOfSource = 2;
constexpr qint64 mostSide = 1 << 16;

struct Header {
    char magic[8];
    quint32 width, height;
    quint32 checksum;  // of what follows
    quint32 unused;
};
constexpr char pictureMagic[8] = {'h', 'e', 'a', 'r', 't', 'h', 'p', '1'};

std::span<const std::byte> bytesOf(const QByteArray &bytes) {
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Rows without filling.
QByteArray tightRows(const QImage &picture) {
    const qsizetype row = qsizetype{3} * picture.width();
    QByteArray rows(row * picture.height(), Qt::Uninitialized);
    for (int y = 0; y < picture.height(); ++y)
        std::memcpy(rows.data() + y * row, picture.constScanLine(y), static_cast<std::size_t>(row));
    return rows;
}

QByteArray packed(const QImage &picture) {
    const QByteArray rows = tightRows(picture);
    QByteArray bytes(static_cast<qsizetype>(sizeof(Header) + ZSTD_compressBound(static_cast<std::size_t>(rows.size()))),
                     Qt::Uninitialized);
    const std::size_t size =
        ZSTD_compress(bytes.data() + sizeof(Header), static_cast<std::size_t>(bytes.size()) - sizeof(Header),
                      rows.constData(), static_cast<std::size_t>(rows.size()), pictureLevel);
    if (ZSTD_isError(size))
        return {};
    const std::size_t whole = sizeof(Header) + size;
    bytes.resize(static_cast<qsizetype>(whole));
    Header header{{}, static_cast<quint32>(picture.width()), static_cast<quint32>(picture.height()), 0, 0};
    std::memcpy(header.magic, pictureMagic, sizeof pictureMagic);
    header.checksum = crc32c(bytesOf(bytes).subspan(sizeof(Header)));
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

/// A null picture: they are damaged.
QImage unpacked(const QByteArray &bytes) {
    Header header{};
    if (static_cast<std::size_t>(bytes.size()) < sizeof header)
        return {};
    std::memcpy(&header, bytes.constData(), sizeof header);
    const auto rest = bytesOf(bytes).subspan(sizeof header);
    if (std::memcmp(header.magic, pictureMagic, sizeof pictureMagic) != 0 || header.width == 0 ||
        header.width > mostSide || header.height == 0 || header.height > mostSide || header.checksum != crc32c(rest))
        return {};
    const std::size_t size = std::size_t{3} * header.width * header.height;
    if (ZSTD_getFrameContentSize(rest.data(), rest.size()) != size)
        return {};
    const std::size_t twice = 2 * size;  // the rows, and the picture of them
    auto memory = pictureMemory().take(static_cast<qint64>(twice));
    QByteArray rows(static_cast<qsizetype>(size), Qt::Uninitialized);
    if (ZSTD_decompress(rows.data(), size, rest.data(), rest.size()) != size)
        return {};
    QImage picture(static_cast<int>(header.width), static_cast<int>(header.height), QImage::Format_RGB888);
    if (picture.isNull())
        return {};
    for (int y = 0; y < picture.height(); ++y)
        std::memcpy(picture.scanLine(y), rows.constData() + qsizetype{3} * picture.width() * y,
                    std::size_t{3} * header.width);
    return holding(picture, std::move(memory));
}

/// "0123…cdef-4000x3000-1.picture"; false where it is none.
bool readName(const QString &name, QString &key, QSize &upright, unsigned &part) {
    const QStringList words = name.chopped(pictureSuffix.size()).split(QLatin1Char('-'));
    const QStringList sides = words.value(1).split(QLatin1Char('x'));
    key = words.value(0);
    upright = QSize(sides.value(0).toInt(), sides.value(1).toInt());
    part = words.value(2).toUInt();
    return words.size() == 3 && sides.size() == 2 && !upright.isEmpty() && part <= 8;
}

QFileInfoList entriesOf(const QString &folder) {
    return QDir(folder).entryInfoList({QLatin1Char('*') + pictureSuffix}, QDir::Files | QDir::NoSymLinks, QDir::NoSort);
}

qint64 usualBytes(qint64 freeBytes) {
    return std::clamp<qint64>(freeBytes / 10, 0, qint64{10} << 30);
}

std::atomic<PictureCache *> current = nullptr;

}  // namespace

QString PictureCache::usualFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/hearth/pictures");
}

PictureCache::Usage PictureCache::usage(const QString &folder) {
    Usage usage;
    for (const QFileInfo &entry : entriesOf(folder)) {
        ++usage.pictures;
        usage.bytes += entry.size();
    }
    return usage;
}

PictureCache::Usage PictureCache::clear(const QString &folder) {
    Usage usage;
    for (const QFileInfo &entry : entriesOf(folder)) {
        const qint64 bytes = entry.size();  // it is looked for when it is asked
        if (!QFile::remove(entry.filePath()))
            continue;
        ++usage.pictures;
        usage.bytes += bytes;
    }
    return usage;
}

PictureCache *PictureCache::used() {
    return current;
}

void PictureCache::use(std::unique_ptr<PictureCache> cache) {
    static std::unique_ptr<PictureCache> owner;
    current = nullptr;
    owner = std::move(cache);
    current = owner.get();
}

Result<std::unique_ptr<PictureCache>> PictureCache::open(const QString &folder, std::optional<qint64> mostBytes) {
    if (auto made = makePrivateFolder(folder); !made)
        return tl::unexpected(made.error());
    std::unique_ptr<PictureCache> cache(new PictureCache(folder));
    cache->readFolder(mostBytes);
    return cache;
}

void PictureCache::readFolder(std::optional<qint64> mostBytes) {
    QFileInfoList entries = entriesOf(m_folder);
    std::ranges::sort(entries, {}, [](const QFileInfo &entry) { return entry.lastModified(); });
    for (const QFileInfo &entry : entries)
        m_bytes += entry.size();
    m_mostBytes = mostBytes ? *mostBytes : usualBytes(QStorageInfo(m_folder).bytesAvailable() + m_bytes);
    for (const QFileInfo &entry : entries) {
        QString key;
        QSize upright;
        unsigned part = 0;
        const bool isOne = readName(entry.fileName(), key, upright, part);
        if (!isOne || m_bytes > m_mostBytes / 10 * 9) {
            if (QFile::remove(entry.filePath()))
                m_bytes -= entry.size();
        } else {
            Known &known = m_known[key];
            known.upright = upright;
            known.parts |= 1U << part;
        }
    }
}

QString PictureCache::keyOf(const QString &path) {
    const QFileInfo file(path);
    if (!file.isFile())
        return {};
    const QString identity = QStringLiteral("%1\n%2\n%3")
                                 .arg(file.absoluteFilePath())
                                 .arg(file.size())
                                 .arg(file.lastModified().toMSecsSinceEpoch());
    return QString::fromLatin1(
        QCryptographicHash::hash(identity.toUtf8(), QCryptographicHash::Sha256).first(16).toHex());
}

QString PictureCache::fileOf(const QString &key, const QSize &upright, unsigned part) const {
    return QStringLiteral("%1/%2-%3x%4-%5%6")
        .arg(m_folder, key)
        .arg(upright.width())
        .arg(upright.height())
        .arg(part)
        .arg(pictureSuffix);
}

std::optional<QImage> PictureCache::find(const QString &key, const ScaleChoice &scale) {
    Known known;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_known.find(key);
        if (found == m_known.end())
            return {};
        known = found->second;
    }
    const unsigned wanted = jpegPart(scale(known.upright));
    const unsigned part = (known.parts & 1U) != 0 ? 0 : wanted;
    if ((known.parts & (1U << part)) == 0)
        return {};
    QFile file(fileOf(key, known.upright, part));
    if (file.open(QIODevice::ReadOnly)) {
        const QByteArray bytes = file.readAll();
        const auto begun = threadTime();
        if (QImage picture = unpacked(bytes); !picture.isNull()) {
            const std::lock_guard lock(m_mutex);
            m_unpackSeconds += std::chrono::duration<double>(threadTime() - begun).count();
            m_unpackedBytes += static_cast<double>(picture.sizeInBytes());
            // What is used stays when room is made; once a day is enough to tell.
            if (file.fileTime(QFileDevice::FileModificationTime).daysTo(QDateTime::currentDateTime()) > 0)
                file.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
            return picture;
        }
    }
    forget(key, known.upright, part);
    return {};
}

void PictureCache::forget(const QString &key, const QSize &upright, unsigned part) {
    const QString path = fileOf(key, upright, part);
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_known.find(key); found != m_known.end())
        found->second.parts &= ~(1U << part);
    m_bytes -= QFileInfo(path).size();
    QFile::remove(path);
}

bool PictureCache::pays(const QImage &picture, const Decoded &decoded) {
    const auto bytes = static_cast<double>(picture.sizeInBytes());
    const std::lock_guard lock(m_mutex);
    const double rate = m_unpackSeconds > 0 ? m_unpackedBytes / m_unpackSeconds : usualUnpackedBytes;
    return !m_isFull && decoded.seconds > leastGain * bytes / rate;
}

void PictureCache::keep(const QString &key, const QImage &picture, const Decoded &decoded) {
    if (key.isEmpty() || !pays(picture, decoded))
        return;
    const QByteArray bytes = packed(picture);
    if (bytes.isEmpty() || bytes.size() > mostOfSource * decoded.sourceBytes)
        return;
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find(key);
        if (known != m_known.end() && (known->second.parts & (1U << decoded.part)) != 0)
            return;
        m_isFull = m_isFull || m_bytes + bytes.size() > m_mostBytes;
        if (m_isFull)
            return;
        m_bytes += bytes.size();
    }
    QSaveFile file(fileOf(key, decoded.upright, decoded.part));
    const bool isSaved = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    const std::lock_guard lock(m_mutex);
    if (isSaved) {
        Known &known = m_known[key];
        known.upright = decoded.upright;
        known.parts |= 1U << decoded.part;
    } else if (!std::exchange(m_isFull, true)) {
        qCWarning(log, "Decoded pictures are kept no more: %s", qUtf8Printable(file.errorString()));
    }
}

}  // namespace hearth
