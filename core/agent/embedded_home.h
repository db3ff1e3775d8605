// A whole home inside one machine: N real agents on loopback with their own keys, for demos and tests.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/home/device_info.h"

class QProcess;

namespace hearth {

struct EmbeddedHomeOptions {
    int devices = 3;  // 1 … 64
    int threadsPerDevice = 1;
    qint64 memoryBytesPerDevice = 0;  // 0: the machine's memory divided by the number of devices
};

/// Owns one private temporary folder and N `hearth-agent --parent-pipe` processes called local-1 … local-N, which trust
/// each other. local-1 is the one to talk to: `AgentClient::open(home.stateDir())`. Main thread (the agents' parent).
///
/// Everything ends with this object: `stop()` and the destructor end all agents and their children within 2 s and
/// remove the folder. If this process is killed, the agents see the end of their pipe, end their children, and each
/// removes its own state; what a crash of a whole machine leaves is swept by the next embedded home.
class EmbeddedHome : public QObject {
    Q_OBJECT
  public:
    explicit EmbeddedHome(QObject *parent = nullptr);
    ~EmbeddedHome() override;

    /// `ready` or `failed` follows; call once.
    void start(const EmbeddedHomeOptions &options);
    /// Ends everything now; blocks for at most 2 s. Idempotent.
    void stop();
    /// The same without blocking: `ended` follows.
    void end();

    /// Before them, where runs could not be kept with those of the state folder `keepIn`: the home's folder gets
    /// another name, which nothing removes. `reason` with the place as its advice. Where that fails, too, `reason`
    /// alone.
    Error leaveBehind(const Error &reason, const QString &keepIn);

    QString stateDir() const;  // of local-1; empty before start
    std::vector<qint64> agentPids() const;

    /// What an ephemeral agent does last: removes its folder, and the home's where it was the last one in it.
    static void removeState(const QString &stateDir);

  Q_SIGNALS:
    /// All agents answer and local-1 sees the others.
    void ready();
    void failed(const hearth::Error &reason);
    void ended();
    /// An agent ended by itself or was killed; the home goes on without it. `device` counts from 1.
    void agentEnded(int device, const hearth::Error &reason);

  private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace hearth
