// The window: rail, five pages, status line.
#pragma once

#include <QMainWindow>
#include <functional>
#include <tuple>

#include "ui/phone/phone_page.h"
#include "ui/run/run_model.h"

class QStackedWidget;

namespace hearth {

class AppMenu;
class DemoStart;
class ErrorPanel;
class FirstStartPage;
class HistoryPage;
class HomePage;
class HomeSource;
class JobDraft;
class JobPage;
class NoticeBar;
class PlanPage;
class Questions;
class Rail;
class RunController;
class TrainPage;
struct StartWeights;

/// GUI thread. `home`, `controller` and `questions` must outlive the window.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow(HomeSource &home, RunController &controller, Questions &questions, QWidget *parent = nullptr);

    const RunModel &run() const { return m_run; }
    void showPlace(int place);
    /// The word by which a place is remembered: "home", …; one that is none leaves the window as it is.
    QString placeName() const;
    void showPlaceNamed(const QString &name);
    AppMenu &menu() const { return *m_menu; }
    JobDraft &jobDraft();
    /// The ways to begin; on none of the five places.
    void showFirstStart();
    /// What the Job page starts with.
    void setJob(const Job &job);
    /// As "Try it now": trains in the demo home, which the window is in already or goes over to, as soon as it can.
    void beginDemo();
    /// Goes on where another window, which is about to go, has been: its place, its job, its changes of the plan, and
    /// the run that it shows, which is told again.
    void takeOver(MainWindow &before);
    void showError(const Error &error);
    /// Whatever place is shown, until somebody closes it.
    void showNotice(const QString &text);
    /// Called before the window closes: an error is told and keeps it open.
    void setKeeper(std::function<Result<void>()> keep) { m_keep = std::move(keep); }

  Q_SIGNALS:
    /// It was closed, and whoever had to agree did.
    void closed();
    /// It was to be closed and stays open: somebody thought better of it, or something went wrong.
    void stays();

  protected:
    void closeEvent(QCloseEvent *event) override;

  private:
    void connectRun();
    void tellJob();
    void connectFirstStart();
    void changeHome();
    void openRecord(const QString &path);
    void openRecordFile();
    void leaveRun();
    void leaveDeleted();
    void setRecord(const QString &path);
    /// What the user wants as soon as a run has ended, whose weights are saved first: "Stop and save" was chosen.
    enum class WhenEnded { Nothing, Close, EndDemo, AddDevices };
    using Asked = std::tuple<bool, QString, QString>;  // whether it is a demo home, where it lies, and its run
    Asked asked() const;
    void addDevices();
    void endDemo(WhenEnded then);
    void leaveDemo(WhenEnded then);
    void stopFirst(WhenEnded then);
    void waitFor(WhenEnded then);
    void waitNoMore();
    void goOnAfterEnd();
    bool isTraining() const;
    std::optional<qint64> shownRound() const;
    /// With the weights that the Job page has.
    void startOrWatch();
    void startOrWatchWith(const std::optional<StartWeights> &weights);
    /// Asks where the job is startable and nobody is likely to mean it.
    bool isMeant();
    void startAgain();
    void showOnPhone();
    void refreshStart();

    std::function<Result<void>()> m_keep;
    WhenEnded m_whenEnded = WhenEnded::Nothing;
    bool m_recordWanted = false;          // a recorded run is being opened, to be looked at on Train
    QString m_opened;                     // the run that is shown, from before its first event on
    QString m_recordAsked, m_recordPath;  // the recorded run that is being opened, and the one that is shown
    QString m_before;                     // the run that was shown before the recorded one
    bool m_homeTrains = false;            // as the home told last, whatever run the window shows
    HomeSource &m_home;
    RunController &m_controller;
    Questions &m_questions;
    RunModel m_run;
    PhonePage m_phone;  // ends before what it reads
    Rail *m_rail;
    QStackedWidget *m_pages;
    ErrorPanel *m_error;
    NoticeBar *m_notice;
    HomePage *m_homePage;
    JobPage *m_jobPage;
    PlanPage *m_planPage;
    TrainPage *m_trainPage;
    HistoryPage *m_historyPage;
    DemoStart *m_demoStart;
    FirstStartPage *m_firstStartPage;
    AppMenu *m_menu;
};

}  // namespace hearth
