// What the plots of a run go by: its time, its rounds or its epochs.
#pragma once

#include <vector>

#include "ui/run/time_series.h"

namespace hearth {

enum class AxisKind { Time, Round, Epoch };

/// Where the moments of a run are on the axis of its plots: in seconds, in rounds that were done, or in epochs. By
/// round a moment is at the round that was done last, 0 before the first. Rounds that a recovery undid are not there:
/// the later value wins, as it does in the weights, and what happened meanwhile is at the round that the run went on
/// from. Plain value; GUI thread.
class PlotAxis {
  public:
    /// Of time.
    PlotAxis() = default;
    /// `rounds` are their numbers over time and must outlive the axis; `unit` is the part of an epoch that a round
    /// takes, and 1 on the other axes.
    PlotAxis(AxisKind kind, const TimeSeries &rounds, double unit) : m_kind(kind), m_rounds(&rounds), m_unit(unit) {}

    AxisKind kind() const { return m_kind; }
    /// One second, or one round.
    double unit() const { return m_unit; }
    double placeOf(double t) const;
    /// When the round at this place was done; of places without one when the nearest was.
    double timeOf(double place) const;
    double roundOf(double place) const;
    /// Where a step of about `by` leads from a place, within `first` to `last`. By round and by epoch from one whole
    /// round to another: between them nothing else is read.
    double stepFrom(double place, double by, double first, double last) const;
    /// How long the run was at a place: by time a moment, else until the next round is done, which may be never. Behind
    /// the last round both are never.
    struct Moments {
        double from = 0, until = 0;
    };
    Moments momentsAt(double place) const;
    /// Whether a break between two places is seen as one: by round a pause takes no room, only missing rounds do.
    bool isHole(double before, double after) const;

  private:
    friend class PlotStretch;

    AxisKind m_kind = AxisKind::Time;
    const TimeSeries *m_rounds = nullptr;  // not by time
    double m_unit = 1;
};

/// A part of an axis that is drawn: its places are looked up among as many rounds as can be told apart there, which
/// takes no longer in a long run. All plots of a page share one, made anew for each frame. Plain value; GUI thread.
class PlotStretch {
  public:
    PlotStretch(const PlotAxis &axis, double left, double right);

    const PlotAxis &axis() const { return m_axis; }
    double left() const { return m_left; }
    double right() const { return m_right; }
    /// The times that are seen; `to` is infinite where the newest round is.
    double from() const { return m_from; }
    double to() const { return m_to; }
    /// As PlotAxis says, to less than a pixel.
    double placeOf(double t) const;

  private:
    PlotAxis m_axis;
    double m_left, m_right, m_from, m_to;
    std::vector<TimeSeries::Piece> m_rounds;
};

}  // namespace hearth
