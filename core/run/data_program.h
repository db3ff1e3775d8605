// What makes a DataService a process: its agent on standard input and output, TLS around it.
#pragma once

#include <QHostAddress>
#include <QObject>
#include <memory>

#include "core/run/data_service.h"
#include "core/wire/identity.h"
#include "core/wire/listen_place.h"
#include "core/wire/rpc.h"
#include "core/wire/stdio_channel.h"
#include "core/wire/tls_listener.h"

namespace hearth {

struct DataProgramOptions {
    QString run;
    QHostAddress listen = QHostAddress::Any;
    PortRange ports;
};

/// Waits for the agent's call `start {run, coordinator}`, makes a key for this run only, listens for nobody but that
/// coordinator, and answers {fingerprint, port}. A coordinator that was lost may come again. Lives in the main thread,
/// which carries all sockets; samples are read beside it. What it is asked before any start it does not know.
class DataProgram : public QObject {
    Q_OBJECT
  public:
    explicit DataProgram(DataProgramOptions options, QObject *parent = nullptr);
    ~DataProgram() override;

  Q_SIGNALS:
    /// Standard input ended: the agent is gone, or wants this process to end. Or nobody came for samples for so long
    /// that the run is over, and word of it was lost.
    void finished();

  private:
    void start(const QCborMap &args, const Reply &reply);

    const DataProgramOptions m_options;
    StdioChannel m_agent;
    Rpc m_rpc;
    Fingerprint m_coordinator;
    std::unique_ptr<DataService> m_service;
    std::unique_ptr<TlsListener> m_listener;
};

}  // namespace hearth
