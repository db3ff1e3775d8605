#include "core/history/run_index.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "core/base/files.h"
#include "core/history/event_slice.h"
#include "core/history/run_scan.h"
#include "core/run/files/event_file.h"
#include "core/run/files/run_folder.h"

namespace hearth {
namespace {

// Read within some ten milliseconds: another program that waits to write, and a question in between, notice nothing.
constexpr qint64 indexSliceBytes = 2 << 20;
constexpr qint64 headBytes = 4096;

/// The beginning of a run's file never changes; half a line there may. Nothing where it cannot be read.
std::optional<QByteArray> headOf(const QString &path) {
    QFile file(path);
    if (!openPlainFile(file))
        return {};
    const QByteArray head = file.read(headBytes);
    if (file.error() != QFileDevice::NoError)
        return {};
    const qsizetype end = head.indexOf('\n');
    const QByteArray line = end < 0 && head.size() < headBytes ? QByteArray() : head.left(end);
    return QCryptographicHash::hash(line, QCryptographicHash::Sha1);
}

}  // namespace

Result<QSqlQuery> RunIndex::rows(const QString &where, const QVariantList &values) {
    return m_database.run(
        QStringLiteral("SELECT key,%1 FROM run %2").arg(RunRecord::columns().join(QLatin1Char(',')), where), values);
}

Result<void> RunIndex::forget(qint64 key) {
    for (const char *table : {"event", "evaluation", "chunk"}) {
        auto deleted = m_database.run(QStringLiteral("DELETE FROM %1 WHERE run=?").arg(QLatin1String(table)), {key});
        if (!deleted)
            return tl::unexpected(deleted.error());
    }
    return m_database.run(QStringLiteral("DELETE FROM run WHERE key=?"), {key}).map([](const QSqlQuery &) {});
}

Result<void> RunIndex::save(RunRecord &record) {
    const QStringList columns = RunRecord::columns();
    QVariantList values = record.values();
    QString sql;
    if (record.key == 0) {
        const QString places = QStringList(columns.size(), QStringLiteral("?")).join(QLatin1Char(','));
        sql = QStringLiteral("INSERT INTO run(%1) VALUES(%2)").arg(columns.join(QLatin1Char(',')), places);
    } else {
        sql = QStringLiteral("UPDATE run SET %1=? WHERE key=?").arg(columns.join(QStringLiteral("=?,")));
        values << record.key;
    }
    auto saved = m_database.run(sql, values);
    if (!saved)
        return tl::unexpected(saved.error());
    if (record.key == 0)
        record.key = saved->lastInsertId().toLongLong();
    return {};
}

void RunIndex::setFolders(const QStringList &folders) {
    m_folders.clear();
    for (const QString &folder : folders)
        m_folders << QDir(folder).absolutePath();
}

Result<void> RunIndex::beginUpdate(const QStringList &folders) {
    return guarded([&]() -> Result<void> {
        m_pending.clear();
        m_folders.clear();
        m_doneBytes = m_allBytes = 0;
        auto known = rows(QString(), {});
        if (!known)
            return tl::unexpected(known.error());
        QHash<QString, RunRecord> records;
        QList<qint64> gone;
        while (known->next()) {
            const RunRecord record = RunRecord::fromRow(*known);
            if (QFileInfo(eventsPath(record.summary.folder)).isFile())
                records.insert(record.summary.folder, record);
            else
                gone << record.key;
        }
        known->finish();
        for (const QString &folder : folders) {
            const QDir runs(QDir(folder).absolutePath());
            if (m_folders.contains(runs.path()))
                continue;
            m_folders << runs.path();
            for (const QString &id : listRuns(runs.path())) {
                const QString run = runs.filePath(id);
                const QFileInfo events(eventsPath(run));
                const auto record = records.constFind(run);
                const bool same = record != records.constEnd() && record->offset >= 0 && record->summary.bytes >= 0 &&
                                  record->size == events.size() &&
                                  record->summary.modified == events.lastModified().toMSecsSinceEpoch();
                if (!events.isFile() || same)
                    continue;
                m_pending << run;
                const qint64 read = record != records.constEnd() ? std::max<qint64>(0, record->offset) : 0;
                m_allBytes += std::max<qint64>(0, events.size() - read);
            }
        }
        if (gone.isEmpty())
            return {};
        return m_database.transaction([&]() -> Result<void> {
            for (const qint64 key : std::as_const(gone)) {
                if (auto forgotten = forget(key); !forgotten)
                    return forgotten;
            }
            return {};
        });
    });
}

Result<void> RunIndex::forgetRun(const QString &folder) {
    m_pending.removeAll(folder);
    return guarded([&]() -> Result<void> {
        return m_database.transaction([&]() -> Result<void> {
            auto found = rows(QStringLiteral("WHERE folder=?"), {folder});
            if (!found)
                return tl::unexpected(found.error());
            const qint64 key = found->next() ? found->value(0).toLongLong() : 0;
            found->finish();
            return key == 0 ? Result<void>() : forget(key);
        });
    });
}

Result<bool> RunIndex::step() {
    if (m_pending.isEmpty())
        return false;
    const auto left = guarded([&] { return readSlice(m_pending.constFirst()); });
    if (!left)
        return tl::unexpected(left.error());
    if (*left != Left::Some)
        m_pending.removeFirst();
    return !m_pending.isEmpty();
}

Result<RunIndex::Left> RunIndex::readSlice(const QString &folder) {
    Left left = Left::Nothing;
    const auto read = m_database.transaction([&]() -> Result<void> {
        auto found = rows(QStringLiteral("WHERE folder=?"), {folder});
        if (!found)
            return tl::unexpected(found.error());
        RunRecord record;
        if (found->next())
            record = RunRecord::fromRow(*found);
        found->finish();
        const QString path = eventsPath(folder);
        const QFileInfo file(path);
        const std::optional<QByteArray> head = headOf(path);
        if (!head) {
            // Perhaps for a moment only: what is known of the run stays, and it is looked at again.
            left = Left::Unreadable;
            record.size = -1;
            return record.key == 0 ? Result<void>() : save(record);
        }
        // Shorter than what was read, or with another beginning: not the file that was read.
        if (record.offset < 0 || file.size() < record.offset || (record.offset > 0 && *head != record.head)) {
            if (auto forgotten = forget(record.key); !forgotten)
                return forgotten;
            record = {};
        }
        record.summary.folder = folder;
        record.summary.id = QFileInfo(folder).fileName();
        record.summary.modified = file.lastModified().toMSecsSinceEpoch();
        record.head = *head;
        if (record.key == 0) {
            if (auto saved = save(record); !saved)
                return saved;
        }
        const EventSlice slice = readEvents(path, record.offset, indexSliceBytes);
        RunScan scan(m_database, record);
        if (auto begun = scan.begin(); !begun)
            return begun;
        for (const QByteArray &line : slice.lines) {
            if (auto taken = scan.take(line); !taken)
                return taken;
        }
        if (auto finished = scan.finish(); !finished)
            return finished;
        record.summary.badLines += slice.tooLong;
        m_doneBytes += slice.next - record.offset;
        record.offset = slice.next;
        left = slice.unreadable ? Left::Unreadable : slice.end ? Left::Nothing : Left::Some;
        // What was cancelled half-way, or could not be read for a moment, is looked at again.
        record.size = left == Left::Nothing ? file.size() : -1;
        if (left == Left::Nothing)
            record.summary.bytes = bytesOfRun(folder);
        return save(record);
    });
    if (!read)
        return tl::unexpected(read.error());
    return left;
}

Result<bool> RunIndex::update(const QStringList &folders, const Cancelled &cancelled) {
    if (auto begun = beginUpdate(folders); !begun)
        return tl::unexpected(begun.error());
    for (;;) {
        if (cancelled && cancelled())
            return false;
        const auto more = step();
        if (!more)
            return more;
        if (!*more)
            return true;
    }
}

}  // namespace hearth
