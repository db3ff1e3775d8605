#include "core/data/row_files.h"

#include <QBuffer>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/base/files.h"
#include "core/data/first_line.h"
#include "core/data/row_records.h"
#include "core/data/split_files.h"
#include "core/data/watched_file.h"

namespace hearth {
namespace {

tl::unexpected<Error> empty(const QString &path) {
    return fail(QStringLiteral("data.empty"), sentence("There are no rows in %1.").arg(path), {},
                sentence("Name a file with a row of names, and rows of values below it."));
}

/// It was no UTF-8.
bool isNoText(const QString &field) {
    return field.contains(QChar::ReplacementCharacter) || field.contains(QChar::Null);
}

/// So many rows show what the commas of a column are.
constexpr int rowsWithCommas = 1000;

/// "1,5" as people write it where a comma is no separator.
bool hasDecimalComma(const QString &text) {
    return text.count(u',') == 1 && !text.contains(u'.') && std::ranges::all_of(text, [](QChar letter) {
               return letter.isDigit() || letter == u',' || letter == u'-' || letter == u'+' || letter == u'e' ||
                      letter == u'E';
           });
}

/// A number with a point before its decimals; other fields as they are.
QString withPoint(QString field) {
    if (hasDecimalComma(field))
        field.replace(u',', u'.');
    return field;
}

/// What the commas of a column are.
class SeenCommas {
  public:
    void add(const QString &field) {
        static const QRegularExpression groups(QStringLiteral("^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+$"));
        if (!field.contains(u','))
            m_hasWithout = m_hasWithout || numberOf(field);
        else if (groups.match(field).hasMatch())
            m_hasGroups = true;
        else
            m_hasDecimals = m_hasDecimals || hasDecimalComma(field);
    }
    /// "1,234" beside "999". Where all have a comma, each may as well have three decimals.
    bool groupDigits() const { return m_hasGroups && m_hasWithout && !m_hasDecimals; }

