// What of a run's data is on other devices: opened before the run begins.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/background_task.h"
#include "core/run/holder_link.h"
#include "core/run/job_data.h"
#include "core/run/links.h"
#include "core/run/run_request.h"

namespace hearth {

/// The job's data with the devices that hold them. Those of this device have none, also where the job names it. Error
/// "job.data": a set is named twice; "run.data-device": no device, or more than one, is called so. Any thread.
Result<std::vector<DataSource>> resolvedSources(const Job &job, const std::vector<DeviceInfo> &home);

/// Opens what a job joins: first the job's first set, whose preparation the others follow, then all at once, one
/// HolderLink for each device. A coordinator that takes the place of one that died finds what the holders told in the
/// run's folder, and waits for nobody. Lives in the coordinator's thread, as long as the run does.
class HeldData : public QObject {
    Q_OBJECT
  public:
    /// For each holder one, with the run's key.
    using Connectors = std::function<std::unique_ptr<WorkerConnector>()>;

    /// `request` has its sources, at least one of which is elsewhere; its folder is there. `agent` outlives this.
    HeldData(const RunRequest &request, AgentLink &agent, const Connectors &connectors, HolderDeadlines deadlines = {},
             QObject *parent = nullptr);
    ~HeldData() override;

    void open();
    /// After opened(): what is elsewhere, and what of this device was read on the way. The rest is read by dataOf().
    ReadyData ready() const;
    static QString fileName() { return QStringLiteral("held-data.json"); }

  Q_SIGNALS:
    void opened();
    /// Once: "run.data-device", or what reading the data of this device said.
    void failed(const hearth::Error &error);

  private:
    void makeLinks(const Connectors &connectors, HolderDeadlines deadlines);
    std::map<int, DataFacts> readKnown() const;
    Result<void> saveKnown() const;
    void readOwnFirst();
    void openOthers(const QJsonObject &preparation);
    void linkOpened(HolderLink *link);
    void giveUp(const Error &error);
    HolderLink *firstLink() const;

    const RunRequest m_request;
    AgentLink &m_agent;
    HolderOrder m_order;
    std::vector<std::unique_ptr<HolderLink>> m_links;
    std::optional<JobData> m_first;  // of this device
    std::size_t m_opened = 0;
    bool m_isOver = false;
    BackgroundTask m_reading;
};

}  // namespace hearth
