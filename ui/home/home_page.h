// Home: the devices, the links between them, and details of one.
#pragma once

#include "ui/base/page.h"

class QStackedWidget;
class QTableView;

namespace hearth {

class AddDevices;
class DeviceDetail;
class HomeSource;
class HomeView;
class NearbyView;
class Questions;
class RunModel;

class HomePage : public Page {
    Q_OBJECT
  public:
    HomePage(HomeSource &home, const RunModel &run, Questions &questions, QWidget *parent = nullptr);
    /// Beside the devices, with the first control focused.
    void showAddDevices();
    void setStartPossible(bool possible, const QString &reason);

  Q_SIGNALS:
    void startWanted();
    void gettingStartedWanted();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void buildTable();
    void openAssistant();
    void choose(const QString &device);
    void refresh();

    HomeSource &m_home;
    const RunModel &m_run;
    QPushButton *m_start;
    bool m_startPossible = false;
    QString m_startReason;
    QStackedWidget *m_views;
    HomeView *m_view;
    NearbyView *m_nearby;
    QTableView *m_table;
    DeviceDetail *m_detail;
    AddDevices *m_add;
    QPushButton *m_addButton;
};

}  // namespace hearth
