// Decoded pictures on the disk, where it takes longer to decode a file than to read back what came out.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "core/data/dataset.h"

class QImage;

namespace hearth {

/// A file each, packed without loss (zstd): what is read back is what decoding gave, bit by bit. What a file is called
/// tells the picture's path, size and time, so that nobody reads what came of an older one; a checksum tells what is
/// damaged, which is decoded again. Photographs of which a network takes an eighth pay; small pictures do not, nor do
/// those that nothing is taken away from. Any thread; several programs may use one folder.
class PictureCache {
  public:
    /// As decoding it took. Plain value.
    struct Decoded {
        QSize upright;       // of the file
        unsigned part = 0;   // of its size, in eighths (jpegPart()); 0: it decodes to one size alone
        double seconds = 0;  // of a processor
        qint64 sourceBytes = 0;
    };
    struct Usage {
        qint64 pictures = 0, bytes = 0;
    };

    /// Makes the folder, and removes what nobody has used for longest, until a tenth of `mostBytes` is free: without
    /// any, of ten GiB or a tenth of the disk's free room. Error "file.unwritable". Blocks.
    static Result<std::unique_ptr<PictureCache>> open(const QString &folder, std::optional<qint64> mostBytes = {});

    /// Of this user.
    static QString usualFolder();
    static Usage usage(const QString &folder);
    /// Removes all; what it was.
    static Usage clear(const QString &folder);

    /// That of this program, which readPictureFile() asks; null: none. Set while nobody reads.
    static PictureCache *used();
    static void use(std::unique_ptr<PictureCache> cache);

    /// The picture file as it is now, for find() and keep(); empty: it cannot be seen.
    static QString keyOf(const QString &path);
    /// What decodePicture() would give.
    std::optional<QImage> find(const QString &key, const ScaleChoice &scale);
    /// Where that pays. `picture` is Format_RGB888. A full disk ends it, with a word in the log.
    void keep(const QString &key, const QImage &picture, const Decoded &decoded);

  private:
    struct Known {
        QSize upright;
        unsigned parts = 0;  // bit n: part n
    };
    explicit PictureCache(QString folder) : m_folder(std::move(folder)) {}
    QString fileOf(const QString &key, const QSize &upright, unsigned part) const;
    void readFolder(std::optional<qint64> mostBytes);
    bool pays(const QImage &picture, const Decoded &decoded);
    void forget(const QString &key, const QSize &upright, unsigned part);

    const QString m_folder;
    qint64 m_mostBytes = 0;
    std::mutex m_mutex;
    std::map<QString, Known> m_known;
    qint64 m_bytes = 0;
    bool m_isFull = false;
    double m_unpackedBytes = 0, m_unpackSeconds = 0;  // measured
};

}  // namespace hearth
