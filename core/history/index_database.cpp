#include "core/history/index_database.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSqlError>
#include <QUuid>

#include "core/base/files.h"
#include "core/base/sentence.h"
#include "core/history/index_schema.h"

namespace hearth {
namespace {

// Checking and building anew a large index takes seconds.
constexpr int lockMilliseconds = 30000;
// SQLite's SQLITE_CORRUPT and SQLITE_NOTADB; the upper bits tell them more finely.
constexpr int sqliteCorrupt = 11, sqliteNotADatabase = 26;

const QString brokenCode = QStringLiteral("history.broken");

Error errorOf(const QSqlError &error, const QString &path) {
    const int code = error.nativeErrorCode().toInt() & 0xff;
    const bool broken = code == sqliteCorrupt || code == sqliteNotADatabase;
    return {broken ? brokenCode : QStringLiteral("history.failed"),
            sentence("The index of History in %1 could not be used.").arg(path), error.databaseText(),
            sentence("The runs themselves are safe; free some space, or remove the file: it is built anew.")};
}

}  // namespace

IndexDatabase::IndexDatabase() : m_name(QUuid::createUuid().toString()) {}

IndexDatabase::~IndexDatabase() {
    close();
}

void IndexDatabase::close() {
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_name);
}

std::optional<Error> IndexDatabase::takeNotice() {
    return std::exchange(m_notice, std::nullopt);
}

Result<void> IndexDatabase::open(const QString &path) {
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE"))) {
        return fail(QStringLiteral("history.no-sqlite"), sentence("History has no database to work with."),
                    sentence("Qt's driver for SQLite is missing."), sentence("Install the package libqt6sql6-sqlite."));
    }
    m_path = path;
    m_inMemory = path.isEmpty();
    if (m_inMemory)
        return connect(QStringLiteral(":memory:")).and_then([this] { return createSchema(*this); });
    if (auto opened = prepareFile(); !opened)
        return useMemory(opened.error());
    return {};
}

Result<void> IndexDatabase::reopen() {
    return open(m_path);
}

Result<void> IndexDatabase::connect(const QString &path) {
    close();
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    m_database.setDatabaseName(path);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(m_busyTimeout.count()));
    if (!m_database.open())
        return tl::unexpected(errorOf(m_database.lastError(), path));
    return {};
}

/// One program at a time looks whether the file can be used, and makes it so.
Result<void> IndexDatabase::prepareFile() {
    if (auto made = makePrivateFolder(QFileInfo(m_path).absolutePath()); !made)
        return made;
    QLockFile lock(m_path + QStringLiteral(".lock"));
    if (!lock.tryLock(lockMilliseconds)) {
        return fail(QStringLiteral("history.locked"),
                    sentence("The index of History in %1 could not be used.").arg(m_path),
                    lock.error() == QLockFile::LockFailedError ? sentence("Another program holds it.")
                                                               : sentence("Its folder cannot be written to."));
    }
    auto opened = openChecked();
    if (opened || opened.error().code != brokenCode)
        return opened;
    close();
    const Sentence cause = opened.error().cause;
    for (const char *suffix : {"", "-wal", "-shm"})
        QFile::remove(m_path + QLatin1String(suffix));
    opened = openChecked();
    if (opened) {
        m_notice =
            Error{QStringLiteral("history.rebuilt"),
                  sentence("The index of History was broken and is built anew from the runs."), cause, QString()};
    }
    return opened;
}

Result<void> IndexDatabase::openChecked() {
    return connect(m_path)
        .and_then([this] { return run(QStringLiteral("PRAGMA quick_check(1)")); })
        .and_then([this](QSqlQuery check) -> Result<void> {
            const QString answer = check.next() ? check.value(0).toString() : QString();
            if (answer == QLatin1String("ok"))
                return {};
            return fail(brokenCode, sentence("The index of History in %1 could not be used.").arg(m_path), answer);
        })
        .and_then([this] { return bringUpToDate(*this); })
        // Readers and one writer at a time do not wait for each other; after a power cut the last slice is read again.
        .and_then([this] { return run(QStringLiteral("PRAGMA journal_mode=WAL")); })
        .and_then([this](const QSqlQuery &) { return run(QStringLiteral("PRAGMA synchronous=NORMAL")); })
        .map([](const QSqlQuery &) {});
}

Result<void> IndexDatabase::useMemory(const Error &why) {
    m_inMemory = true;
    m_notice = why;
    m_notice->code = why.code == QLatin1String("history.newer") ? why.code : QStringLiteral("history.in-memory");
    m_notice->advice = why.code == QLatin1String("history.newer")
                           ? why.advice
                           : sentence("Until that is mended, History reads all runs anew at every start.");
    return connect(QStringLiteral(":memory:")).and_then([this] { return createSchema(*this); });
}

Result<QSqlQuery> IndexDatabase::run(const QString &sql, const QVariantList &values) {
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    bool done = query.prepare(sql);
    if (done) {
        for (const QVariant &value : values)
            query.addBindValue(value);
        done = query.exec();
    }
    if (!done)
        return tl::unexpected(errorOf(query.lastError(), m_path));
    return query;
}

Result<void> IndexDatabase::transaction(const std::function<Result<void>()> &work) {
    // At once: whoever reads first and writes later could not wait for another writer.
    if (auto begun = run(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return tl::unexpected(begun.error());
    auto done = work();
    if (done) {
        if (auto committed = run(QStringLiteral("COMMIT")); !committed)
            done = tl::unexpected(committed.error());
    }
    if (!done)
        (void)run(QStringLiteral("ROLLBACK"));
    return done;
}

}  // namespace hearth
