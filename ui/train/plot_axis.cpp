#include "ui/train/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hearth {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// Between two of so many pieces of what is seen lies less than a pixel.
constexpr int stretchPieces = 2048;
constexpr int searchedPieces = 64;
// Of a round: a multiple of a part of an epoch is seldom exact.
constexpr double nearly = 1e-6;
// More than from one round to the next.
constexpr double leastHole = 1.5;

/// The last that was done by then. Several that are known as one piece took equally long.
double roundAt(const std::vector<TimeSeries::Piece> &rounds, double t) {
    const auto next = std::ranges::upper_bound(rounds, t, {}, &TimeSeries::Piece::from);
    if (next == rounds.begin())
        return rounds.empty() ? 0 : rounds.front().least - 1;
    const TimeSeries::Piece &piece = *std::prev(next);
    if (t >= piece.to)
        return piece.most;
    return piece.least + (t - piece.from) / (piece.to - piece.from) * (piece.most - piece.least);
}

/// Looks closer from step to step: reading every round of a long run would take longer than a frame.
double timeOfRound(const TimeSeries &rounds, double round) {
    double from = 0, to = rounds.lastT();
    while (true) {
        const auto pieces = rounds.read(from, to, searchedPieces);
        const auto next = std::ranges::upper_bound(pieces, round, {}, &TimeSeries::Piece::least);
        if (next == pieces.begin())
            return 0;
        const TimeSeries::Piece &piece = *std::prev(next);
        if (round >= piece.most) {
            // One that is missing was done somewhere between its neighbours.
            return next == pieces.end()
                       ? piece.to
                       : piece.to + (round - piece.most) / (next->least - piece.most) * (next->from - piece.to);
        }
        if (piece.to - piece.from >= to - from)
            return piece.from + (round - piece.least) / (piece.most - piece.least) * (piece.to - piece.from);
        from = piece.from;
        to = piece.to;
    }
}

}  // namespace

double PlotAxis::placeOf(double t) const {
    return m_kind == AxisKind::Time ? t : m_unit * roundAt(m_rounds->read(t, t, 1), t);
}

double PlotAxis::roundOf(double place) const {
    return std::floor(place / m_unit + nearly);
}

double PlotAxis::timeOf(double place) const {
    return m_kind == AxisKind::Time ? place : timeOfRound(*m_rounds, roundOf(place));
}

double PlotAxis::stepFrom(double place, double by, double first, double last) const {
    if (m_kind == AxisKind::Time)
        return std::clamp(place + by, first, last);
    const double step = std::copysign(std::max(1.0, std::round(std::abs(by) / m_unit)), by);
    const double firstRound = std::ceil(first / m_unit - nearly);
    return m_unit * std::max(firstRound, std::min(roundOf(place) + step, roundOf(last)));
}

PlotAxis::Moments PlotAxis::momentsAt(double place) const {
    if (m_kind == AxisKind::Time)
        return {place, place};
    const double round = roundOf(place);
    const auto newest = m_rounds->at(m_rounds->lastT());
    // A run without rounds is at round 0, and may be evaluated there.
    const double last = newest ? newest->most : 0;
    if (round > last)
        return {never, never};
    const double from = timeOfRound(*m_rounds, round);
    if (round >= last)
        return {from, never};
    return {from, std::max(from, std::nextafter(timeOfRound(*m_rounds, round + 1), 0.0))};
}

bool PlotAxis::isHole(double before, double after) const {
    return m_kind == AxisKind::Time || after - before > leastHole * m_unit;
}

PlotStretch::PlotStretch(const PlotAxis &axis, double left, double right)
    : m_axis(axis), m_left(left), m_right(right), m_from(axis.timeOf(left)), m_to(axis.momentsAt(right).until) {
    if (axis.kind() != AxisKind::Time)
        m_rounds = axis.m_rounds->read(m_from, std::min(m_to, axis.m_rounds->lastT()), stretchPieces);
}

double PlotStretch::placeOf(double t) const {
    if (m_axis.kind() == AxisKind::Time)
        return t;
    // What runs to the edges comes from further away.
    if (m_rounds.empty() || t < m_rounds.front().from || t > m_rounds.back().to)
        return m_axis.placeOf(t);
    return m_axis.unit() * roundAt(m_rounds, t);
}

}  // namespace hearth
