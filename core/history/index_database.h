// The SQLite file behind History: opened, checked, migrated, built anew.
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// A number for a row; one that is not finite is stored as NULL.
inline QVariant storedReal(double value) {
    return std::isfinite(value) ? QVariant(value) : QVariant();
}
/// The number that was stored so.
inline double realOf(const QVariant &value) {
    return value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.toDouble();
}

/// One connection, used only by the thread that opened it. Several programs may use the same file: writers wait for
/// each other. What is in it can be told again from the run directories, so that a file that cannot be used is never a
/// failure: a broken one is built anew, and in place of one that must not be touched an index in memory serves.
class IndexDatabase {
  public:
    IndexDatabase();
    ~IndexDatabase();
    IndexDatabase(const IndexDatabase &) = delete;
    IndexDatabase &operator=(const IndexDatabase &) = delete;

    /// For another program that writes; before open(). A writer holds the file for one slice of one run: tens of
    /// milliseconds.
    void setBusyTimeout(std::chrono::milliseconds timeout) { m_busyTimeout = timeout; }
    /// An empty path: in memory. Fails only where there is no SQLite at all ("history.no-sqlite").
    Result<void> open(const QString &path);
    void close();
    /// After a query failed with "history.broken": opens again, anew where the file is broken indeed.
    Result<void> reopen();
    /// What a person should know about the way it was opened, once: "history.rebuilt", "history.newer",
    /// "history.in-memory".
    std::optional<Error> takeNotice();
    /// Nobody else can read it then.
    bool isInMemory() const { return m_inMemory; }

    /// Errors: "history.broken" where the file is no database any more, else "history.failed".
    Result<QSqlQuery> run(const QString &sql, const QVariantList &values = {});
    /// `work` as a whole or not at all; waits its turn among several programs.
    Result<void> transaction(const std::function<Result<void>()> &work);

  private:
    Result<void> connect(const QString &path);
    Result<void> prepareFile();
    Result<void> openChecked();
    Result<void> useMemory(const Error &why);

    QString m_name;  // of the connection
    QString m_path;
    QSqlDatabase m_database;
    std::chrono::milliseconds m_busyTimeout{10'000};
    std::optional<Error> m_notice;
    bool m_inMemory = false;
};

}  // namespace hearth
