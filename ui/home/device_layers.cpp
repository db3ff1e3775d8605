#include "ui/home/device_layers.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/base/widgets.h"
#include "ui/home/layer_chart.h"
#include "ui/home/link_words.h"
#include "ui/home/measurements.h"

namespace hearth {

DeviceLayers::DeviceLayers(const Measurements &measurements, QWidget *parent)
    : QWidget(parent), m_measurements(measurements), m_chart(new LayerChart) {
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
    m_chartCaption = add("detailChartCaption", "small");
    layout->addWidget(m_chart);
    m_linksCaption = add("detailLinksCaption", "small");
    m_links = add("detailLinks", "");
    m_links->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_linksCaption->setText(tr("Measured links"));
}

void DeviceLayers::show(const DeviceInfo &device, const std::vector<DeviceInfo> &all) {
    const HomeMeasurements &found = m_measurements.found();
    const MeasuredDevice *known = found.device(device.id);
    const MeasuredDevice *own = device.self ? nullptr : m_measurements.own();
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
    setVisible(known != nullptr || !links.isEmpty());
}

QString DeviceLayers::linksOf(const DeviceInfo &device, const std::vector<DeviceInfo> &all) const {
    QStringList lines;
    const HomeMeasurements &found = m_measurements.found();
    for (const DeviceInfo &other : all) {
        const LinkProfile::Pair *there = found.link(device.id, other.id), *back = found.link(other.id, device.id);
        if (there)
            lines << tr("to %1: %2").arg(other.name, linkFigures(found, *there));
        if (back)
            lines << tr("from %1: %2").arg(other.name, linkFigures(found, *back));
    }
    if (const QString air = airText(found, device.id, all); !air.isEmpty())
        lines << air;
    return lines.join(QLatin1Char('\n'));
}

}  // namespace hearth
