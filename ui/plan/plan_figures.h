// What a round of the plan is predicted to take, how much of it devices wait, and what limits it.
#pragma once

#include <QWidget>
#include <array>

class QGridLayout;

namespace hearth {

class Figure;
class PlanDraft;
struct Plan;

/// GUI thread. Figures side by side; in two rows where they have no room in one.
class PlanFigures : public QWidget {
    Q_OBJECT
  public:
    explicit PlanFigures(const PlanDraft &draft, QWidget *parent = nullptr);
    void refresh();
    /// Of two rows, if it must be.
    QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent *event) override;

  private:
    void showWaiting(const Plan &plan);
    void showLimit(const Plan &plan);
    void showStep(const Plan &plan);
    void fillRows();
    void fitRows();

    const PlanDraft &m_draft;
    Figure *m_round, *m_speed, *m_waiting, *m_cut, *m_limit;
    std::array<Figure *, 5> m_all;  // in their order
    QGridLayout *m_grid;
    int m_perRow;
};

}  // namespace hearth
