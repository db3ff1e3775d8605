// The devices of a home, as the local agent tells them.
#pragma once

#include <vector>

#include "ui/home_source.h"

namespace hearth {

class AgentClient;

/// Over a client that is opened elsewhere; `client` must outlive it. GUI thread.
class AgentHomeSource : public HomeSource {
    Q_OBJECT
  public:
    AgentHomeSource(AgentClient &client, bool demo, const QString &waitingFor, QObject *parent = nullptr);

    bool isDemo() const override { return m_demo; }
    DemoSwitches *switches() const override { return m_switches; }
    /// For a demo home; `switches` must outlive the window.
    void setSwitches(DemoSwitches *switches) { m_switches = switches; }
    QString waitingFor() const override { return m_waitingFor; }
    std::vector<DeviceInfo> devices() const override { return m_devices; }

    /// The home could not be reached, or was lost: says so and stops waiting.
    void fail(const Error &error);

  private:
    void take(const DeviceInfo &device);
    void setWaiting(const QString &text);

    AgentClient &m_client;
    bool m_demo;
    DemoSwitches *m_switches = nullptr;
    QString m_waitingFor;
    std::vector<DeviceInfo> m_devices;
};

}  // namespace hearth
