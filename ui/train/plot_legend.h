// The line above a plot: its title, and a piece of each curve beside its name.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/train/live_plot.h"

namespace hearth {

/// In as many lines as it takes: a window may be narrow.
class PlotLegend : public QWidget {
    Q_OBJECT
  public:
    explicit PlotLegend(const QString &title, QWidget *parent = nullptr);
    void add(const QString &name, const PlotColour &colour, LivePlot::Look look);
    /// Instead of entries that would not fit; empty for none.
    void setSummary(const QString &text);
    void clear();

  private:
    std::vector<QWidget *> m_entries;
    QLabel *m_summary;
};

}  // namespace hearth
