// Job: what is trained, on which data, how long.
#pragma once

#include "core/run/job.h"
#include "ui/page.h"

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace hearth {

class RunModel;

/// A form over one Job. Wrong values are marked where they stand, with the reason; `job()` is the last valid one.
class JobPage : public Page {
    Q_OBJECT
  public:
    explicit JobPage(const RunModel &run, QWidget *parent = nullptr);

    const Job &job() const { return m_job; }
    void setJob(const Job &job);
    bool isValid() const { return m_valid; }
    void setStartPossible(bool possible, const QString &reason);

  Q_SIGNALS:
    void startWanted();
    void validityChanged();

  private:
    struct Field {
        QLineEdit *edit;
        QLabel *reason;
    };
    Field addField(QFormLayout *form, const QString &objectName, const QString &caption, const QString &hint);
    /// Marks the field; true when `reason` is empty.
    bool mark(const Field &field, const QString &reason);
    std::optional<double> number(const Field &field, double minimum, double maximum, bool minimumAllowed);
    std::optional<qint64> integer(const Field &field, qint64 minimum, qint64 maximum);
    void read();
    void showModel();
    void refreshStart();

    const RunModel &m_run;
    Job m_job;
    bool m_valid = true;
    bool m_filling = false;
    bool m_startPossible = false;
    QString m_startReason;
    QPushButton *m_start;
    QComboBox *m_model;
    QLabel *m_modelNote;
    Field m_rounds, m_batch, m_learningRate, m_momentum, m_seed, m_evaluateEvery;
};

}  // namespace hearth
