#include "core/data/row_files.h"

#include <QBuffer>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "core/data/split_files.h"

namespace hearth {
namespace {

tl::unexpected<Error> empty(const QString &path) {
    return fail(QStringLiteral("data.empty"), sentence("There are no rows in %1.").arg(path), {},
                sentence("Name a file with a row of names, and rows of values below it."));
}

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
        fields << (value.isDouble() ? QString::number(value.toDouble(), 'g', 17) : value.toVariant().toString());
    }
    return fields;
}

/// "1,5" as people write it where a comma is no separator.
bool hasDecimalComma(const QString &text) {
    return text.count(u',') == 1 && !text.contains(u'.') && std::ranges::all_of(text, [](QChar letter) {
               return letter.isDigit() || letter == u',' || letter == u'-' || letter == u'+' || letter == u'e' ||
                      letter == u'E';
           });
}

/// Names of GLUE's columns that nothing else has.
bool isGlue(const QStringList &header) {
    const QStringList mrpc{QStringLiteral("Quality"), QStringLiteral("#1 ID"), QStringLiteral("#2 ID")};
    const QStringList mnli{QStringLiteral("index"), QStringLiteral("promptID"), QStringLiteral("pairID")};
    const QStringList sst{QStringLiteral("sentence"), QStringLiteral("label")};
    const QStringList unlabelled{QStringLiteral("index"), QStringLiteral("sentence")};  // tests of SST-2 and CoLA
    return header == sst || header == unlabelled || header.first(std::min<qsizetype>(3, header.size())) == mrpc ||
           header.first(std::min<qsizetype>(3, header.size())) == mnli;
}

/// CoLA: where a sentence is from, whether it can be said, a mark of its author, the sentence.
bool isCola(const QStringList &first) {
    return first.size() == 4 && (first[1] == QLatin1String("0") || first[1] == QLatin1String("1")) &&
           (first[2].isEmpty() || first[2] == QLatin1String("*"));
}

QStringList namesOf(const QStringList &header) {
    QStringList names;
    for (const QString &field : header) {
        QString name = field.trimmed().left(200);
        if (name.isEmpty())
            name = QStringLiteral("column %1").arg(names.size() + 1);
        while (names.contains(name))
            name += QStringLiteral(" (%1)").arg(names.size() + 1);
        names << name;
    }
    return names;
}

}  // namespace

