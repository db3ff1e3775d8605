// Whether a job may round what crosses between its stages, and gradients inside groups.
#pragma once

#include "ui/job/job_card.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace hearth {

class JobDraft;
class RunModel;

/// "jobCodec", what it means ("jobCodecNote"), and what it would give ("jobCodecOffer") where the last plan of this
/// network tells; "jobGradientCodec", and what that means ("jobGradientNote"). GUI thread; the arguments must outlive
/// it.
class CodecCard : public JobCard {
    Q_OBJECT
  public:
    CodecCard(JobDraft &draft, const RunModel &run, QWidget *parent = nullptr);

  private:
    void refresh();
    void refreshOffer();

    JobDraft &m_draft;
    const RunModel &m_run;
    QComboBox *m_codec;
    QLabel *m_note, *m_offer;
    QCheckBox *m_gradients;
    QLabel *m_gradientNote;
};

}  // namespace hearth
