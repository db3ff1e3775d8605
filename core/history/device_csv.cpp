#include "core/history/device_csv.h"

#include <algorithm>
#include <utility>

#include "core/run/files/event_file.h"

namespace hearth {
namespace {

constexpr qint64 sliceBytes = 1 << 20;

}  // namespace

DeviceCsv::DeviceCsv(QIODevice &file, Cancelled cancelled) : m_csv(file), m_cancelled(std::move(cancelled)) {
    m_csv.write({"run", "round", "term", "time (s)", "device", "device id", "computing (s)",
                 "waiting for activations (s)", "waiting for gradients (s)", "waiting for the group (s)", "sending (s)",
                 "AllReduce (s)", "optimizer (s)", "memory (bytes)", "sent (bytes)", "card busy (%)",
                 "card's memory (bytes)", "card (degrees Celsius)", "card (W)"});
}

void DeviceCsv::begin(const RunRecord &record) {
    m_run = record.summary.id.toUtf8();
    m_path = eventsPath(record.summary.folder);
    m_names.clear();
    for (qsizetype i = 0; i < std::min(record.deviceIds.size(), record.deviceNames.size()); ++i)
        m_names.insert(record.deviceIds.at(i), record.deviceNames.at(i));
    m_slice = {};
    m_next = 0;
    m_event.reset();
}

/// The next lines of the file; false at its end, and after it was cancelled.
bool DeviceCsv::readOn() {
    if (m_slice.end || m_slice.unreadable || (m_cancelled && m_cancelled()))
        return false;
    m_slice = readEvents(m_path, m_slice.next, sliceBytes);
    m_next = 0;
    return true;
}

/// Rounds in between were taken back; nullptr where the file has none with this seq.
const event::Round *DeviceCsv::find(quint64 seq) {
    while (!m_event || m_event->seq < seq) {
        if (m_next == m_slice.lines.size()) {
            if (!readOn())
                return nullptr;
            continue;
        }
        const QByteArray &line = m_slice.lines.at(m_next++);
        if (!isEventKind(line, "round"))
            continue;
        if (auto event = RunEvent::fromLine(line); event && std::holds_alternative<event::Round>(event->body))
            m_event = *std::move(event);
    }
    return m_event->seq == seq ? &std::get<event::Round>(m_event->body) : nullptr;
}

bool DeviceCsv::add(const RoundRow &row) {
    const event::Round *round = find(row.seq);
    if (m_cancelled && m_cancelled())
        return false;
    if (round == nullptr)
        return true;
    QHash<QString, qint64> sent;
    for (const event::RoundLink &link : round->links)
        sent[link.from] += link.bytes;
    for (auto it = round->devices.cbegin(); it != round->devices.cend(); ++it) {
        const event::RoundDevice &device = it.value();
        const auto told = [](const std::optional<double> &value) {
            return value ? CsvFile::number(*value) : QByteArray();
        };
        const bool written = m_csv.write(
            {m_run, QByteArray::number(row.round), QByteArray::number(row.term), CsvFile::number(row.t),
             m_names.value(it.key()).toUtf8(), it.key().toUtf8(), CsvFile::number(device.computeS),
             CsvFile::number(device.waitForwardS), CsvFile::number(device.waitBackwardS),
             CsvFile::number(device.waitAllreduceS), CsvFile::number(device.sendS), CsvFile::number(device.allreduceS),
             CsvFile::number(device.optimizerS), QByteArray::number(device.memoryBytes),
             QByteArray::number(sent.value(it.key())), told(device.card.busyPercent),
             device.card.memoryBytes ? QByteArray::number(static_cast<qint64>(*device.card.memoryBytes)) : QByteArray(),
             told(device.card.celsius), told(device.card.watts)});
        if (!written)
            return false;
    }
    return true;
}

}  // namespace hearth
