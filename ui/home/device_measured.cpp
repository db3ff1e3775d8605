#include "ui/home/device_measured.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/widgets.h"
#include "ui/home/measurements.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

DeviceMeasured::DeviceMeasured(Measurements &measurements, const RunModel &run, QWidget *parent)
    : QWidget(parent),
      m_measurements(measurements),
      m_run(run),
      m_measure(makeButton(QStringLiteral("measureDevice"), tr("Measure"), "")) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, grid / 2);
    layout->setSpacing(2);
    const auto add = [&](const char *name, const char *role) {
        QLabel *label = makeLabel({}, role);
        label->setObjectName(QLatin1String(name));
        label->setWordWrap(true);
        layout->addWidget(label);
        return label;
    };
    layout->addWidget(makeLabel(tr("Measured speed"), "small"));
    m_speed = add("detailSpeed", "");
    m_source = add("detailSpeedSource", "small");
    m_progress = add("detailMeasuring", "");
    auto *row = new QHBoxLayout;
    row->addWidget(m_measure);
    row->addStretch(1);
    layout->addLayout(row);
    m_whyNot = add("detailWhyNotMeasure", "small");
    connect(m_measure, &QPushButton::clicked, this, [this] {
        if (m_measurements.status().isOn)
            m_measurements.cancel();
        else
            m_measurements.measure({m_id}, true);
    });
}

void DeviceMeasured::show(const DeviceInfo &device) {
    m_id = device.id;
    QStringList speeds;
    if (const QString measured = m_measurements.speedText(device.id); !measured.isEmpty())
        speeds << measured;
    if (const double speed = m_run.devices().measuredSpeed(device.id); speed > 0)
        speeds << tr("%1 GFLOP/s while training").arg(formatNumber(speed / 1e9));
    m_speed->setText(speeds.isEmpty() ? tr("Not measured yet") : speeds.join(QLatin1Char('\n')));
    m_source->setText(breakable(m_measurements.sourceText(device.id)));
    m_source->setVisible(m_measurements.found().device(device.id) != nullptr);
    showButton(device);
}

void DeviceMeasured::showButton(const DeviceInfo &device) {
    const bool isOn = m_measurements.status().isOn;
    QString progress = m_measurements.progressText();
    if (const auto own = m_measurements.progressOf(device);
        own && own->first < own->second && !m_measurements.status().isEnding)
        progress = tr("Measuring this device: %1 of %2").arg(formatCount(own->first), formatCount(own->second));
    m_progress->setText(progress);
    m_progress->setVisible(isOn);
    const QString whyNot = isOn ? QString() : m_measurements.whyNot(device.id);
    m_measure->setText(isOn                                   ? tr("Cancel measuring")
                       : m_measurements.isMeasured(device.id) ? tr("Measure again")
                                                              : tr("Measure"));
    m_measure->setEnabled(whyNot.isEmpty() && !m_measurements.status().isEnding);
    m_measure->setToolTip(isOn ? tr("Measurements so far are kept.")
                               : tr("Measures the layers of the job’s model and the links, without training."));
    m_whyNot->setText(whyNot);
    m_whyNot->setVisible(!whyNot.isEmpty());
}

}  // namespace hearth
