// All rows of some files, one after the other.
#include "core/base/files.h"
#include "core/data/row_records.h"
#include "core/data/split_files.h"
#include "core/data/watched_file.h"

namespace hearth {

RowFiles::Cursor::Cursor(const RowFiles &rows, CheckProgress progress)
    : m_rows(rows), m_progress(std::move(progress)) {}

RowFiles::Cursor::~Cursor() = default;

Result<void> RowFiles::Cursor::openNext() {
    const OneFile &of = *m_rows.m_files[m_file];
    m_device = std::make_unique<WatchedFile>(of.file.path(), m_progress);
    if (auto opened = openPlainFile(*m_device); !opened)
        return opened;
    m_reader = std::make_unique<Reader>(of, *m_device);
    if (!of.hasHeader || of.isJson)
        return {};
    const auto header = read();
    return header ? Result<void>() : tl::unexpected(header.error());
}

Result<std::optional<QStringList>> RowFiles::Cursor::read() {
    auto record = m_reader->next();
    if (m_device->isGivenUp())
        return lookGivenUp();
    return record;
}

Result<std::optional<RowFiles::Cursor::Found>> RowFiles::Cursor::next() {
    for (; m_file < m_rows.m_files.size(); ++m_file, m_reader.reset()) {
        if (!m_reader) {
            if (auto opened = openNext(); !opened)
                return tl::unexpected(opened.error());
        }
        auto record = read();
        if (!record)
            return tl::unexpected(record.error());
        if (!*record)
            continue;
        const OneFile &of = *m_rows.m_files[m_file];
        Found found{{m_reader->place(m_file), of.split, {}, m_reader->line(), m_rows.nameOf(m_file, m_reader->line())},
                    std::nullopt};
        if (auto fields = m_rows.arranged(of, std::move(**record)))
            found.row.fields = std::move(*fields);
        else
            found.broken = fields.error();
        return found;
    }
    return std::nullopt;
}

Result<void> RowFiles::each(const std::function<std::optional<Sentence>(const Row &row)> &take, BrokenRows &broken,
                            const CheckProgress &progress) const {
    constexpr qint64 rowsBetween = 4096;
    qint64 count = 0;
    Cursor cursor(*this, progress);
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
        if (count % rowsBetween == 0) {
            if (auto on = mayGoOn(progress, count); !on)
                return on;
        }
        std::optional<Sentence> cause = (*found)->broken;
        if (!cause) {
            // Lines end as they may, so the fields and not the bytes decide.
            if (!isDivided() && isForTest(contentHash(row.fields.join(QChar(0x1f)).toUtf8())))
                row.split = Split::Test;
            cause = take(row);
        }
        if (cause)
            broken.add(row.place, row.where, *cause);
    }
    return {};
}

QList<QStringList> RowFiles::beginning(qsizetype rows, const CheckProgress &progress) const {
    // Where no row can be used, nobody reads all of the file for that.
    constexpr int mostRows = 100;
    QList<QStringList> found;
    Cursor cursor(*this, [&progress, pieces = 0](qint64 done, qint64 total) mutable {
        return ++pieces <= mostPieces && (!progress || progress(done, total));
    });
    for (int looked = 0; looked < mostRows && found.size() < rows; ++looked) {
        const auto next = cursor.next();
        if (!next || !*next || (*next)->row.place.file > 0)
            break;
        if (!(*next)->broken)
            found << (*next)->row.fields;
    }
    return found;
}

}  // namespace hearth
