// How long a job trains, in which portions, and from which seed.
#pragma once

#include "ui/job/job_card.h"

class QCheckBox;
class QComboBox;

namespace hearth {

class JobDraft;
class JobFieldEdit;

/// "jobLength" and the fields of what is chosen. GUI thread; `draft` must outlive it.
class LengthCard : public JobCard {
    Q_OBJECT
  public:
    explicit LengthCard(JobDraft &draft, QWidget *parent = nullptr);

  private:
    void refresh();

    JobDraft &m_draft;
    QComboBox *m_length;
    QCheckBox *m_shuffle;
    JobFieldEdit *m_seed = nullptr;
};

}  // namespace hearth
