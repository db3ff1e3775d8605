// The workers and the data processes of runs, here and on the home's other devices.
#pragma once

#include <QObject>

#include "core/agent/data_host.h"
#include "core/agent/device_book.h"
#include "core/agent/limits_service.h"
#include "core/agent/run_host.h"
#include "core/agent/worker_host.h"
#include "core/home/home_links.h"

namespace hearth {

/// Main thread; what it is given outlives it.
class RunWorkers : public QObject {
  public:
    RunWorkers(DeviceBook &devices, HomeLinks &links, WorkerHost &workers, DataHost &holders, LimitsService &limits)
        : m_devices(devices), m_links(links), m_workers(workers), m_holders(holders), m_limits(limits) {}

    /// Calls of linked devices: worker.start, holder.start {run, coordinator} → {fingerprint, port, pid, sees};
    /// worker.stop, holder.stop {run}.
    void serveLinks();
    /// Of a run of this device, on any device: RunHost's worker.start and holder.start.
    void startWorker(const RunHost &run, const QString &device, const Reply &reply) {
        start(m_workers, run, device, reply);
    }
    void startHolder(const RunHost &run, const QString &device, const Reply &reply) {
        start(m_holders, run, device, reply);
    }
    void stopWorker(const QString &run, const QString &device) { stop(m_workers, run, device); }
    void stopHolder(const QString &run, const QString &device) { stop(m_holders, run, device); }
    /// Both, on all devices.
    void stopAll(const QString &run);
    /// Of the linked ones, by id, as this device sees them: their workers are found there from here.
    QCborMap placesOfOthers() const;

  private:
    // `host` has those of this device; those of others go by its kind.
    void serveLinks(ProcessHost &host);
    void start(ProcessHost &host, const RunHost &run, const QString &device, const Reply &reply);
    void startHere(ProcessHost &host, const RunHost &run, const Reply &reply);
    void startOnAnother(const QString &kind, const RunHost &run, const QString &device, const Reply &reply);
    void stop(ProcessHost &host, const QString &run, const QString &device);
    /// Errors: "device.leaving", and for a worker "device.resting".
    Result<void> mustTake(const ProcessHost &host) const;

    DeviceBook &m_devices;
    HomeLinks &m_links;
    WorkerHost &m_workers;
    DataHost &m_holders;
    LimitsService &m_limits;
};

}  // namespace hearth
