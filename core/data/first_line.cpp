#include "core/data/first_line.h"

#include <QSet>
#include <algorithm>

#include "core/data/row_labels.h"

namespace hearth {
namespace {

/// "0,1,2" and "2019,2020,2021", whatever texts are between.
bool doCountUp(const QStringList &fields) {
    constexpr int least = 3;
    constexpr double firstYear = 1900, lastYear = 2100;
    int count = 0;
    double next = 0;
    for (const QString &field : fields) {
        const auto number = numberOf(field);
        if (!number)
            continue;
        const bool mayBegin = *number == 0 || (*number >= firstYear && *number <= lastYear);
        if (count == 0 ? !mayBegin : *number != next)
            return false;
        next = *number + 1;
        ++count;
    }
    return count >= least;
}

bool isText(const QString &field) {
    return !isMissing(field) && !standsForNoNumber(field) && !numberOf(field);
}

}  // namespace

QStringList columnNames(const QStringList &header) {
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

std::optional<bool> hasNames(const QStringList &line, const QStringList &known) {
    if (known.isEmpty())
        return std::nullopt;
    const auto areIn = [&known](const QStringList &names) {
        const QSet<QString> all(names.begin(), names.end());
        return std::ranges::all_of(known, [&all](const QString &name) { return all.contains(name); });
    };
    const bool with = areIn(columnNames(line)), without = areIn(columnNames(QStringList(line.size(), QString())));
    return with == without ? std::nullopt : std::optional(with);
}

FirstLine::FirstLine(QStringList fields)
    : m_fields(std::move(fields)), m_below(static_cast<std::size_t>(m_fields.size())) {}

bool FirstLine::isMostlyNumbers() const {
    const auto numbers =
        std::ranges::count_if(m_fields, [](const QString &field) { return numberOf(field).has_value(); });
    return 2 * numbers >= m_fields.size();
}

void FirstLine::add(const QStringList &row) {
    if (row.size() != m_fields.size())
        return;
    m_hasRows = true;
    m_doRowsCountUp = m_doRowsCountUp || doCountUp(row);
    for (std::size_t i = 0; i < m_below.size(); ++i) {
        if (const QString &field = row[static_cast<qsizetype>(i)]; !isMissing(field))
            m_below[i].add(field, {});
    }
}

bool FirstLine::areNames() const {
    if (QSet<QString>(m_fields.begin(), m_fields.end()).size() != m_fields.size())
        return false;
    if (m_hasRows && !m_doRowsCountUp && doCountUp(m_fields))
        return true;
    for (std::size_t i = 0; i < m_below.size(); ++i) {
        if (isText(m_fields[static_cast<qsizetype>(i)]) && m_below[i].areNumbers())
            return true;
    }
    return false;
}

}  // namespace hearth
