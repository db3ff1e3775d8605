// What makes a WorkerService a process: its agent on standard input and output, TLS around it.
#pragma once

#include <QHostAddress>
#include <QObject>
#include <memory>

#include "core/train/heartbeat.h"
#include "core/train/worker_service.h"
#include "core/wire/identity.h"
#include "core/wire/listen_place.h"
#include "core/wire/rpc.h"
#include "core/wire/stdio_channel.h"
#include "core/wire/tls_listener.h"

namespace hearth {

struct WorkerProgramOptions {
    WorkerOptions worker;
    QHostAddress listen = QHostAddress::Any;
    PortRange ports;
};

/// Waits for the agent's call `start {run, coordinator}`, makes a key for this run only, listens, and answers
/// {fingerprint, port}. Lives in the main thread, which carries all sockets but the heartbeat's.
class WorkerProgram : public QObject, public PeerConnector {
    Q_OBJECT

  public:
    explicit WorkerProgram(WorkerProgramOptions options, QObject *parent = nullptr);
    ~WorkerProgram() override;

  Q_SIGNALS:
    void finished(int status);
    /// Standard input ended: the agent is gone, or wants this process to end.
    void agentGone();

  private:
    void start(const QCborMap &args, const Reply &reply);
    void connectTo(const Fingerprint &peer, const QString &address, quint16 port, QObject *context,
                   Connected done) override;

    WorkerProgramOptions m_options;
    StdioChannel m_agent;
    Rpc m_rpc;
    Identity m_identity;
    std::unique_ptr<TlsListener> m_listener;
    std::unique_ptr<Heartbeat> m_heartbeat;
    std::unique_ptr<WorkerService> m_service;
};

}  // namespace hearth
