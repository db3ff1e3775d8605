// What each planner would do here, all judged by the same simulator.
#pragma once

#include <QFrame>
#include <memory>
#include <vector>

#include "ui/plan/background_plan.h"

class QPushButton;
class QStandardItemModel;
class QTableView;

namespace hearth {

class PlanDraft;

/// Asks all planners in a thread of its own when a person wants it; the table then says what came of it, fastest first.
/// A row that is activated (Enter, double click, "Load this plan") becomes the draft's plan.
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
        QString planner;
        Result<Plan> plan;
    };
    void compare();
    void show(std::vector<Row> rows);
    void load();

    PlanDraft &m_draft;
    QPushButton *m_compare, *m_load;
    QStandardItemModel *m_model;
    QTableView *m_table;
    std::vector<Row> m_rows;
    BackgroundPlan m_search;
};

}  // namespace hearth
