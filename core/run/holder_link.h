// A device that holds a part of a run's data, as the run's coordinator sees it.
#pragma once

#include <QObject>
#include <QThread>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/run/holder_line.h"
#include "core/run/job_data.h"

namespace hearth {

/// Has the device's agent start its data process (DataProgram), connects to it, and opens what it holds. Its socket
/// lives in a thread of its own, so that samples come whatever the coordinator does. One that is lost is dialled again
/// once, then started anew, with pauses, for as long as this lives; reads fail with "data.unreadable" meanwhile. What
/// it holds must stay what it was.
///
/// Lives in the coordinator's thread. The data sets outlive it; they cannot be read then.
class HolderLink : public QObject {
    Q_OBJECT
  public:
    /// `connector` is used in the link's thread only. Sets of which something is known are there at once, and a device
    /// that is away then is waited for; else the first failure is the end.
    HolderLink(const DeviceInfo &device, std::vector<HeldSet> sets, AgentLink &agent,
               std::unique_ptr<WorkerConnector> connector, HolderDeadlines deadlines = {}, QObject *parent = nullptr);
    ~HolderLink() override;

    void open(const HolderOrder &order);
    const QString &device() const { return m_device.id; }
    /// By place; after opened().
    ReadyData data() const;
    const std::vector<HeldSet> &sets() const { return m_sets; }

  Q_SIGNALS:
    /// Once.
    void opened();
    /// It will not be opened: "run.data-device", which names the device and says what to do. Once; not after opened().
    void failed(const hearth::Error &error);

  private:
    void start();
    void dial();
    void takeSets(const std::vector<HeldSet> &sets);
    void lose(const Error &error);
    void tryLater();
    void giveUp(const Error &error);
    bool isKnown() const;

    const DeviceInfo m_device;
    std::vector<HeldSet> m_sets;
    AgentLink &m_agent;
    const HolderDeadlines m_deadlines;
    const std::shared_ptr<HolderReads> m_reads;
    std::optional<WorkerAddress> m_address;  // where its process is, as far as is known
    bool m_isOpened = false, m_isOver = false;
    bool m_wasThere = false;  // since it was dialled last
    QTimer m_retry;
    std::chrono::milliseconds m_pause;
    HolderLine *m_line = nullptr;  // lives in m_thread, and ends with it
    QThread m_thread;
};

}  // namespace hearth
