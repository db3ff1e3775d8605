#include "core/agent/paced_notes.h"

#include <chrono>
#include <utility>

namespace hearth {

PacedNotes::PacedNotes(Take take, QObject *parent) : QObject(parent), m_take(std::move(take)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(std::chrono::milliseconds(static_cast<int>(1000 / perSecond)));
    connect(&m_timer, &QTimer::timeout, this, &PacedNotes::handOnWaiting);
}

void PacedNotes::told(const Fingerprint &from, const QCborMap &note) {
    Device &device = m_devices[from];
    device.waiting = note;
    handOn(from, device);
}

void PacedNotes::drop(const Fingerprint &device) {
    if (const auto known = m_devices.find(device); known != m_devices.end())
        known->second.waiting.reset();
}

void PacedNotes::handOn(const Fingerprint &from, Device &device) {
    if (!device.pace.take()) {
        if (!m_timer.isActive())
            m_timer.start();
        return;
    }
    const QCborMap note = *std::exchange(device.waiting, std::nullopt);
    m_take(from, note);
}

void PacedNotes::handOnWaiting() {
    for (auto &[from, device] : m_devices) {
        if (device.waiting)
            handOn(from, device);
    }
}

}  // namespace hearth
