// By which rule a job changes the weights, and how its rate goes over the run.
#pragma once

#include "ui/job/job_card.h"

class QCheckBox;
class QComboBox;

namespace hearth {

class JobDraft;

/// "jobOptimizer", "jobSchedule", and the fields of what is chosen. GUI thread; `draft` must outlive it.
class OptimizerCard : public JobCard {
    Q_OBJECT
  public:
    explicit OptimizerCard(JobDraft &draft, QWidget *parent = nullptr);

  private:
    void addOptimizer();
    void addSchedule();
    void refresh();

    JobDraft &m_draft;
    QComboBox *m_optimizer, *m_schedule;
    QCheckBox *m_nesterov, *m_scaleParameter, *m_relativeStep;
};

}  // namespace hearth
