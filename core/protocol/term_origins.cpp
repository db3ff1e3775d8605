#include "core/protocol/term_origins.h"

#include <algorithm>
#include <limits>

namespace hearth {

void TermOrigins::begin(quint32 term, quint64 version) {
    while (!m_origins.empty() && m_origins.back().version >= version)
        m_origins.pop_back();
    m_origins.push_back({term, version});
}

quint64 TermOrigins::newestAfter(quint32 last) const {
    const auto later = std::ranges::upper_bound(m_origins, last, {}, &Origin::term);
    return later == m_origins.end() ? std::numeric_limits<quint64>::max() : later->version;
}

QJsonArray TermOrigins::toJson() const {
    QJsonArray rows;
    for (const Origin &origin : m_origins)
        rows.append(QJsonArray{static_cast<qint64>(origin.term), static_cast<qint64>(origin.version)});
    return rows;
}

std::optional<TermOrigins> TermOrigins::fromJson(const QJsonArray &rows) {
    TermOrigins read;
    for (const QJsonValue row : rows) {
        const qint64 term = row[0].toInteger(-1), version = row[1].toInteger(-1);
        const bool ascends = read.isEmpty() || term > read.m_origins.back().term;
        if (term < 0 || term > std::numeric_limits<quint32>::max() || version < 0 || !ascends)
            return std::nullopt;
        read.begin(static_cast<quint32>(term), static_cast<quint64>(version));
    }
    return read;
}

}  // namespace hearth
