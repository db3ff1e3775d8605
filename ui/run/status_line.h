// The line at the bottom: devices ready of all, state of the run, the last event.
#pragma once

#include <QWidget>

class QLabel;

namespace hearth {

class ElidedLabel;
class HomeSource;
class IconLabel;
class RunModel;

class StatusLine : public QWidget {
    Q_OBJECT
  public:
    StatusLine(const HomeSource &home, const RunModel &run, QWidget *parent = nullptr);

  private:
    void showDevices();
    void showRun();
    void showLastEvent();

    const HomeSource &m_home;
    const RunModel &m_run;
    IconLabel *m_devicesIcon;
    QLabel *m_devices;
    QLabel *m_state;
    ElidedLabel *m_lastEvent;
};

}  // namespace hearth
