// Everything about the chosen device.
#pragma once

#include <QFrame>

class QFormLayout;
class QLabel;
class QPushButton;

namespace hearth {

class HomeSource;
class IconLabel;
class RunModel;

class DeviceDetail : public QFrame {
    Q_OBJECT
  public:
    DeviceDetail(const HomeSource &home, const RunModel &run, QWidget *parent = nullptr);
    /// An empty id hides the panel.
    void show(const QString &id);

  Q_SIGNALS:
    void closed();
    void forgetWanted(const QString &device, const QString &name);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    void refresh();
    QLabel *addRow(QFormLayout *form, const QString &objectName, const QString &caption);

    const HomeSource &m_home;
    const RunModel &m_run;
    QString m_id;
    IconLabel *m_stateIcon;
    QPushButton *m_forget;
    QLabel *m_name, *m_state, *m_fingerprint, *m_address, *m_processor, *m_threads, *m_memory, *m_version, *m_speed,
        *m_work, *m_error;
};

}  // namespace hearth
