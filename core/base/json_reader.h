// Strict reading of JSON objects: every error names the file, the key, and the nearest valid word.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QStringList>
#include <concepts>
#include <limits>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// Reads a file of at most `maximumBytes` and parses it as one JSON object; errors name the file, line and column.
Result<QJsonObject> readJsonFile(const QString &path, qint64 maximumBytes = 64 << 20);
Result<QJsonObject> parseJsonObject(const QByteArray &text, const QString &sourceName);

/// The candidate closest to `word` by edit distance, if it is close enough to be a likely misspelling.
std::optional<QString> nearestWord(const QString &word, const QStringList &candidates);
/// Places inside a document are JSON pointers (RFC 6901): "" is all of it, "/devices/3/memory_bytes" a number.
QString jsonPointer(const QString &parent, const QString &key);
template <std::integral Index>
QString jsonPointer(const QString &parent, Index index) {
    return jsonPointer(parent, QString::number(index));
}

/// "Did you mean "x"? Valid are: a, b, c."
Sentence didYouMean(const QString &word, const QStringList &candidates);

/// Reads one object field by field and collects the first error; callers read everything, then ask `finish()`.
/// Fields not asked for by the time of `finish()` are errors (unknown key). Not thread-safe; lives on the stack.
///
///     JsonReader reader(object, "job.json");
///     job.batch = reader.integer("batch", 1, 1 << 20);
///     job.shuffle = reader.boolean("shuffle", true);      // with default = optional
///     if (auto ok = reader.finish(); !ok) return tl::unexpected(ok.error());
class JsonReader {
  public:
    /// `source` is the file name a person knows; `path` points to where in it this object stands ("/stages/2").
    JsonReader(const QJsonObject &object, QString source, QString path = {});
    /// Anything but an object is the first error.
    JsonReader(const QJsonValue &value, QString source, QString path);

    bool has(const char *key) const;  // present and not null
    QString string(const char *key);
    QString string(const char *key, const QString &fallback);
    QString choice(const char *key, const QStringList &valid, std::optional<QString> fallback = std::nullopt);
    qint64 integer(const char *key, qint64 minimum, qint64 maximum, std::optional<qint64> fallback = std::nullopt);
    /// Finite numbers only.
    double number(const char *key, double minimum = std::numeric_limits<double>::lowest(),
                  double maximum = std::numeric_limits<double>::max(), std::optional<double> fallback = std::nullopt);
    bool boolean(const char *key, std::optional<bool> fallback = std::nullopt);
    QJsonObject object(const char *key, bool required = true);
    QJsonArray array(const char *key, bool required = true);
    /// As it stands; undefined where it is absent.
    QJsonValue value(const char *key);
    /// Marks a key as known without reading it.
    void ignore(const char *key);

    /// Records the first error by hand; `key` may be empty for the object itself.
    void reject(const QString &key, const Sentence &cause, const Sentence &advice = {});
    /// The same for any place in the document.
    void rejectAt(const QString &pointer, const Sentence &cause, const Sentence &advice = {});
    bool ok() const { return !m_error; }
    QString pathOf(const QString &key) const;  // "/stages/2/layers"
    const QString &source() const { return m_source; }
    Result<void> finish();

  private:
    QJsonValue take(const char *key, bool required);
    QJsonObject m_object;
    QString m_source;
    QString m_path;
    QStringList m_known;
    std::optional<Error> m_error;
};

}  // namespace hearth
