// When a stream is given up, and how it ends.
#include <QSslSocket>
#include <utility>

#include "core/base/sentence.h"
#include "core/wire/log.h"
#include "core/wire/retire.h"
#include "core/wire/stream_channel.h"

namespace hearth {

void StreamChannel::setStallDeadline(std::chrono::milliseconds deadline) {
    m_progressTimer.setInterval(std::max(deadline / checksPerDeadline, std::chrono::milliseconds(1)));
}

bool StreamChannel::Progress::isStalled(bool expected, quint64 now) {
    const bool moved = !expected || now != std::exchange(last, now);
    idleChecks = moved ? 0 : idleChecks + 1;
    return idleChecks >= checksPerDeadline;
}

void StreamChannel::watch() {
    const bool needed = queuedBytes() > 0 || m_reader.isInFrame();
    if (!needed) {
        m_progressTimer.stop();
    } else if (!m_progressTimer.isActive()) {
        m_sending = {delivered(), 0};
        m_arriving = {m_bytesReceived, 0};
        m_unreadChecks = 0;
        m_progressTimer.start();
    }
}

void StreamChannel::checkProgress() {
    // The kernel takes megabytes at once and then nothing until a third of them is gone, which on a slow link is longer
    // than the deadline: what counts is what the peer confirms.
    const bool sendStalled = m_sending.isStalled(queuedBytes() > 0, delivered());
    const bool receives = m_receiving && !isHeldBack();
    const bool receiveStalled = m_arriving.isStalled(m_reader.isInFrame() && receives, m_bytesReceived);
    // Behind a tensor words may wait for long.
    m_unreadChecks = isHeldBack() && m_tensors.empty() ? m_unreadChecks + 1 : 0;
    if (m_unreadChecks >= deadlinesUnread * checksPerDeadline)
        return giveUpUnread();
    if (!sendStalled && !receiveStalled)
        return watch();
    const auto seconds =
        std::chrono::duration<double>(m_progressTimer.intervalAsDuration() * checksPerDeadline).count();
    finish({QStringLiteral("wire.stalled"), sentence("The connection to %1 is stuck.").arg(m_peerName),
            (sendStalled ? sentence("Nothing could be sent for %1 seconds.")
                         : sentence("A transfer stopped in its middle for %1 seconds."))
                .arg(seconds),
            sentence("Check that the device is awake and in reach of the network.")},
           false);
}

void StreamChannel::giveUpUnread() {
    finish({QStringLiteral("wire.unread"), sentence("The connection to %1 is closed.").arg(m_peerName),
            sentence("The other end does not read what it is sent."),
            sentence("Check that the program there still runs.")},
           false);
}

void StreamChannel::ended() {
    m_ended = true;
    if (m_closed || m_inReceive)
        return;
    if (m_receiving)
        receive();  // whole frames may be left in the buffer, the reason among them
    else if (!m_device || m_device->bytesAvailable() == 0)
        conclude();
}

void StreamChannel::conclude() {
    const bool truncated = m_reader.isInFrame();
    const QString reason = m_device ? m_device->errorString() : QString();
    finish({truncated ? QStringLiteral("wire.truncated") : QStringLiteral("wire.closed"),
            sentence("The connection to %1 is closed.").arg(m_peerName),
            truncated ? sentence("It ended in the middle of a message.")
                      : sentence("The other end went away (%1).").arg(reason),
            QString()},
           false);
}

void StreamChannel::breakOff() {
    finish({QStringLiteral("wire.altered"), sentence("The connection to %1 is broken.").arg(m_peerName),
            sentence("What arrived is not what was sent (%1).").arg(m_device ? m_device->errorString() : QString()),
            sentence("If this happens again, look at the cables and devices in between.")},
           false);
}

void StreamChannel::close(const Error &reason) {
    finish(reason, true);
}

void StreamChannel::finish(const Error &reason, bool polite) {
    if (m_closed)
        return;
    m_closed = true;
    m_progressTimer.stop();
    qCDebug(wireLog).noquote() << "channel to" << m_peerName << "closed:" << reason.code << reason.toString();
    if (polite && !m_ended)
        sayFarewell(reason);
    m_control.clear();
    m_tensors.clear();
    m_queued = m_queuedControl = 0;
    letGo(polite && !m_ended);
    Q_EMIT closed(reason);
}

void StreamChannel::sayFarewell(const Error &reason) {
    const bool inTensor = !m_tensors.empty() && m_tensors.front().written > 0;
    if (inTensor || !m_device)  // what we wrote would be read as the rest of the payload
        return;
    for (const QByteArray &frame : m_control)
        m_device->write(frame);
    const auto text = [](const Sentence &value) {
        const QString &english = value.english();
        return english.size() > maximumFarewellText ? Sentence(english.left(maximumFarewellText)) : value;
    };
    const Error bounded{reason.code, text(reason.what), text(reason.cause), text(reason.advice)};
    m_device->write(encodeFrame(FrameType::Farewell, bounded.toCbor()));
}

void StreamChannel::letGo(bool linger) {
    if (m_device)
        m_device->disconnect(this);
    m_device = nullptr;
    m_tls = nullptr;
    if (!m_owned)
        return;
    retire(std::move(m_owned), linger ? lingerDeadline : std::chrono::milliseconds(0),
           [loans = std::exchange(m_loans, {})] {});
}

}  // namespace hearth
