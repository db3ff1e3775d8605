#include "ui/run/time_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hearth {

namespace {
constexpr int levelCount = 7;
constexpr quint32 childrenOfBucket = 4;
// A break this part as long as the bucket that it falls into ends the bucket; a shorter one is not seen at its level.
constexpr double visibleBreak = 0.25;
// Values of this many more than are asked for are still thinned out rather than taken from the next coarser level.
constexpr std::size_t thinning = 4;
}  // namespace

TimeSeries::TimeSeries(Size size) : m_values(size.values), m_levels(levelCount, Level(size.buckets)) {}

TimeSeries::Bucket TimeSeries::bucketOf(const Value &value) {
    const double t = std::abs(value.signedT);
    const auto rounded = static_cast<float>(value.value);
    return {t, t, rounded, rounded, rounded, 1, std::signbit(value.signedT)};
}

TimeSeries::Piece TimeSeries::pieceOf(const Value &value) {
    const double t = std::abs(value.signedT);
    return {t, t, value.value, value.value, value.value, 1, std::signbit(value.signedT)};
}

TimeSeries::Piece TimeSeries::pieceOf(const Bucket &bucket) {
    return {bucket.from, bucket.to, bucket.least, bucket.most, bucket.mean, bucket.count, bucket.breakBefore != 0};
}

void TimeSeries::merge(Bucket &bucket, const Bucket &next) {
    const double mean =
        (static_cast<double>(bucket.mean) * bucket.count + static_cast<double>(next.mean) * next.count) /
        (bucket.count + next.count);
    bucket.to = next.to;
    bucket.least = std::min(bucket.least, next.least);
    bucket.most = std::max(bucket.most, next.most);
    bucket.mean = static_cast<float>(mean);
    bucket.count += next.count;
}

void TimeSeries::merge(Piece &piece, const Piece &next) {
    piece.to = next.to;
    piece.least = std::min(piece.least, next.least);
    piece.most = std::max(piece.most, next.most);
    piece.mean = (piece.mean * piece.count + next.mean * next.count) / (piece.count + next.count);
    piece.count += next.count;
}

void TimeSeries::append(double t, double value) {
    if (!std::isfinite(value) || !std::isfinite(t))
        return;
    if (m_values.memory() == 0)
        takeMemory();
    const Value taken{m_breakNext ? -t : t, value};
    m_breakNext = false;
    m_values.push(taken);
    ++m_end;
    give(0, bucketOf(taken));
}

void TimeSeries::takeMemory() {
    m_values.takeMemory();
    for (Level &level : m_levels)
        level.closed.takeMemory();
}

void TimeSeries::give(std::size_t level, const Bucket &bucket) {
    Level &at = m_levels[level];
    if (at.children > 0 && bucket.breakBefore != 0 &&
        bucket.from - at.open.to >= visibleBreak * (at.open.to - at.open.from))
        close(level);
    if (at.children++ == 0)
        at.open = bucket;
    else
        merge(at.open, bucket);
    if (at.children == childrenOfBucket)
        close(level);
}

void TimeSeries::close(std::size_t level) {
    Level &at = m_levels[level];
    const Bucket closed = at.open;
    at.closed.push(closed);
    at.end += closed.count;
    at.children = 0;
    if (level + 1 < m_levels.size())
        give(level + 1, closed);
}

void TimeSeries::dropAfter(double t) {
    if (isEmpty() || lastT() <= t)
        return;
    while (!m_values.isEmpty() && std::abs(m_values.back().signedT) > t) {
        m_values.pop();
        --m_end;
    }
    for (Level &level : m_levels) {
        while (!level.closed.isEmpty() && level.closed.back().to > t) {
            level.end -= level.closed.back().count;
            level.closed.pop();
        }
    }
    // From coarse to fine: what a finer level has forgotten is known of the coarser one at best.
    for (std::size_t level = m_levels.size(); level-- > 0;)
        refill(level);
    m_breakNext = !isEmpty();
}

/// Makes the open bucket of `level` from those of the next finer level (the single values, for the first) that it has
/// not closed into a bucket of its own.
void TimeSeries::refill(std::size_t level) {
    Level &at = m_levels[level];
    at.children = 0;
    const std::size_t held = level == 0 ? m_values.size() : m_levels[level - 1].closed.size();
    qint64 &end = level == 0 ? m_end : m_levels[level - 1].end;
    const auto child = [this, level](std::size_t index) {
        return level == 0 ? bucketOf(m_values[index]) : m_levels[level - 1].closed[index];
    };
    std::size_t first = held;
    qint64 before = end;
    while (first > 0 && before > at.end)
        before -= child(--first).count;
    if (held == 0) {
        end = at.end;
        return;
    }
    // Buckets that were overwritten leave a hole: those behind it begin a bucket.
    at.end = before;
    for (; first < held; ++first) {
        if (at.children++ == 0)
            at.open = child(first);
        else
            merge(at.open, child(first));
    }
}

void TimeSeries::clear() {
    m_values.clear();
    for (Level &level : m_levels) {
        level.closed.clear();
        level.end = 0;
        level.children = 0;
    }
    m_end = 0;
    m_breakNext = false;
}

double TimeSeries::lastT() const {
    if (!m_values.isEmpty())
        return std::abs(m_values.back().signedT);
    double last = 0;
    for (const Level &level : m_levels) {
        if (!level.closed.isEmpty())
            last = std::max(last, level.closed.back().to);
    }
    return last;
}

