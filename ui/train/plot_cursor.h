// The cursor line of a plot and the box that reads the curves out beside it.
#pragma once

#include <QStringList>
#include <optional>

#include "ui/base/custom_plot.h"

namespace hearth {

/// On a layer of its own, so that moving it does not draw the curves again. For .cpp files only.
class PlotCursor : public QCPAbstractItem {
    Q_OBJECT
  public:
    explicit PlotCursor(QCustomPlot *plot);

    /// Nothing hides it. The lines of text stand as they are given.
    void show(std::optional<double> t, const QStringList &lines);
    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }

  protected:
    void draw(QCPPainter *painter) override;

  private:
    std::optional<double> m_t;
    QStringList m_lines;
};

}  // namespace hearth
