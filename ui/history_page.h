// History, first form: the runs that the home knows of, to open again.
#pragma once

#include "core/home/run_info.h"
#include "ui/page.h"

class QTableView;

namespace hearth {

class RunController;
class RunsTableModel;

class HistoryPage : public Page {
    Q_OBJECT
  public:
    explicit HistoryPage(RunController &controller, QWidget *parent = nullptr);

  Q_SIGNALS:
    /// The user opens this run; it is being attached.
    void runWanted(const QString &run);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    void open();
    void setRuns(const std::vector<RunInfo> &runs);

    RunController &m_controller;
    RunsTableModel *m_runs;
    QTableView *m_table;
    QPushButton *m_open;
};

}  // namespace hearth
