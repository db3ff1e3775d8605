// IDX files for tests.
#pragma once

#include <zlib.h>

#include <QByteArray>
#include <QtEndian>
#include <vector>

inline QByteArray idx(const std::vector<quint32> &shape, const QByteArray &bytes) {
    QByteArray content("\0\0\x08", 3);
    content.append(static_cast<char>(shape.size()));
    for (const quint32 size : shape) {
        char big[4];
        qToBigEndian(size, big);
        content.append(big, 4);
    }
    return content + bytes;
}

inline QByteArray gzip(const QByteArray &plain) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(plain.size()))) + 32, '\0');
    QByteArray input = plain;
    stream.next_in = reinterpret_cast<Bytef *>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}
