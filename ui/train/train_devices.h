// The devices beside the training: small cards with state and stage, and in a demo what may happen to them.
#pragma once

#include <QScrollArea>
#include <vector>

#include "ui/home/device_card.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace hearth {

class DemoSwitches;
class ElidedLabel;
class HomeSource;
class IconLabel;
class RunModel;

/// A device of a run that was recorded in another home is known by that run alone.
struct ShownDevice {
    DeviceInfo device;
    bool ofHome = true;
};
/// Those of the home; where the run that is shown knows others (it was recorded elsewhere, or a device was forgotten
/// since) those of the run.
std::vector<ShownDevice> shownDevices(const HomeSource &home, const RunModel &run);

struct DeviceInRun {
    DeviceActivity activity;
    DeviceLook look;  // its word says, too, why the device is resting
};
DeviceInRun deviceInRun(const ShownDevice &shown, const RunModel &run);

/// One tile per device, named "tile-<device name>"; its buttons "unplug-<name>" and "slow-<name>".
class DeviceTile : public QFrame {
    Q_OBJECT
  public:
    /// `switches` may be null: no buttons then.
    DeviceTile(const ShownDevice &shown, const RunModel &run, DemoSwitches *switches, QWidget *parent = nullptr);
    const QString &id() const { return m_device.id; }
    bool isOfHome() const { return m_ofHome; }
    void show(const DeviceInfo &device);
    /// The state in words, for tests.
    QString word() const;
    /// The text of the chip; empty without one.
    QString chip() const;

  private:
    void refresh();
    void refreshButtons();
    QPushButton *addButton(const QString &objectName, QLayout *layout);

    DeviceInfo m_device;
    bool m_ofHome;
    const RunModel &m_run;
    DemoSwitches *m_switches;
    IconLabel *m_icon;
    ElidedLabel *m_name, *m_word;
    QLabel *m_chip;
    QPushButton *m_unplug = nullptr;
    QPushButton *m_slow = nullptr;
};

/// A tile for each of `shownDevices`. Scrolls sideways where there are many.
class TrainDevices : public QScrollArea {
    Q_OBJECT
  public:
    TrainDevices(const HomeSource &home, const RunModel &run, QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

  private:
    void refresh();

    const HomeSource &m_home;
    const RunModel &m_run;
    QHBoxLayout *m_row;
    std::vector<DeviceTile *> m_tiles;
};

}  // namespace hearth
