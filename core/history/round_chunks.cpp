#include "core/history/round_chunks.h"

#include <QDataStream>
#include <QIODevice>
#include <cmath>
#include <utility>

#include "core/history/index_database.h"

namespace hearth {
namespace {

constexpr std::size_t chunkRounds = 1024;

struct Chunk {
    RoundFigures before;  // of all rounds before these
    std::vector<RoundRow> rows;
};

QByteArray packed(const Chunk &chunk) {
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << chunk.before.firstLoss << chunk.before.lowestLoss << chunk.before.secondsPerSample
        << chunk.before.timedRounds;
    for (const RoundRow &row : chunk.rows)
        out << row.seq << row.round << row.term << row.t << row.loss << row.roundS << row.predictedRoundS
            << row.samplesPerS;
    return bytes;
}

Chunk unpacked(const QByteArray &bytes) {
    Chunk chunk;
    chunk.rows.reserve(chunkRounds);
    QDataStream in(bytes);
    in.setVersion(QDataStream::Qt_6_4);
    in >> chunk.before.firstLoss >> chunk.before.lowestLoss >> chunk.before.secondsPerSample >>
        chunk.before.timedRounds;
    while (!in.atEnd()) {
        RoundRow row;
        in >> row.seq >> row.round >> row.term >> row.t >> row.loss >> row.roundS >> row.predictedRoundS >>
            row.samplesPerS;
        if (in.status() != QDataStream::Ok)
            break;
        chunk.rows.push_back(row);
    }
    return chunk;
}

}  // namespace

void RoundFigures::add(const RoundRow &row) {
    // NaN counts as nothing.
    if (std::isnan(firstLoss))
        firstLoss = row.loss;
    if (std::isnan(lowestLoss) || row.loss < lowestLoss)
        lowestLoss = row.loss;
    if (row.samplesPerS > 0) {
        secondsPerSample += 1 / row.samplesPerS;
        ++timedRounds;
    }
}

RoundFigures RoundChunks::figures() const {
    RoundFigures figures = m_before;
    for (const RoundRow &row : m_tail)
        figures.add(row);
    return figures;
}

Result<void> RoundChunks::load() {
    auto query =
        m_database.run(QStringLiteral("SELECT data FROM chunk WHERE run=? ORDER BY first DESC LIMIT 1"), {m_run});
    if (!query)
        return tl::unexpected(query.error());
    Chunk chunk = query->next() ? unpacked(query->value(0).toByteArray()) : Chunk();
    m_before = chunk.before;
    m_tail = std::move(chunk.rows);
    m_changed = false;
    return {};
}

Result<void> RoundChunks::append(const RoundRow &row) {
    if (m_tail.size() >= chunkRounds) {
        if (auto flushed = flush(); !flushed)
            return flushed;
        m_before = figures();
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
        m_changed = true;
        if (!m_tail.empty())
            continue;
        // The whole chunk is gone; what is before it may have to go as well.
        auto deleted = m_database.run(QStringLiteral("DELETE FROM chunk WHERE run=? AND first>=?"), {m_run, round});
        if (!deleted)
            return tl::unexpected(deleted.error());
        if (auto loaded = load(); !loaded)
            return tl::unexpected(loaded.error());
    }
    return true;
}

Result<void> RoundChunks::flush() {
    if (!m_changed || m_tail.empty())
        return {};
    m_changed = false;
    return m_database
        .run(QStringLiteral("INSERT OR REPLACE INTO chunk(run,first,data) VALUES(?,?,?)"),
             {m_run, m_tail.front().round, packed({m_before, m_tail})})
        .map([](const QSqlQuery &) {});
}

Result<bool> RoundChunks::forEach(IndexDatabase &database, qint64 run,
                                  const std::function<bool(const RoundRow &)> &visit) {
    auto query = database.run(QStringLiteral("SELECT data FROM chunk WHERE run=? ORDER BY first"), {run});
    if (!query)
        return tl::unexpected(query.error());
    while (query->next()) {
        const Chunk chunk = unpacked(query->value(0).toByteArray());
        for (const RoundRow &row : chunk.rows) {
            if (!visit(row))
                return false;
        }
    }
    return true;
}

}  // namespace hearth
