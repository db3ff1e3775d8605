// The devices of a home, as the local agent tells them.
#pragma once

#include <QDeadlineTimer>
#include <vector>

#include "app/window_measuring.h"
#include "app/window_pairing.h"
#include "ui/base/demo_switches.h"
#include "ui/base/home_source.h"

namespace hearth {

class AgentClient;

/// Over a client that is opened elsewhere (WindowHomes); `client` must outlive it. GUI thread.
class AgentHomeSource : public HomeSource {
    Q_OBJECT
  public:
    explicit AgentHomeSource(AgentClient &client, QObject *parent = nullptr);

    /// Another home begins: the devices of the last one are forgotten. A demo home is waited for until `devices` of it
    /// were seen, another one until it answers (0).
    void begin(bool demo, const QString &stateDir, const QString &waitingFor, int devices);
    void setFresh(bool fresh) { m_fresh = fresh; }

    /// Its agent is waited for once more: what is known of the devices stays.
    void waitFor(const QString &sentence) { setWaiting(sentence); }
    /// The agent that is gone had said that it would end: somebody wanted that.
    bool hasLeft() const { return m_left; }

    bool isDemo() const override { return m_demo; }
    DemoSwitches *switches() const override { return m_switches; }
    /// For a demo home; `switches` must outlive the window.
    void setSwitches(DemoSwitches *switches) { m_switches = switches; }
    bool isFresh() const override { return m_fresh; }
    void enterDemo() override { Q_EMIT demoWanted(); }
    void leaveDemo() override { Q_EMIT ownHomeWanted(); }
    void trust(const QString &identityFile, const QString &address) override;
    PairingControl &pairing() override { return m_pairing; }
    MeasureControl &measuring() override { return m_measuring; }
    void setLimits(const QString &device, const DeviceLimits &limits) override;
    void rename(const QString &device, const QString &name) override;
    AgentRestart agentRestart() const override;
    void restartAgent() override { Q_EMIT restartWanted(); }
    QString stateDir() const override { return m_stateDir; }
    Installation *makeInstallation(const InstallRequest &request, QObject *owner) override;
    QString waitingFor() const override { return m_waitingFor; }
    std::vector<DeviceInfo> devices() const override { return m_devices; }
    Nearby nearby() const override { return m_nearby; }
    void lookForComputers() override;
    ComputerSearch computerSearch() const override { return m_search; }
    void diagnose() override;

    /// The home could not be reached, or was lost: says so and stops waiting.
    void fail(const Error &error);

  Q_SIGNALS:
    void demoWanted();
    void ownHomeWanted();
    void restartWanted();

  private:
    void take(const DeviceInfo &device);
    void loseAgent();
    void setWaiting(const QString &text);
    void setSearch(ComputerSearch search);

    AgentClient &m_client;
    AgentPairing m_pairing;
    AgentMeasuring m_measuring;
    bool m_demo = false;
    bool m_fresh = false;
    bool m_left = false;
    int m_expected = 0;
    QString m_stateDir;
    DemoSwitches *m_switches = nullptr;
    QString m_waitingFor;
    std::vector<DeviceInfo> m_devices;
    Nearby m_nearby;
    ComputerSearch m_search = ComputerSearch::Looking;
    QDeadlineTimer m_searchEnds;  // the agent looks no more
};

}  // namespace hearth
