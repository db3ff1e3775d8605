#include "core/history/event_slice.h"

#include <QFile>
#include <algorithm>
#include <utility>

#include "core/base/files.h"
#include "core/run/files/lines_backwards.h"

namespace hearth {
namespace {

constexpr qint64 readChunk = 1 << 20;

}  // namespace

EventSlice readEvents(const QString &path, qint64 offset, qint64 bytes) {
    EventSlice slice;
    slice.next = offset;
    QFile file(path);
    if (!openPlainFile(file, true) || !file.seek(std::max<qint64>(0, offset - 1))) {
        slice.unreadable = true;
        return slice;
    }
    // A slice that ended within a line that is too long left its rest to this one.
    bool passingOver = false;
    if (offset > 0) {
        const QByteArray before = file.read(1);
        slice.unreadable = file.error() != QFileDevice::NoError;
        slice.end = before.isEmpty() && !slice.unreadable;
        passingOver = before != "\n";
    }
    QByteArray part;  // of a line that goes on in the next chunk
    while (!slice.end && !slice.unreadable && slice.next - offset < bytes) {
        const QByteArray chunk = file.read(readChunk);
        if (chunk.isEmpty()) {
            slice.unreadable = file.error() != QFileDevice::NoError;
            slice.end = !slice.unreadable;
            break;
        }
        qsizetype start = 0;
        for (qsizetype end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
            slice.next += part.size() + end - start + 1;
            if (!std::exchange(passingOver, false))
                slice.lines << part + chunk.mid(start, end - start);
            part.clear();
            start = end + 1;
        }
        part += chunk.mid(start);
        if (!passingOver && part.size() > longestEventLine) {
            ++slice.tooLong;
            passingOver = true;
        }
        if (passingOver) {
            slice.next += part.size();
            part.clear();
        }
    }
    return slice;
}

}  // namespace hearth
