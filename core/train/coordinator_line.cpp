#include "core/train/coordinator_line.h"

#include <QTimer>
#include <utility>

namespace hearth {

void CoordinatorLine::drop() {
    m_replies.clear();
    // We may be in one of its signals.
    if (m_rpc)
        m_rpc.release()->deleteLater();
    if (m_channel)
        m_channel.release()->deleteLater();
}

void CoordinatorLine::open(std::unique_ptr<Channel> channel) {
    m_channel = std::move(channel);
    m_rpc = std::make_unique<Rpc>(m_channel.get());
}

void CoordinatorLine::note(const QString &op, const QCborMap &args) {
    if (m_rpc)
        m_rpc->notify(op, args);
}

quint64 CoordinatorLine::keep(const Reply &reply) {
    m_replies.emplace(++m_lastTicket, reply);
    return m_lastTicket;
}

void CoordinatorLine::answer(quint64 ticket, const Result<QCborMap> &result) {
    const auto kept = m_replies.find(ticket);
    if (kept == m_replies.end())
        return;  // of a coordinator that is gone
    const Reply reply = kept->second;
    m_replies.erase(kept);
    if (result)
        reply.ok(*result);
    else
        reply.fail(result.error());
}

void CoordinatorLine::answerWhenSent(quint64 ticket, const QCborMap &result) {
    if (!m_channel || m_channel->queuedBytes() == 0)
        return answer(ticket, result);
    constexpr std::chrono::milliseconds interval{2};
    QTimer::singleShot(interval, m_channel.get(), [this, ticket, result] { answerWhenSent(ticket, result); });
}

}  // namespace hearth
