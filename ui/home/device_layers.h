// What was measured of each layer of one device, and of its links.
#pragma once

#include <QWidget>
#include <vector>

#include "core/home/device_info.h"

class QLabel;

namespace hearth {

class LayerChart;
class Measurements;

/// A part of the details of a device; what was not measured is not shown. GUI thread; `measurements` outlives it.
class DeviceLayers : public QWidget {
    Q_OBJECT
  public:
    explicit DeviceLayers(const Measurements &measurements, QWidget *parent = nullptr);
    /// `all`: the home's, for the names at the other ends.
    void show(const DeviceInfo &device, const std::vector<DeviceInfo> &all);

  private:
    QString linksOf(const DeviceInfo &device, const std::vector<DeviceInfo> &all) const;

    const Measurements &m_measurements;
    QLabel *m_chartCaption, *m_links, *m_linksCaption;
    LayerChart *m_chart;
};

}  // namespace hearth
