// Everything about the chosen device.
#pragma once

#include <QFrame>
#include <vector>

#include "core/home/device_info.h"

class QBoxLayout;
class QFormLayout;
class QLabel;
class QMenu;
class QPushButton;

namespace hearth {

class DeviceLayers;
class DeviceMeasured;
class HomeSource;
class IconLabel;
class Measurements;
class NameEdit;
class RunModel;

class DeviceDetail : public QFrame {
    Q_OBJECT
  public:
    DeviceDetail(HomeSource &home, const RunModel &run, Measurements &measurements, QWidget *parent = nullptr);
    /// An empty id hides the panel.
    void show(const QString &id);

  Q_SIGNALS:
    void closed();
    /// Its agent does not answer, or is older than this computer's: Hearth may be installed there once more.
    void installWanted(const QString &host);
    void forgetWanted(const QString &device, const QString &name);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    void refresh();
    QFormLayout *addForm(QBoxLayout *layout);
    QLabel *addRow(QFormLayout *form, const QString &objectName, const QString &caption);

    const DeviceInfo *chosen() const;
    void showState(const DeviceInfo &device, const QString &word);
    void showName(const DeviceInfo &device);
    void refreshInstall(const DeviceInfo &device);
    void askLimits();
    void pauseOrResume();

    HomeSource &m_home;
    const RunModel &m_run;
    const Measurements &m_measurements;
    QString m_id;
    std::vector<DeviceInfo> m_devices;
    QFormLayout *m_computer;
    IconLabel *m_stateIcon;
    QPushButton *m_install, *m_forget;
    NameEdit *m_name;
    DeviceMeasured *m_measured;
    DeviceLayers *m_layers;
    QLabel *m_state, *m_work, *m_memory, *m_threads, *m_limits, *m_error, *m_kind, *m_processor, *m_card, *m_address,
        *m_fingerprint, *m_version;
    QPushButton *m_pause, *m_change;
    QMenu *m_pauses;  // for how long
};

}  // namespace hearth
