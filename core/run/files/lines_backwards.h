// The lines of a file from its end: what counts about a long run is written last.
#pragma once

#include <QByteArray>
#include <optional>

class QFile;

namespace hearth {

/// A round's event of 64 devices is 30 kB; a line longer than this is no event.
constexpr qsizetype longestEventLine = 16 << 20;

/// Reads whole lines (those that end) from the last to the first, in parts. `file` is open, does not grow meanwhile and
/// outlives this; its position is this object's. Single thread.
class LinesBackwards {
  public:
    explicit LinesBackwards(QFile &file);
    /// Without its line end; nothing before the first line, and nothing more after an error or in front of a line
    /// that is longer than any event.
    std::optional<QByteArray> next();
    /// Where the whole lines end, from the start of the file: behind it is at most half a line.
    qint64 wholeBytes() const { return m_whole; }

  private:
    bool load();
    /// The last line end before `m_end - 1`, or -1 where the part in memory has none.
    qsizetype lineEndBefore() const;

    QFile &m_file;
    QByteArray m_part;  // of the file, from m_start on
    qint64 m_start = 0;
    qint64 m_end = 0;  // of the line to give out next, its line end included
    qint64 m_whole = 0;
};

}  // namespace hearth
