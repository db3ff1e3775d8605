#include "core/agent/agent.h"

#include <QDeadlineTimer>
#include <QFile>
#include <utility>

#include "core/agent/agent_log.h"
#include "core/agent/agent_ports.h"
#include "core/agent/knowledge_service.h"
#include "core/base/code_pages.h"
#include "core/base/files.h"
#include "core/home/device_name.h"

namespace hearth {
namespace {

ProcessSettings processSettings(const AgentOptions &options) {
    ProcessSettings processes;
    processes.listenHost = options.listenHost;
    processes.firstPort = options.port == 0 ? 0 : AgentPorts().firstWorker();
    processes.lastPort = options.port == 0 ? 0 : AgentPorts().lastWorker();
    processes.deviceName = options.name;
    return processes;
}

}  // namespace

Agent::Agent(AgentOptions options, OwnedFd lock, const Identity &identity, TrustStores stores,
             const DeviceLimits &limits)
    : m_options(std::move(options)),
      m_lock(std::move(lock)),
      m_stores(std::move(stores)),
      m_book(identity.fingerprint(), m_options.name),
      m_links(std::make_unique<HomeLinks>(identity, m_stores.trust, [this] { return m_home->hello(); })),
      m_workers(std::make_unique<WorkerHost>(processSettings(m_options), m_options.trustsFabric)),
      m_holders(std::make_unique<DataHost>(processSettings(m_options))),
      m_limits(std::make_unique<LimitsService>(m_options, limits, m_book, *m_links, *m_workers)),
      m_trust(std::make_unique<TrustService>(m_options, identity, m_stores, m_book, *m_links, *m_workers)),
      m_home(std::make_unique<HomeService>(m_options, m_stores.trust, m_book, *m_links, *m_workers, *m_holders,
                                           *m_limits, *m_trust)),
      m_runs(std::make_unique<RunService>(m_options.stateDir, m_book, *m_links, *m_workers, *m_holders, *m_limits)),
      m_knowledge(std::make_unique<KnowledgeService>(m_options.stateDir, m_book, *m_links)),
      m_awake(std::make_unique<StayAwake>(m_options.inhibitors, m_options.awakeAfter)) {
    connect(m_trust.get(), &TrustService::expelled, m_runs.get(), &RunService::deviceRemoved);
}

Result<std::unique_ptr<Agent>> Agent::start(AgentOptions options) {
    auto folder = openStateDir(options.stateDir);
    if (!folder)
        return tl::unexpected(folder.error());
    options.stateDir = *folder;
    auto lock = lockStateDir(options.stateDir);
    if (!lock)
        return tl::unexpected(lock.error());
    const auto name = deviceName(options.stateDir, options.name);
    if (!name)
        return tl::unexpected(name.error());
    options.name = *name;
    auto identity = Identity::loadOrCreate(options.stateDir, options.name);
    if (!identity)
        return tl::unexpected(identity.error());
    auto stores = TrustStores::load(options.stateDir, *identity);
    if (!stores)
        return tl::unexpected(stores.error());
    const auto limits = loadLimits(options.stateDir + QStringLiteral("/limits.json"));
    if (!limits)
        return tl::unexpected(limits.error());
    if (auto made = makePrivateFolder(options.stateDir + QStringLiteral("/runs")); !made)
        return tl::unexpected(made.error());

    std::unique_ptr<Agent> agent(
        new Agent(std::move(options), std::move(*lock), *identity, std::move(*stores), *limits));
    agent->m_home->serveLinks();
    agent->m_runs->serveLinks();
    agent->m_limits->serveLinks();
    agent->m_trust->serveLinks();
    agent->m_knowledge->serveLinks();
    agent->serveRest();
    agent->keepLogShort();
    agent->stayAwake();
    agent->m_limits->noteState();
    if (auto listening = agent->m_home->listen(); !listening)
        return tl::unexpected(listening.error());
    agent->m_links->dialKnown();
    return agent;
}

Agent::~Agent() {
    m_home->endDiscovery();
    m_runs->beginEnd();
    m_links->closeAll();
    m_runs->waitForEnd(QDeadlineTimer(endDeadline));
    QFile::remove(m_options.stateDir + QStringLiteral("/agent.json"));
}

void Agent::serve(Rpc &rpc) {
    m_home->serve(rpc);
    m_trust->serve(rpc);
    m_runs->serve(rpc);
    m_limits->serve(rpc);
}

/// The agent at rest, as it is most of its life, holds little.
void Agent::serveRest() {
    m_tidy.callOnTimeout(this, &releaseCodePages);
    connect(&m_book, &DeviceBook::changed, this, &Agent::tidySoon);
    connect(&m_book, &DeviceBook::removed, this, &Agent::tidySoon);
    connect(m_home.get(), &HomeService::nearbyChanged, this, &Agent::tidySoon);
    connect(m_trust.get(), &TrustService::pairingChanged, this, &Agent::tidySoon);
    connect(m_home.get(), &HomeService::strangerRefused, this, &Agent::tidySoon);
    connect(m_runs.get(), &RunService::ended, this, &Agent::tidySoon);
    tidySoon();
}

void Agent::keepLogShort() {
    const auto cut = [this] { (void)keepLogEnd(agentLogPath(m_options.stateDir)); };
    cut();
    m_logTimer.callOnTimeout(this, cut);
    m_logTimer.start(logInterval);
}

/// While it leads a run, or works or serves data for one of another device, unless it rests.
void Agent::stayAwake() {
    const auto follow = [this] {
        if (m_limits->rest() != Rest::None)
            m_awake->letGo();
        else
            m_awake->want(m_runs->leads() || m_workers->countForeign() + m_holders->countForeign() > 0);
    };
    // As long as it lives: the services end after it.
    StayAwake *awake = m_awake.get();
    connect(m_runs.get(), &RunService::beginning, awake, follow);
    connect(m_runs.get(), &RunService::changed, awake, follow);
    connect(m_runs.get(), &RunService::ended, awake, follow);
    for (const ProcessHost *host :
         {static_cast<ProcessHost *>(m_workers.get()), static_cast<ProcessHost *>(m_holders.get())}) {
        connect(host, &ProcessHost::launched, awake, follow);
        connect(host, &ProcessHost::exited, awake, follow);
    }
    connect(m_limits.get(), &LimitsService::restChanged, awake, follow);
}

}  // namespace hearth
