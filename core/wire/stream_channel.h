// A channel over a sequential byte stream: TLS socket, local socket, process, pipe.
#pragma once

#include <QHostAddress>
#include <QIODevice>
#include <QPointer>
#include <QTimer>
#include <deque>
#include <memory>
#include <optional>

#include "core/wire/channel.h"
#include "core/wire/frame_reader.h"
#include "core/wire/tcp_figures.h"

class QSslSocket;

namespace hearth {

/// See Channel. Bounded in both directions: at most `sendWindow` bytes wait inside the device, and input is read
/// straight into the frame's own buffer. What a peer asks for and does not read does not grow without end: nothing more
/// is received while unreadMark bytes of control messages wait for the device, and whoever leaves it at that, or has
/// maximumUnread waiting, is given up ("wire.unread").
class StreamChannel : public Channel {
    Q_OBJECT

  public:
    /// Handed to the device at a time; large enough to keep a home network busy, small enough for control to overtake.
    static constexpr qint64 sendWindow = 4 << 20;
    /// A transfer without a single byte of progress for so long is dead: longer than heartbeats, shorter than a round.
    static constexpr std::chrono::milliseconds stallDeadline{20000};
    /// Several, so that a thread that was blocked looks at its sockets between two of them before it calls a peer dead.
    static constexpr int checksPerDeadline = 4;
    /// Of control messages that wait for a device whose window is full.
    static constexpr qint64 unreadMark = 4 << 20;
    static constexpr qint64 maximumUnread = 16 << 20;
    /// Of a peer that reads too little to come below unreadMark; in stall deadlines, for it does read something.
    static constexpr int deadlinesUnread = 3;
    /// What close() allows for the last control messages.
    static constexpr std::chrono::milliseconds lingerDeadline{2000};

    /// Takes an open, connected device of this thread.
    explicit StreamChannel(std::unique_ptr<QIODevice> device, Fingerprint peer = {}, QString peerName = {});
    /// Borrows one that its owner keeps until after this channel (a QProcess of the parent, which has more duties).
    explicit StreamChannel(QIODevice *borrowed, QString peerName = {});
    ~StreamChannel() override;

    Fingerprint peer() const override { return m_peer; }
    QString peerName() const override { return m_peerName; }
    bool isOpen() const override { return !m_closed; }
    void sendControl(const QCborMap &message) override;
    void sendTensor(const TensorHeader &header, Payload payload) override;
    qint64 queuedBytes() const override;
    quint64 bytesSent() const override { return m_bytesSent; }
    quint64 bytesReceived() const override { return m_bytesReceived; }
    /// What the peer has not confirmed yet: queuedBytes() and what the kernel holds of it.
    qint64 undeliveredBytes() const { return queuedBytes() + heldByKernel(); }
    /// As the kernel tells them; without a network, bytes that were read stand for segments.
    TcpFigures figures() const;
    /// Where this end is; null without a network.
    QHostAddress ownAddress() const;
    /// segmentsFrom() the address of the other end to that of this one; nothing without a network.
    std::optional<quint64> segmentsBetweenEnds() const;
    void close(const Error &reason) override;

    /// Stops and resumes reading; the peer's sending then stops by back-pressure.
    void setReceiving(bool on);
    void setStallDeadline(std::chrono::milliseconds deadline);
    /// One of the looks at what moves, `checksPerDeadline` of which without progress are the end. By itself while
    /// something is under way.
    void checkProgress();
    void setFrameLimits(const FrameLimits &limits) { m_reader.setLimits(limits); }

  private:
    static constexpr qsizetype maximumFarewellText = 1000;

    struct OutgoingTensor {
        TensorHeader header;
        Payload payload;
        qint64 frameBytes = 0;  // prefix, header and payload
        qint64 written = 0;     // of them, handed to the device
    };
    struct Loan {  // memory that the device reads without having copied it
        quint64 until;
        std::shared_ptr<const void> owner;
    };
    struct Progress {
        quint64 last = 0;
        int idleChecks = 0;
        bool isStalled(bool expected, quint64 now);
    };

    void attach(QIODevice *device);
    void takeUp();
    void receive();
    void deliver(FrameReader::Event &event);
    void pump();
    void pumpLater();
    void writePart(OutgoingTensor &tensor);
    /// False where that has ended the channel: what was queued may be gone.
    bool hand(const QByteArray &bytes);
    void encrypt();
    void returnLoans();
    void noteQueue();
    /// So much that it sent for is unread that nothing more is taken from it.
    bool isHeldBack() const { return m_queuedControl >= unreadMark; }
    void giveUpUnread();
    void watch();
    void ended();
    void conclude();
    void breakOff();
    void finish(const Error &reason, bool polite);
    void sayFarewell(const Error &reason);
    void letGo(bool linger);
    qint64 unsentInDevice() const;
    qint64 heldByKernel() const;
    quint64 delivered() const { return m_bytesSent - static_cast<quint64>(heldByKernel()); }

    std::unique_ptr<QIODevice> m_owned;
    QPointer<QIODevice> m_device;
    QSslSocket *m_tls = nullptr;
    bool m_isNetwork = false;
    Fingerprint m_peer;
    QString m_peerName;
    FrameReader m_reader;
    std::deque<QByteArray> m_control;
    std::deque<OutgoingTensor> m_tensors;
    std::deque<Loan> m_loans;
    qint64 m_queued = 0;         // in m_control and m_tensors
    qint64 m_queuedControl = 0;  // in m_control
    int m_unreadChecks = 0;      // in a row at which too much was unread
    quint64 m_handedOver = 0;    // to the device, since the start
    qint64 m_gathered = 0;       // of that, not yet asked to be encrypted
    quint64 m_bytesSent = 0;
    quint64 m_bytesReceived = 0;
    QTimer m_progressTimer;
    Progress m_sending;
    Progress m_arriving;
    bool m_aboveLowMark = false;
    bool m_receiving = false;
    bool m_inReceive = false;
    bool m_inPump = false;
    bool m_pumpPosted = false;
    bool m_ended = false;  // the device has no more than what it has buffered
    bool m_closed = false;
};

/// undeliveredBytes() of a stream, queuedBytes() of other channels.
qint64 undeliveredBytes(const Channel &channel);
/// Bytes a second that the link of a stream has shown to deliver; 0 where nobody knows.
double linkRate(const Channel &channel);
/// Where the device at the other end of a stream finds this one: at the address that the connection comes from. Empty
/// without a network, and for addresses that each device writes with a name of its own network card (link-local ones).
QString ownHost(const Channel &channel);
/// Of a stream: isAddressLost() of this end's. False for other channels.
bool hasLostAddress(const Channel &channel);
/// TcpFigures::unconfirmed of a stream; 0 for other channels.
std::chrono::milliseconds unconfirmedFor(const Channel &channel);

}  // namespace hearth
