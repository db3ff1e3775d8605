// What each planner would do here, and each schedule with the plan's stages, all judged by the same simulator.
#pragma once

#include <QFrame>
#include <memory>
#include <vector>

#include "core/plan/explain/schedule_comparison.h"
#include "ui/plan/search_button.h"

class QLabel;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace hearth {

class PlanDraft;

/// Asks all planners in a thread of its own when a person wants it; two tables then say what came of it, fastest first.
/// A row that is activated (Enter, double click, "Load this plan") becomes the draft's plan; ways of training that the
/// job has to ask for say how. Where the search is cancelled the tables keep what they had.
class PlanCompare : public QFrame {
    Q_OBJECT
  public:
    explicit PlanCompare(PlanDraft &draft, QWidget *parent = nullptr);
    ~PlanCompare() override;
    void refresh();
    /// What was compared, or is being compared, is for devices or layers that are others now.
    void forget();

  private:
    struct Row {
        QString planner;  // its name in commands and files
        Result<Plan> plan;
    };
    void compare();
    void show(std::vector<Row> rows);
    void show(std::vector<ScheduleRow> rows);
    void loadPlan();
    void loadSchedule();
    QTableView *makeTable(const QString &name, const QString &says, QStandardItemModel *model);
    static void fill(QTableView *table, QStandardItemModel *model, const QStringList &heads,
                     const std::vector<QStringList> &rows);
    /// What is selected; none: nothing is.
    const ScheduleRow *selectedSchedule() const;
    const Row *selectedPlanner() const;
    /// Not where it was edited since it was compared.
    bool areSchedulesOfThePlan() const;
    void forgetSchedules();
    /// Else the job's file has to ask for it.
    bool isOfThisJob(const ScheduleRow &row) const;

    PlanDraft &m_draft;
    QPushButton *m_compare, *m_load;
    QStandardItemModel *m_planners, *m_schedules;
    QTableView *m_plannerTable, *m_scheduleTable;
    QLabel *m_scheduleHead;
    Plan m_compared;
    std::vector<Row> m_rows;
    std::vector<ScheduleRow> m_scheduleRows;
    SearchButton m_search;
};

}  // namespace hearth
