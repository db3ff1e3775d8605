#include "core/run/plan_in_force.h"

#include <algorithm>

namespace hearth {

Result<void> PlanInForce::beginTerm() {
    ++m_term;
    return save();
}

Result<void> PlanInForce::save() {
    RunStateFile file;
    file.term = m_term;
    file.origins = m_origins;
    if (!m_plan.stages.empty())
        file.plan = m_plan;
    m_complete(&file);
    return m_directory.saveJson(RunStateFile::name(), file.toJson());
}

void PlanInForce::setPlan(Plan plan) {
    m_plan = std::move(plan);
    m_schedule.clear();
    if (m_plan.prediction)
        m_schedule = std::exchange(m_plan.prediction->schedule, {});
}

bool PlanInForce::hasLayers(const WorkerSession &worker) const {
    return m_deployment.hasLayers(worker.address().fingerprint.toHex());
}

bool PlanInForce::keepsCopies(const WorkerSession &worker) const {
    const QString key = worker.address().fingerprint.toHex();
    return std::ranges::any_of(m_deployment.backups, [&](const auto &copy) { return copy.to == key; });
}

MemoryTrouble PlanInForce::shortageOf(const WorkerSession &worker) const {
    MemoryTrouble trouble{worker.id(), worker.hello().memoryBytes, 0, worker.shortage()};
    if (m_plan.prediction)
        trouble.predictedBytes = m_plan.prediction->memoryBytes.value(worker.id());
    return trouble;
}

}  // namespace hearth
