// Plan: which device computes which layers, and what that is predicted to cost. Read only.
#pragma once

#include "ui/page.h"

class QGridLayout;

namespace hearth {

class Figure;
class HomeSource;
class LayerStrip;
class RunModel;
struct Plan;
struct PlanStage;

class PlanPage : public Page {
    Q_OBJECT
  public:
    PlanPage(const HomeSource &home, const RunModel &run, QWidget *parent = nullptr);

    void setStartPossible(bool possible, const QString &reason);

  Q_SIGNALS:
    void startWanted();

  private:
    void refresh();
    void refreshStart();
    void showFigures(const Plan &plan);
    QString stepName(const Plan &plan, int step) const;
    QWidget *makeStage(const Plan &plan, int index) const;
    QWidget *makeDevice(const Plan &plan, const PlanStage &stage, int stageIndex, std::size_t share) const;
    QWidget *makeTraffic(const Plan &plan) const;

    const HomeSource &m_home;
    const RunModel &m_run;
    QPushButton *m_start;
    bool m_startPossible = false;
    QString m_startReason;
    Figure *m_round, *m_speed, *m_cut, *m_limit;
    LayerStrip *m_strip;
    QGridLayout *m_cards;
};

}  // namespace hearth
