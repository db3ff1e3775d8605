// The curves of one run, or of several laid over each other.
#pragma once

#include <QImage>

#include "ui/train/curve_plot.h"

class QButtonGroup;

namespace hearth {

/// Loss, accuracy and samples per second with one legend, by round or by time. GUI thread.
class RunCurvesView : public QWidget {
    Q_OBJECT
  public:
    explicit RunCurvesView(QWidget *parent = nullptr);

    /// None, one or two; or more, which share one large plot, and their lines are told elsewhere (CompareTable).
    void show(const std::vector<RunDetails> &runs);
    CurvePlot::Axis axis() const { return m_axis; }
    /// Legend and choice of the axis; stands where its owner puts it.
    QWidget *head() const { return m_head; }
    bool isEmpty() const { return m_runs.empty(); }
    /// All three plots with title and legend, as large as it takes to read them.
    QImage picture() const;

  private:
    /// The first time that there is something to see: a window that was just opened needs no plots.
    void buildPlots();
    void refresh();
    void choosePlot();
    bool isMany() const { return m_runs.size() > 2; }
    void setAxis(CurvePlot::Axis axis);

    std::vector<RunDetails> m_runs;
    CurvePlot::Axis m_axis = CurvePlot::Axis::Round;
    QWidget *m_head;
    QHBoxLayout *m_legend;
    QWidget *m_measures;  // which plot is shown of many runs
    QButtonGroup *m_measure;
    QHBoxLayout *m_plots;
    CurvePlot *m_loss = nullptr;
    CurvePlot *m_accuracy = nullptr;
    CurvePlot *m_speed = nullptr;
};

}  // namespace hearth
