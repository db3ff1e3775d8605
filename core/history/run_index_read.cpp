// What History's index answers.
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <span>

#include "core/base/files.h"
#include "core/base/sentence.h"
#include "core/history/round_chunks.h"
#include "core/history/round_writer.h"
#include "core/history/run_curves.h"
#include "core/history/run_index.h"
#include "core/history/tensor_board.h"
#include "core/run/files/event_file.h"

namespace hearth {
namespace {

// More than anybody reads; each is a line of JSON, and a plan of many devices is long.
constexpr qint64 firstEvents = 100, lastEvents = 400;
// Of their lines. A line has at most 1 MiB, so that the "run" event always fits.
constexpr qint64 firstEventBytes = 4 << 20, lastEventBytes = 12 << 20;

Error notRead(const QString &id, const QString &folder) {
    return {QStringLiteral("history.not-exported"), sentence("The rounds of the run %1 could not be exported.").arg(id),
            sentence("%1/events.jsonl could not be read.").arg(folder),
            sentence("Check that the file is there and may be read, and export again.")};
}

Error notWritten(const QString &path, const Sentence &cause) {
    return {QStringLiteral("history.not-exported"), sentence("The rounds could not be written to %1.").arg(path), cause,
            sentence("Choose another place.")};
}

}  // namespace

Result<std::vector<RunSummary>> RunIndex::list() {
    return guarded([&]() -> Result<std::vector<RunSummary>> {
        auto query = rows(QString(), {});
        if (!query)
            return tl::unexpected(query.error());
        std::vector<RunSummary> list;
        while (query->next()) {
            RunSummary summary = RunRecord::fromRow(*query).summary;
            // What only measured or planned has no rounds to look at.
            if (!m_folders.contains(QFileInfo(summary.folder).path()) || !summary.only.isEmpty())
                continue;
            // A label that cannot be read is said to who changes it.
            summary.label = RunLabel::load(summary.folder).value_or(RunLabel());
            list.push_back(std::move(summary));
        }
        // ISO 8601 in UTC sorts as text, and ids begin with the time.
        std::sort(list.begin(), list.end(), [](const RunSummary &a, const RunSummary &b) {
            return std::tie(a.started, a.id) > std::tie(b.started, b.id);
        });
        return list;
    });
}

Result<RunRecord> RunIndex::recordOf(const QString &id) {
    auto query = rows(QStringLiteral("WHERE id=?"), {id});
    if (!query)
        return tl::unexpected(query.error());
    while (query->next()) {
        RunRecord record = RunRecord::fromRow(*query);
        if (m_folders.contains(QFileInfo(record.summary.folder).path()))
            return record;
    }
    return fail(QStringLiteral("history.unknown"), sentence("History does not know the run %1.").arg(id),
                sentence("Its folder is gone."), QString());
}

Result<RunDetails> RunIndex::details(const QString &id) {
    return guarded([&]() -> Result<RunDetails> {
        const auto record = recordOf(id);
        if (!record)
            return tl::unexpected(record.error());
        RunDetails details;
        details.summary = record->summary;
        details.summary.label = RunLabel::load(record->summary.folder).value_or(RunLabel());
        return readEventsOf(details, record->key).and_then([&] { return readCurvesOf(details, record->key); }).map([&] {
            return std::move(details);
        });
    });
}

/// How many of the first, or last, events of a run have no more than `bytes` together.
Result<qint64> RunIndex::eventsWithin(qint64 key, const char *order, qint64 most, qint64 bytes) {
    auto query = m_database.run(
        QStringLiteral("SELECT length(line) FROM event WHERE run=? ORDER BY seq %1 LIMIT ?").arg(QLatin1String(order)),
        {key, most});
    if (!query)
        return tl::unexpected(query.error());
    qint64 count = 0;
    while (query->next() && (bytes -= query->value(0).toLongLong()) >= 0)
        ++count;
    return count;
}

Result<void> RunIndex::readEventsOf(RunDetails &details, qint64 key) {
    auto counted = m_database.run(QStringLiteral("SELECT count(*) FROM event WHERE run=?"), {key});
    if (!counted)
        return tl::unexpected(counted.error());
    const qint64 count = counted->next() ? counted->value(0).toLongLong() : 0;
    counted->finish();
    const auto first = eventsWithin(key, "ASC", firstEvents, firstEventBytes);
    if (!first)
        return tl::unexpected(first.error());
    const auto last = eventsWithin(key, "DESC", std::min(lastEvents, count - *first), lastEventBytes);
    if (!last)
        return tl::unexpected(last.error());
    details.eventsLeftOut = count - *first - *last;
    // Both ends of the list, in order.
    auto query = m_database.run(
        QStringLiteral("SELECT seq,line FROM (SELECT seq,line FROM event WHERE run=? ORDER BY seq LIMIT ?) UNION ALL "
                       "SELECT seq,line FROM (SELECT seq,line FROM event WHERE run=? ORDER BY seq DESC LIMIT ?) "
                       "ORDER BY seq"),
        {key, *first, key, *last});
    if (!query)
        return tl::unexpected(query.error());
    while (query->next()) {
        if (auto event = RunEvent::fromLine(query->value(1).toByteArray()))
            details.events.push_back(*std::move(event));
    }
    return {};
}

Result<void> RunIndex::readCurvesOf(RunDetails &details, qint64 key) {
    CurveThinner loss, speed, accuracy;
    qint64 term = -1;
    CurvePoint last;
    auto read = RoundChunks::forEach(m_database, key, [&](const RoundRow &row) {
        const auto round = static_cast<double>(row.round);
        if (term >= 0 && row.term != term) {
            loss.addGap(last);
            speed.addGap(last);
        }
        term = row.term;
        last = {round, row.t, 0};
        loss.add({round, row.t, row.loss});
        speed.add({round, row.t, row.samplesPerS});
        return true;
    });
    if (!read)
        return tl::unexpected(read.error());
    auto query =
        m_database.run(QStringLiteral("SELECT round,t,accuracy FROM evaluation WHERE run=? ORDER BY round"), {key});
    if (!query)
        return tl::unexpected(query.error());
    while (query->next())
        accuracy.add({query->value(0).toDouble(), query->value(1).toDouble(), realOf(query->value(2))});
    details.loss = loss.take();
    details.speed = speed.take();
    details.accuracy = accuracy.take();
    return {};
}

Result<QString> RunIndex::folderOf(const QString &id) {
    const auto record = recordOf(id);
    if (record)
        return record->summary.folder;
    const auto holds = [&id](const QString &folder) { return listRuns(folder).contains(id); };
    const auto found = std::find_if(m_folders.cbegin(), m_folders.cend(), holds);
    if (found == m_folders.cend())
        return tl::unexpected(record.error());
    return QDir(*found).filePath(id);
}

/// Reads what the index does not know yet of these runs.
Result<void> RunIndex::readAllOf(const QStringList &ids, const Cancelled &cancelled) {
    for (const QString &id : ids) {
        const auto folder = folderOf(id);
        if (!folder)
            return tl::unexpected(folder.error());
        for (Left left = Left::Some; left == Left::Some;) {
            if (cancelled && cancelled())
                return fail(QStringLiteral("history.cancelled"), sentence("The export was cancelled."));
            const auto read = readSlice(*folder);
            if (!read)
                return tl::unexpected(read.error());
            left = *read;
            if (left == Left::Unreadable)
                return tl::unexpected(notRead(id, *folder));
        }
    }
    return {};
}

Result<std::vector<RunDetails>> RunIndex::read(const QStringList &ids) {
    return guarded([&]() -> Result<std::vector<RunDetails>> {
        if (auto read = readAllOf(ids, {}); !read)
            return tl::unexpected(read.error());
        std::vector<RunDetails> list;
        for (const QString &id : ids) {
            auto one = details(id);
            if (!one)
                return tl::unexpected(one.error());
            list.push_back(*std::move(one));
        }
        return list;
    });
}

Result<bool> RunIndex::writeRounds(RoundWriter &writer, const RunRecord &record, const Step &step) {
    auto query = m_database.run(
        QStringLiteral("SELECT round,t,accuracy,loss FROM evaluation WHERE run=? ORDER BY round"), {record.key});
    if (!query)
        return tl::unexpected(query.error());
    while (query->next()) {
        writer.expect({query->value(0).toLongLong(), realOf(query->value(2)), realOf(query->value(3))},
                      query->value(1).toDouble());
    }
    writer.begin(record);
    const auto visit = [&](const RoundRow &row) { return step() && writer.add(row); };
    auto written = RoundChunks::forEach(m_database, record.key, visit);
    if (written && writer.isUnreadable())
        return tl::unexpected(notRead(record.summary.id, record.summary.folder));
    return written.map([&](bool all) { return all && writer.end(); });
}

Result<void> RunIndex::exportRuns(RunExport form, const QStringList &ids, const QString &path,
                                  const Cancelled &cancelled, const Progress &progress) {
    return guarded([&]() -> Result<void> {
        if (auto read = readAllOf(ids, cancelled); !read)
            return read;
        std::vector<RunRecord> records;
        qint64 all = 0, done = 0, told = 0;
        for (const QString &id : ids) {
            auto record = recordOf(id);
            if (!record)
                return tl::unexpected(record.error());
            all += record->summary.rounds;
            records.push_back(*std::move(record));
        }
        const auto step = [&] {
            if (const qint64 percent = 100 * ++done / std::max<qint64>(1, all); progress && percent > told) {
                told = percent;
                progress(std::min(1.0, static_cast<double>(percent) / 100));
            }
            return !(cancelled && cancelled());
        };
        const auto save = [&](const QString &to, std::span<const RunRecord> some) {
            return saveFile(to, [&](QIODevice &file) -> Result<void> {
                const auto writer = makeRoundWriter(form, file, cancelled);
                for (const RunRecord &record : some) {
                    const auto written = writeRounds(*writer, record, step);
                    if (!written)
                        return tl::unexpected(written.error());
                    if (cancelled && cancelled())
                        return fail(QStringLiteral("history.cancelled"), sentence("The export was cancelled."));
                    if (!*written)
                        return tl::unexpected(notWritten(to, file.errorString() + QLatin1Char('.')));
                }
                return {};
            });
        };
        if (form != RunExport::TensorBoard)
            return save(path, records);
        for (const RunRecord &record : records) {
            const QDir folder(QDir(path).filePath(record.summary.id));
            if (!folder.mkpath(QStringLiteral(".")))
                return tl::unexpected(notWritten(folder.path(), sentence("The folder could not be made.")));
            if (auto saved = save(folder.filePath(TensorBoard::fileName(record.summary)), {&record, 1}); !saved)
                return saved;
        }
        return {};
    });
}

}  // namespace hearth
