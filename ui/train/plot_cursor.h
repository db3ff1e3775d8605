// The cursor line of a plot and the box that reads the curves out beside it.
#pragma once

#include <QColor>
#include <QString>
#include <optional>
#include <vector>

#include "ui/base/custom_plot.h"

namespace hearth {

/// One line of the box; a curve's begins with a piece of its colour.
struct CursorLine {
    QString text;
    QColor colour;
    bool operator==(const CursorLine &) const = default;
};

/// On a layer of its own, so that moving it does not draw the curves again. For .cpp files only.
class PlotCursor : public QCPAbstractItem {
    Q_OBJECT
  public:
    explicit PlotCursor(QCustomPlot *plot);

    /// Nothing hides it. The lines of text stand as they are given.
    void show(std::optional<double> place, const std::vector<CursorLine> &lines);
    /// How many lines find room in the plot.
    int room() const;
    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }

  protected:
    void draw(QCPPainter *painter) override;

  private:
    std::optional<double> m_place;
    std::vector<CursorLine> m_lines;
};

}  // namespace hearth
