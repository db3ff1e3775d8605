// More about the network that a job trains.
#pragma once

#include <QWidget>

#include "ui/job/model_facts.h"

class QLabel;
class QLineEdit;

namespace hearth {

class JobDraft;
class ModelList;
struct JobEstimate;

/// What it is and takes ("modelFacts"), what came with it ("modelNotes") or why it cannot be used ("modelError"), and
/// its options ("modelOptions"). GUI thread; the arguments must outlive it.
class ModelDetails : public QWidget {
    Q_OBJECT
  public:
    ModelDetails(JobDraft &draft, const ModelList &models, QWidget *parent = nullptr);
    /// That a pass over the job's data has; 0 while nobody knows.
    void setTrainingSamples(qint64 count);

  private:
    void refresh();
    QString describe(const ModelFacts &facts) const;
    QString describeWhole(const JobEstimate &alone) const;
    void takeOptions();
    void markOptions(bool wrong);

    JobDraft &m_draft;
    const ModelList &m_models;
    QLabel *m_name, *m_facts, *m_notes, *m_error;
    QLineEdit *m_options;
    QLabel *m_optionsReason;
    QString m_model;  // that was shown last
    qint64 m_trainingSamples = 0;
};

}  // namespace hearth
