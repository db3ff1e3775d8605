// Home: the devices, the links between them, and details of one.
#pragma once

#include <QPointer>

#include "ui/base/page.h"

class QStackedWidget;
class QTableView;

namespace hearth {

class AddDevices;
class DeviceDetail;
class HomeSource;
class HomeView;
class Measurements;
class NearbyView;
class PairingDialog;
class Questions;
class RunModel;
struct Job;

class HomePage : public Page {
    Q_OBJECT
  public:
    HomePage(HomeSource &home, const RunModel &run, Questions &questions, QWidget *parent = nullptr);
    /// Beside the devices, with the first control focused.
    void showAddDevices();
    /// Begins to pair, with digits to compare; "host:port", tried in order.
    void pairWith(const QStringList &addresses, const QString &prefix);
    /// Why this home cannot take a run; empty where it can.
    void setWhyNotStart(const QString &why);
    /// With whose model devices are measured.
    void setJob(const Job &job, bool isValid);

  Q_SIGNALS:
    void startWanted();
    void gettingStartedWanted();

  protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void buildTable();
    void openAssistant();
    /// Shows its details, and marks it in the picture and in the list; none with an empty id.
    void choose(const QString &device);
    void markInTable();
    void pairWithNearby(const QString &prefix);
    void showPairing();
    void install(const QString &host);
    void forget(const QString &device, const QString &name);
    void measureOrCancel();
    QString subtitleOf(std::size_t devices) const;
    void refreshMeasure();
    void refresh();

    HomeSource &m_home;
    Questions &m_questions;
    const RunModel &m_run;
    QPushButton *m_start;
    QString m_whyNotStart;
    QStackedWidget *m_views;
    Measurements *m_measurements;
    HomeView *m_view;
    NearbyView *m_nearby;
    QTableView *m_table;
    DeviceDetail *m_detail;
    QString m_chosen;  // the device whose details are shown
    AddDevices *m_add;
    QPushButton *m_addButton;
    QPushButton *m_measure;
    QPointer<PairingDialog> m_pairing;
};

}  // namespace hearth
