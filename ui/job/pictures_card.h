// How training pictures are made of the network's size, and varied.
#pragma once

#include "core/model/shapes.h"
#include "ui/job/job_card.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace hearth {

class JobDraft;

/// "jobFit", "jobVary" and "jobMirror"; shown for pictures only. GUI thread; `draft` must outlive it.
class PicturesCard : public JobCard {
    Q_OBJECT
  public:
    explicit PicturesCard(JobDraft &draft, QWidget *parent = nullptr);
    /// What the network takes, {channels, height, width}; empty: it, or the data, are no pictures.
    void setInput(const hearth::Shape &input);

  private:
    void refresh();
    void vary();
    QString described() const;

    JobDraft &m_draft;
    hearth::Shape m_input;
    QComboBox *m_fit, *m_vary;
    QCheckBox *m_mirror;
    QLabel *m_note;
};

}  // namespace hearth
