// Which home the window shows: this computer's own, or a demo home inside this program.
#pragma once

#include <QObject>
#include <memory>

class QThread;

namespace hearth {

class AgentClient;
class AgentHomeSource;
class AgentRunController;
class EmbeddedHome;
class ProcessSwitches;

/// Leads the client, and what stands on it, from one home to the other, as `home` is asked to. All parts must outlive
/// it. When a demo ends, its runs are kept with those of the own home. GUI thread.
class WindowHomes : public QObject {
    Q_OBJECT
  public:
    struct Parts {
        AgentClient &client;
        AgentHomeSource &home;
        AgentRunController &controller;
        ProcessSwitches &switches;
    };
    /// `stateDir` is the own home's.
    WindowHomes(const Parts &parts, const QString &stateDir, QObject *parent = nullptr);
    /// Ends the demo; blocks for at most 2 s, and while its runs are copied.
    ~WindowHomes() override;

    /// Starts its agent where none runs.
    void enterOwn();
    void enterDemo(int devices);
    static constexpr int usualDevices = 3;

  private:
    void retireDemo();

    Parts m_parts;
    QString m_stateDir;
    std::unique_ptr<EmbeddedHome> m_demo;
    std::unique_ptr<QObject> m_reaching;  // context of the wait for the own agent
    std::unique_ptr<QThread> m_keeping;   // copies the runs of a demo that ends
    std::unique_ptr<EmbeddedHome> m_ending;
};

}  // namespace hearth
