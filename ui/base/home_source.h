// What the window needs from the world: devices to show and a run to command. The app implements both over the local
// agent; tests over recorded runs. Nothing here knows sockets, processes or tensors.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/discovery/finding.h"
#include "core/discovery/nearby.h"
#include "core/home/device_info.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/run/files/run_info.h"
#include "core/run/job.h"
#include "core/run/run_event.h"

namespace hearth {

class Installation;
class MeasureControl;
class PairingControl;
class RunHistory;
struct InstallRequest;

/// Trouble that a person may cause in a demo home, by real signals to real processes. GUI thread.
class DemoSwitches : public QObject {
    Q_OBJECT
  public:
    enum class Condition { Normal, Unplugged, Slowed };
    using QObject::QObject;

    virtual Condition condition(const QString &device) const = 0;
    /// Why this device cannot be unplugged; empty where it can.
    virtual QString whyNotUnplug(const QString &device) const = 0;
    /// Unplugged: the device falls silent, as if its cable were pulled. Slowed: it computes at a quarter of its speed.
    /// `changed` follows, or `failed`.
    virtual void setCondition(const QString &device, Condition condition) = 0;

  Q_SIGNALS:
    void changed();
    void failed(const hearth::Error &error);
};

/// The devices of one home. GUI thread; all signals are emitted there.
class HomeSource : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// A demo home lives inside this program and ends with it.
    virtual bool isDemo() const = 0;
    /// Nobody was ever trusted here and nothing trained: the window then begins with the ways to begin.
    virtual bool isFresh() const { return false; }
    /// Goes over to a demo home inside this program, or back to this computer's own. What is known of the home before
    /// is forgotten: `demoChanged` follows at once, devices as they come, or `failed`. A run of the own home goes on;
    /// one of the demo ends, and its story is kept with the own home's.
    virtual void enterDemo() = 0;
    virtual void leaveDemo() = 0;
    /// Trusts the device that made this file ("hearth-agent init"); `address` ("host:port") may be empty: then those of
    /// the file count. `trusted` follows, or `failed`.
    virtual void trust(const QString &identityFile, const QString &address) = 0;
    /// How devices come into this home and leave it, the same object as long as this lives; of no use in a demo home.
    virtual PairingControl &pairing() = 0;
    /// What training may take of a device from now on; `devicesChanged` follows, or `failed`.
    virtual void setLimits(const QString &device, const DeviceLimits &limits) = 0;
    /// What a device is called here from now on; `devicesChanged` follows, or `failed`.
    virtual void rename(const QString &device, const QString &name) = 0;
    /// The same object as long as this lives.
    virtual MeasureControl &measuring() = 0;
    /// Nothing outside a demo home.
    virtual DemoSwitches *switches() const { return nullptr; }
    /// Where its agent keeps runs, measurements and log; empty where that cannot be read from here.
    virtual QString stateDir() const { return {}; }
    /// A device that is to join by SSH; nothing is begun yet. Null where none can: in a demo home, in a record.
    virtual Installation *makeInstallation(const InstallRequest &request, QObject *owner) {
        Q_UNUSED(request)
        Q_UNUSED(owner)
        return nullptr;
    }
    /// One sentence while the home is being reached ("Starting three devices …"); empty once it answers.
    virtual QString waitingFor() const = 0;
    /// In a stable order, this computer first.
    virtual std::vector<DeviceInfo> devices() const = 0;
    /// Who announces itself in the network; nothing in a demo home.
    virtual Nearby nearby() const { return {}; }
    /// Looks for the reasons why a device cannot be seen: `finding` tells each as it comes, pending ones first;
    /// `diagnosed` follows, or `failed`.
    virtual void diagnose() {}

  Q_SIGNALS:
    /// Another home from here on.
    void demoChanged();
    void trusted(const QString &name);
    void devicesChanged();
    void nearbyChanged();
    void finding(const hearth::Finding &finding);
    void diagnosed();
    /// `waitingFor()` has another answer.
    void waitingChanged();
    void failed(const hearth::Error &error);
};

