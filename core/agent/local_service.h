// The agent's end of the local socket: what window and command line of this user may ask.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <memory>
#include <vector>

#include "core/agent/agent.h"

namespace hearth {

/// Who may connect to the agent's socket. Whoever may can start and steer runs as the agent's user.
enum class SocketAccess {
    User,   // mode 0600
    Group,  // mode 0660: members of the agent's group, too, where the state folder lets them pass
};

/// Main thread; `agent` outlives it.
///
/// Calls: those of the agent's services; subscribe; run.attach {id, from}; run.detach {id}.
/// Notes: device.changed; device.removed {id}; pair.changed (PairingStatus); nearby.changed, the whole of it;
/// diagnose.finding, to whom has asked; run.changed {id, state}; run.event {id, line}; run.end {id}; stranger.refused
/// {address}.
class LocalService : public QObject {
    Q_OBJECT
  public:
    static constexpr int maximumSessions = 64;  // windows and terminals of one person

    explicit LocalService(Agent &agent, SocketAccess access = SocketAccess::User, QObject *parent = nullptr);
    ~LocalService() override;
    Result<void> listen();

  private:
    class Session;
    void accept();

    Agent &m_agent;
    QLocalServer m_server;
    std::vector<std::unique_ptr<Session>> m_sessions;
};

}  // namespace hearth
