// How fast one device was measured to be, and the button that measures it.
#pragma once

#include <QWidget>

#include "core/home/device_info.h"

class QLabel;
class QPushButton;

namespace hearth {

class Measurements;
class RunModel;

/// A part of the details of a device. GUI thread.
class DeviceMeasured : public QWidget {
    Q_OBJECT
  public:
    DeviceMeasured(Measurements &measurements, const RunModel &run, QWidget *parent = nullptr);
    void show(const DeviceInfo &device);

  private:
    void showButton(const DeviceInfo &device);

    Measurements &m_measurements;
    const RunModel &m_run;
    QString m_id;
    QLabel *m_speed, *m_source, *m_progress, *m_whyNot;
    QPushButton *m_measure;
};

}  // namespace hearth
