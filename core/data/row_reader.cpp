#include "core/data/row_reader.h"

#include <QFileInfo>
#include <QStringDecoder>

#include "core/base/files.h"
#include "core/data/preparation.h"
#include "core/data/split_files.h"

namespace hearth {
namespace {

class TableRows final : public RowReader {
  public:
    TableRows(std::shared_ptr<const RowFiles> rows, QList<qsizetype> places, qsizetype label)
        : m_rows(std::move(rows)), m_cursor(*m_rows) {
        m_columns = m_rows->columns();
        m_places = std::move(places);
        m_label = label;
    }
    static Result<std::unique_ptr<RowReader>> open(const QString &path, const Preparation &preparation) {
        auto rows = RowFiles::open(path, preparation.columns());
        if (!rows)
            return tl::unexpected(rows.error());
        QList<qsizetype> places;
        for (const QString &column : preparation.columns()) {
            const auto at = columnNamed(**rows, path, column);
            if (!at)
                return tl::unexpected(at.error());
            places << *at;
        }
        const qsizetype label = (*rows)->columns().indexOf(preparation.labels().column);
        return std::make_unique<TableRows>(std::move(*rows), std::move(places), label);
    }
    Result<std::optional<Row>> next() override {
        return m_cursor.next().map([](std::optional<RowFiles::Cursor::Found> found) -> std::optional<Row> {
            if (!found)
                return std::nullopt;
            return Row{std::move(found->row.where), std::move(found->row.fields), found->broken};
        });
    }

  private:
    std::shared_ptr<const RowFiles> m_rows;
    RowFiles::Cursor m_cursor;
};

class Lines final : public RowReader {
  public:
    Lines(const QString &path, const QStringList &texts) : m_path(path), m_file(path) {
        m_columns = texts;
        for (qsizetype i = 0; i < texts.size(); ++i)
            m_places << i;
    }
    Result<void> open() { return openPlainFile(m_file); }
    Result<std::optional<Row>> next() override {
        QByteArray line;
        while (line.trimmed().isEmpty()) {
            line = m_file.readLine(CsvLimits::recordBytes);
            if (line.isEmpty())
                return std::nullopt;
            ++m_line;
        }
        if (line.size() >= CsvLimits::recordBytes - 1) {
            return fail(QStringLiteral("data.malformed"),
                        sentence("Line %1 of %2 cannot be read.").arg(m_line).arg(m_path),
                        sentence("It has more than %1 bytes.").arg(CsvLimits::recordBytes),
                        sentence("Name a file with a text in each line."));
        }
        Row row{QStringLiteral("%1:%2").arg(QFileInfo(m_path).fileName()).arg(m_line), {}, {}};
        while (line.endsWith('\n') || line.endsWith('\r'))
            line.chop(1);
        QStringDecoder decoder(QStringDecoder::Utf8);
        const QString text = decoder(line);
        const QStringList fields = m_columns.size() > 1 ? text.split(u'\t') : QStringList{text};
        if (decoder.hasError() || text.contains(QChar::Null))
            row.broken = sentence("It is no valid UTF-8.");
        else if (fields.size() != m_columns.size())
            row.broken = sentence("It has %1 {1|text|texts} and not %2, with a tab between.")
                             .arg(fields.size())
                             .arg(m_columns.size());
        else
            row.fields = fields;
        return row;
    }

  private:
    const QString m_path;  // which an open file does not tell
    QFile m_file;
    qint64 m_line = 0;
};

}  // namespace

Result<std::unique_ptr<RowReader>> RowReader::open(const QString &path, const Preparation &preparation) {
    if (QFileInfo(path).isDir()) {
        return fail(QStringLiteral("data.no-rows"), sentence("%1 is a folder.").arg(path),
                    sentence("This network takes rows of a file."), sentence("Name the file."));
    }
    if (preparation.kind() == Preparation::Kind::Table || areRows(path))
        return TableRows::open(path, preparation);
    auto lines = std::make_unique<Lines>(path, preparation.columns());
    if (auto opened = lines->open(); !opened)
        return tl::unexpected(opened.error());
    return lines;
}

}  // namespace hearth
