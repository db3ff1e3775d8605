// The agent of one device. The programs around it are thin.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>
#include <vector>

#include "core/agent/agent_options.h"
#include "core/agent/device_book.h"
#include "core/agent/home_service.h"
#include "core/agent/limits_service.h"
#include "core/agent/run_service.h"
#include "core/agent/stay_awake.h"
#include "core/agent/trust_service.h"
#include "core/base/heap_tidy.h"
#include "core/home/state_dir.h"

namespace hearth {

class KnowledgeService;

/// Holds the services, each of which has its own state and its own calls, and what they share. Main thread, with an
/// event loop. Whatever its children do, it lives on.
class Agent : public QObject {
    Q_OBJECT
  public:
    /// Of ending children when the agent ends; below the 2 s that a person waits after Ctrl-C.
    static constexpr std::chrono::milliseconds endDeadline{700};
    /// After which nobody waits any more for what has just happened, and its memory can go.
    static constexpr std::chrono::milliseconds tidyDelay{5000};

    /// Between two looks at its log, which nobody else cuts while it runs.
    static constexpr std::chrono::hours logInterval{24};

    /// Takes the state folder's lock, reads or makes its identity, and listens. Errors: another agent runs, the folder
    /// is not private, trust.json is damaged, the port is taken.
    static Result<std::unique_ptr<Agent>> start(AgentOptions options);
    /// Ends all children and links; blocks up to endDeadline and a little.
    ~Agent() override;

    const Fingerprint &fingerprint() const { return m_book.own(); }
    const QString &name() const { return m_book.ownName(); }
    QString address() const { return m_home->address(); }
    const QString &stateDir() const { return m_options.stateDir; }
    std::vector<DeviceInfo> devices() const { return m_book.all(); }
    DeviceBook &book() { return m_book; }

    HomeService &home() { return *m_home; }
    TrustService &trust() { return *m_trust; }
    RunService &runs() { return *m_runs; }
    LimitsService &limits() { return *m_limits; }
    /// All calls of one window or terminal; but those of reading events, which are its session's.
    void serve(Rpc &rpc);

    /// Memory that only what has just happened needed goes back to the system after tidyDelay.
    void tidySoon() { m_tidy.soon(); }
    /// Other than logInterval.
    void setLogInterval(std::chrono::milliseconds interval) { m_logTimer.start(interval); }

  private:
    Agent(AgentOptions options, OwnedFd lock, const Identity &identity, TrustStores stores, const DeviceLimits &limits);
    void serveRest();
    void keepLogShort();
    void stayAwake();

    AgentOptions m_options;
    OwnedFd m_lock;
    TrustStores m_stores;
    DeviceBook m_book;
    HeapTidy m_tidy{tidyDelay};
    QTimer m_logTimer;
    std::unique_ptr<HomeLinks> m_links;
    std::unique_ptr<WorkerHost> m_workers;
    std::unique_ptr<DataHost> m_holders;
    std::unique_ptr<LimitsService> m_limits;
    std::unique_ptr<TrustService> m_trust;
    std::unique_ptr<HomeService> m_home;
    std::unique_ptr<RunService> m_runs;
    std::unique_ptr<KnowledgeService> m_knowledge;
    std::unique_ptr<StayAwake> m_awake;  // ends before what it looks at
};

}  // namespace hearth
