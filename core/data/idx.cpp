#include "core/data/idx.h"

#include <zlib.h>

#include <QIODevice>
#include <QtEndian>
#include <algorithm>

namespace hearth {
namespace {

constexpr qint64 inputPiece = 256 << 10;
constexpr qint64 outputPiece = 4 << 20;
constexpr qint64 gzipTrailerBytes = 8;

tl::unexpected<Error> malformedIdx(const QString &source, const Sentence &cause) {
    return fail(QStringLiteral("data.malformed"), sentence("%1 is not a valid IDX file.").arg(source), cause,
                sentence("Install the data set again, or choose another file."));
}

tl::unexpected<Error> cutShort(const QString &source, qint64 got, qint64 expected) {
    return fail(QStringLiteral("data.cut-short"), sentence("%1 is cut short.").arg(source),
                sentence("It ends after %1 of %2 bytes.").arg(got).arg(expected),
                sentence("Install the data set again, or copy the file again."));
}

/// The bytes of a device, inflated if they begin like gzip. Several gzip members in a row read as one.
class ByteStream {
  public:
    ByteStream(QIODevice &device, const QString &source) : m_device(device), m_source(source) {
        m_compressed = device.peek(2) == QByteArray("\x1f\x8b", 2);
        // 16 asks zlib for the gzip wrapper, whose checksum it verifies.
        m_usable = !m_compressed || inflateInit2(&m_zlib, 16 + MAX_WBITS) == Z_OK;
    }
    ~ByteStream() {
        if (m_compressed && m_usable)
            inflateEnd(&m_zlib);
    }
    ByteStream(const ByteStream &) = delete;
    ByteStream &operator=(const ByteStream &) = delete;

    /// Up to `count` bytes; fewer only at the end.
    Result<qint64> read(char *out, qint64 count) {
        if (!m_usable)
            return malformedIdx(m_source, sentence("There is no memory left to inflate it."));
        return m_compressed ? inflateInto(out, count) : plainInto(out, count);
    }

    /// Whether what was read so far may be all: a gzip member ends with a checksum that was there and right.
    bool atProperEnd() const { return !m_compressed || m_memberEnded; }

  private:
    Result<qint64> plainInto(char *out, qint64 count) {
        qint64 done = 0;
        while (done < count) {
            const qint64 got = m_device.read(out + done, count - done);
            if (got < 0)
                return malformedIdx(m_source, m_device.errorString() + QLatin1Char('.'));
            if (got == 0)
                break;
            done += got;
        }
        return done;
    }

    Result<qint64> inflateInto(char *out, qint64 count) {
        m_zlib.next_out = reinterpret_cast<Bytef *>(out);
        m_zlib.avail_out = static_cast<uInt>(count);
        while (m_zlib.avail_out > 0) {
            if (m_zlib.avail_in == 0) {
                m_input = m_device.read(inputPiece);
                m_zlib.next_in = reinterpret_cast<Bytef *>(m_input.data());
                m_zlib.avail_in = static_cast<uInt>(m_input.size());
                if (m_input.isEmpty())
                    break;
            }
            if (m_memberEnded) {
                inflateReset(&m_zlib);
                m_memberEnded = false;
            }
            const int status = inflate(&m_zlib, Z_NO_FLUSH);
            if (status == Z_STREAM_END) {
                m_memberEnded = true;
            } else if (status != Z_OK && status != Z_BUF_ERROR) {
                return malformedIdx(m_source, sentence("Its gzip stream is damaged (%1).")
                                                  .arg(QLatin1String(m_zlib.msg ? m_zlib.msg : "no reason given")));
            }
        }
        return count - static_cast<qint64>(m_zlib.avail_out);
    }

    QIODevice &m_device;
    const QString &m_source;
    z_stream m_zlib{};
    QByteArray m_input;
    bool m_compressed = false;
    bool m_usable = false;
    bool m_memberEnded = false;
};

}  // namespace

Result<IdxArray> readIdx(QIODevice &device, const QString &source) {
    ByteStream stream(device, source);
    char magic[4];
    const auto magicBytes = stream.read(magic, 4);
    if (!magicBytes)
        return tl::unexpected(magicBytes.error());
    if (*magicBytes < 4)
        return cutShort(source, *magicBytes, 4);
    if (magic[0] != 0 || magic[1] != 0 || magic[2] != 8) {
        return malformedIdx(source, sentence("It begins with %1 instead of 00 00 08 (unsigned bytes).")
                                        .arg(QString::fromLatin1(QByteArray(magic, 3).toHex(' '))));
    }
    const int rank = magic[3];
    if (rank < 1 || rank > IdxLimits::rank)
        return malformedIdx(source,
                            sentence("It has %1 dimensions; 1 to %2 are supported.").arg(rank).arg(IdxLimits::rank));
    char sizes[4 * IdxLimits::rank];
    const auto sizeBytes = stream.read(sizes, 4 * rank);
    if (!sizeBytes)
        return tl::unexpected(sizeBytes.error());
    if (*sizeBytes < 4 * rank)
        return cutShort(source, 4 + *sizeBytes, 4 + 4 * rank);

    IdxArray array;
    qint64 total = 1;
    for (int i = 0; i < rank; ++i) {
        const qint64 size = qFromBigEndian<quint32>(sizes + 4 * i);
        array.shape.push_back(size);
        if (size == 0 || size > IdxLimits::bytes / total)
            return malformedIdx(source, sentence("Its header claims a size of %1 in dimension %2.").arg(size).arg(i));
        total *= size;
    }
    for (qint64 done = 0; done < total;) {
        const qint64 piece = std::min(outputPiece, total - done);
        array.bytes.resize(done + piece);
        const auto got = stream.read(array.bytes.data() + done, piece);
        if (!got)
            return tl::unexpected(got.error());
        done += *got;
        if (*got < piece)
            return cutShort(source, 4 + 4 * rank + done, 4 + 4 * rank + total);
    }
    // Reading on also makes zlib verify the checksum at the end.
    char extra = 0;
    const auto behind = stream.read(&extra, 1);
    if (!behind)
        return tl::unexpected(behind.error());
    if (*behind != 0)
        return malformedIdx(source, sentence("There are bytes behind the %1 that its header announces.").arg(total));
    if (!stream.atProperEnd())
        return cutShort(source, 4 + 4 * rank + total, 4 + 4 * rank + total + gzipTrailerBytes);
    return array;
}

}  // namespace hearth
