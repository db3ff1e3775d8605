#include "core/data/npy.h"

#include <QtEndian>
#include <optional>

namespace hearth {
namespace {

constexpr qsizetype magicBytes = 8;  // with the version

tl::unexpected<Error> malformedNpy(const QString &source, const Sentence &cause, const Sentence &advice = {}) {
    return fail(QStringLiteral("data.malformed"), sentence("%1 is not a .npy file that can be read.").arg(source),
                cause, advice.isEmpty() ? sentence("Save it again with numpy.save().") : advice);
}

/// Python's notation of the header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class DictReader {
  public:
    explicit DictReader(const QByteArray &text) : m_text(text) {}

    bool take(char wanted) {
        skipSpace();
        if (m_at >= m_text.size() || m_text[m_at] != wanted)
            return false;
        ++m_at;
        return true;
    }
    std::optional<QByteArray> text() {
        skipSpace();
        if (m_at >= m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"'))
            return std::nullopt;
        const qsizetype end = m_text.indexOf(m_text[m_at], m_at + 1);
        if (end < 0)
            return std::nullopt;
        const QByteArray value = m_text.mid(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return value;
    }
    std::optional<bool> boolean() {
        skipSpace();
        for (const bool value : {true, false}) {
            const QByteArray word = value ? "True" : "False";
            if (m_text.mid(m_at, word.size()) == word) {
                m_at += word.size();
                return value;
            }
        }
        return std::nullopt;
    }
    std::optional<std::vector<qint64>> tuple() {
        std::vector<qint64> values;
        if (!take('('))
            return std::nullopt;
        while (!take(')')) {
            const auto value = number();
            if (!value || values.size() == NpyLimits::rank)
                return std::nullopt;
            values.push_back(*value);
            if (!take(',')) {
                if (!take(')'))
                    return std::nullopt;
                break;
            }
        }
        return values;
    }
    bool atEnd() {
        skipSpace();
        return m_at == m_text.size();
    }

  private:
    void skipSpace() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n'))
            ++m_at;
    }
    std::optional<qint64> number() {
        skipSpace();
        const qsizetype first = m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9')
            ++m_at;
        bool fine = false;
        const qint64 value = m_text.mid(first, m_at - first).toLongLong(&fine);
        return fine ? std::optional(value) : std::nullopt;
    }

    const QByteArray &m_text;
    qsizetype m_at = 0;
};

struct Description {
    std::optional<QByteArray> type;
    std::optional<bool> fortran;
    std::optional<std::vector<qint64>> shape;
};

std::optional<Description> readDescription(const QByteArray &text) {
    DictReader reader(text);
    Description description;
    if (!reader.take('{'))
        return std::nullopt;
    while (!reader.take('}')) {
        const auto key = reader.text();
        if (!key || !reader.take(':'))
            return std::nullopt;
        bool read = false;
        if (*key == "descr" && !description.type)
            read = (description.type = reader.text()).has_value();
        else if (*key == "fortran_order" && !description.fortran)
            read = (description.fortran = reader.boolean()).has_value();
        else if (*key == "shape" && !description.shape)
            read = (description.shape = reader.tuple()).has_value();
        if (!read)
            return std::nullopt;
        if (!reader.take(',')) {
            if (!reader.take('}'))
                return std::nullopt;
            break;
        }
    }
    if (!reader.atEnd() || !description.type || !description.fortran || !description.shape)
        return std::nullopt;
    return description;
}

std::optional<DType> typeOf(const QByteArray &name) {
    if (name == "<i8")
        return DType::Int64;
    if (name == "<i4")
        return DType::Int32;
    if (name == "<f4")
        return DType::Float32;
    if (name == "|u1" || name == "<u1")
        return DType::UInt8;
    return std::nullopt;
}

}  // namespace

Result<NpyHeader> readNpyBeginning(const QByteArray &beginning, const QString &source) {
    if (!beginning.startsWith(QByteArray("\x93NUMPY", 6)))
        return malformedNpy(source, sentence("It does not begin as one."));
    const int version = beginning.size() < magicBytes ? 0 : beginning[6];
    if ((version != 1 && version != 2) || beginning[7] != 0)
        return malformedNpy(source, sentence("It is not in NumPy's format 1.0 or 2.0."));
    const qsizetype lengthBytes = version == 1 ? 2 : 4;
    if (beginning.size() < magicBytes + lengthBytes)
        return malformedNpy(source, sentence("It ends in its header."));
    const char *at = beginning.constData() + magicBytes;
    const qint64 length = version == 1 ? qFromLittleEndian<quint16>(at) : qFromLittleEndian<quint32>(at);
    NpyHeader header;
    header.offset = magicBytes + lengthBytes + length;
    if (header.offset > beginning.size())
        return malformedNpy(source, sentence("Its header of %1 bytes is cut off or too long.").arg(length));
    const auto description = readDescription(beginning.mid(magicBytes + lengthBytes, length));
    if (!description)
        return malformedNpy(source, sentence("Its header cannot be read."));
    const auto type = typeOf(*description->type);
    if (!type) {
        return malformedNpy(
            source, sentence("Its numbers are of type \"%1\".").arg(QString::fromLatin1(description->type->left(60))),
            sentence("Save int64, int32, uint8 or float32, little-endian: array.astype(\"<i8\")."));
    }
    if (*description->fortran)
        return malformedNpy(source, sentence("Its numbers are in Fortran's order."),
                            sentence("Save numpy.ascontiguousarray(array)."));
    header.type = *type;
    header.shape = *description->shape;
    if (header.shape.empty())
        return malformedNpy(source, sentence("It is a single number."),
                            sentence("The first dimension counts samples."));
    header.bytes = byteSize(*type);
    for (const qint64 dimension : header.shape) {
        if (__builtin_mul_overflow(header.bytes, dimension, &header.bytes) || header.bytes > NpyLimits::bytes)
            return malformedNpy(source, sentence("It is too large."));
    }
    return header;
}

Result<NpyHeader> readNpyHeader(const QByteArray &beginning, qint64 fileBytes, const QString &source) {
    const auto header = readNpyBeginning(beginning, source);
    if (!header)
        return header;
    const qint64 here = fileBytes - header->offset;
    if (here < header->bytes) {
        return fail(QStringLiteral("data.cut-short"), sentence("%1 is cut short.").arg(source),
                    sentence("It has %1 of %2 bytes of numbers.").arg(here).arg(header->bytes),
                    sentence("Save or copy the file again."));
    }
    if (here > header->bytes)
        return malformedNpy(
            source, sentence("There {1|is|are} %1 {1|byte|bytes} behind its numbers.").arg(here - header->bytes));
    return header;
}

}  // namespace hearth
