// The vertical marks of a plot and their labels, drawn as one item however many there are.
#pragma once

#include <QString>
#include <vector>

#include "ui/base/custom_plot.h"
#include "ui/base/widgets.h"
#include "ui/train/plot_axis.h"

namespace hearth {

/// Owned by its plot. For .cpp files only: QCustomPlot's header is large.
class PlotMarks : public QCPAbstractItem {
    Q_OBJECT
  public:
    struct Mark {
        double t = 0;
        QString label;
        ThemeColour colour = nullptr;
        bool urgent = false;  // gets the room for its label first
    };
    explicit PlotMarks(QCustomPlot *plot) : QCPAbstractItem(plot) {}

    const std::vector<Mark> &marks() const { return m_marks; }
    void add(const Mark &mark) { m_marks.push_back(mark); }
    void clear();
    /// Of those that are seen.
    std::vector<double> places() const;
    /// Chooses what is seen of the stretch, and where labels find room: after the axis has its range, before the plot
    /// is drawn. Returns how many rows of labels are in use.
    int arrange(const PlotStretch &stretch, bool labelled);
    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }

  protected:
    void draw(QCPPainter *painter) override;

  private:
    struct Shown {
        std::size_t mark;
        double place;
        int row;      // of the label; -1 without one
        bool turned;  // the label lies before its mark
    };
    bool findRow(Shown &shown, std::vector<std::vector<std::pair<double, double>>> &taken) const;

    std::vector<Mark> m_marks;  // in any order of time
    std::vector<Shown> m_shown;
};

}  // namespace hearth
