#include "ui/home/device_measured.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/widgets.h"
#include "ui/home/layer_chart.h"
#include "ui/home/link_words.h"
#include "ui/home/measurements.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

DeviceMeasured::DeviceMeasured(Measurements &measurements, const RunModel &run, QWidget *parent)
    : QWidget(parent),
      m_measurements(measurements),
      m_run(run),
      m_chart(new LayerChart),
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
    m_chartCaption = add("detailChartCaption", "small");
    layout->addWidget(m_chart);
    m_linksCaption = add("detailLinksCaption", "small");
    m_links = add("detailLinks", "");
    m_links->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress = add("detailMeasuring", "");
    auto *row = new QHBoxLayout;
    row->addWidget(m_measure);
    row->addStretch(1);
    layout->addLayout(row);
    m_whyNot = add("detailWhyNotMeasure", "small");
    m_linksCaption->setText(tr("Measured links"));
    m_chartCaption->setText(tr("Forward (plain) and backward (hatched) of each layer"));
    connect(m_measure, &QPushButton::clicked, this, [this] {
        if (m_measurements.status().isOn)
            m_measurements.cancel();
        else
            m_measurements.measure({m_id}, true);
    });
}

void DeviceMeasured::show(const DeviceInfo &device, const std::vector<DeviceInfo> &all) {
    m_id = device.id;
    const HomeMeasurements &found = m_measurements.found();
    const MeasuredDevice *known = found.device(device.id);
    QStringList speeds;
    if (const QString measured = m_measurements.speedText(device.id); !measured.isEmpty())
        speeds << measured;
    if (const double speed = m_run.devices().measuredSpeed(device.id); speed > 0)
        speeds << tr("%1 GFLOP/s while training").arg(formatNumber(speed / 1e9));
    m_speed->setText(speeds.isEmpty() ? tr("Not measured yet") : speeds.join(QLatin1Char('\n')));
    m_source->setText(breakable(m_measurements.sourceText(device.id)));
    m_source->setVisible(known != nullptr);

    const auto self = std::ranges::find(all, true, &DeviceInfo::self);
    const MeasuredDevice *own = self == all.end() || device.self ? nullptr : found.device(self->id);
    m_chart->setTimes(known ? known->layers : std::vector<MeasuredLayer>(),
                      own ? own->layers : std::vector<MeasuredLayer>());
    m_chart->setVisible(known != nullptr);
    m_chartCaption->setVisible(known != nullptr);
    m_chartCaption->setText(own ? tr("Forward (plain) and backward (hatched) of each layer; the line is this computer")
                                : tr("Forward (plain) and backward (hatched) of each layer"));
    const QString links = linksOf(device, all);
    m_links->setText(links);
    m_links->setVisible(!links.isEmpty());
    m_linksCaption->setVisible(!links.isEmpty());
    showButton(device);
}

QString DeviceMeasured::linksOf(const DeviceInfo &device, const std::vector<DeviceInfo> &all) const {
    QStringList lines;
    for (const DeviceInfo &other : all) {
        const HomeMeasurements &found = m_measurements.found();
        const LinkProfile::Pair *there = found.link(device.id, other.id), *back = found.link(other.id, device.id);
        if (there)
            lines << tr("to %1: %2").arg(other.name, linkFigures(*there));
        if (back)
            lines << tr("from %1: %2").arg(other.name, linkFigures(*back));
    }
    return lines.join(QLatin1Char('\n'));
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
