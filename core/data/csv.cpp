#include "core/data/csv.h"

#include <QStringDecoder>

namespace hearth {
namespace {

constexpr qint64 csvPieceBytes = 1 << 16;
constexpr char byteOrderMark[] = "\xef\xbb\xbf";

/// Within a file such a mark is a letter as others are; QString would take it away.
QString textOf(const QByteArray &field) {
    if (!field.startsWith(byteOrderMark))
        return QString::fromUtf8(field);
    return QStringDecoder(QStringDecoder::Utf8,
                          QStringDecoder::Flag::ConvertInitialBom | QStringDecoder::Flag::Stateless)(field);
}

bool isDigitAt(const QByteArray &line, qsizetype at) {
    return at >= 0 && at < line.size() && line[at] >= '0' && line[at] <= '9';
}

/// All its commas are: "1,5;2,5" has two fields.
bool areBeforeDecimals(const QByteArray &line) {
    for (qsizetype at = line.indexOf(','); at >= 0; at = line.indexOf(',', at + 1)) {
        if (!isDigitAt(line, at - 1) || !isDigitAt(line, at + 1))
            return false;
    }
    return true;
}

}  // namespace

CsvReader::CsvReader(QIODevice &device, char separator, QString source, Quotes quotes, CsvBegin begin)
    : m_device(device), m_separator(separator), m_source(std::move(source)), m_quotes(quotes) {
    refill();
    if (begin == CsvBegin::OfFile && m_buffer.startsWith(byteOrderMark))
        m_at = 3;
}

bool CsvReader::refill() {
    m_bufferOffset += m_buffer.size();
    m_buffer = m_device.read(csvPieceBytes);
    m_at = 0;
    return !m_buffer.isEmpty();
}

int CsvReader::peek() {
    if (m_at >= m_buffer.size() && !refill())
        return -1;
    return static_cast<unsigned char>(m_buffer[m_at]);
}

Result<std::optional<QStringList>> CsvReader::next() {
    const auto wrong = [this](const Sentence &cause) {
        return fail(QStringLiteral("data.malformed"),
                    sentence("Line %1 of %2 cannot be read.").arg(m_line).arg(m_source), cause,
                    sentence("Correct it there; a text with quotation marks stands in such, each doubled."));
    };
    for (int byte = peek(); byte == '\n' || byte == '\r'; byte = peek()) {
        m_line += byte == '\n' ? 1 : 0;
        ++m_at;
    }
    if (peek() < 0)
        return std::nullopt;
    m_recordLine = m_line;
    m_recordOffset = end();
    QStringList fields;
    QByteArray field;
    qsizetype bytes = 0;
    enum class Place { Start, Plain, Quoted, AfterQuote } place = Place::Start;
    for (;; ++m_at) {
        const int byte = peek();
        if (++bytes > CsvLimits::recordBytes || fields.size() >= CsvLimits::fields) {
            m_line = m_recordLine;
            return wrong(sentence("It has more than %1 fields or %2 bytes. Is a quotation mark not closed?")
                             .arg(CsvLimits::fields)
                             .arg(CsvLimits::recordBytes));
        }
        if (byte < 0 && place == Place::Quoted) {
            m_line = m_recordLine;
            return wrong(sentence("A quotation mark is opened and not closed."));
        }
        if (place == Place::Quoted) {
            if (byte == '"')
                place = Place::AfterQuote;
            else
                field += static_cast<char>(byte);
            m_line += byte == '\n' ? 1 : 0;
            continue;
        }
        if (byte < 0 || byte == '\n' || byte == m_separator) {
            if (place == Place::Plain && byte != m_separator && field.endsWith('\r'))
                field.chop(1);
            fields << textOf(field);
            field.clear();
            place = Place::Start;
            if (byte == m_separator)
                continue;
            if (byte == '\n') {
                ++m_at;
                ++m_line;
            }
            return std::optional(fields);
        }
        if (byte == '"' && place == Place::Start && m_quotes == Quotes::Doubled) {
            place = Place::Quoted;
        } else if (byte == '"' && place == Place::AfterQuote) {
            field += '"';
            place = Place::Quoted;
        } else if (byte == '"' && m_quotes == Quotes::Doubled) {
            return wrong(sentence("A quotation mark stands within a text that does not begin with one."));
        } else if (place == Place::AfterQuote) {
            if (byte != '\r')
                return wrong(sentence("Something follows a quotation mark that was closed."));
        } else {
            field += static_cast<char>(byte);
            place = Place::Plain;
        }
    }
}

char separatorOf(const QByteArray &firstLine) {
    char best = ',';
    qsizetype most = areBeforeDecimals(firstLine) ? 0 : firstLine.count(',');
    for (const char candidate : {'\t', ';'}) {
        if (const qsizetype count = firstLine.count(candidate); count > most) {
            best = candidate;
            most = count;
        }
    }
    return best;
}

}  // namespace hearth
