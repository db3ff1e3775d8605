// Which part of a run's time the plots show, and where their common cursor stands.
#pragma once

#include <QObject>
#include <optional>

namespace hearth {

/// All plots of a page share one: their time axes and cursors are linked. Seconds of the run. GUI thread.
class TimeWindow : public QObject {
    Q_OBJECT
  public:
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
    /// The end stays where it is; with nothing, the whole run is followed.
    void setSpan(std::optional<double> seconds);
    /// `factor` below 1 shows less; what is at `around` stays where it is, except that a window that follows goes on
    /// following.
    void zoom(double factor, double around);
    /// The same around the cursor, else around the middle.
    void zoom(double factor);
    /// Later by `seconds`; reaching the newest data, it follows them again.
    void pan(double seconds);
    void follow() { setFollows(true); }
    /// A window that does not follow stays where it is while data come in; one on the whole run always follows.
    void setFollows(bool follows);
    void setCursor(std::optional<double> t);

  Q_SIGNALS:
    void changed();
    void cursorChanged();

  private:
    double length() const;
    double end() const;
    void hold(double end);

    double m_first = 0, m_last = 0;
    std::optional<double> m_span;
    bool m_follows = true;
    double m_end = 0;  // of the window, where it does not follow
    std::optional<double> m_cursor;
};

}  // namespace hearth
