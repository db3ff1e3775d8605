// The window: rail, five pages, status line.
#pragma once

#include <QMainWindow>

#include "ui/run_model.h"

class QStackedWidget;

namespace hearth {

class ErrorPanel;
class HistoryPage;
class HomePage;
class HomeSource;
class JobPage;
class PlanPage;
class Questions;
class Rail;
class RunController;
class TrainPage;

/// GUI thread. `home`, `controller` and `questions` must outlive the window.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow(HomeSource &home, RunController &controller, Questions &questions, QWidget *parent = nullptr);

    const RunModel &run() const { return m_run; }
    void showPlace(int place);
    /// What the Job page starts with.
    void setJob(const Job &job);

  protected:
    void closeEvent(QCloseEvent *event) override;

  private:
    void connectRun();
    void startOrWatch();
    void refreshStart();
    void setStartPossible(bool possible, const QString &reason);
    void showError(const Error &error);

    bool m_closeWhenEnded = false;  // the user chose "Stop and save"; the weights come first
    HomeSource &m_home;
    RunController &m_controller;
    Questions &m_questions;
    RunModel m_run;
    Rail *m_rail;
    QStackedWidget *m_pages;
    ErrorPanel *m_error;
    HomePage *m_homePage;
    JobPage *m_jobPage;
    PlanPage *m_planPage;
    TrainPage *m_trainPage;
    HistoryPage *m_historyPage;
};

}  // namespace hearth
