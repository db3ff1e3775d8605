// Curves of ended stretches of runs, laid over each other: a QCustomPlot dressed in the theme.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <vector>

#include "core/history/run_summary.h"
#include "ui/base/widgets.h"
#include "ui/train/plot_axis.h"

class QCPGraph;
class QCustomPlot;

namespace hearth {

/// Shows whole curves by round or by time; the values start at zero. GUI thread.
class CurvePlot : public QWidget {
    Q_OBJECT
  public:
    using Axis = AxisKind;
    /// `look` 0, 1, …: of each run another colour and dash, for colour is not the only sign.
    struct Line {
        Curve curve;
        int look = 0;
    };

    /// `factor` is what values are multiplied by (percent); `highest` the end of the axis, 0: that of the values.
    CurvePlot(const QString &objectName, const QString &title, double factor = 1, double highest = 0,
              QWidget *parent = nullptr);

    const QString &title() const { return m_title; }
    /// `last` is the round or the time where the axis ends, the same for plots that stand side by side.
    void show(const std::vector<Line> &lines, Axis axis, double last);
    static double keyOf(const CurvePoint &point, Axis axis);
    /// What is drawn, for tests: the points of one line, gaps left out.
    std::vector<QPointF> points(int line) const;
    QStringList tickLabels(Qt::Orientation orientation) const;
    double axisEnd() const;
    /// The same plot in another size, for a picture.
    QPixmap picture(QSize size, double scale) const;

    static QColor lineColour(int look);
    /// Of this width.
    static QPen linePen(int look, double width);

  private:
    void retheme();

    QString m_title;
    double m_factor;
    double m_highest;
    QCustomPlot *m_plot;
    QLabel *m_nothing;
    std::vector<int> m_looks;  // of each graph
};

}  // namespace hearth
