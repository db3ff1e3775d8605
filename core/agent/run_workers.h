// The workers of runs, here and on the home's other devices.
#pragma once

#include <QObject>

#include "core/agent/device_book.h"
#include "core/agent/limits_service.h"
#include "core/agent/run_host.h"
#include "core/agent/worker_host.h"
#include "core/home/home_links.h"

namespace hearth {

/// Main thread; what it is given outlives it.
class RunWorkers : public QObject {
  public:
    RunWorkers(DeviceBook &devices, HomeLinks &links, WorkerHost &workers, LimitsService &limits)
        : m_devices(devices), m_links(links), m_workers(workers), m_limits(limits) {}

    /// Calls of linked devices: worker.start {run, coordinator} → {fingerprint, port, pid, sees}; worker.stop {run}.
    void serveLinks();
    /// Of a run of this device, on any device: RunHost's worker.start.
    void start(const RunHost &run, const QString &device, const Reply &reply);
    void stop(const QString &run, const QString &device);
    /// On all devices.
    void stopAll(const QString &run);

  private:
    /// Of the linked ones, by id, as this device sees them: their workers are found there from here.
    QCborMap placesOfOthers() const;

    DeviceBook &m_devices;
    HomeLinks &m_links;
    WorkerHost &m_workers;
    LimitsService &m_limits;
};

}  // namespace hearth
