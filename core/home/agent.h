// The agent of one device: its links, devices, runs and workers. The programs around it are thin.
#pragma once

#include <QCborMap>
#include <QObject>
#include <map>
#include <memory>
#include <vector>

#include "core/home/home_links.h"
#include "core/home/run_host.h"
#include "core/home/state_dir.h"
#include "core/home/trust_store.h"
#include "core/home/worker_host.h"

namespace hearth {

struct AgentOptions {
    QString stateDir;
    QString name;  // empty: the name kept in the state folder, else the host's
    QString listenHost = QStringLiteral("::");
    quint16 port = 47600;    // 0: any, and the workers' ports, too
    int threads = 0;         // 0: all cores
    qint64 memoryBytes = 0;  // 0: what the machine has
};

/// Main thread, with an event loop. Whatever its children do, it lives on.
class Agent : public QObject {
    Q_OBJECT
  public:
    /// Of ending children when the agent ends; below the 2 s that a person waits after Ctrl-C.
    static constexpr std::chrono::milliseconds endDeadline{700};

    /// Takes the state folder's lock, reads or makes its identity, and listens. Errors: another agent runs, the folder
    /// is not private, trust.json is damaged, the port is taken.
    static Result<std::unique_ptr<Agent>> start(AgentOptions options);
    /// Ends all children and links; blocks up to endDeadline and a little.
    ~Agent() override;

    const Fingerprint &fingerprint() const { return m_identity.fingerprint(); }
    const QString &name() const { return m_options.name; }
    QString address() const;  // where others can reach it, "host:port"
    const QString &stateDir() const { return m_options.stateDir; }
    QString runFolder(const QString &id) const;

    QCborMap status() const;
    std::vector<DeviceInfo> devices() const;
    Result<void> trust(const IdentityFile &device);
    /// Puts an address in front of those known of a trusted device and dials it.
    Result<void> setDeviceAddress(const Fingerprint &device, const QString &address);

    std::vector<RunInfo> runs();
    /// `request` is the order's CBOR; answers {id}.
    void startRun(const QCborMap &request, QObject *context, std::function<void(Result<QCborMap>)> answer);
    Result<void> commandRun(const QString &id, const QCborMap &command);
    /// An error that lists what there is, unless the run exists.
    Result<void> requireRun(const QString &id) const;
    bool isLive(const QString &id) const { return m_runs.contains(id); }

  Q_SIGNALS:
    void deviceChanged(const hearth::DeviceInfo &device);
    void runChanged(const QString &id, const QString &state);
    void runGrew(const QString &id);
    void runEnded(const QString &id);
    void strangerRefused(const QString &address);

  private:
    Agent(AgentOptions options, OwnedFd lock, Identity identity, TrustStore trust);
    Result<void> listen();
    void serveHome();
    QCborMap hello() const;
    DeviceInfo self() const;
    void update(const DeviceInfo &device);
    void startWorker(RunHost &run, const QString &device, const Reply &reply);
    void stopWorker(const QString &run, const QString &device);
    void connectRun(RunHost *run);
    void runIsOver(const QString &id);

    AgentOptions m_options;
    OwnedFd m_lock;
    Identity m_identity;
    TrustStore m_trust;
    HostResources m_host;
    quint16 m_port = 0;
    bool m_ending = false;
    std::unique_ptr<HomeLinks> m_links;
    std::unique_ptr<WorkerHost> m_workers;
    std::map<QString, DeviceInfo> m_devices;  // the others, by id
    std::map<QString, std::unique_ptr<RunHost>> m_runs;
    std::map<QString, RunInfo> m_pastRuns;  // summaries of runs that no longer change
};

}  // namespace hearth
