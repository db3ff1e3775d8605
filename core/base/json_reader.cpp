#include "core/base/json_reader.h"

#include <QFile>
#include <QJsonDocument>
#include <cmath>
#include <vector>

#include "core/base/files.h"
#include "core/base/foreign_file.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

int editDistance(const QString &a, const QString &b) {
    std::vector<int> row(static_cast<std::size_t>(b.size()) + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = static_cast<int>(j);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (qsizetype j = 1; j <= b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const int above = row[at];
            const int substitution = diagonal + (a[i - 1].toLower() == b[j - 1].toLower() ? 0 : 1);
            row[at] = std::min({above + 1, row[at - 1] + 1, substitution});
            diagonal = above;
        }
    }
    return row.back();
}

Sentence describe(const QJsonValue &value) {
    switch (value.type()) {
        case QJsonValue::Null:
            return QStringLiteral("null");
        case QJsonValue::Bool:
            return sentence("true or false");
        case QJsonValue::Double:
            return sentence("the number %1").arg(QString::number(value.toDouble(), 'g', 12));
        case QJsonValue::String:
            return sentence("the text \"%1\"").arg(value.toString().left(60));
        case QJsonValue::Array:
            return sentence("a list");
        case QJsonValue::Object:
            return sentence("an object");
        case QJsonValue::Undefined:
            break;
    }
    return sentence("nothing");
}

QString number17(double value) {
    return QString::number(value, 'g', std::abs(value) < 1e15 ? 15 : 6);
}

}  // namespace

Result<QJsonObject> readJsonFile(const QString &path, qint64 maximumBytes) {
    QFile file(path);
    if (auto open = openPlainFile(file); !open)
        return tl::unexpected(open.error());
    const QByteArray text = file.read(maximumBytes + 1);
    if (file.error() != QFileDevice::NoError) {
        return fail(QStringLiteral("file.unreadable"), sentence("The file %1 could not be read.").arg(path),
                    file.errorString() + QLatin1Char('.'), sentence("Name a regular file."));
    }
    // What is no JSON at all has another cure than a mistake in it.
    if (!text.startsWith('{')) {
        if (auto known = refuseForeign(path); !known)
            return tl::unexpected(known.error());
    }
    if (text.size() > maximumBytes) {
        return fail(QStringLiteral("file.too-large"), sentence("The file %1 is too large.").arg(path),
                    sentence("It has more than %1 bytes, which no such file needs.").arg(maximumBytes));
    }
    return parseJsonObject(text, path);
}

Result<QJsonObject> parseJsonObject(const QByteArray &text, const QString &sourceName) {
    QJsonParseError parse;
    const QJsonDocument document = QJsonDocument::fromJson(text, &parse);
    if (parse.error != QJsonParseError::NoError) {
        const QByteArray before = text.left(parse.offset);
        const qsizetype line = before.count('\n') + 1;
        const qsizetype column = before.size() - before.lastIndexOf('\n');
        return fail(QStringLiteral("json.syntax"), sentence("%1 is not valid JSON.").arg(sourceName),
                    sentence("Line %1, column %2: %3.").arg(line).arg(column).arg(parse.errorString()),
                    sentence("Correct the file at that place."));
    }
    if (!document.isObject()) {
        return fail(QStringLiteral("json.not-an-object"), sentence("%1 is not a JSON object.").arg(sourceName),
                    sentence("The outermost value must be an object in braces."));
    }
    return document.object();
}

