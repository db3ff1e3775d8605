// A connection to one peer that carries control messages and tensors; the transports are its subclasses.
#pragma once

#include <QCborMap>
#include <QObject>
#include <chrono>

#include "core/base/buffer.h"
#include "core/base/error.h"
#include "core/wire/identity.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

/// Lives in one thread, where every member is called and every signal is emitted; other threads post to it
/// (QMetaObject::invokeMethod with a queued connection). It has one owner. A slot of one of its signals must not delete
/// it, only deleteLater(). Signals must be connected in the event-loop turn in which one gets the channel: reading
/// starts in the next. Destroying an open channel drops what is queued; close() first to send the last messages.
///
/// Frames of one class arrive in order. Control messages overtake tensors that are still queued, at frame boundaries.
class Channel : public QObject {
    Q_OBJECT

  public:
    /// Senders of many tensors stop when queuedBytes() reaches this, and go on at windowOpened().
    static constexpr qint64 highMark = 16 << 20;
    static constexpr qint64 lowMark = 4 << 20;
    static constexpr qint64 maximumControlBytes = 16 << 20;
    static constexpr quint64 maximumTensorBytes = quint64(2) << 30;

    using QObject::QObject;

    /// The key of the peer in this session; null for local pipes and sockets.
    virtual Fingerprint peer() const = 0;
    /// Address or role of the peer, for messages to people.
    virtual QString peerName() const = 0;
    virtual bool isOpen() const = 0;

    /// Queues a message of at most maximumControlBytes of CBOR. Does nothing once closed.
    virtual void sendControl(const QCborMap &message) = 0;
    /// Queues a tensor; `payload` must stay unchanged until its owner is released. Byte counts and crc32c are
    /// filled in here. A header that contradicts its payload closes the channel ("wire.bad-tensor"). Only in the
    /// channel's thread.
    virtual void sendTensor(const TensorHeader &header, Payload payload) = 0;
    /// Bytes accepted by sendControl() and sendTensor() that the operating system has not taken yet.
    virtual qint64 queuedBytes() const = 0;
    /// Bytes on the socket, those of TLS included where they are known (sent over TLS), else of frames.
    virtual quint64 bytesSent() const = 0;
    virtual quint64 bytesReceived() const = 0;

    /// Ends the connection: queued control messages still go out, queued tensors do not. Emits closed(reason) here; the
    /// peer sees "wire.closed" with this reason's text as the cause.
    virtual void close(const Error &reason) = 0;

  Q_SIGNALS:
    void controlReceived(const QCborMap &message);
    void tensorReceived(const hearth::TensorFrame &frame);
    /// queuedBytes() fell below lowMark.
    void windowOpened();
    /// Exactly once, last of all. Codes: "wire.closed" by the peer or the network, "wire.truncated" in the middle of a
    /// frame, "wire.bad-frame", "wire.bad-control", "wire.bad-tensor", "wire.checksum", "wire.stalled", or the reason
    /// given to close().
    void closed(const hearth::Error &reason);
};

}  // namespace hearth