/// Records of one file, whatever its format.
class RowFiles::Reader {
  public:
    Reader(const OneFile &of, QIODevice &device, CsvBegin begin = CsvBegin::OfFile) : m_of(of), m_device(device) {
        if (!of.isJson)
            m_csv.emplace(device, of.separator, of.file.path(), of.quotes, begin);
    }
    Result<std::optional<QStringList>> next() {
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
    RowPlace place(std::size_t file) const {
        return {m_offset, static_cast<quint32>(m_end - m_offset), static_cast<quint32>(file)};
    }
    qint64 line() const { return m_line; }

  private:
    const OneFile &m_of;
    QIODevice &m_device;
    std::optional<CsvReader> m_csv;
    qint64 m_offset = 0, m_end = 0, m_line = 0;
};

Result<std::unique_ptr<RowFiles::OneFile>> RowFiles::look(const QString &path, Split split) {
    auto made = std::make_unique<OneFile>(path, split);
    OneFile &file = *made;
    if (auto opened = file.file.open(); !opened)
        return tl::unexpected(opened.error());
    QFile again(path);
    if (auto opened = openPlainFile(again); !opened)
        return tl::unexpected(opened.error());
    const QString suffix = QFileInfo(path).suffix().toLower();
    file.isJson = suffix == QLatin1String("jsonl") || suffix == QLatin1String("ndjson");
    const QByteArray line = again.peek(1 << 16).split('\n').front();
    file.separator = separatorOf(line);
    if (suffix == QLatin1String("tsv") && !line.contains(file.separator))
        file.separator = '\t';  // there is one column
    if (!file.isJson && file.separator == '\t') {
        const QStringList first = QString::fromUtf8(line.trimmed()).split(u'\t');
        const bool isColaFile = isCola(QString::fromUtf8(line).split(u'\t'));
        if (isColaFile || isGlue(first))
            file.quotes = Quotes::Plain;
        if (isColaFile) {
            file.hasHeader = false;
            file.own = {QStringLiteral("source"), QStringLiteral("label"), QStringLiteral("mark"),
                        QStringLiteral("sentence")};
            return made;
        }
    }
    const auto first = Reader(file, again).next();
    if (!first)
        return tl::unexpected(first.error());
    if (!*first)
        return empty(path);
    const auto numbers =
        std::ranges::count_if(**first, [](const QString &field) { return numberOf(field).has_value(); });
    file.hasHeader = file.isJson || 2 * numbers < (*first)->size();
    file.own = file.isJson ? **first : namesOf(file.hasHeader ? **first : QStringList((*first)->size(), QString()));
    return made;
}

Result<void> RowFiles::add(const QString &path, Split split) {
    auto file = look(path, split);
    if (!file)
        return tl::unexpected(file.error());
    if (m_files.empty())
        m_columns = (*file)->own;
    for (const QString &column : m_columns) {
        const qsizetype at = (*file)->own.indexOf(column);
        if (at < 0) {
            m_left.push_back({QFileInfo(path).fileName(), sentence("It has no column \"%1\".").arg(column)});
            return {};
        }
        (*file)->order.push_back(at);
    }
    m_files.push_back(std::move(*file));
    return {};
}

Result<std::shared_ptr<const RowFiles>> RowFiles::open(const QString &path) {
    auto rows = std::make_shared<RowFiles>();
    const bool isFolder = QFileInfo(path).isDir();
    for (const Split split : allSplits) {
        const QString file = isFolder ? tableIn(path, split) : split == Split::Train ? path : QString();
        if (file.isEmpty())
            continue;
        if (auto added = rows->add(file, split); !added)
            return tl::unexpected(added.error());
    }
    if (rows->m_files.empty() || rows->m_files.front()->split != Split::Train)
        return empty(path);
    return rows;
}

qint64 RowFiles::bytes() const {
    qint64 bytes = 0;
    for (const auto &file : m_files)
        bytes += file->file.size();
    return bytes;
}

tl::expected<QStringList, Sentence> RowFiles::arranged(const OneFile &file, QStringList fields) const {
    if (fields.size() != file.own.size())
        return tl::unexpected(
            sentence("It has %1 fields, and the header has %2.").arg(fields.size()).arg(file.own.size()));
    QStringList result;
    for (const qsizetype at : file.order) {
        QString field = std::move(fields[at]);
        if (field.contains(QChar::ReplacementCharacter) || field.contains(QChar::Null))
            return tl::unexpected(sentence("It is no valid UTF-8."));
        if (file.separator == ';' && hasDecimalComma(field))
            field.replace(u',', u'.');
        result << std::move(field);
    }
    return result;
}

RowFiles::Cursor::Cursor(const RowFiles &rows) : m_rows(rows) {}

RowFiles::Cursor::~Cursor() = default;

Result<void> RowFiles::Cursor::openNext() {
    const OneFile &of = *m_rows.m_files[m_file];
    m_device = std::make_unique<QFile>(of.file.path());
    if (auto opened = openPlainFile(*m_device); !opened)
        return opened;
    m_reader = std::make_unique<Reader>(of, *m_device);
    if (!of.hasHeader || of.isJson)
        return {};
    const auto header = m_reader->next();
    return header ? Result<void>() : tl::unexpected(header.error());
}

Result<std::optional<RowFiles::Cursor::Found>> RowFiles::Cursor::next() {
    for (; m_file < m_rows.m_files.size(); ++m_file, m_reader.reset()) {
        if (!m_reader) {
            if (auto opened = openNext(); !opened)
                return tl::unexpected(opened.error());
        }
        auto record = m_reader->next();
        if (!record)
            return tl::unexpected(record.error());
        if (!*record)
            continue;
        const OneFile &of = *m_rows.m_files[m_file];
        Found found{{m_reader->place(m_file), of.split, {}},
                    QStringLiteral("%1:%2").arg(QFileInfo(of.file.path()).fileName()).arg(m_reader->line()),
                    std::nullopt};
        if (auto fields = m_rows.arranged(of, std::move(**record)))
            found.row.fields = std::move(*fields);
        else
            found.broken = fields.error();
        return found;
    }
    return std::nullopt;
}

Result<void> RowFiles::each(const std::function<std::optional<Sentence>(const Row &row)> &take,
                            std::vector<BrokenFile> &broken) const {
    broken.insert(broken.end(), m_left.begin(), m_left.end());
    qint64 count = 0, unnamed = 0;
    Cursor cursor(*this);
    while (true) {
        auto found = cursor.next();
        if (!found)
            return tl::unexpected(found.error());
        if (!*found)
            break;
        Row &row = (*found)->row;
        if (++count > Limits::rows) {
            return fail(QStringLiteral("data.too-many"),
                        sentence("%1 is too large for one data set.").arg(m_files[row.place.file]->file.path()),
                        sentence("It has more than %1 rows.").arg(Limits::rows), sentence("Take a part of it."));
        }
        std::optional<Sentence> cause = (*found)->broken;
        if (!cause) {
            // Lines end as they may, so the fields and not the bytes decide.
            if (!isDivided() && isForTest(contentHash(row.fields.join(QChar(0x1f)).toUtf8())))
                row.split = Split::Test;
            cause = take(row);
        }
        if (cause && broken.size() < Limits::broken)
            broken.push_back({(*found)->where, *cause});
        else if (cause)
            ++unnamed;
    }
    if (unnamed > 0)
        broken.push_back(
            {QFileInfo(m_files.back()->file.path()).fileName(), sentence("%1 more rows cannot be used.").arg(unnamed)});
    return {};
}

QList<QStringList> RowFiles::beginning(qsizetype rows) const {
    QList<QStringList> found;
    Cursor cursor(*this);
    while (found.size() < rows) {
        const auto next = cursor.next();
        if (!next || !*next || (*next)->row.place.file > 0)
            break;
        if (!(*next)->broken)
            found << (*next)->row.fields;
    }
    return found;
}

Result<QStringList> RowFiles::read(const RowPlace &place) const {
    const OneFile &of = *m_files[place.file];
    QByteArray bytes(static_cast<qsizetype>(place.bytes), Qt::Uninitialized);
    if (auto read = of.file.read(place.offset, bytesOf(bytes)); !read)
        return tl::unexpected(read.error());
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    auto record = Reader(of, buffer, CsvBegin::OfRecord).next();
    if (record && *record) {
        if (auto fields = arranged(of, std::move(**record)))
            return *fields;
    }
    return fail(QStringLiteral("data.changed"), sentence("The file %1 could not be read.").arg(of.file.path()),
                sentence("It is not what it was when it was opened."), sentence("Begin again when nobody changes it."));
}

std::optional<double> numberOf(const QString &text) {
    bool fine = false;
    const double number = text.trimmed().toDouble(&fine);
    return fine && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace hearth
