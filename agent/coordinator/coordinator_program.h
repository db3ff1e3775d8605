// What makes a Coordinator a process: its agent on standard input and output.
#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "core/base/background_task.h"
#include "core/run/agent_rpc_link.h"
#include "core/run/coordinator.h"
#include "core/run/held_data.h"
#include "core/run/kept_notes.h"
#include "core/run/run_directory.h"
#include "core/run/run_request.h"
#include "core/run/tls_connector.h"
#include "core/wire/stdio_channel.h"

namespace hearth {

/// Waits for the agent's calls `start` (RunRequest) → {fingerprint} and `ask`. Where all data are on this device, it
/// answers once they are read, and says meanwhile that it works; else as soon as it has a key, which the devices that
/// hold them must know: what goes wrong then ends the run with an error in its record. Lives in the main thread.
class CoordinatorProgram : public QObject {
    Q_OBJECT
  public:
    explicit CoordinatorProgram(QObject *parent = nullptr);
    ~CoordinatorProgram() override;

  Q_SIGNALS:
    void finished(int status);

  private:
    void start(const QCborMap &args, const Reply &reply);
    void ask(const QCborMap &args, const Reply &reply);
    /// Folder and key of the run.
    Result<void> prepare();
    /// Beside the event loop, what is frozen kept in the run's folder.
    void read(const ReadyData &ready, const std::function<void(const RunInputs &)> &begin,
              const std::function<void(const Error &)> &refuse);
    void startHere(const Reply &reply);
    void startWithHolders(const Reply &reply);
    void begin(const RunInputs &inputs);
    void openHeldData();
    void readHeldData();
    /// What the agent tells before there is a coordinator waits for it; one that is to stop does so.
    void keepNotes();
    void releaseNotes();
    /// False: it could not be written, and the agent knows.
    bool record(const RunEventBody &event);
    /// What a run begins with, where nothing was written yet.
    bool recordBeginning();
    void failRun(const Error &error);
    void stopRun();
    void leave(int status);

    StdioChannel m_channel;
    Rpc m_rpc;
    AgentRpcLink m_agent;
    std::optional<RunRequest> m_request;
    std::unique_ptr<RunDirectory> m_directory;
    std::optional<Identity> m_identity;
    std::unique_ptr<TlsConnector> m_connector;
    std::unique_ptr<KeptNotes> m_notes;  // while there is no coordinator
    std::unique_ptr<HeldData> m_held;
    std::unique_ptr<Coordinator> m_coordinator;
    bool m_hasLeft = false;
    std::unique_ptr<BackgroundTask> m_reading;  // of the data; while it lasts, the agent asks for nothing else
};

}  // namespace hearth
