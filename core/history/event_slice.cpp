#include "core/history/event_slice.h"

#include <QFile>

namespace hearth {
namespace {

constexpr qint64 readChunk = 1 << 20;
// A round's event of 64 devices is 30 kB; a line longer than this is no event.
constexpr qsizetype maximumLine = 16 << 20;

}  // namespace

EventSlice readEvents(const QString &path, qint64 offset, qint64 bytes) {
    EventSlice slice;
    slice.next = offset;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || !file.seek(offset)) {
        slice.unreadable = true;
        return slice;
    }
    QByteArray part;       // of a line that goes on in the next chunk
    qint64 partBytes = 0;  // its length, also where it is too long to be kept
    while (slice.next - offset < bytes) {
        const QByteArray chunk = file.read(readChunk);
        if (chunk.isEmpty()) {
            slice.unreadable = file.error() != QFileDevice::NoError;
            slice.end = !slice.unreadable;
            break;
        }
        qsizetype start = 0;
        for (qsizetype end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
            if (partBytes + end - start > maximumLine)
                ++slice.tooLong;
            else
                slice.lines << part + chunk.mid(start, end - start);
            slice.next += partBytes + end - start + 1;
            part.clear();
            partBytes = 0;
            start = end + 1;
        }
        partBytes += chunk.size() - start;
        if (partBytes <= maximumLine)
            part += chunk.mid(start);
        else
            part.clear();
    }
    return slice;
}

}  // namespace hearth
