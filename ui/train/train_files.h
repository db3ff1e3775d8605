// What the Train page writes into files: the weights, and the trace of the next run.
#pragma once

#include <QPushButton>

class QAction;

namespace hearth {

class Questions;
class RunController;
class RunModel;

/// A button with a menu. GUI thread.
class TrainFiles : public QPushButton {
    Q_OBJECT
  public:
    TrainFiles(const RunModel &run, RunController &controller, Questions &questions, QWidget *parent = nullptr);
    void refresh();
    /// What was written last, as the end of a sentence; empty before that, and for another run.
    const QString &told() const { return m_told; }

  Q_SIGNALS:
    void toldChanged();

  private:
    void saveWeights();
    void chooseTrace(bool wanted);
    void showTrace(const QString &path);
    void tell(const QString &text);

    const RunModel &m_run;
    RunController &m_controller;
    Questions &m_questions;
    QAction *m_weights, *m_trace;
    QString m_told;
};

}  // namespace hearth
