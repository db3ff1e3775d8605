// Internal to core/data: tables of text, as RFC 4180 has them.
#pragma once

#include <QIODevice>
#include <QStringList>
#include <optional>

#include "core/base/error.h"

namespace hearth {

struct CsvLimits {
    static constexpr qsizetype recordBytes = 8 << 20;
    static constexpr qsizetype fields = 10'000;
};

/// Whether quotation marks mean something: as RFC 4180 says, or they are letters as others (GLUE's files).
enum class Quotes : quint8 { Doubled, Plain };

/// Where a device begins: a file, or a record within one, which has no byte order mark to be passed over.
enum class CsvBegin : quint8 { OfFile, OfRecord };

/// Record by record, in memory for one. Fields stand between separators; those with a separator, a quotation mark or a
/// line end stand in quotation marks, doubled within. Lines end with LF or CRLF; a byte order mark is passed over, and
/// so are empty lines. Text is UTF-8; what is none becomes U+FFFD. One thread.
class CsvReader {
  public:
    /// `source` is named by errors. `device` is open and outlives this.
    CsvReader(QIODevice &device, char separator, QString source, Quotes quotes = Quotes::Doubled,
              CsvBegin begin = CsvBegin::OfFile);
    /// The next record; nothing at the end. Error "data.malformed" with the line: a quotation mark that is not closed,
    /// or stands within a field; a record beyond CsvLimits.
    Result<std::optional<QStringList>> next();
    /// Where the last record begins, from 1.
    qint64 line() const { return m_recordLine; }
    /// The same in bytes of the device, from where it stood; and where the next one begins.
    qint64 offset() const { return m_recordOffset; }
    qint64 end() const { return m_bufferOffset + m_at; }
    const QString &source() const { return m_source; }

  private:
    bool refill();
    /// The next byte without taking it; -1 at the end.
    int peek();

    QIODevice &m_device;
    const char m_separator;
    const QString m_source;
    const Quotes m_quotes;
    QByteArray m_buffer;
    qint64 m_bufferOffset = 0;
    qsizetype m_at = 0;
    qint64 m_line = 1, m_recordLine = 0, m_recordOffset = 0;
};

/// ',' or tab or ';': which of them a first line has most of; ',' where none. Where all commas are between digits, any
/// of the others comes first.
char separatorOf(const QByteArray &firstLine);

}  // namespace hearth
