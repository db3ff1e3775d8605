#include "core/history/round_chunks.h"

#include <QDataStream>
#include <QIODevice>

#include "core/history/index_database.h"

namespace hearth {
namespace {

constexpr std::size_t chunkRounds = 1024;

QByteArray packed(const std::vector<RoundRow> &rows) {
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    for (const RoundRow &row : rows)
        out << row.seq << row.round << row.term << row.t << row.loss << row.roundS << row.predictedRoundS
            << row.samplesPerS;
    return bytes;
}

std::vector<RoundRow> unpacked(const QByteArray &bytes) {
    std::vector<RoundRow> rows;
    rows.reserve(chunkRounds);
    QDataStream in(bytes);
    in.setVersion(QDataStream::Qt_6_4);
    while (!in.atEnd()) {
        RoundRow row;
        in >> row.seq >> row.round >> row.term >> row.t >> row.loss >> row.roundS >> row.predictedRoundS >>
            row.samplesPerS;
        if (in.status() != QDataStream::Ok)
            break;
        rows.push_back(row);
    }
    return rows;
}

}  // namespace

Result<void> RoundChunks::load() {
    auto query =
        m_database.run(QStringLiteral("SELECT data FROM chunk WHERE run=? ORDER BY first DESC LIMIT 1"), {m_run});
    if (!query)
        return tl::unexpected(query.error());
    m_tail = query->next() ? unpacked(query->value(0).toByteArray()) : std::vector<RoundRow>();
    m_changed = false;
    return {};
}

Result<void> RoundChunks::append(const RoundRow &row) {
    if (m_tail.size() >= chunkRounds) {
        if (auto flushed = flush(); !flushed)
            return flushed;
        m_tail.clear();
    }
    m_tail.push_back(row);
    m_changed = true;
    return {};
}

Result<bool> RoundChunks::dropFrom(qint64 round) {
    if (m_tail.empty() || m_tail.back().round < round)
        return false;
    while (!m_tail.empty() && m_tail.back().round >= round) {
        m_tail.pop_back();
        if (!m_tail.empty())
            continue;
        // The whole chunk is gone; what is before it may have to go as well.
        auto deleted = m_database.run(QStringLiteral("DELETE FROM chunk WHERE run=? AND first>=?"), {m_run, round});
        if (!deleted)
            return tl::unexpected(deleted.error());
        if (auto loaded = load(); !loaded)
            return tl::unexpected(loaded.error());
    }
    m_changed = true;
    return true;
}

Result<void> RoundChunks::flush() {
    if (!m_changed || m_tail.empty())
        return {};
    m_changed = false;
    return m_database
        .run(QStringLiteral("INSERT OR REPLACE INTO chunk(run,first,data) VALUES(?,?,?)"),
             {m_run, m_tail.front().round, packed(m_tail)})
        .map([](const QSqlQuery &) {});
}

Result<void> RoundChunks::forEach(IndexDatabase &database, qint64 run,
                                  const std::function<bool(const RoundRow &)> &visit) {
    auto query = database.run(QStringLiteral("SELECT data FROM chunk WHERE run=? ORDER BY first"), {run});
    if (!query)
        return tl::unexpected(query.error());
    while (query->next()) {
        for (const RoundRow &row : unpacked(query->value(0).toByteArray())) {
            if (!visit(row))
                return {};
        }
    }
    return {};
}

}  // namespace hearth
