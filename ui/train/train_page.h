// Train: live plots, the story of the run, and the buttons that steer it.
#pragma once

#include <QSet>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "ui/base/page.h"

class QProgressBar;

namespace hearth {

class EventListView;
class HomeSource;
class Questions;
class RunController;
class RunModel;
struct RunInfo;
class TimeSplit;
class TrainDevices;
class TrainFigures;
class TrainFiles;
class TrainPlots;

class TrainPage : public Page {
    Q_OBJECT
  public:
    TrainPage(const HomeSource &home, const RunModel &run, RunController &controller, Questions &questions,
              QWidget *parent = nullptr);

    /// Why this home cannot take a run; empty where it can.
    void setWhyNotStart(const QString &why);
    /// The same for a run that goes on with a job of its own.
    void setWhyNotGoOn(const QString &why);
    void setStarting(bool starting);
    /// Whether the run that is shown is what somebody wrote down.
    void setRecording(bool recording);
    /// Whether a phone can read what is shown.
    void setOnPhone(bool shown);
    /// Milliseconds since any moment, never going back; for tests.
    void setClock(std::function<qint64()> milliseconds);

  Q_SIGNALS:
    /// The job of the Job page; the job of the run that is shown.
    void startWanted();
    void startAgainWanted();
    /// What a person can keep of the run that is shown, which has ended.
    void takeAlongWanted(const QString &run);
    /// Away from a recording.
    void backWanted();
    /// A phone is to read what is shown, or to do so no more.
    void phoneWanted();

  protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    QWidget *buildBody();
    QWidget *buildNotice();
    void primaryClicked();
    void evaluateClicked();
    void stopClicked();
    void takeRuns(const std::vector<RunInfo> &runs);
    bool canGoOn() const;
    bool hasRun() const;
    void refreshButtons();
    void refreshStart();
    void refreshLive();
    void refreshNotice();
    void refreshAge();
    void refreshSoon();
    void refresh();
    void fold();
    /// Since the last event of a live run, in seconds; nothing while they come at their usual pace.
    std::optional<double> silence() const;

    const HomeSource &m_home;
    const RunModel &m_run;
    RunController &m_controller;
    QPushButton *m_back, *m_evaluate, *m_stop, *m_takeAlong, *m_startAgain, *m_primary;
    TrainFiles *m_files;
    QPushButton *m_phone;
    TrainFigures *m_figures;
    QPushButton *m_showDevices;
    TrainPlots *m_plots;
    QWidget *m_notice;
    QLabel *m_noticeText;
    QProgressBar *m_noticeProgress;
    TrainDevices *m_devices;
    EventListView *m_events;
    TimeSplit *m_split;
    QTimer m_frame;  // the one timer of all plots, 20 Hz, running only when there is something new
    QTimer m_ageTimer;
    std::function<qint64()> m_clock;
    qint64 m_lastData = 0;
    std::optional<double> m_replayed;  // of a run that is being read, so much
    /// What the run was told, and does at the end of its round.
    enum class Asked { Nothing, Pause, Stop };
    Asked m_asked = Asked::Nothing;
    bool m_evaluationAsked = false;
    bool m_starting = false;
    bool m_recording = false;
    QString m_whyNotStart, m_whyNotGoOn;
    QSet<QString> m_ofHome;     // the runs that the home knows,
    QSet<QString> m_resumable;  // and those of them that can go on
};

}  // namespace hearth
