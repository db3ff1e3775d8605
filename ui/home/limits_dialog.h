// What training may take of one device, for its owner to choose.
#pragma once

#include <QDialog>

#include "core/home/device_info.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTimeEdit;

namespace hearth {

/// Begins with the limits that the device has. Whoever shows it asks for limits() when it was accepted. GUI thread.
class LimitsDialog : public QDialog {
    Q_OBJECT
  public:
    explicit LimitsDialog(const DeviceInfo &device, QWidget *parent = nullptr);
    /// A pause is none of its business: it stays as it was.
    DeviceLimits limits() const;

  private:
    void refresh();

    DeviceLimits m_before;
    QCheckBox *m_someMemory, *m_someThreads, *m_onlyOnMains, *m_someHours;
    QDoubleSpinBox *m_memory;  // GiB
    double m_memoryBefore = 0;
    QSpinBox *m_threads;
    const bool m_hasCard;  // else what is set of one stays as it was
    QCheckBox *m_useCard, *m_someCard, *m_someWatts, *m_cardAlone;
    QSpinBox *m_cardPercent, *m_cardWatts;
    QTimeEdit *m_from, *m_to;
    QLabel *m_wrong;
    QPushButton *m_take;
};

}  // namespace hearth
