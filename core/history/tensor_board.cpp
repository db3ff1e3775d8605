#include "core/history/tensor_board.h"

#include <QIODevice>
#include <QtEndian>
#include <bit>

#include "core/base/crc32c.h"

namespace hearth {
namespace {

/// Fields of protocol buffers (protobuf.dev, "Encoding"); numbers of fields below 16.
enum WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

void addVarint(QByteArray &to, quint64 value) {
    for (; value >= 0x80; value >>= 7)
        to += static_cast<char>(value | 0x80);
    to += static_cast<char>(value);
}

void addKey(QByteArray &to, int field, WireType type) {
    to += static_cast<char>(field << 3 | type);
}

template <class Unsigned>
void addLittleEndian(QByteArray &to, Unsigned value) {
    const Unsigned little = qToLittleEndian(value);
    to.append(reinterpret_cast<const char *>(&little), sizeof little);
}

void addBytes(QByteArray &to, int field, const QByteArray &bytes) {
    addKey(to, field, Bytes);
    addVarint(to, static_cast<quint64>(bytes.size()));
    to += bytes;
}

quint32 maskedSum(const QByteArray &bytes) {
    const quint32 sum = crc32c(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    return std::rotr(sum, 15) + 0xa282ead8u;
}

// tensorflow/core/util/event.proto and framework/summary.proto
constexpr int wallTimeField = 1, stepField = 2, versionField = 3, summaryField = 5;
constexpr int valueField = 1, tagField = 1, simpleValueField = 2;

QByteArray eventAt(double wallTime) {
    QByteArray event;
    addKey(event, wallTimeField, Fixed64);
    addLittleEndian(event, std::bit_cast<quint64>(wallTime));
    return event;
}

}  // namespace

QString TensorBoard::fileName(const RunSummary &run) {
    return QStringLiteral("events.out.tfevents.%1.hearth").arg(static_cast<qint64>(startedSeconds(run)));
}

void TensorBoard::begin(const RunRecord &record) {
    m_started = startedSeconds(record.summary);
    QByteArray event = eventAt(m_started);
    addBytes(event, versionField, "brain.Event:2");
    m_taken = writeRecord(event);
}

bool TensorBoard::write(const RoundLine &line) {
    QByteArray summary;
    for (const RoundFigure &figure : figuresOf(line)) {
        if (figure.tag == nullptr)
            continue;
        QByteArray value;
        addBytes(value, tagField, figure.tag);
        addKey(value, simpleValueField, Fixed32);
        addLittleEndian(value, std::bit_cast<quint32>(static_cast<float>(figure.value)));
        addBytes(summary, valueField, value);
    }
    QByteArray event = eventAt(m_started + line.t);
    addKey(event, stepField, Varint);
    addVarint(event, static_cast<quint64>(line.round));
    addBytes(event, summaryField, summary);
    return m_taken && writeRecord(event);
}

bool TensorBoard::writeRecord(const QByteArray &event) {
    QByteArray record;
    addLittleEndian(record, static_cast<quint64>(event.size()));
    addLittleEndian(record, maskedSum(record));
    record += event;
    addLittleEndian(record, maskedSum(event));
    return m_file.write(record) == record.size();
}

}  // namespace hearth
