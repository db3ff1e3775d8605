// Which home the window shows: this computer's own, or a demo home inside this program.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "core/base/error.h"

namespace hearth {

class AgentClient;
class AgentHomeSource;
class AgentRunController;
class EmbeddedHome;
class EndingDemo;
class ProcessSwitches;

/// Leads the client, and what stands on it, from one home to the other, as `home` is asked to. All parts must outlive
/// it. When a demo ends, its runs are kept with those of the own home, beside the event loop; those that cannot be kept
/// are left where the error says. An own agent that dies is started again, at most `maximumRestarts` times within
/// `restartWindow`; one that was told to end stays away, unless `home` wants it back. GUI thread.
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
    /// Ends what `end` has not; blocks for at most 2 s, and while runs of a demo are copied.
    ~WindowHomes() override;

    /// Starts its agent where none runs.
    void enterOwn();
    void enterDemo(int devices);
    /// Leaves the home: `ended` follows as soon as no demo is left. For a window that was closed; nothing is entered
    /// any more.
    void end();
    static constexpr int usualDevices = 3;
    /// One that dies again and again does so for a reason that a start does not cure.
    static constexpr int maximumRestarts = 3;
    static constexpr std::chrono::seconds restartWindow{60};
    /// Other than that.
    void setRestartWindow(std::chrono::seconds window) { m_restartWindow = window; }

  Q_SIGNALS:
    /// Of runs that could not be kept after end().
    void leftBehind(const hearth::Error &error);
    void ended();

  private:
    void reachAgent();
    void agentIsGone(const Error &reason);
    /// It leaves politely; agentIsGone() brings it back.
    void restartAgent();
    /// No agent is started, or waited for, any more.
    void waitNoMore();
    void retireDemo();
    void finish(EndingDemo *demo);

    Parts m_parts;
    QString m_stateDir;
    std::unique_ptr<EmbeddedHome> m_demo;
    std::unique_ptr<QObject> m_reaching;  // context of the wait for the own agent
    bool m_restarting = false;
    QTimer m_handOver;  // runs while the former agent still holds the state folder
    QDeadlineTimer m_handOverEnd;
    std::vector<std::unique_ptr<EndingDemo>> m_ending;
    std::deque<std::chrono::steady_clock::time_point> m_restarts;
    std::chrono::seconds m_restartWindow = restartWindow;
    bool m_leaving = false;
};

}  // namespace hearth
