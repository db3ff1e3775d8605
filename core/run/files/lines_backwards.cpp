#include "core/run/files/lines_backwards.h"

#include <QFile>
#include <algorithm>

namespace hearth {
namespace {

constexpr qint64 chunk = 256 << 10;

}  // namespace

LinesBackwards::LinesBackwards(QFile &file) : m_file(file), m_start(file.size()), m_end(m_start) {
    // Behind the last line end there may be half a line.
    qsizetype last = -1;
    while (last < 0 && m_start > 0 && load())
        last = m_part.lastIndexOf('\n');
    m_end = last < 0 ? 0 : m_start + last + 1;
    m_whole = m_end;
}

std::optional<QByteArray> LinesBackwards::next() {
    if (m_end == 0)
        return std::nullopt;
    qsizetype before = lineEndBefore();
    while (before < 0 && m_start > 0 && load())
        before = lineEndBefore();
    if (before < 0 && m_start > 0) {
        m_end = 0;
        return std::nullopt;
    }
    const auto end = static_cast<qsizetype>(m_end - m_start);
    const QByteArray line = m_part.mid(before + 1, end - before - 2);
    m_end = before < 0 ? 0 : m_start + before + 1;
    m_part.truncate(before + 1);
    return line;
}

qsizetype LinesBackwards::lineEndBefore() const {
    const auto end = static_cast<qsizetype>(m_end - m_start);
    return end < 2 ? -1 : m_part.lastIndexOf('\n', end - 2);
}

bool LinesBackwards::load() {
    const qint64 from = std::max<qint64>(0, m_start - chunk);
    if (m_part.size() > longestEventLine || !m_file.seek(from))
        return false;
    const QByteArray before = m_file.read(m_start - from);
    if (before.size() != m_start - from)
        return false;
    m_part.prepend(before);
    m_start = from;
    return true;
}

}  // namespace hearth
