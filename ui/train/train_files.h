// What the Train page writes into files: the weights, and the trace of the next run.
#pragma once

#include <QPushButton>

#include "ui/base/picture_file.h"

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
    void savePicture(const QImage &picture, const QString &path);
    /// What was written last, as the end of a sentence; empty before that, and for another run.
    const QString &told() const { return m_told; }

  Q_SIGNALS:
    void toldChanged();
    /// A picture of the plots is to be written there: `savePicture` does it.
    void pictureWanted(const QString &path);

  private:
    /// Where something of this run is saved; empty where the user thought better of it, or where another run is shown
    /// once the file is chosen, which is told.
    QString askFile(const QString &title, const QString &filter);
    void saveWeights();
    void saveBest();
    void choosePicture();
    void chooseTrace(bool wanted);
    void showTrace(const QString &path);
    void tell(const QString &text);

    const RunModel &m_run;
    RunController &m_controller;
    Questions &m_questions;
    PictureFile m_pictureFile;
    QAction *m_weights, *m_best, *m_picture, *m_trace;
    QString m_told;
};

}  // namespace hearth
