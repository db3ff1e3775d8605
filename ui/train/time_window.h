// Which part of a run the plots show, and where their common cursor stands.
#pragma once

#include <QObject>
#include <functional>
#include <optional>

namespace hearth {

/// All plots of a page share one: their axes and cursors are linked. Counts what the axis does: seconds of the run at
/// first. GUI thread.
class TimeWindow : public QObject {
    Q_OBJECT
  public:
    /// In units of the axis.
    static constexpr double shortest = 5;

    using QObject::QObject;

    /// Nothing: the whole run.
    std::optional<double> span() const { return m_span; }
    /// Whether the window's end stays at the newest data.
    bool follows() const { return m_follows; }
    /// What is shown; `to` leaves a little room behind the newest data, so that they are seen whole.
    double from() const;
    double to() const;
    std::optional<double> cursor() const { return m_cursor; }

    /// Where there is something to see; `last` grows with the clock while a run is silent.
    void setData(double first, double last);
    /// What the axis counts by: a second, a round, or the part of an epoch that a round takes.
    void setUnit(double unit) { m_unit = unit; }
    /// Another axis, on which `placeOf` finds the places of this one. What is shown stays in sight.
    void changeAxis(double unit, const std::function<double(double)> &placeOf);
    /// The end stays where it is; with nothing, the whole run is followed.
    void setSpan(std::optional<double> span);
    /// `factor` below 1 shows less; what is at `around` stays where it is, except that a window that follows goes on
    /// following.
    void zoom(double factor, double around);
    /// The same around the cursor, else around the middle.
    void zoom(double factor);
    /// Later by so much; reaching the newest data, it follows them again.
    void pan(double by);
    void follow() { setFollows(true); }
    /// A window that does not follow stays where it is while data come in; one on the whole run always follows.
    void setFollows(bool follows);
    void setCursor(std::optional<double> place);

  Q_SIGNALS:
    void changed();
    void cursorChanged();

  private:
    double length() const;
    double end() const;
    void hold(double end);

    double m_unit = 1;
    double m_first = 0, m_last = 0;
    std::optional<double> m_span;
    bool m_follows = true;
    double m_end = 0;  // of the window, where it does not follow
    std::optional<double> m_cursor;
};

}  // namespace hearth
