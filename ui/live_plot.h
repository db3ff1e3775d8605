// A QCustomPlot dressed in the theme, with a title and a legend of its own above it.
#pragma once

#include <QPointF>
#include <QWidget>
#include <vector>

#include "ui/widgets.h"

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;
class QHBoxLayout;

namespace hearth {

/// Time runs along x in seconds of the run. Curves are only ever appended to (`addData`); the owner calls `replot` from
/// its one timer. GUI thread.
class LivePlot : public QWidget {
    Q_OBJECT
  public:
    enum class Look { Faint, Strong, Dashed, Points, Ticks };

    LivePlot(const QString &objectName, const QString &title, QWidget *parent = nullptr);

    /// Returns the curve's index. `right`: against the axis on the right.
    int addCurve(const QString &name, ThemeColour colour, Look look, bool right = false);
    void addPoint(int curve, double t, double value);
    /// The curve is broken here: nothing was measured in between.
    void addGap(int curve, double t);
    /// Takes back the points behind `t`.
    void dropAfter(int curve, double t);
    /// What is plotted, for tests and export; gaps left out.
    std::vector<QPointF> points(int curve) const;
    int markCount() const { return static_cast<int>(m_marks.size()); }
    /// The labels of all marks in their order, also of those that found no room.
    QStringList markLabels() const;
    void setRightAxisFormat(double lower, double upper);
    /// A thin vertical line, and a word or two beside it where there is room; the event list tells the sentence.
    /// `urgent` ones get the room first.
    void addMark(double t, ThemeColour colour, const QString &label, bool urgent);
    /// Whether marks are labelled here; plots above each other share the labels of the first.
    void showMarkLabels(bool show) { m_labelled = show; }
    void clearData();
    /// x from `firstT` to `lastT`, the same for all plots of a page; y from zero to the largest value.
    void replot(double firstT, double lastT);

  private:
    struct Curve {
        QCPGraph *graph;
        ThemeColour colour;
        Look look;
    };
    struct Mark {
        double t;
        QCPItemStraightLine *line;
        QCPItemText *label;
        ThemeColour colour;
        bool urgent;
    };
    void retheme();
    static void style(const Mark &mark);
    int placeLabels();

    QCustomPlot *m_plot;
    QHBoxLayout *m_legend;
    QList<Curve> m_curves;
    QList<Mark> m_marks;
    bool m_labelled = true;
};

}  // namespace hearth
