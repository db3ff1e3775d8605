#include "ui/home/first_measurement.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/home/measurements.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

FirstMeasurement::FirstMeasurement(HomeSource &home, Measurements &measurements, QWidget *parent)
    : QWidget(parent),
      m_home(home),
      m_measurements(measurements),
      m_text(makeLabel({}, "")),
      m_bar(new QProgressBar),
      m_skip(makeButton(QStringLiteral("skipMeasuring"), tr("Skip measuring"), "")) {
    setObjectName(QStringLiteral("firstMeasurement"));
    m_text->setObjectName(QStringLiteral("firstMeasurementText"));
    m_text->setWordWrap(true);
    m_bar->setObjectName(QStringLiteral("firstMeasurementBar"));
    m_bar->setAccessibleName(tr("Progress of the measurement"));
    m_bar->setTextVisible(false);
    auto *row = new QHBoxLayout;
    row->setSpacing(grid);
    row->addWidget(m_bar, 1);
    row->addWidget(m_skip);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addWidget(m_text);
    layout->addLayout(row);
    connect(m_skip, &QPushButton::clicked, this, &FirstMeasurement::skip);
    connect(&home, &HomeSource::devicesChanged, this, &FirstMeasurement::follow);
    connect(&measurements, &Measurements::changed, this, &FirstMeasurement::follow);
    connect(&measurements, &Measurements::failed, this, &FirstMeasurement::fail);
    connect(&measurements, &Measurements::read, this, [this] {
        if (m_phase != Phase::Reading)
            return;
        const QString speed = m_measurements.speedText(m_id);
        end(m_measurements.isMeasured(m_id)
                ? tr("%1 is measured: %2, with the model %3.").arg(m_name, speed, m_measurements.found().model)
                : tr("%1 was not measured. You can measure it on Home at any time.").arg(m_name));
    });
    hide();
}

void FirstMeasurement::begin(const QString &device, const QString &name) {
    m_id = device;
    m_name = name;
    m_phase = Phase::Waiting;
    m_measurements.look();
    m_bar->show();
    m_skip->show();
    show();
    follow();
}

void FirstMeasurement::forget() {
    m_phase = Phase::Idle;
    hide();
}

std::optional<DeviceInfo> FirstMeasurement::device() const {
    const std::vector<DeviceInfo> devices = m_home.devices();
    const auto found = std::ranges::find(devices, m_id, &DeviceInfo::id);
    return found == devices.end() ? std::nullopt : std::optional(*found);
}

void FirstMeasurement::follow() {
    if (m_phase == Phase::Waiting)
        start();
    else if (m_phase == Phase::Measuring && !m_measurements.status().isOn)
        m_phase = Phase::Reading;
    showProgress();
}

void FirstMeasurement::start() {
    const auto known = device();
    // Both have only just met; and a measurement of before is let end.
    if (!known || known->state == DeviceState::Lost || m_measurements.status().isOn)
        return;
    m_name = known->name;
    if (const QString whyNot = m_measurements.whyNot(m_id); !whyNot.isEmpty()) {
        end(tr("%1 was not measured: %2").arg(m_name, whyNot));
        return;
    }
    m_phase = Phase::Measuring;
    QStringList measured{m_id};
    for (const DeviceInfo &each : m_home.devices()) {
        if (each.self && each.state == DeviceState::Ready)
            measured << each.id;
    }
    m_measurements.measure(measured, false);
}

void FirstMeasurement::skip() {
    const bool isMeasuring = m_phase == Phase::Measuring;
    end(tr("%1 was not measured. You can measure it on Home at any time.").arg(m_name));
    if (isMeasuring)
        m_measurements.cancel();
}

void FirstMeasurement::fail(const Error &error) {
    if (m_phase != Phase::Measuring && m_phase != Phase::Reading)
        return;
    end(tr("%1 was not measured: %2").arg(m_name, errorText(error)));
}

void FirstMeasurement::end(const QString &said) {
    m_phase = Phase::Over;
    m_text->setText(breakable(said));
    m_bar->hide();
    m_skip->hide();
    Q_EMIT changed();
}

void FirstMeasurement::showProgress() {
    if (m_phase == Phase::Idle || m_phase == Phase::Over)
        return;
    const QString before = m_text->text();
    int done = 0, all = 0;
    for (const auto &[one, of] : m_measurements.status().progress) {
        done += one;
        all += of;
    }
    const bool isMeasuring = m_phase == Phase::Measuring && all > 0;
    // Of the links nobody tells how far they are.
    m_bar->setRange(0, isMeasuring && done < all ? all : 0);
    m_bar->setValue(done);
    if (isMeasuring)
        m_text->setText(breakable(m_measurements.progressText()));
    else if (m_phase == Phase::Waiting)
        m_text->setText(breakable(tr("%1 is measured as soon as it answers …").arg(m_name)));
    else
        m_text->setText(breakable(tr("Measuring how fast %1 is …").arg(m_name)));
    if (m_text->text() != before)
        Q_EMIT changed();
}

}  // namespace hearth
