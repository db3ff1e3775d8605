// One number of the job: caption, line, and under it a hint or what is wrong.
#pragma once

#include <QWidget>

#include "ui/job/job_draft.h"

class QLabel;
class QLineEdit;

namespace hearth {

/// The line is called `objectName`, what stands under it `objectName`Reason. `draft` must outlive it.
class JobFieldEdit : public QWidget {
    Q_OBJECT
  public:
    JobFieldEdit(JobDraft &draft, JobField field, const QString &objectName, const QString &caption,
                 const QString &hint, QWidget *parent = nullptr);
    void setHint(const QString &hint);

  private:
    void refresh();

    JobDraft &m_draft;
    JobField m_field;
    QString m_captionText, m_hint;
    QLabel *m_caption;
    QLineEdit *m_edit;
    QLabel *m_reason;
};

}  // namespace hearth
