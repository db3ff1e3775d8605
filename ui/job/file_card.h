// What a job's file says and the Job page has no control for.
#pragma once

#include "ui/job/job_card.h"

class QLabel;

namespace hearth {

class JobDraft;
struct InputTransform;
struct Job;

/// Names it ("jobFileValues"), so that nobody takes the job for another one, and says what was dropped of it
/// ("jobFileDropped"); hidden where there is nothing. GUI thread; `draft` must outlive it.
class FileCard : public JobCard {
    Q_OBJECT
  public:
    explicit FileCard(JobDraft &draft, QWidget *parent = nullptr);

  private:
    void refresh();
    static QStringList valuesOf(const Job &job);
    static QString inputWords(const InputTransform &input);

    JobDraft &m_draft;
    QLabel *m_values, *m_note, *m_dropped;
};

}  // namespace hearth
