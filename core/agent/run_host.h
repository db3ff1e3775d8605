// One live run of this device: its coordinator process, and what the coordinator asks of its agent.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/agent/child_process.h"
#include "core/home/device_info.h"
#include "core/run/files/event_file.h"

namespace hearth {

/// What the run that is ordered by `run.start` is for, as RunInfo::only; empty: it trains.
QString onlyOf(const QCborMap &request);

/// What a coordinator is given at its start, besides the devices.
struct RunStart {
    QCborMap request;                // what `run.start` carried
    std::optional<RunInfo> resumed;  // as its folder tells: the run goes on from its newest checkpoint
};

/// Main thread. Follows the run's events.jsonl as it grows. A coordinator that dies without a final state is started
/// again in the same folder, at most `maximumRestarts` times within `restartWindow`; its workers and data processes
/// live on meanwhile. After that, or when it has said itself that it cannot go on, the last word is written here.
///
/// Calls the coordinator: start {run, dir, request, devices, again, resume} → {fingerprint}; `again` after a death;
/// ask. Answers it: worker.start, holder.start {device} → {fingerprint, address, port, pid, for_others: of this device,
/// whose `address` may be loopback: where others find it, sees: where that device sees others, by id}, error
/// "device.lost" as soon as the device's link is cut. Notes from it: event, failed {error}, worker.stop, holder.stop
/// {device}. Notes to it: command {command, …}, worker.exited, holder.exited {device, error}, both where the device's
/// link was cut, device.changed {device's fields}, device.removed {device}, worker.sees {device, sees}. Notes that come
/// up while there is no coordinator that has taken the run wait for it, in order; of what each device says again, only
/// the newest.
class RunHost : public QObject {
    Q_OBJECT
  public:
    using Answer = std::function<void(Result<QCborMap>)>;
    using Devices = std::function<std::vector<DeviceInfo>()>;
    /// How long a coordinator that starts may be silent; while it reads data and weights, it says so.
    static constexpr std::chrono::milliseconds startDeadline{30000};
    /// One that dies again and again does so for a reason that a start does not cure.
    static constexpr int maximumRestarts = 3;
    static constexpr std::chrono::seconds restartWindow{60};

    /// `devices` tells those of the home at every start of the coordinator.
    RunHost(const QString &id, const QString &folder, Devices devices, QObject *parent = nullptr);
    ~RunHost() override;
    /// Other than restartWindow.
    void setRestartWindow(std::chrono::seconds window) { m_restartWindow = window; }

    /// Answers once the coordinator has taken the run, or cannot: then the caller forgets it, and ended() is not told.
    void start(const RunStart &start, QObject *context, Answer answer);
    const QString &id() const { return m_info.id; }
    const QString &folder() const { return m_folder; }
    const RunInfo &info() const { return m_info; }
    const QString &coordinator() const { return m_coordinator; }  // its fingerprint; empty before it has answered

    /// The first coordinator has taken the run: before, it reads the run's data, and hears no command.
    bool isAccepted() const { return m_accepted; }
    void command(const QCborMap &command);
    /// {samples, row?} → {values}: what the network of a run that only answers says. Asked again where the coordinator
    /// dies over it.
    void ask(const QCborMap &question, const Reply &reply);
    /// `kind`: "worker" or "holder".
    void tellExited(const QString &kind, const QString &device, const Error &reason);
    void tellDeviceChanged(const DeviceInfo &device);
    void tellDeviceRemoved(const QString &device);
    /// Where that device sees others, by id.
    void tellPlacesSeen(const QString &device, const QCborMap &places);
    /// The coordinator's input ends; it is killed after the grace, and not started again. Before it has taken the run,
    /// the start is answered with "run.stopped".
    void stop();
    bool waitForEnd(std::chrono::milliseconds deadline);
    /// What state to note when it ends without a final one: "failed" with an error, or "interrupted" when the agent
    /// ends.
    void setInterrupting() { m_interrupting = true; }

  Q_SIGNALS:
    /// The agent answers by `reply`: start or stop this run's worker on `device`.
    void workerWanted(const QString &device, const hearth::Reply &reply);
    void workerUnwanted(const QString &device);
    /// The same of the process that serves the device's part of the data.
    void holderWanted(const QString &device, const hearth::Reply &reply);
    void holderUnwanted(const QString &device);
    void grew();  // there are new lines
    void stateChanged(const QString &state);
    void ended();  // the process is gone for good and the file is complete

  private:
    void launch(bool again, QObject *context, Answer answer);
    void serve(Rpc *rpc);
    void tell(const QString &note, const QCborMap &args);
    void follow();
    void processEnded(const Error &reason);
    void restart();
    bool mayRestart();
    void refused(const Error &reason);
    void finish(const Error &end);

    QString m_folder;
    Devices m_devices;
    RunInfo m_info;
    std::unique_ptr<EventReader> m_reader;
    RunStart m_start;
    std::unique_ptr<ChildProcess> m_process;
    QTimer m_restart;  // in the next turn of the event loop: the dead process is in the middle of its signal
    std::deque<std::chrono::steady_clock::time_point> m_restarts;
    std::chrono::seconds m_restartWindow = restartWindow;
    std::vector<std::pair<QString, QCborMap>> m_waiting;  // notes for a coordinator that has not taken the run yet
    std::vector<std::pair<QCborMap, Reply>> m_questions;  // likewise
    Error m_lastEnd;
    std::optional<Error> m_refusal;  // a coordinator that was started again did not take the run
    QString m_coordinator;
    bool m_interrupting = false;
    bool m_stopping = false;
    bool m_accepted = false;   // by the first coordinator
    bool m_listening = false;  // the present one has taken the run
};

}  // namespace hearth
