// When a job is evaluated, which evaluation is the best, and what follows from it.
#pragma once

#include "ui/job/job_card.h"

class QCheckBox;
class QComboBox;

namespace hearth {

class JobDraft;

/// "jobEvaluateEvery", "jobValidation", "jobBestBy", "jobPatience" and "jobKeepBest". GUI thread; `draft` must outlive
/// it.
class EvaluationCard : public JobCard {
    Q_OBJECT
  public:
    explicit EvaluationCard(JobDraft &draft, QWidget *parent = nullptr);

  private:
    void refresh();

    JobDraft &m_draft;
    QComboBox *m_bestBy;
    QCheckBox *m_keepBest;
};

}  // namespace hearth
