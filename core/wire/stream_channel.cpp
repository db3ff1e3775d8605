#include "core/wire/stream_channel.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <QLocalSocket>
#include <QScopedValueRollback>
#include <QSslSocket>
#include <algorithm>
#include <utility>

#include "core/base/sentence.h"

namespace hearth {
namespace {

constexpr qint64 tlsRecordBytes = 16384;
/// Encrypted at a time, of one tensor or of several: fits into the processor's second-level cache together with its
/// ciphertext.
constexpr qint64 chunkBytes = 16 * tlsRecordBytes;
/// Header and payload up to this size go as one piece; the copy is cheaper than a TLS record of its own.
constexpr qint64 coalescedBytes = tlsRecordBytes;
/// Of the socket, before decryption and after.
constexpr qint64 receiveBufferBytes = 1 << 20;

}  // namespace

StreamChannel::StreamChannel(std::unique_ptr<QIODevice> device, Fingerprint peer, QString peerName)
    : m_owned(std::move(device)), m_peer(peer), m_peerName(std::move(peerName)) {
    attach(m_owned.get());
}

StreamChannel::StreamChannel(QIODevice *borrowed, QString peerName) : m_peerName(std::move(peerName)) {
    attach(borrowed);
}

StreamChannel::~StreamChannel() {
    if (m_closed)
        return;
    m_closed = true;
    if (m_device)
        m_device->disconnect(this);
    if (m_owned && (m_inReceive || m_inPump))  // against the rules, but do not crash in the device's code for it
        letGo(false);
    m_owned.reset();  // not later: this thread may be at its end; and before the memory that it borrows
}

void StreamChannel::attach(QIODevice *device) {
    m_device = device;
    m_tls = qobject_cast<QSslSocket *>(device);
    if (auto *socket = qobject_cast<QAbstractSocket *>(device)) {
        m_isNetwork = true;
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        socket->setReadBufferSize(receiveBufferBytes);
        connect(socket, &QAbstractSocket::disconnected, this, &StreamChannel::ended);
        m_ended = socket->state() != QAbstractSocket::ConnectedState;
    } else if (auto *local = qobject_cast<QLocalSocket *>(device)) {
        local->setReadBufferSize(receiveBufferBytes);
        connect(local, &QLocalSocket::disconnected, this, &StreamChannel::ended);
        m_ended = local->state() != QLocalSocket::ConnectedState;
    }
    connect(device, &QIODevice::readyRead, this, &StreamChannel::receive);
    connect(device, &QIODevice::readChannelFinished, this, &StreamChannel::ended);
    connect(device, &QObject::destroyed, this, &StreamChannel::ended);
    connect(device, &QIODevice::bytesWritten, this, [this](qint64 bytes) {
        if (!m_tls)
            m_bytesSent += static_cast<quint64>(bytes);
        pumpLater();
    });
    if (m_tls) {
        // After bytes that were altered Qt decrypts no more and leaves the connection as it is. Not from inside its
        // reading.
        connect(
            m_tls, &QAbstractSocket::errorOccurred, this,
            [this](QAbstractSocket::SocketError error) {
                if (error == QAbstractSocket::SslInternalError)
                    breakOff();
            },
            Qt::QueuedConnection);
        connect(m_tls, &QSslSocket::encryptedBytesWritten, this, [this](qint64 bytes) {
            m_bytesSent += static_cast<quint64>(bytes);
            pumpLater();
        });
    }
    connect(&m_progressTimer, &QTimer::timeout, this, &StreamChannel::checkProgress);
    setStallDeadline(stallDeadline);
    // Not before the creator had its turn to connect to the signals.
    QMetaObject::invokeMethod(
        this, [this] { setReceiving(true); }, Qt::QueuedConnection);
}

void StreamChannel::setReceiving(bool on) {
    m_receiving = on;
    takeUp();
}

void StreamChannel::takeUp() {
    if (!m_receiving || m_closed)
        return;
    receive();
    if (m_tls && !m_closed)
        m_tls->resume();  // nothing else makes it decrypt what came while its buffer was full
}

// ---- Sending -------------------------------------------------------------------------------------------------------

void StreamChannel::sendControl(const QCborMap &message) {
    if (m_closed)
        return;
    QByteArray frame = encodeFrame(FrameType::Control, message);
    if (frame.size() - framePrefixBytes > maximumControlBytes) {
        finish({QStringLiteral("wire.bad-control"), sentence("A control message is too large to be sent."),
                sentence("It has %1 bytes; at most %2 are allowed.").arg(frame.size()).arg(maximumControlBytes),
                QString()},
               true);
        return;
    }
    if (m_queuedControl >= maximumUnread)
        return giveUpUnread();
    m_queued += frame.size();
    m_queuedControl += frame.size();
    m_control.push_back(std::move(frame));
    pump();
}

void StreamChannel::sendTensor(const TensorHeader &header, Payload payload) {
    if (m_closed)
        return;
    OutgoingTensor tensor{header, std::move(payload), 0, 0};
    tensor.header.setByteCounts(tensor.payload.size);
    if (auto valid = tensor.header.validate(maximumTensorBytes); !valid) {
        finish(valid.error(), true);
        return;
    }
    tensor.frameBytes = framePrefixBytes + tensorHeaderBytes + tensor.payload.size;
    m_queued += tensor.frameBytes;
    m_tensors.push_back(std::move(tensor));
    pump();
}

qint64 StreamChannel::unsentInDevice() const {
    if (!m_device)
        return 0;
    return m_device->bytesToWrite() + (m_tls ? m_tls->encryptedBytesToWrite() : 0);
}

qint64 StreamChannel::heldByKernel() const {
    const auto *socket = m_isNetwork ? qobject_cast<QAbstractSocket *>(m_device.data()) : nullptr;
    int bytes = 0;
    return socket && ::ioctl(static_cast<int>(socket->socketDescriptor()), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

QHostAddress StreamChannel::ownAddress() const {
    const auto *socket = m_isNetwork ? qobject_cast<QAbstractSocket *>(m_device.data()) : nullptr;
    return socket ? socket->localAddress() : QHostAddress();
}

std::optional<quint64> StreamChannel::segmentsBetweenEnds() const {
    const auto *socket = m_isNetwork ? qobject_cast<QAbstractSocket *>(m_device.data()) : nullptr;
    return socket ? segmentsFrom(socket->peerAddress(), socket->localAddress()) : std::nullopt;
}

TcpFigures StreamChannel::figures() const {
    const auto *socket = m_isNetwork ? qobject_cast<QAbstractSocket *>(m_device.data()) : nullptr;
    const auto known = socket ? tcpFigures(socket->socketDescriptor()) : std::nullopt;
    return known.value_or(TcpFigures{m_bytesReceived, std::chrono::milliseconds(0), true});
}

qint64 StreamChannel::queuedBytes() const {
    return m_queued + unsentInDevice();
}

void StreamChannel::pumpLater() {
    // Writing from inside of bytesWritten() would go unreported: Qt does not emit it recursively.
    if (std::exchange(m_pumpPosted, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_pumpPosted = false;
            pump();
        },
        Qt::QueuedConnection);
}

void StreamChannel::pump() {
    if (m_inPump || m_closed)
        return;
    const bool wasHeldBack = isHeldBack();
    {
        const QScopedValueRollback<bool> guard(m_inPump, true);
        // One that has ended takes nothing more, and is not closed before what it has buffered is read.
        while (!m_closed && !m_ended && m_device && unsentInDevice() < sendWindow) {
            const bool inTensor = !m_tensors.empty() && m_tensors.front().written > 0;
            if (!inTensor && !m_control.empty()) {
                const QByteArray frame = std::move(m_control.front());
                m_control.pop_front();
                m_queued -= frame.size();
                m_queuedControl -= frame.size();
                hand(frame);
            } else if (!m_tensors.empty()) {
                writePart(m_tensors.front());
            } else {
                break;
            }
        }
        if (m_gathered > 0)
            encrypt();
    }
    if (m_closed)
        return;
    returnLoans();
    noteQueue();
    watch();
    if (wasHeldBack && !isHeldBack())
        QMetaObject::invokeMethod(this, &StreamChannel::takeUp, Qt::QueuedConnection);
}

void StreamChannel::writePart(OutgoingTensor &tensor) {
    constexpr qint64 headBytes = framePrefixBytes + tensorHeaderBytes;
    const Payload &payload = tensor.payload;
    const auto *bytes = reinterpret_cast<const char *>(payload.data);
    qint64 count = 0;
    if (tensor.written == 0) {
        // Over the payload as late as possible: it is in the cache when it is encrypted right after.
        tensor.header.crc32c = tensorChecksum(tensor.header, {payload.data, static_cast<std::size_t>(payload.size)});
        QByteArray start = encodeTensorFrameHead(tensor.header);
        start.append(bytes, std::min(payload.size, qsizetype(coalescedBytes - headBytes)));
        count = start.size();
        if (!hand(start))
            return;
    } else {
        const qint64 from = tensor.written - headBytes;
        count = std::min(chunkBytes, payload.size - from);
        const QByteArray view = QByteArray::fromRawData(bytes + from, count);
        if (m_tls) {
            // QIODevice keeps a large QByteArray instead of copying it, and only reads it.
            m_loans.push_back({m_handedOver + static_cast<quint64>(count), payload.owner});
            if (!hand(view))
                return;
        } else if (m_device->write(view.constData(), count) == count) {
            m_handedOver += static_cast<quint64>(count);
        } else {
            ended();
            return;
        }
    }
    tensor.written += count;
    m_queued -= count;
    if (tensor.written == tensor.frameBytes)
        m_tensors.pop_front();
}

bool StreamChannel::hand(const QByteArray &bytes) {
    if (m_device->write(bytes) != bytes.size()) {
        ended();
        return false;
    }
    m_handedOver += static_cast<quint64>(bytes.size());
    m_gathered += bytes.size();
    if (m_gathered >= chunkBytes)
        encrypt();
    return !m_closed;  // a flush that fails ends the channel at once, and with it all that is queued
}

void StreamChannel::encrypt() {
    // Qt would do it later with all that has gathered, which by then has left the cache. Not from inside its own
    // reading.
    m_gathered = 0;
    if (m_tls && !m_inReceive)
        m_tls->flush();
}

void StreamChannel::returnLoans() {
    const quint64 consumed = m_handedOver - static_cast<quint64>(m_device ? m_device->bytesToWrite() : 0);
    while (!m_loans.empty() && m_loans.front().until <= consumed)
        m_loans.pop_front();
}

void StreamChannel::noteQueue() {
    const bool above = queuedBytes() >= lowMark;
    if (m_aboveLowMark && !above) {
        // Queued: the receiver sends more, which must not happen inside of the sending that led here.
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (!m_closed)
                    Q_EMIT windowOpened();
            },
            Qt::QueuedConnection);
    }
    m_aboveLowMark = above;
}

// ---- Receiving -----------------------------------------------------------------------------------------------------

void StreamChannel::receive() {
    if (m_inReceive || m_closed)
        return;
    const QPointer<StreamChannel> self(this);
    m_inReceive = true;
    while (m_receiving && !isHeldBack() && m_device && m_device->bytesAvailable() > 0) {
        const std::span<std::byte> target = m_reader.wanted();
        // No more than there is: asking for more makes QSslSocket post an event to itself.
        const qint64 wanted = std::min(static_cast<qint64>(target.size()), m_device->bytesAvailable());
        const qint64 count = m_device->read(reinterpret_cast<char *>(target.data()), wanted);
        if (count <= 0)
            break;
        m_bytesReceived += static_cast<quint64>(count);
        auto event = m_reader.filled(count);
        if (!event)
            finish(event.error(), true);
        else
            deliver(*event);
        if (!self || m_closed)
            break;
    }
    if (!self)
        return;
    m_inReceive = false;
    if (m_closed)
        return;
    if (m_ended && m_receiving)
        conclude();
    else
        watch();
}

void StreamChannel::deliver(FrameReader::Event &event) {
    if (const auto *message = std::get_if<QCborMap>(&event)) {
        Q_EMIT controlReceived(*message);
    } else if (const auto *tensor = std::get_if<TensorFrame>(&event)) {
        Q_EMIT tensorReceived(*tensor);
    } else if (const auto *farewell = std::get_if<FrameReader::Farewell>(&event)) {
        finish({QStringLiteral("wire.closed"),
                sentence("%1 closed the connection.").arg(m_peerName),
                farewell->reason.toSentence(),
                {}},
               false);
    }
}

qint64 undeliveredBytes(const Channel &channel) {
    const auto *stream = qobject_cast<const StreamChannel *>(&channel);
    return stream ? stream->undeliveredBytes() : channel.queuedBytes();
}

double linkRate(const Channel &channel) {
    const auto *stream = qobject_cast<const StreamChannel *>(&channel);
    return stream ? stream->figures().bytesPerSecond : 0;
}

QString ownHost(const Channel &channel) {
    const auto *stream = qobject_cast<const StreamChannel *>(&channel);
    const QHostAddress address = stream ? stream->ownAddress() : QHostAddress();
    return address.isNull() || address.isLinkLocal() ? QString() : address.toString();
}

bool hasLostAddress(const Channel &channel) {
    const auto *stream = qobject_cast<const StreamChannel *>(&channel);
    const QHostAddress address = stream ? stream->ownAddress() : QHostAddress();
    return !address.isNull() && isAddressLost(address);
}

std::chrono::milliseconds unconfirmedFor(const Channel &channel) {
    const auto *stream = qobject_cast<const StreamChannel *>(&channel);
    return stream ? stream->figures().unconfirmed : std::chrono::milliseconds(0);
}

}  // namespace hearth
