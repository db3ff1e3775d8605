// The agent's end of the local socket: what window and command line of this user may ask.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "core/agent/agent.h"
#include "core/home/local_listener.h"

namespace hearth {

/// Main thread; `agent` outlives it.
///
/// Calls: those of the agent's services; subscribe; run.attach {id, from}.
/// Notes: device.changed; device.removed {id}; pair.changed (PairingStatus); nearby.changed, the whole of it;
/// diagnose.finding, to whom has asked; run.changed {id, state}; run.event {id, line}; run.end {id}.
class LocalService : public QObject {
    Q_OBJECT
  public:
    static constexpr int maximumSessions = 64;  // windows and terminals of one person

    explicit LocalService(Agent &agent, SocketAccess access = SocketAccess::User, QObject *parent = nullptr);
    ~LocalService() override;
    Result<void> listen();

  private:
    class Session;
    void accept(std::unique_ptr<QLocalSocket> socket);

    Agent &m_agent;
    const SocketAccess m_access;
    LocalListener m_listener;
    std::vector<std::unique_ptr<Session>> m_sessions;
};

}  // namespace hearth
