#include "core/history/index_schema.h"

#include <QStringList>

#include "core/history/index_database.h"
#include "core/history/run_record.h"

namespace hearth {
namespace {

/// Statements in order; the first that fails ends it.
Result<void> runAll(IndexDatabase &database, const QStringList &statements) {
    for (const QString &statement : statements) {
        if (auto done = database.run(statement); !done)
            return tl::unexpected(done.error());
    }
    return {};
}

QString setVersion() {
    return QStringLiteral("PRAGMA user_version=%1").arg(indexSchemaVersion);
}

QString bestAccuracies() {
    return QStringLiteral("CREATE INDEX best_accuracy ON evaluation(run, accuracy)");
}

/// The list is whole at once; the rest is read again from the events.
QString readAgain() {
    return QStringLiteral("UPDATE run SET offset=-1");
}

/// Version 1 kept the rounds of a run as one row each, and neither what recoveries cost nor what was wrong with a file.
Result<void> migrateFrom1(IndexDatabase &database) {
    return runAll(
        database,
        {QStringLiteral("DROP TABLE IF EXISTS round"),
         QStringLiteral("ALTER TABLE run ADD COLUMN replayed_rounds INTEGER DEFAULT 0"),
         QStringLiteral("ALTER TABLE run ADD COLUMN moved_bytes INTEGER DEFAULT 0"),
         QStringLiteral("ALTER TABLE run ADD COLUMN bad_lines INTEGER DEFAULT 0"),
         QStringLiteral(
             "CREATE TABLE chunk(run INTEGER, first INTEGER, data BLOB, PRIMARY KEY(run, first)) WITHOUT ROWID"),
         bestAccuracies(), readAgain()});
}

/// In version 2 a chunk did not say what was before it.
Result<void> migrateFrom2(IndexDatabase &database) {
    return runAll(database, {QStringLiteral("DELETE FROM chunk"), bestAccuracies(), readAgain()});
}

/// Up to version 3 a run that only measured or planned was one like the others.
Result<void> migrateFrom3(IndexDatabase &database) {
    return runAll(database, {QStringLiteral("ALTER TABLE run ADD COLUMN only TEXT DEFAULT ''")});
}

/// Up to version 4 nobody knew which of the devices had worked.
Result<void> migrateFrom4(IndexDatabase &database) {
    return runAll(database, {QStringLiteral("ALTER TABLE run ADD COLUMN device_names TEXT DEFAULT ''"),
                             QStringLiteral("ALTER TABLE run ADD COLUMN worked_ids TEXT DEFAULT ''"), readAgain()});
}

/// Up to version 5 the jobs of runs were in their events alone.
Result<void> migrateFrom5(IndexDatabase &database) {
    return runAll(database, {QStringLiteral("ALTER TABLE run ADD COLUMN job TEXT DEFAULT ''"), readAgain()});
}

/// Up to version 6 nobody added up what cards had taken.
Result<void> migrateFrom6(IndexDatabase &database) {
    return runAll(database, {QStringLiteral("ALTER TABLE run ADD COLUMN joules REAL"), readAgain()});
}

/// Up to version 7 nobody knew how large runs were. Their events need not be read again for that.
Result<void> migrateFrom7(IndexDatabase &database) {
    return runAll(database, {QStringLiteral("ALTER TABLE run ADD COLUMN bytes INTEGER DEFAULT -1")});
}

Result<void> migrate(IndexDatabase &database, int version) {
    Result<void> done;
    if (version < 3)
        done = version == 1 ? migrateFrom1(database) : migrateFrom2(database);
    if (done && version < 4)
        done = migrateFrom3(database);
    if (done && version < 5)
        done = migrateFrom4(database);
    if (done && version < 6)
        done = migrateFrom5(database);
    if (done && version < 7)
        done = migrateFrom6(database);
    return done.and_then([&] { return migrateFrom7(database); }).and_then([&] {
        return runAll(database, {setVersion()});
    });
}

/// Preparing a statement fails where a table or a column is missing.
Result<void> mustHaveTables(IndexDatabase &database) {
    const QStringList probes{
        QStringLiteral("SELECT %1 FROM run LIMIT 0").arg(RunRecord::columns().join(QLatin1Char(','))),
        QStringLiteral("SELECT run,seq,t,kind,line FROM event LIMIT 0"),
        QStringLiteral("SELECT run,round,t,accuracy,loss FROM evaluation LIMIT 0"),
        QStringLiteral("SELECT run,first,data FROM chunk LIMIT 0")};
    auto whole = runAll(database, probes);
    if (!whole)
        whole.error().code = QStringLiteral("history.broken");
    return whole;
}

}  // namespace

Result<void> createSchema(IndexDatabase &database) {
    return runAll(
        database,
        {QStringLiteral("CREATE TABLE run(key INTEGER PRIMARY KEY, %1, UNIQUE(folder))")
             .arg(RunRecord::columns().join(QLatin1Char(','))),
         QStringLiteral(
             "CREATE TABLE event(run INTEGER, seq INTEGER, t REAL, kind TEXT, line BLOB, PRIMARY KEY(run, seq)) WITHOUT ROWID"),
         QStringLiteral(
             "CREATE TABLE evaluation(run INTEGER, round INTEGER, t REAL, accuracy REAL, loss REAL, PRIMARY KEY(run, round)) WITHOUT ROWID"),
         QStringLiteral(
             "CREATE TABLE chunk(run INTEGER, first INTEGER, data BLOB, PRIMARY KEY(run, first)) WITHOUT ROWID"),
         bestAccuracies(), setVersion()});
}

Result<void> bringUpToDate(IndexDatabase &database) {
    auto answer = database.run(QStringLiteral("PRAGMA user_version"));
    if (!answer)
        return tl::unexpected(answer.error());
    const int version = answer->next() ? answer->value(0).toInt() : 0;
    answer->finish();
    auto tables = database.run(QStringLiteral("SELECT count(*) FROM sqlite_master"));
    if (!tables)
        return tl::unexpected(tables.error());
    const bool empty = tables->next() && tables->value(0).toInt() == 0;
    tables->finish();
    if (version > indexSchemaVersion) {
        return fail(QStringLiteral("history.newer"),
                    sentence("The index of History was made by a later version of Hearth and is left as it is."),
                    sentence("Its form is %1, this version knows %2.").arg(version).arg(indexSchemaVersion),
                    sentence("History reads all runs anew at every start; update Hearth to use the index again."));
    }
    if (empty)
        return database.transaction([&database] { return createSchema(database); });
    if (version >= 1 && version < indexSchemaVersion) {
        const auto migrated = database.transaction([&database, version] { return migrate(database, version); });
        if (!migrated) {
            // What calls itself of that version and is not.
            Error error = migrated.error();
            error.code = QStringLiteral("history.broken");
            return tl::unexpected(error);
        }
    } else if (version != indexSchemaVersion) {
        return fail(QStringLiteral("history.broken"), sentence("The index of History has no version."));
    }
    return mustHaveTables(database);
}

}  // namespace hearth
