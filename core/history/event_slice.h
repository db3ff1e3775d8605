// The whole lines of a growing file, from a byte on.
#pragma once

#include <QByteArrayList>
#include <QString>

namespace hearth {

struct EventSlice {
    QByteArrayList lines;     // without their line ends
    qint64 next = 0;          // the byte behind the last of them, or within a line that is passed over
    qint64 tooLong = 0;       // lines that were passed over: longer than any event
    bool end = false;         // what follows, if anything, is not a whole line yet
    bool unreadable = false;  // all of it, or what is behind `next`
};

/// Reads about `bytes` from `offset` on, at most a line that is too long more; `offset` is 0 or the last `next`. Half a
/// line at the end is left for the next time. Any thread.
EventSlice readEvents(const QString &path, qint64 offset, qint64 bytes);

}  // namespace hearth
