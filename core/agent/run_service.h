// The runs of this device, live and past, and the workers and data processes here for runs of this and other devices.
#pragma once

#include <QDeadlineTimer>
#include <QObject>
#include <functional>
#include <map>
#include <memory>

#include "core/agent/data_host.h"
#include "core/agent/device_book.h"
#include "core/agent/limits_service.h"
#include "core/agent/run_host.h"
#include "core/agent/run_workers.h"
#include "core/agent/worker_host.h"
#include "core/home/home_links.h"
#include "core/run/files/past_runs.h"
#include "core/run/files/spent_checkpoints.h"

namespace hearth {

/// Starts coordinators, finds workers and data processes for them, and knows what ran before. Main thread; what it is
/// given outlives it.
///
/// Calls of windows and terminals: runs; run.start {job, model, plan?, weights?, devices?, options} or {resume, plan?,
/// devices?, options} → {id}; run.command {id, command, …}; run.ask {id, samples, row?} → {values};
/// run.drop-checkpoints {id}, of a run that is over and need not go on. Notes to and of linked devices: worker.exited,
/// holder.exited {run, error}; worker.sees {sees: where the sender sees others, by id}, whenever a device is linked
/// while the sender has workers.
class RunService : public QObject {
    Q_OBJECT
  public:
    RunService(const QString &stateDir, DeviceBook &devices, HomeLinks &links, WorkerHost &workers, DataHost &holders,
               LimitsService &limits);
    /// Kills what waitForEnd() has left.
    ~RunService() override;

    void serveLinks();
    void serve(Rpc &rpc);
    /// Of the runs that begin from now on; other than RunHost's own.
    void setRestartWindow(std::chrono::seconds window) { m_restartWindow = window; }

    QString folder(const QString &id) const { return m_folder + QLatin1Char('/') + id; }
    /// Those that are live, or whose folders were read.
    std::vector<RunInfo> list() const;
    /// All of them; folders that were not read yet are read beside the event loop.
    void read(QObject *context, std::function<void(std::vector<RunInfo>)> answer);
    quint64 lastSeqOf(const QString &run) const;
    /// `request` is the order's CBOR; answers {id}. With {resume: id} instead of job and model, a run that has ended
    /// goes on in its folder; errors: "run.unknown", "run.live", "run.resume-keeps-job" and those of mustBeResumable().
    void start(const QCborMap &request, QObject *context, std::function<void(Result<QCborMap>)> answer);
    /// {command: pause|resume|stop|evaluate|save {path?}|checkpoint|accept-plan|leave {device, by id or name}|plan
    /// {plan}}; to the run's coordinator, with the device's id. A run that is stopped before it has begun does not
    /// begin. Error "run.no-rounds": it does not train, and what was told is about rounds.
    Result<void> command(const QString &id, const QCborMap &command);
    /// Of a run that is over: its weights stay, and it cannot go on. Errors: "run.unknown", "run.live" and those of
    /// SpentCheckpoints::drop().
    Result<void> dropCheckpoints(const QString &id);
    /// An error that lists what there is, unless the run exists.
    Result<void> require(const QString &id) const;
    bool isLive(const QString &id) const { return m_runs.contains(id); }
    /// A run of this device is under way, or its data are read for it; and it is not paused, as one that only answers
    /// is between the questions.
    bool leads() const;

    /// Its device is out of the home: the coordinators hear it, and what served it data here ends.
    void deviceRemoved(const QString &id);
    /// Asks all coordinators, workers and data processes to end; no run is started again, and nobody is told.
    void beginEnd();
    void waitForEnd(const QDeadlineTimer &deadline);

  Q_SIGNALS:
    /// The data of a run are read for it; it has no state yet.
    void beginning();
    void changed(const QString &id, const QString &state);
    void grew(const QString &id);
    void ended(const QString &id);

  private:
    /// Errors: "run.unknown", "run.not-live".
    Result<RunHost *> liveRun(const QString &id) const;
    QStringList pastRuns() const;
    /// Error "measure.busy": beside a run of this home nothing is measured.
    Result<void> mustMeasureAlone(const QCborMap &request);
    /// The folders of runs that did only this, and are over.
    void dropPast(const QString &only);
    /// Nobody else asks a run that answers: it ends when its asker goes, or now where that is gone.
    void endWith(QObject *asker, const QString &id);
    Result<QString> folderForRun(const QCborMap &request);
    Result<QString> runToResume(const QCborMap &request);
    void startIn(const Result<QString> &id, const QCborMap &request, QObject *context,
                 std::function<void(Result<QCborMap>)> answer);
    void connectRun(RunHost *run);
    /// One whose coordinator did not take it: a new one leaves nothing, unless it has told something.
    void forgetRun(const QString &id);
    void removeStart(const QString &id);
    void runIsOver(const QString &id);
    void tellDevice(const DeviceInfo &device);
    /// To all runs for which a worker is here, where this device sees the others now.
    void tellPlaces();
    void tellPlacesSeen(const QString &device, const QCborMap &places);
    void serveExits(const ProcessHost &host);
    void exited(const QString &kind, const QString &run, const QString &owner, const Error &reason);
    void deviceLost(const Fingerprint &id, const Error &reason);

    QString m_folder;  // of all runs
    DeviceBook &m_devices;
    HomeLinks &m_links;
    WorkerHost &m_workers;
    DataHost &m_holders;
    LimitsService &m_limits;
    RunWorkers m_ofRuns;
    QStringList m_starting;  // new runs whose coordinators have not taken them yet, and what is left of such
    std::map<QString, std::unique_ptr<RunHost>> m_runs;
    PastRuns m_pastRuns;
    SpentCheckpoints m_spent;
    std::chrono::seconds m_restartWindow = RunHost::restartWindow;
    bool m_ending = false;
};

}  // namespace hearth
