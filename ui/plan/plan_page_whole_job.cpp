// What the Plan page tells of the whole job, on itself and on the Job page.
#include <QFrame>
#include <algorithm>

#include "ui/base/home_source.h"
#include "ui/plan/plan_page.h"
#include "ui/run/run_model.h"
#include "ui/run/whole_job_lines.h"

namespace hearth {

namespace {

JobDevices jobDevicesOf(const HomeSource &home, const RunModel &run, const std::optional<PlanningProblem> &problem) {
    JobDevices devices{home.devices()};
    if (problem)
        devices.setMemory(*problem);
    // A kept run of a demo, or one of another home, has others than this home.
    for (const QString &id : run.devices().ids()) {
        if (std::ranges::find(devices.known, id, &DeviceInfo::id) == devices.known.end()) {
            DeviceInfo &told = devices.known.emplace_back();
            told.id = id;
            told.agentPid = run.devices().agentPid(id);
        }
    }
    const QMap<QString, event::RoundDevice> &rounds = run.devices().times();
    for (auto each = rounds.cbegin(); each != rounds.cend(); ++each) {
        if (each->card.watts)
            devices.cardWatts[each.key()] = *each->card.watts;
    }
    return devices;
}

}  // namespace

/// That of the Job page, where a run of it would take this plan; else that of the run.
const Job *PlanPage::plannedJob() const {
    if (m_job && !m_run.isLive() && isOf(*m_job))
        return &*m_job;
    return m_run.job() ? &*m_run.job() : nullptr;
}

/// Samples of another job's data are no measure of this one.
CountedSamples PlanPage::samplesOf(const Job &job) const {
    const std::optional<Job> &counted = m_run.job();
    const bool areSame = counted && counted->data == job.data && counted->validation == job.validation;
    if (areSame && m_run.samples().training > 0)
        return m_run.samples();
    return m_job == job ? m_counted : CountedSamples();
}

PlannedJob PlanPage::planned(const Job &job) const {
    // What nobody has looked at yet is in force as well.
    const bool isDraftOld = m_outdated && m_run.plan();
    const Plan &plan = isDraftOld ? *m_run.plan() : m_draft.plan();
    PlannedJob told;
    told.whole = WholeJob::of(JobLength::of(job, samplesOf(job)), plan, jobDevicesOf(m_home, m_run, m_problem));
    if (plan.prediction)
        told.by = isOf(job) ? PlannedJob::By::OwnPlan : PlannedJob::By::PlanOfAnotherJob;
    const QString &fullest = told.whole.fullest.device;
    told.nameOfFullest = isDraftOld ? m_run.devices().name(fullest) : m_draft.nameOf(fullest);
    return told;
}

void PlanPage::refreshWholeJob() {
    const Job *job = plannedJob();
    const PlannedJob told = job != nullptr ? planned(*job) : PlannedJob();
    m_wholeCard->setVisible(told.by != PlannedJob::By::NoPlan);
    m_wholeJob->tell(told);
    Q_EMIT plannedChanged();
}

}  // namespace hearth
