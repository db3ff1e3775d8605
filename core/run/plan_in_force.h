// The plan in force: under which term, how it is deployed, and what a coordinator needs to take the run up again.
#pragma once

#include <functional>
#include <vector>

#include "core/plan/plan.h"
#include "core/protocol/deployment.h"
#include "core/run/fitting_plan.h"
#include "core/run/run_directory.h"
#include "core/run/run_state_file.h"
#include "core/run/worker_session.h"

namespace hearth {

/// A term is on the disk before it is used. The coordinator's thread; `directory` outlives it.
class PlanInForce {
  public:
    /// `complete` adds to state.json what others know.
    PlanInForce(RunDirectory &directory, std::function<void(RunStateFile *)> complete)
        : m_directory(directory), m_complete(std::move(complete)) {}

    /// It rises with every change of the plan.
    quint32 term() const { return m_term; }
    void setTerm(quint32 term) { m_term = term; }
    Result<void> beginTerm();
    Result<void> save();

    /// Of a job whose weights depend on plans.
    TermOrigins &origins() { return m_origins; }

    const Plan &plan() const { return m_plan; }
    /// What its prediction says of every task is set apart: events and files stay small.
    void setPlan(Plan plan);
    /// Rounds are traced: every deployment asks workers for it.
    void setTraced() { m_isTraced = true; }
    bool isTraced() const { return m_isTraced; }
    /// Once, for the trace.
    std::vector<ScheduledTask> takeSchedule() { return std::exchange(m_schedule, {}); }
    const Deployment &deployment() const { return m_deployment; }
    void setDeployment(Deployment deployment) { m_deployment = std::move(deployment); }

    /// Layers of the deployment, or copies of layers.
    bool hasLayers(const WorkerSession &worker) const;
    bool keepsCopies(const WorkerSession &worker) const;
    /// What is known of a worker that ran out of memory under it.
    MemoryTrouble shortageOf(const WorkerSession &worker) const;

  private:
    RunDirectory &m_directory;
    std::function<void(RunStateFile *)> m_complete;
    quint32 m_term = 1;
    TermOrigins m_origins;
    Plan m_plan;
    std::vector<ScheduledTask> m_schedule;
    Deployment m_deployment;
    bool m_isTraced = false;
};

}  // namespace hearth
