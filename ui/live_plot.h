// A QCustomPlot dressed in the theme, with a title and a legend of its own above it.
#pragma once

#include <QPointF>
#include <QWidget>
#include <vector>

#include "ui/widgets.h"

class QCPGraph;
class QCPItemStraightLine;
class QCustomPlot;
class QHBoxLayout;

namespace hearth {

/// Time runs along x in seconds of the run. Curves are only ever appended to (`addData`); the owner calls `replot` from
/// its one timer. GUI thread.
class LivePlot : public QWidget {
    Q_OBJECT
  public:
    enum class Look { Faint, Strong, Dashed, Points };

    LivePlot(const QString &objectName, const QString &title, QWidget *parent = nullptr);

    /// Returns the curve's index. `right`: against the axis on the right.
    int addCurve(const QString &name, ThemeColour colour, Look look, bool right = false);
    void addPoint(int curve, double t, double value);
    /// What is plotted, for tests and export.
    std::vector<QPointF> points(int curve) const;
    int markCount() const { return static_cast<int>(m_marks.size()); }
    void setRightAxisFormat(double lower, double upper);
    /// A thin vertical line with a tool tip's worth of meaning; the event list tells the sentence.
    void addMark(double t, ThemeColour colour);
    void clearData();
    /// x from `firstT` to `lastT`, the same for all plots of a page; y from zero to the largest value.
    void replot(double firstT, double lastT);

  private:
    struct Curve {
        QCPGraph *graph;
        ThemeColour colour;
        Look look;
    };
    void retheme();

    QCustomPlot *m_plot;
    QHBoxLayout *m_legend;
    QList<Curve> m_curves;
    QList<std::pair<QCPItemStraightLine *, ThemeColour>> m_marks;
};

}  // namespace hearth
