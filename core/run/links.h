// What the coordinator needs from its surroundings, as interfaces: its agent, and channels to workers.
#pragma once

#include <QCborMap>
#include <QLoggingCategory>
#include <QMap>
#include <QObject>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/home/device_info.h"
#include "core/wire/channel.h"
#include "core/wire/identity.h"

namespace hearth {

/// Who comes, goes and is found where: for whoever looks for the cause of a standstill.
Q_DECLARE_LOGGING_CATEGORY(memberLog)

class HeartMonitor;

/// Where a started worker listens. `fingerprint` is vouched for by its agent, over that agent's pinned channel.
struct WorkerAddress {
    Fingerprint fingerprint;
    QString address;  // where the coordinator finds it
    quint16 port = 0;
    qint64 pid = 0;  // 0 = not on this machine
    /// Where its device's agent sees other devices, by id: with several networks each sees another one elsewhere.
    QMap<QString, QString> sees = {};
    /// It started otherwise than it should have, as on the processor instead of a card.
    std::optional<Error> warning = {};
    /// Where other devices find it, where that is not `address`, as for the coordinator's own device, whose worker is
    /// dialled over loopback; empty: no network leads there.
    std::optional<QString> forOthers = {};

    QString placeForOthers() const { return forOthers.value_or(address); }
};

/// The agent that started this coordinator. Lives in the coordinator's thread and outlives it.
class AgentLink : public QObject {
    Q_OBJECT
  public:
    using StartedFn = std::function<void(Result<WorkerAddress>)>;
    using QObject::QObject;

    /// `done` is called once, later, and not after `context` died.
    virtual void startWorker(const QString &device, std::chrono::milliseconds deadline, QObject *context,
                             StartedFn done) = 0;
    virtual void stopWorker(const QString &device) = 0;
    /// The process that serves the device's part of the run's data; a newer one takes the place of the former.
    virtual void startHolder(const QString &device, std::chrono::milliseconds deadline, QObject *context,
                             StartedFn done) = 0;
    virtual void stopHolder(const QString &device) = 0;
    /// A line of events.jsonl was written; the agent serves it from the file.
    virtual void eventWritten(quint64 seq) = 0;
    /// The last word of a coordinator that cannot write events any more.
    virtual void failed(const Error &error) = 0;

  Q_SIGNALS:
    /// The worker's process ended; `error` says why in words for a person.
    void workerExited(const QString &device, const hearth::Error &error);
    /// The same of the device's data process, or of one that it never had: its link was cut.
    void holderExited(const QString &device, const hearth::Error &error);
    /// One that bows out ("leaving", "resting") is to be relieved politely: a leaving one ends once its worker has been
    /// stopped, or after 20 s (LimitsService::leaveDeadline).
    void deviceChanged(const hearth::DeviceInfo &device);
    /// Where that device's agent sees others now, by id; of those that are left out nothing new is known.
    void placesSeen(const QString &device, const QMap<QString, QString> &places);
    /// The device is not trusted any more: its worker and its data are out of the run at once, and for good.
    void deviceRemoved(const QString &device);
    /// {"command": pause|resume|stop|evaluate|save|checkpoint|accept-plan|leave|plan, …}, leave with {"device": id},
    /// plan with {"plan"}, from the window or the command line.
    void command(const QCborMap &command);
};

/// Opens channels to workers: TLS in the product, in-process pairs in tests.
class WorkerConnector {
  public:
    using ConnectedFn = std::function<void(Result<std::unique_ptr<Channel>>)>;
    virtual ~WorkerConnector() = default;
    /// `done` is called once, later, and not after `context` died.
    virtual void connectTo(const WorkerAddress &worker, std::chrono::milliseconds deadline, QObject *context,
                           ConnectedFn done) = 0;
    /// The identity that workers accept as their coordinator.
    virtual Fingerprint fingerprint() const = 0;
    /// Listens to the workers' heartbeats; null where there are none.
    virtual std::unique_ptr<HeartMonitor> heartMonitor();
};

}  // namespace hearth
