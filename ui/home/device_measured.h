// What was measured of one device: its speed, its layers, its links, and the button that measures it.
#pragma once

#include <QWidget>

#include "core/home/device_info.h"

class QLabel;
class QPushButton;

namespace hearth {

class LayerChart;
class Measurements;
class RunModel;

/// A part of the details of a device. GUI thread.
class DeviceMeasured : public QWidget {
    Q_OBJECT
  public:
    DeviceMeasured(Measurements &measurements, const RunModel &run, QWidget *parent = nullptr);
    /// `all`: the home's, for the names at the other ends.
    void show(const DeviceInfo &device, const std::vector<DeviceInfo> &all);

  private:
    QString linksOf(const DeviceInfo &device, const std::vector<DeviceInfo> &all) const;
    void showButton(const DeviceInfo &device);

    Measurements &m_measurements;
    const RunModel &m_run;
    QString m_id;
    QLabel *m_speed, *m_source, *m_links, *m_linksCaption, *m_progress, *m_whyNot;
    LayerChart *m_chart;
    QLabel *m_chartCaption;
    QPushButton *m_measure;
};

}  // namespace hearth
