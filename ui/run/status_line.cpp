#include "ui/run/status_line.h"

#include <QHBoxLayout>
#include <algorithm>

#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/run/event_sentences.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

StatusLine::StatusLine(const HomeSource &home, const RunModel &run, QWidget *parent)
    : QWidget(parent),
      m_home(home),
      m_run(run),
      m_devicesIcon(new IconLabel(QStringLiteral("ready"), &Theme::good, 2 * grid)),
      m_devices(new QLabel),
      m_state(new QLabel),
      m_lastEvent(new ElidedLabel) {
    setObjectName(QStringLiteral("statusLine"));
    setAttribute(Qt::WA_StyledBackground);
    m_devices->setObjectName(QStringLiteral("statusDevices"));
    m_state->setObjectName(QStringLiteral("statusRun"));
    m_lastEvent->setObjectName(QStringLiteral("statusLastEvent"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid / 2, 2 * grid, grid / 2);
    layout->setSpacing(grid);
    layout->addWidget(m_devicesIcon);
    layout->addWidget(m_devices);
    layout->addSpacing(2 * grid);
    layout->addWidget(m_state);
    layout->addSpacing(2 * grid);
    layout->addWidget(m_lastEvent, 1);

    connect(&home, &HomeSource::devicesChanged, this, &StatusLine::showDevices);
    connect(&home, &HomeSource::waitingChanged, this, &StatusLine::showDevices);
    connect(&run, &RunModel::stateChanged, this, &StatusLine::showRun);
    connect(&run, &RunModel::roundAdded, this, &StatusLine::showRun);
    connect(&run.log(), &EventLog::sentenceAdded, this, &StatusLine::showLastEvent);
    connect(&run, &RunModel::cleared, this, &StatusLine::showRun);
    connect(&run, &RunModel::cleared, this, &StatusLine::showLastEvent);
    showDevices();
    showRun();
    showLastEvent();
}

void StatusLine::showDevices() {
    if (const QString waiting = m_home.waitingFor(); !waiting.isEmpty()) {
        m_devices->setText(waiting);
        m_devicesIcon->setIcon(QStringLiteral("clock"), &Theme::secondary);
        return;
    }
    const std::vector<DeviceInfo> devices = m_home.devices();
    if (devices.empty()) {
        m_devices->setText(tr("No devices"));
        m_devicesIcon->setIcon(QStringLiteral("info"), &Theme::secondary);
        return;
    }
    const auto ready =
        std::count_if(devices.begin(), devices.end(), [](const DeviceInfo &device) { return takesWork(device.state); });
    const bool all = ready == static_cast<std::ptrdiff_t>(devices.size());
    m_devices->setText(
        tr("%1 of %n device(s) ready", nullptr, static_cast<int>(devices.size())).arg(formatCount(ready)));
    m_devicesIcon->setIcon(all ? QStringLiteral("ready") : QStringLiteral("warning"),
                           all ? &Theme::good : &Theme::slow);
}

void StatusLine::showRun() {
    if (m_run.isEmpty()) {
        m_state->setText(tr("No run"));
        return;
    }
    const QString state = stateText(m_run.state());
    if (m_run.completedRounds() == 0) {
        m_state->setText(state);
    } else if (m_run.totalRounds() > 0) {
        m_state->setText(tr("%1 · round %2 of %3")
                             .arg(state, formatCount(m_run.completedRounds()), formatCount(m_run.totalRounds())));
    } else {
        m_state->setText(tr("%1 · round %2").arg(state, formatCount(m_run.completedRounds())));
    }
}

void StatusLine::showLastEvent() {
    m_lastEvent->setFullText(m_run.log().lastNews());
}

}  // namespace hearth
