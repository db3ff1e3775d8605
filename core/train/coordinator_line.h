// What a worker's coordinator hears of it. Internal to core/train.
#pragma once

#include <map>
#include <memory>

#include "core/wire/channel.h"
#include "core/wire/rpc.h"

namespace hearth {

/// The channel to the coordinator, once it has come, and the calls that are not answered yet. Lives in the I/O thread.
class CoordinatorLine {
  public:
    /// Calls that it made are not answered any more. May be called from one of the channel's signals.
    void drop();
    void open(std::unique_ptr<Channel> channel);
    /// nullptr where there is none.
    Channel *channel() const { return m_channel.get(); }
    /// Of the channel; there is one.
    Rpc &calls() { return *m_rpc; }

    /// Dropped where there is no coordinator.
    void note(const QString &op, const QCborMap &args);
    /// Replies stay in this thread; tasks of another one carry the ticket.
    quint64 keep(const Reply &reply);
    /// Once for each ticket.
    void answer(quint64 ticket, const Result<QCborMap> &result);
    /// When all tensors that were sent have left: control messages overtake those that are queued, and this one says
    /// that they are there.
    void answerWhenSent(quint64 ticket, const QCborMap &result);

  private:
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<Rpc> m_rpc;
    std::map<quint64, Reply> m_replies;
    quint64 m_lastTicket = 0;
};

}  // namespace hearth
