// Several runs side by side: what differs between their jobs, and what they reached.
#pragma once

#include <QTableWidget>

#include "ui/run/run_facts.h"

namespace hearth {

/// One row per run, with its line in the plots; the best figures are strong. GUI thread.
class CompareTable : public QTableWidget {
    Q_OBJECT
  public:
    explicit CompareTable(QWidget *parent = nullptr);
    void show(const std::vector<ShownRun> &runs);

  private:
    /// Icons are drawn in the colours of the theme.
    void drawLines();
};

}  // namespace hearth
