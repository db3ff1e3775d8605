// In which numbers a job computes.
#pragma once

#include "ui/job/job_card.h"

class QComboBox;
class QLabel;

namespace hearth {

class JobDraft;

/// "jobPrecision" and what it means ("jobPrecisionNote"). GUI thread; `draft` must outlive it.
class PrecisionCard : public JobCard {
    Q_OBJECT
  public:
    explicit PrecisionCard(JobDraft &draft, QWidget *parent = nullptr);

  private:
    void refresh();

    JobDraft &m_draft;
    QComboBox *m_precision;
    QLabel *m_note;
};

}  // namespace hearth