/// Commands one run at a time, the one the window shows, and knows of the others. GUI thread.
class RunController : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// `runOpened` follows, then its events; or `failed`. With a plan of the user's the planner is not asked.
    virtual void start(const Job &job, const std::optional<Plan> &plan) = 0;
    /// A run of this home that has ended goes on from its newest checkpoint, with its own job; as `start` otherwise.
    virtual void goOn(const QString &run) = 0;
    virtual void attach(const QString &run) = 0;
    /// Shows what was written down of a run: `path` is its folder or its events.jsonl, of this home or of any other.
    /// Nothing can be commanded meanwhile. `runOpened` follows, its events, and `runEnded`; or `failed`.
    virtual void openRecord(const QString &path) = 0;
    /// Ends the reading of what was written down; no more of its events come.
    virtual void closeRecord() = 0;
    /// Whether the event that is being told happened before anybody here looked.
    virtual bool isReplaying() const = 0;
    virtual void pause() = 0;
    virtual void resume() = 0;
    virtual void stop() = 0;
    virtual void evaluate() = 0;
    /// Writes the weights of the shown run into this file (safetensors), of a live one after the round under way:
    /// `weightsSaved` follows, or `failed`, or a warning among the events.
    virtual void saveWeights(const QString &path) = 0;
    /// The same of the best evaluation so far, as its event told.
    virtual void saveBestWeights(const QString &path) = 0;
    /// The next run that is started writes what every device did when into this file; empty: none does.
    virtual void setTrace(const QString &path) = 0;
    /// What a run measured, and its planner was asked last: `problemFound` follows where that is known. A later plan
    /// may have been made from newer measurements: ask again then.
    virtual void findProblem(const QString &run) = 0;
    /// Whether a run under way takes another plan at its next round; then `changePlan` asks it to, and an event
    /// follows, or `failed`.
    virtual bool canChangePlan() const = 0;
    virtual void changePlan(const Plan &plan) = 0;
    /// `runsChanged` follows.
    virtual void refreshRuns() = 0;
    /// All runs, those of earlier homes included; lives as long as this. What fails there is told by `failed`.
    virtual RunHistory &history() = 0;

  Q_SIGNALS:
    /// Between `start`, or `goOn`, and the run's first sign of life (or `failed`).
    void startingChanged(bool starting);
    /// From here on events belong to this run, beginning with its first.
    void runOpened(const QString &run);
    void event(const hearth::RunEvent &event);
    /// Of what was written down of the run so much has been told, from 0 to 1, where that takes long; 1 ends it.
    void replayProgressed(double part);
    /// No more events of this run will come.
    void runEnded(const QString &run);
    void weightsSaved(const QString &path);
    void runsChanged(const std::vector<hearth::RunInfo> &runs);
    void problemFound(const QString &run, const hearth::PlanningProblem &problem);
    void failed(const hearth::Error &error);
};

/// Questions that stop the user. A seam: tests answer them without a message box.
enum class CloseAnswer { Stay, Close, StopAndClose };
struct CloseQuestion {
    bool demo = false;            // the home, and the run in it, end with the window
    std::optional<qint64> round;  // of the run that the window shows; it may show another than the one that trains
    QString comeBack;             // the command that shows the run in a terminal
};
/// What becomes of the changes of a job that are in no file.
enum class UnsavedAnswer { Save, Discard, Cancel };
class Questions {
  public:
    virtual ~Questions() = default;
    virtual CloseAnswer askClose(QWidget *window, const CloseQuestion &question) = 0;
    /// Whether a demo home may end while it trains; `round` as in a `CloseQuestion`.
    virtual bool askEndDemo(QWidget *window, std::optional<qint64> round) = 0;
    /// Another job is about to take the place of one with changes that are in no file.
    virtual UnsavedAnswer askUnsavedJob(QWidget *window) = 0;
    /// Whether a run is to start all the same, about which there is this doubt.
    virtual bool askStartAnyway(QWidget *window, const Error &doubt) = 0;
    /// Whether this device is to be removed from the home.
    virtual bool askForget(QWidget *window, const QString &name) = 0;
    /// Paths of files; empty where the user thought better of it.
    virtual QString askOpenFile(QWidget *window, const QString &title, const QString &filter) = 0;
    virtual QString askOpenFolder(QWidget *window, const QString &title) = 0;
    virtual QString askSaveFile(QWidget *window, const QString &title, const QString &filter) = 0;
};

}  // namespace hearth