/// Level 0 are the single values, level k the buckets of m_levels[k - 1].
bool TimeSeries::reachesBackTo(std::size_t level, double t) const {
    if (level == 0)
        return !m_values.forgot() || (!m_values.isEmpty() && std::abs(m_values.front().signedT) <= t);
    const Ring<Bucket> &closed = m_levels[level - 1].closed;
    return !closed.forgot() || (!closed.isEmpty() && closed.front().from <= t);
}

/// Newest first in the search, ascending in the result; stops, with what it has, once that is more than `enough`.
std::vector<TimeSeries::Piece> TimeSeries::collect(std::size_t level, double from, double to, std::size_t enough,
                                                   qint64 &firstOrdinal) const {
    std::vector<Piece> pieces;
    qint64 ordinal = m_end;
    bool complete = false;
    const auto take = [&](const Piece &piece) {
        ordinal -= piece.count;
        // Of those behind the window only the nearest stays.
        if (piece.from > to && !pieces.empty())
            pieces.pop_back();
        pieces.push_back(piece);
        complete = piece.to < from || pieces.size() > enough;
    };
    if (level == 0) {
        // Panned far back, the window's end is found without walking there.
        std::size_t end = m_values.size();
        for (std::size_t low = 0; low < end;) {
            const std::size_t middle = low + (end - low) / 2;
            if (std::abs(m_values[middle].signedT) > to)
                end = middle;
            else
                low = middle + 1;
        }
        end = std::min(end + 1, m_values.size());
        ordinal -= static_cast<qint64>(m_values.size() - end);
        while (end > 0 && !complete) {
            take(pieceOf(m_values[--end]));
        }
    } else {
        // Values that no bucket of this level holds yet are in the open ones, the newest in those of the finest level.
        for (std::size_t finer = 0; finer < level && !complete; ++finer) {
            if (m_levels[finer].children > 0)
                take(pieceOf(m_levels[finer].open));
        }
        const Ring<Bucket> &closed = m_levels[level - 1].closed;
        for (std::size_t at = closed.size(); at > 0 && !complete; --at)
            take(pieceOf(closed[at - 1]));
    }
    firstOrdinal = ordinal;
    std::ranges::reverse(pieces);
    return pieces;
}

std::vector<TimeSeries::Piece> TimeSeries::read(double from, double to, int most) const {
    const auto wanted = static_cast<std::size_t>(std::max(1, most));
    std::vector<Piece> pieces;
    qint64 ordinal = 0;
    for (std::size_t level = 0; level <= m_levels.size(); ++level) {
        const bool last = level == m_levels.size();
        if (!last && !reachesBackTo(level, from))
            continue;
        const std::size_t enough = last ? std::numeric_limits<std::size_t>::max() : thinning * wanted;
        pieces = collect(level, from, to, enough, ordinal);
        if (pieces.size() <= enough)
            break;
    }
    if (pieces.size() <= wanted + 2)
        return pieces;
    qint64 values = 0;
    for (const Piece &piece : pieces)
        values += piece.count;
    // Groups begin at the multiples of a power of two, so that they stay what they are while the window moves.
    qint64 group = 1;
    while (values / group > static_cast<qint64>(wanted))
        group *= 2;
    const double visible = (to - from) / static_cast<double>(wanted);
    std::vector<Piece> thinned;
    thinned.reserve(2 * wanted);
    qint64 groupOfLast = -1;
    for (const Piece &piece : pieces) {
        const qint64 groupOfPiece = ordinal / group;
        const bool silence = piece.breakBefore && !thinned.empty() && piece.from - thinned.back().to >= visible;
        if (groupOfPiece != groupOfLast || silence)
            thinned.push_back(piece);
        else
            merge(thinned.back(), piece);
        groupOfLast = groupOfPiece;
        ordinal += piece.count;
    }
    return thinned;
}

std::vector<TimeSeries::Piece> TimeSeries::all() const {
    std::vector<Piece> pieces;
    for (std::size_t at = m_values.size(); at > 0; --at)
        pieces.push_back(pieceOf(m_values[at - 1]));
    for (const Level &level : m_levels) {
        for (std::size_t at = level.closed.size(); at > 0; --at) {
            const Bucket &bucket = level.closed[at - 1];
            if (!pieces.empty() && bucket.from >= pieces.back().from)
                continue;
            // Of one that reaches into what is known finer, all is told once.
            while (!pieces.empty() && pieces.back().from <= bucket.to)
                pieces.pop_back();
            pieces.push_back(pieceOf(bucket));
        }
    }
    std::ranges::reverse(pieces);
    return pieces;
}

std::optional<TimeSeries::Piece> TimeSeries::at(double t) const {
    if (isEmpty() || t > lastT())
        return std::nullopt;
    for (std::size_t level = 0; level <= m_levels.size(); ++level) {
        if (level < m_levels.size() && !reachesBackTo(level, t))
            continue;
        qint64 ordinal = 0;
        const auto pieces = collect(level, t, t, std::numeric_limits<std::size_t>::max(), ordinal);
        for (std::size_t i = pieces.size(); i-- > 0;) {
            if (pieces[i].from > t)
                continue;
            const bool silent = pieces[i].to < t && i + 1 < pieces.size() && pieces[i + 1].breakBefore;
            return silent ? std::nullopt : std::optional(pieces[i]);
        }
        return std::nullopt;
    }
    return std::nullopt;
}

std::size_t TimeSeries::memory() const {
    std::size_t bytes = m_values.memory();
    for (const Level &level : m_levels)
        bytes += level.closed.memory();
    return bytes;
}

}  // namespace hearth
