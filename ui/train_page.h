// Train: live plots, the story of the run, and the buttons that steer it.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "ui/page.h"

class QProgressBar;

namespace hearth {

class EventListView;
class Figure;
class HomeSource;
class LivePlot;
class RunController;
class RunModel;
class TimeSplit;
class TrainDevices;

class TrainPage : public Page {
    Q_OBJECT
  public:
    TrainPage(const HomeSource &home, const RunModel &run, RunController &controller, QWidget *parent = nullptr);

    /// Whether the home can take a run; the reason is shown where it cannot.
    void setStartPossible(bool possible, const QString &reason);
    void setStarting(bool starting);

  Q_SIGNALS:
    void startWanted();

  private:
    void buildPlots();
    QWidget *buildBody();
    QWidget *buildNotice();
    void primaryClicked();
    void refreshButtons();
    void refreshNotice();
    void refreshAge();
    void scheduleReplot();
    void replot();
    void clearPlots();
    void undoRounds();
    void plotMarks();

    const RunModel &m_run;
    RunController &m_controller;
    QPushButton *m_evaluate, *m_stop, *m_primary;
    Figure *m_round, *m_speed, *m_loss, *m_accuracy, *m_left;
    QWidget *m_notice;
    QLabel *m_noticeText;
    QProgressBar *m_noticeProgress;
    LivePlot *m_throughput, *m_quality;
    int m_measured = 0, m_smoothed = 0, m_predicted = 0, m_lossCurve = 0, m_accuracyPoints = 0,
        m_keptTicks = 0;  // curves of the plots
    TrainDevices *m_devices;
    EventListView *m_events;
    TimeSplit *m_split;
    QTimer m_frame;  // the one timer of all plots, 20 Hz, running only when there is something new
    QTimer m_ageTimer;
    QElapsedTimer m_sinceData;
    bool m_startPossible = true;
    bool m_starting = false;
    QString m_startReason;
    std::size_t m_plottedRounds = 0;
    bool m_evaluationsChanged = false;
    std::size_t m_plottedMarks = 0;
};

}  // namespace hearth
