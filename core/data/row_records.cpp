#include "core/data/row_records.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace hearth {
namespace {

tl::expected<QStringList, Sentence> fieldsOf(const QByteArray &line, const QStringList *columns) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    if (!document.isObject())
        return tl::unexpected(sentence("It is no JSON object."));
    const QJsonObject object = document.object();
    if (!columns)
        return object.keys();
    QStringList fields;
    for (const QString &column : *columns) {
        const QJsonValue value = object[column];
        if (value.isArray() || value.isObject())
            return tl::unexpected(sentence("\"%1\" is neither a text nor a number.").arg(column));
        fields << value.toVariant().toString();  // numbers as short as they are the same
    }
    return fields;
}

}  // namespace

Result<std::optional<QStringList>> RowFiles::Reader::next() {
    if (m_csv) {
        auto record = m_csv->next();
        m_offset = m_csv->offset();
        m_end = m_csv->end();
        m_line = m_csv->line();
        return record;
    }
    QByteArray text;
    while (text.trimmed().isEmpty()) {
        m_offset = m_end;
        text = m_device.readLine(CsvLimits::recordBytes);
        if (text.isEmpty())
            return std::nullopt;
        m_end += text.size();
        ++m_line;
    }
    const auto fields = text.size() < CsvLimits::recordBytes - 1
                            ? fieldsOf(text, m_of.own.isEmpty() ? nullptr : &m_of.own)
                            : tl::unexpected(sentence("It has more than %1 bytes.").arg(CsvLimits::recordBytes));
    if (fields)
        return *fields;
    return fail(QStringLiteral("data.malformed"),
                sentence("Line %1 of %2 cannot be read.").arg(m_line).arg(m_of.file.path()), fields.error(),
                sentence("Correct it there: each line is an object such as {\"text\": \"…\", \"label\": \"…\"}."));
}

}  // namespace hearth
