#include "app/window_homes.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "app/window_demo_switches.h"
#include "app/window_home_source.h"
#include "app/window_run_controller.h"
#include "core/agent/agent_client.h"
#include "core/agent/agent_restart.h"
#include "core/agent/embedded_home.h"
#include "core/base/background_task.h"
#include "core/home/trust_store.h"
#include "core/run/files/event_file.h"
#include "core/run/files/kept_runs.h"

namespace hearth {

namespace {

constexpr std::chrono::milliseconds handOverInterval{50};
// As long as an agent takes to end its processes, at most.
constexpr std::chrono::seconds handOverDeadline{20};

/// Read from the disk: the answer is wanted before any agent runs.
bool isFreshHome(const QString &stateDir) {
    const auto trust = TrustStore::load(stateDir + QStringLiteral("/trust.json"));
    // A damaged store is no fresh start; the agent says what is wrong with it.
    return trust && trust->devices().empty() && listRuns(stateDir + QStringLiteral("/runs")).isEmpty();
}

}  // namespace

/// A demo that nobody looks at any more: its runs are copied by a thread, then its agents end.
class EndingDemo : public QObject {
    Q_OBJECT
  public:
    EndingDemo(std::unique_ptr<EmbeddedHome> home, const QString &keepIn)
        : m_home(std::move(home)), m_keepIn(keepIn), m_copying(std::make_unique<BackgroundTask>()) {
        m_home->disconnect();
        const auto end = [this] {
            m_isCopied = true;
            Q_EMIT copied();
            connect(m_home.get(), &EmbeddedHome::ended, this, &EndingDemo::ended);
            m_home->end();
        };
        m_copying->start<std::monostate>(
            this,
            [from = m_home->stateDir(), keepIn]() -> Result<std::monostate> {
                return keepRuns(from, keepIn).map([] { return std::monostate(); });
            },
            [end](std::monostate) { end(); },
            [this, end](const Error &error) {
                Q_EMIT failed(m_home->leaveBehind(error, m_keepIn));
                end();
            });
    }
    ~EndingDemo() override {
        m_copying.reset();
        if (!m_isCopied)
            keepAtOnce(*m_home, m_keepIn);
    }
    /// Blocks.
    static void keepAtOnce(EmbeddedHome &home, const QString &keepIn) {
        if (const auto kept = keepRuns(home.stateDir(), keepIn); !kept)
            qWarning("%s", qUtf8Printable(home.leaveBehind(kept.error(), keepIn).toString()));
    }

  Q_SIGNALS:
    /// A run could not be kept; where it lies.
    void failed(const hearth::Error &error);
    void copied();
    void ended();