  private:
    bool m_hasGroups = false, m_hasWithout = false, m_hasDecimals = false;
};

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

}  // namespace

void BrokenRows::add(const RowPlace &place, const QString &where, const Sentence &cause) {
    ++m_count;
    const std::pair at(place.file, place.offset);
    if (m_first.size() == most) {
        const auto last = std::prev(m_first.end());
        if (last->first < at)
            return;
        m_first.erase(last);
    }
    m_first.emplace(at, BrokenFile{where, cause});
}

void BrokenRows::addTo(std::vector<BrokenFile> &broken, const QString &lastFile) const {
    for (const auto &[at, row] : m_first)
        broken.push_back(row);
    if (const qint64 more = m_count - static_cast<qint64>(m_first.size()); more > 0)
        broken.push_back({lastFile, sentence("%1 more {1|row|rows} cannot be used.").arg(more)});
}

Result<std::unique_ptr<RowFiles::OneFile>> RowFiles::look(const QString &path, Split split, const QStringList &known,
                                                          const CheckProgress &progress) {
    auto made = std::make_unique<OneFile>(path, split);
    OneFile &file = *made;
    if (auto opened = file.file.open(); !opened)
        return tl::unexpected(opened.error());
    std::optional<int> left;  // pieces below the first line; nothing before that is read
    WatchedFile again(path, [&](qint64 done, qint64 total) {
        return (!left || --*left >= 0) && (!progress || progress(done, total));
    });
    if (auto opened = openPlainFile(again); !opened)
        return tl::unexpected(opened.error());
    const QString suffix = QFileInfo(path).suffix().toLower();
    file.isJson = areJsonLines(path);
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
    Reader reader(file, again);
    const auto first = reader.next();
    if (again.isGivenUp())
        return lookGivenUp();
    if (!first)
        return tl::unexpected(first.error());
    if (!*first)
        return empty(path);
    const auto withPoints = [&file](QStringList fields) {
        if (file.hasFreeCommas()) {
            for (QString &field : fields)
                field = withPoint(std::move(field));
        }
        return fields;
    };
    if (FirstLine looks(withPoints(**first)); !file.isJson && looks.isMostlyNumbers()) {
        const qint64 at = reader.line();
        const auto named = hasNames(**first, known);
        left = mostPieces;
        for (int row = 0; !named && row < FirstLine::rowsBelow; ++row) {
            const auto below = reader.next();
            if (!below || !*below || again.isGivenUp())
                break;  // whoever reads all rows is told what is wrong with them
            looks.add(withPoints(**below));
        }
        if (again.isGivenUp() && *left >= 0)
            return lookGivenUp();
        file.hasHeader = named.value_or(looks.areNames());
        file.lineOfNumbers = file.hasHeader ? at : 0;
    }
    if (file.hasHeader && std::ranges::any_of(**first, isNoText)) {
        return fail(QStringLiteral("data.malformed"), sentence("Line %1 of %2 cannot be read.").arg(1).arg(path),
                    sentence("It is no valid UTF-8."), sentence("Save the table once more, as UTF-8."));
    }
    file.own = file.isJson ? **first : columnNames(file.hasHeader ? **first : QStringList((*first)->size(), QString()));
    return made;
}

Result<void> RowFiles::add(const QString &path, Split split, const QStringList &known, const CheckProgress &progress) {
    auto file = look(path, split, m_files.empty() ? known : m_columns, progress);
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
    const qint64 line = (*file)->lineOfNumbers;
    m_files.push_back(std::move(*file));
    if (line > 0) {
        m_left.push_back({nameOf(m_files.size() - 1, line),
                          sentence("It is taken for the names of the columns, though half of it or more are numbers."),
                          BrokenFile::Fate::Doubtful});
    }
    return {};
}

Result<std::shared_ptr<const RowFiles>> RowFiles::open(const QString &path, const QStringList &known,
                                                       const CheckProgress &progress) {
    auto rows = std::make_shared<RowFiles>();
    const bool isFolder = QFileInfo(path).isDir();
    for (const Split split : allSplits) {
        const QString file = isFolder ? tableIn(path, split) : split == Split::Train ? path : QString();
        if (file.isEmpty())
            continue;
        if (auto added = rows->add(file, split, known, progress); !added)
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

QString RowFiles::nameOf(std::size_t file, qint64 line) const {
    return QStringLiteral("%1:%2").arg(QFileInfo(m_files[file]->file.path()).fileName()).arg(line);
}

std::vector<BrokenFile> RowFiles::allBroken(const BrokenRows &rows) const {
    std::vector<BrokenFile> all = m_left;
    rows.addTo(all, QFileInfo(m_files.back()->file.path()).fileName());
    return all;
}

bool RowFiles::hasChanged() const {
    return std::ranges::any_of(m_files, [](const auto &file) { return file->file.hasChanged(); });
}

std::vector<bool> RowFiles::groupedColumns(const CheckProgress &progress) const {
    const OneFile &of = *m_files.front();
    std::vector<SeenCommas> seen(static_cast<std::size_t>(m_columns.size()));
    WatchedFile device(of.file.path(), progress);
    if (of.hasFreeCommas() && openPlainFile(device)) {
        Reader reader(of, device);
        if (of.hasHeader)
            (void)reader.next();
        for (int row = 0; row < rowsWithCommas; ++row) {
            const auto record = reader.next();
            if (!record || !*record)
                break;  // whoever reads all rows is told what is wrong with them
            for (std::size_t i = 0; i < std::min(seen.size(), static_cast<std::size_t>((*record)->size())); ++i)
                seen[i].add((**record)[static_cast<qsizetype>(i)]);
        }
    }
    std::vector<bool> grouped;
    for (const SeenCommas &column : seen)
        grouped.push_back(column.groupDigits());
    return grouped;
}

tl::expected<QStringList, Sentence> RowFiles::arranged(const OneFile &file, QStringList fields) const {
    if (fields.size() != file.own.size())
        return tl::unexpected(
            sentence("It has %1 {1|field|fields}, and the header has %2.").arg(fields.size()).arg(file.own.size()));
    QStringList result;
    for (const qsizetype at : file.order) {
        QString field = std::move(fields[at]);
        if (isNoText(field))
            return tl::unexpected(sentence("It is no valid UTF-8."));
        result << (file.hasFreeCommas() ? withPoint(std::move(field)) : std::move(field));
    }
    return result;
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

QString withComma(const QString &field) {
    return numberOf(field) ? QString(field).replace(u'.', u',') : field;
}

std::optional<double> numberOf(const QString &text) {
    bool fine = false;
    const double number = text.trimmed().toDouble(&fine);
    return fine && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace hearth
