#include "core/wire/loopback_channel.h"

#include <QCborValue>
#include <array>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <variant>

#include "core/base/post_to.h"
#include "core/base/sentence.h"
#include "core/wire/frame_reader.h"

namespace hearth {
namespace {

class LoopbackChannel;

struct Inbox {
    struct Tensor {
        TensorHeader header;
        Payload payload;
    };
    std::deque<QByteArray> control;
    std::deque<Tensor> tensors;
    std::optional<Error> farewell;  // the other end closed
    qint64 bytes = 0;
};

/// What both ends share. The mutex also keeps an end alive while an event is posted to it.
struct Link {
    std::mutex mutex;
    std::array<LoopbackChannel *, 2> ends{};
    std::array<Inbox, 2> inboxes;  // of each end
};

qint64 frameBytes(const Payload &payload) {
    return framePrefixBytes + tensorHeaderBytes + payload.size;
}

class LoopbackChannel : public Channel {
    // No Q_OBJECT: the signals are Channel's.
  public:
    LoopbackChannel(std::shared_ptr<Link> link, std::size_t index, Fingerprint peer)
        : m_link(std::move(link)), m_index(index), m_peer(peer) {
        m_link->ends[index] = this;
    }
    ~LoopbackChannel() override { leave({}); }

    Fingerprint peer() const override { return m_peer; }
    QString peerName() const override { return QStringLiteral("the other end of the loopback"); }
    bool isOpen() const override { return !m_closed; }

    void sendControl(const QCborMap &message) override {
        if (m_closed)
            return;
        QByteArray body = QCborValue(message).toCbor();
        const qint64 bytes = framePrefixBytes + body.size();
        if (body.size() > maximumControlBytes) {
            close({QStringLiteral("wire.bad-control"), sentence("A control message is too large to be sent."),
                   QString(), QString()});
            return;
        }
        post(bytes, [&body](Inbox &inbox) { inbox.control.push_back(std::move(body)); });
    }

    void sendTensor(const TensorHeader &header, Payload payload) override {
        if (m_closed)
            return;
        TensorHeader full = header;
        full.setByteCounts(payload.size);
        if (auto valid = full.validate(maximumTensorBytes); !valid) {
            close(valid.error());
            return;
        }
        post(frameBytes(payload), [&](Inbox &inbox) { inbox.tensors.push_back({full, std::move(payload)}); });
    }

    qint64 queuedBytes() const override {
        const std::scoped_lock lock(m_link->mutex);
        return m_link->inboxes[1 - m_index].bytes;
    }
    quint64 bytesSent() const override { return m_sent; }
    quint64 bytesReceived() const override { return m_received; }

    void close(const Error &reason) override {
        if (m_closed)
            return;
        m_closed = true;
        leave(reason);
        Q_EMIT closed(reason);
    }

  private:
    template <class Put>
    void post(qint64 bytes, const Put &put) {
        m_sent += static_cast<quint64>(bytes);
        const std::scoped_lock lock(m_link->mutex);
        LoopbackChannel *other = m_link->ends[1 - m_index];
        if (!other)
            return;
        Inbox &inbox = m_link->inboxes[1 - m_index];
        put(inbox);
        inbox.bytes += bytes;
        postTo(other, [other] { other->deliver(); });
    }

    /// One frame per event, so that control overtakes the tensors that are still waiting.
    void deliver() {
        if (m_closed)
            return;
        QByteArray control;
        std::optional<Inbox::Tensor> tensor;
        std::optional<Error> farewell;
        {
            const std::scoped_lock lock(m_link->mutex);
            Inbox &inbox = m_link->inboxes[m_index];
            const qint64 before = inbox.bytes;
            if (!inbox.control.empty()) {
                control = std::move(inbox.control.front());
                inbox.control.pop_front();
                inbox.bytes -= framePrefixBytes + control.size();
            } else if (!inbox.tensors.empty() && !inbox.farewell) {
                tensor = std::move(inbox.tensors.front());
                inbox.tensors.pop_front();
                inbox.bytes -= frameBytes(tensor->payload);
            } else {
                farewell = inbox.farewell;
            }
            m_received += static_cast<quint64>(before - inbox.bytes);
            LoopbackChannel *other = m_link->ends[1 - m_index];
            if (other && before >= lowMark && inbox.bytes < lowMark) {
                postTo(other, [other] {
                    if (!other->m_closed)
                        Q_EMIT other->windowOpened();
                });
            }
        }
        if (!control.isEmpty()) {
            Q_EMIT controlReceived(QCborValue::fromCbor(control).toMap());
        } else if (tensor) {
            // A copy, as a wire makes one: the receiver may write into it.
            TensorFrame frame{tensor->header, Buffer::allocate(tensor->payload.size), std::chrono::steady_clock::now()};
            if (tensor->payload.size > 0)
                std::memcpy(frame.payload->data(), tensor->payload.data,
                            static_cast<std::size_t>(tensor->payload.size));
            frame.header.crc32c = tensorChecksum(frame.header, frame.payload->bytes());
            tensor.reset();
            Q_EMIT tensorReceived(frame);
        } else if (farewell) {
            m_closed = true;
            leave({});
            Q_EMIT closed(*farewell);
        }
    }

    void leave(const Error &reason) {
        const std::scoped_lock lock(m_link->mutex);
        if (!m_link->ends[m_index])
            return;
        m_link->ends[m_index] = nullptr;
        m_link->inboxes[m_index] = {};
        LoopbackChannel *other = m_link->ends[1 - m_index];
        if (!other)
            return;
        Inbox &inbox = m_link->inboxes[1 - m_index];
        inbox.farewell = Error{
            QStringLiteral("wire.closed"), sentence("The other end closed the connection."), reason.toSentence(), {}};
        for (const Inbox::Tensor &tensor : inbox.tensors)
            inbox.bytes -= frameBytes(tensor.payload);
        inbox.tensors.clear();
        postTo(other, [other] { other->deliver(); });
    }

    std::shared_ptr<Link> m_link;
    std::size_t m_index;
    Fingerprint m_peer;
    quint64 m_sent = 0;
    quint64 m_received = 0;
    bool m_closed = false;
};

}  // namespace

std::pair<std::unique_ptr<Channel>, std::unique_ptr<Channel>> makeLoopbackPair(Fingerprint a, Fingerprint b) {
    auto link = std::make_shared<Link>();
    auto first = std::make_unique<LoopbackChannel>(link, 0, b);
    auto second = std::make_unique<LoopbackChannel>(link, 1, a);
    return {std::move(first), std::move(second)};
}

}  // namespace hearth