std::optional<QString> nearestWord(const QString &word, const QStringList &candidates) {
    const QString clipped = word.left(64);
    std::optional<QString> best;
    int bestDistance = 0;
    for (const QString &candidate : candidates) {
        const int distance = editDistance(clipped, candidate);
        if (!best || distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    if (best && bestDistance <= std::max<qsizetype>(2, best->size() / 3))
        return best;
    return std::nullopt;
}

QString jsonPointer(const QString &parent, const QString &key) {
    QString token = key.left(80);
    token.replace(QLatin1Char('~'), QLatin1String("~0")).replace(QLatin1Char('/'), QLatin1String("~1"));
    return parent + QLatin1Char('/') + token;
}

Sentence didYouMean(const QString &word, const QStringList &candidates) {
    const Sentence list = sentence("Valid are: %1.").arg(candidates.join(QStringLiteral(", ")));
    if (const auto near = nearestWord(word, candidates))
        return Sentence::joined({sentence("Did you mean \"%1\"?").arg(*near), list});
    return list;
}

JsonReader::JsonReader(const QJsonObject &object, QString source, QString path)
    : m_object(object), m_source(std::move(source)), m_path(std::move(path)) {}

JsonReader::JsonReader(const QJsonValue &value, QString source, QString path)
    : JsonReader(value.toObject(), std::move(source), std::move(path)) {
    if (!value.isObject())
        reject(QString(), sentence("It must be an object, not %1.").arg(describe(value)));
}

QString JsonReader::pathOf(const QString &key) const {
    return key.isEmpty() ? m_path : jsonPointer(m_path, key);
}

void JsonReader::reject(const QString &key, const Sentence &cause, const Sentence &advice) {
    rejectAt(pathOf(key), cause, advice);
}

void JsonReader::rejectAt(const QString &place, const Sentence &cause, const Sentence &advice) {
    if (m_error)
        return;
    m_error = Error{QStringLiteral("json.invalid"),
                    place.isEmpty() ? sentence("%1 is not valid.").arg(m_source)
                                    : sentence("%1: \"%2\" is not valid.").arg(m_source, place),
                    cause, advice};
}

bool JsonReader::has(const char *key) const {
    const QJsonValue value = m_object.value(QLatin1String(key));
    return !value.isUndefined() && !value.isNull();
}

void JsonReader::ignore(const char *key) {
    m_known << QLatin1String(key);
}

QJsonValue JsonReader::value(const char *key) {
    return take(key, false);
}

QJsonValue JsonReader::take(const char *key, bool required) {
    ignore(key);
    const QJsonValue value = m_object.value(QLatin1String(key));
    if (value.isUndefined() || value.isNull()) {
        if (required && !m_error) {
            const QString place = pathOf(QLatin1String(key));
            m_error = Error{QStringLiteral("json.missing"), sentence("%1: \"%2\" is missing.").arg(m_source, place),
                            QString(), sentence("Add the key \"%1\".").arg(QLatin1String(key))};
        }
        return QJsonValue::Undefined;
    }
    return value;
}

QString JsonReader::string(const char *key) {
    const QJsonValue value = take(key, true);
    if (!value.isUndefined() && !value.isString())
        reject(QLatin1String(key), sentence("It must be a text, not %1.").arg(describe(value)));
    return value.toString();
}

QString JsonReader::string(const char *key, const QString &fallback) {
    if (!has(key)) {
        ignore(key);
        return fallback;
    }
    return string(key);
}

QString JsonReader::choice(const char *key, const QStringList &valid, std::optional<QString> fallback) {
    const QString word = fallback ? string(key, *fallback) : string(key);
    if (ok() && !valid.contains(word)) {
        reject(QLatin1String(key), sentence("\"%1\" is unknown here.").arg(word.left(60)), didYouMean(word, valid));
    }
    return word;
}

qint64 JsonReader::integer(const char *key, qint64 minimum, qint64 maximum, std::optional<qint64> fallback) {
    const QJsonValue value = take(key, !fallback.has_value());
    if (value.isUndefined())
        return fallback.value_or(minimum);
    constexpr double exact = 9007199254740992.0;
    const double real = value.toDouble(std::numeric_limits<double>::quiet_NaN());
    if (!value.isDouble() || !std::isfinite(real) || real != std::floor(real) || std::abs(real) > exact) {
        reject(QLatin1String(key), sentence("It must be a whole number, not %1.").arg(describe(value)));
        return minimum;
    }
    const auto whole = static_cast<qint64>(real);
    if (whole < minimum || whole > maximum) {
        reject(QLatin1String(key), sentence("It is %1.").arg(whole),
               sentence("Give a number from %1 to %2.").arg(minimum).arg(maximum));
        return minimum;
    }
    return whole;
}

double JsonReader::number(const char *key, double minimum, double maximum, std::optional<double> fallback) {
    const QJsonValue value = take(key, !fallback.has_value());
    const double safe = fallback.value_or(minimum);
    if (value.isUndefined())
        return safe;
    const double real = value.toDouble(std::numeric_limits<double>::quiet_NaN());
    if (!value.isDouble() || !std::isfinite(real)) {
        reject(QLatin1String(key), sentence("It must be a number, not %1.").arg(describe(value)));
        return safe;
    }
    if (real < minimum || real > maximum) {
        reject(QLatin1String(key), sentence("It is %1.").arg(number17(real)),
               sentence("Give a number from %1 to %2.").arg(number17(minimum), number17(maximum)));
        return safe;
    }
    return real;
}

bool JsonReader::boolean(const char *key, std::optional<bool> fallback) {
    const QJsonValue value = take(key, !fallback.has_value());
    if (value.isUndefined())
        return fallback.value_or(false);
    if (!value.isBool())
        reject(QLatin1String(key), sentence("It must be true or false, not %1.").arg(describe(value)));
    return value.toBool();
}

QJsonObject JsonReader::object(const char *key, bool required) {
    const QJsonValue value = take(key, required);
    if (!value.isUndefined() && !value.isObject())
        reject(QLatin1String(key), sentence("It must be an object, not %1.").arg(describe(value)));
    return value.toObject();
}

QJsonArray JsonReader::array(const char *key, bool required) {
    const QJsonValue value = take(key, required);
    if (!value.isUndefined() && !value.isArray())
        reject(QLatin1String(key), sentence("It must be a list, not %1.").arg(describe(value)));
    return value.toArray();
}

Result<void> JsonReader::finish() {
    if (!m_error) {
        for (auto it = m_object.constBegin(); it != m_object.constEnd(); ++it) {
            if (m_known.contains(it.key()))
                continue;
            m_error = Error{QStringLiteral("json.unknown-key"),
                            sentence("%1: the key \"%2\" is unknown.").arg(m_source, pathOf(it.key().left(60))),
                            QString(), didYouMean(it.key(), m_known)};
            break;
        }
    }
    if (m_error)
        return tl::unexpected(*m_error);
    return {};
}

}  // namespace hearth