  private:
    const std::unique_ptr<EmbeddedHome> m_home;
    const QString m_keepIn;
    std::unique_ptr<BackgroundTask> m_copying;
    bool m_isCopied = false;  // or left behind
};

WindowHomes::WindowHomes(const Parts &parts, const QString &stateDir, QObject *parent)
    : QObject(parent), m_parts(parts), m_stateDir(stateDir) {
    connect(&parts.home, &AgentHomeSource::demoWanted, this, [this] { enterDemo(usualDevices); });
    connect(&parts.home, &AgentHomeSource::ownHomeWanted, this, &WindowHomes::enterOwn);
    connect(&parts.client, &AgentClient::ready, &parts.controller, &AgentRunController::comeBack);
    connect(&parts.client, &AgentClient::closed, this, &WindowHomes::agentIsGone);
    connect(&parts.home, &AgentHomeSource::restartWanted, this, &WindowHomes::restartAgent);
    connect(&m_handOver, &QTimer::timeout, this, [this] {
        // Whoever starts it after the deadline hears why it does not begin.
        if (isFolderHeld(m_stateDir) && !m_handOverEnd.hasExpired())
            return;
        m_handOver.stop();
        reachAgent();
    });
    parts.home.setFresh(isFreshHome(stateDir));
}

WindowHomes::~WindowHomes() {
    // The client goes first: its end of the socket must not report the end of the demo as a loss.
    m_parts.client.leave();
    m_parts.switches.release();
    m_ending.clear();
    if (m_demo)
        EndingDemo::keepAtOnce(*m_demo, m_stateDir);
}

void WindowHomes::end() {
    m_leaving = true;
    waitNoMore();
    m_parts.client.leave();
    retireDemo();
    if (m_ending.empty())
        QMetaObject::invokeMethod(this, &WindowHomes::ended, Qt::QueuedConnection);
}

void WindowHomes::enterOwn() {
    m_parts.client.leave();
    waitNoMore();
    retireDemo();
    m_parts.controller.begin(m_stateDir);
    m_parts.home.begin(false, m_stateDir, tr("Looking for the agent of this computer …"), 0);
    reachAgent();
}

void WindowHomes::waitNoMore() {
    m_reaching.reset();
    m_handOver.stop();
    m_restarting = false;
}

void WindowHomes::restartAgent() {
    if (m_demo || m_restarting || !m_parts.client.isOpen())
        return;
    m_restarting = true;
    m_parts.home.waitFor(tr("Restarting the agent of this computer …"));
    m_parts.client.call(QStringLiteral("leave"), {}, std::chrono::seconds(5), this,
                        [this](const Result<QCborMap> &told) {
                            // Where the connection has ended, it has done so already.
                            if (told || !m_parts.client.isOpen() || !std::exchange(m_restarting, false))
                                return;
                            m_parts.home.fail(told.error());
                        });
}

void WindowHomes::reachAgent() {
    m_reaching = std::make_unique<QObject>();
    ensureAgentAsync(m_stateDir, m_reaching.get(), [this](const Result<void> &outcome) {
        if (outcome) {
            m_parts.client.open(m_stateDir);
        } else {
            m_parts.home.fail(outcome.error());
        }
    });
}

/// Behind the home and the controller, which have said what became of devices and runs.
void WindowHomes::agentIsGone(const Error &reason) {
    if (m_demo) {
        m_parts.home.fail(reason);
        return;
    }
    if (std::exchange(m_restarting, false)) {
        m_handOverEnd.setRemainingTime(handOverDeadline);
        m_handOver.start(handOverInterval);
        return;
    }
    if (m_parts.home.hasLeft()) {
        m_parts.home.fail({QStringLiteral("agent.left"),
                           tr("The agent of this computer was stopped."),
                           {},
                           tr("Open the window again to let this computer take part.")});
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    while (!m_restarts.empty() && now - m_restarts.front() > m_restartWindow)
        m_restarts.pop_front();
    if (m_restarts.size() >= maximumRestarts) {
        m_parts.home.fail(reason);
        return;
    }
    m_restarts.push_back(now);
    m_parts.home.waitFor(tr("The agent of this computer has ended. Starting it again …"));
    reachAgent();
}

void WindowHomes::enterDemo(int devices) {
    m_parts.client.leave();
    waitNoMore();
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
    m_ending.push_back(std::make_unique<EndingDemo>(std::move(m_demo), m_stateDir));
    EndingDemo *ending = m_ending.back().get();
    connect(ending, &EndingDemo::failed, this, [this](const Error &error) {
        if (m_leaving)
            Q_EMIT leftBehind(error);
        else
            Q_EMIT m_parts.home.failed(error);
    });
    connect(ending, &EndingDemo::copied, &m_parts.controller, &AgentRunController::refreshRuns);
    connect(ending, &EndingDemo::ended, this, [this, ending] { finish(ending); });
}

void WindowHomes::finish(EndingDemo *demo) {
    const auto at = std::ranges::find_if(m_ending, [demo](const auto &one) { return one.get() == demo; });
    at->release()->deleteLater();  // we are inside its signal
    m_ending.erase(at);
    if (m_leaving && m_ending.empty())
        Q_EMIT ended();
}

}  // namespace hearth

#include "window_homes.moc"
