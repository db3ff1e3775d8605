#include "app/window_homes.h"

#include <QThread>
#include <utility>

#include "app/window_demo_switches.h"
#include "app/window_home_source.h"
#include "app/window_run_controller.h"
#include "core/home/agent_client.h"
#include "core/home/embedded_home.h"
#include "core/home/event_file.h"
#include "core/home/kept_runs.h"
#include "core/home/trust_store.h"

namespace hearth {

namespace {

/// Read from the disk: the answer is wanted before any agent runs.
bool isFreshHome(const QString &stateDir) {
    const auto trust = TrustStore::load(stateDir + QStringLiteral("/trust.json"));
    // A damaged store is no fresh start; the agent says what is wrong with it.
    return trust && trust->devices().empty() && listRuns(stateDir + QStringLiteral("/runs")).isEmpty();
}

}  // namespace

WindowHomes::WindowHomes(const Parts &parts, const QString &stateDir, QObject *parent)
    : QObject(parent), m_parts(parts), m_stateDir(stateDir) {
    connect(&parts.home, &AgentHomeSource::demoWanted, this, [this] { enterDemo(usualDevices); });
    connect(&parts.home, &AgentHomeSource::ownHomeWanted, this, &WindowHomes::enterOwn);
    connect(&parts.client, &AgentClient::ready, &parts.controller, &AgentRunController::attachToLiveRun);
    parts.home.setFresh(isFreshHome(stateDir));
}

WindowHomes::~WindowHomes() {
    // The client goes first: its end of the socket must not report the end of the demo as a loss.
    m_parts.client.leave();
    m_parts.switches.release();
    if (m_keeping)
        m_keeping->wait();
    m_ending.reset();
    if (m_demo) {
        if (const auto kept = keepRuns(m_demo->stateDir(), m_stateDir); !kept)
            qWarning("%s", qUtf8Printable(kept.error().toString()));
    }
}

void WindowHomes::enterOwn() {
    m_parts.client.leave();
    retireDemo();
    m_parts.controller.begin(m_stateDir);
    m_parts.home.begin(false, m_stateDir, tr("Looking for the agent of this computer …"), 0);
    m_reaching = std::make_unique<QObject>();
    ensureAgentAsync(m_stateDir, m_reaching.get(), [this](const Result<void> &outcome) {
        if (outcome) {
            m_parts.client.open(m_stateDir);
        } else {
            m_parts.home.fail(outcome.error());
        }
    });
}

void WindowHomes::enterDemo(int devices) {
    m_parts.client.leave();
    m_reaching.reset();
    retireDemo();
    m_demo = std::make_unique<EmbeddedHome>();
    EmbeddedHome *home = m_demo.get();
    connect(home, &EmbeddedHome::ready, this, [this, home] { m_parts.client.open(home->stateDir()); });
    connect(home, &EmbeddedHome::failed, this, [this](const Error &error) { m_parts.home.fail(error); });
    EmbeddedHomeOptions options;
    options.devices = devices;
    home->start(options);
    m_parts.home.setSwitches(&m_parts.switches);
    m_parts.controller.begin(home->stateDir());
    m_parts.home.begin(true, home->stateDir(), tr("Starting %n device(s) inside this computer …", nullptr, devices),
                       devices);
}

void WindowHomes::retireDemo() {
    if (!m_demo)
        return;
    m_parts.home.setSwitches(nullptr);
    m_parts.switches.release();
    if (m_keeping)
        m_keeping->wait();
    m_ending = std::exchange(m_demo, nullptr);
    m_ending->disconnect(this);
    const auto outcome = std::make_shared<Result<void>>();
    m_keeping.reset(
        QThread::create([outcome, from = m_ending->stateDir(), to = m_stateDir] { *outcome = keepRuns(from, to); }));
    connect(m_keeping.get(), &QThread::finished, this, [this, outcome, home = m_ending.get()] {
        if (!*outcome)
            Q_EMIT m_parts.home.failed(outcome->error());
        m_parts.controller.refreshRuns();
        if (home != m_ending.get())
            return;
        connect(home, &EmbeddedHome::ended, this, [this] { m_ending.release()->deleteLater(); });
        home->end();
    });
    m_keeping->start();
}

}  // namespace hearth
