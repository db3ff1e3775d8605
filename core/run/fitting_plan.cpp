#include "core/run/fitting_plan.h"

#include <algorithm>

#include "core/base/number_text.h"
#include "core/base/sentence_list.h"
#include "core/plan/planner.h"

namespace hearth {
namespace {

/// Of what a device was seen to bear, a planner is told this much less: heaps have gaps, and other programs grow.
constexpr qint64 marginDivisor = 10;

}  // namespace

bool isMemoryError(const Error &error) {
    return error.code == QLatin1String("worker.out-of-memory") || error.code == QLatin1String("child.out-of-memory");
}

Sentence countedBytes(qint64 count) {
    return sentence("%1 bytes (%2)").arg(countText(count), memoryText(count));
}

Sentence MemoryTrouble::describe(const QString &name) const {
    if (shortage)
        return sentence("%1 needed %2 at least and has %3.")
            .arg(name, countedBytes(shortage->neededBytes), countedBytes(shortage->availableBytes));
    if (limitBytes <= 0)
        return {};
    if (predictedBytes <= 0)
        return sentence("%1 has %2.").arg(name, countedBytes(limitBytes));
    return sentence("%1 has %2; the plan was to take %3 of them, and it took more.")
        .arg(name, countedBytes(limitBytes), countedBytes(predictedBytes));
}

qint64 MemoryTrouble::usableBytes() const {
    qint64 usable = shortage ? shortage->availableBytes : limitBytes;
    if (predictedBytes > 0) {
        const double wrong =
            shortage ? static_cast<double>(shortage->availableBytes) / static_cast<double>(shortage->neededBytes) : 1;
        const auto scaled = static_cast<qint64>(static_cast<double>(predictedBytes) * wrong);
        usable = usable > 0 ? std::min(usable, scaled) : scaled;
    }
    return usable - usable / marginDivisor;
}

FittingPlan::FittingPlan(PlanningProblem problem, Plan failed, std::vector<DeviceInfo> devices, Save save,
                         QObject *parent)
    : QObject(parent),
      m_problem(std::move(problem)),
      m_failed(std::move(failed)),
      m_devices(std::move(devices)),
      m_save(std::move(save)) {
    connect(&m_task, &PlanTask::finished, this, &FittingPlan::tell);
    connect(&m_task, &PlanTask::failed, this, &FittingPlan::tryWithout);
}

void FittingPlan::start() {
    m_task.start(m_problem, defaultPlanner(), std::nullopt);
}

void FittingPlan::tryWithout(const Error &error) {
    const Sentence none = sentence("No plan fits: %1").arg(Sentence::joined({error.cause, error.advice}));
    if (!m_problem.microBatch || *m_problem.microBatch == 1) {
        Q_EMIT finished(none);
        return;
    }
    m_fixed = std::exchange(m_problem.microBatch, std::nullopt);
    m_second = std::make_unique<PlanTask>();
    connect(m_second.get(), &PlanTask::finished, this, &FittingPlan::tell);
    connect(m_second.get(), &PlanTask::failed, this, [this, none] { Q_EMIT finished(none); });
    m_second->start(m_problem, defaultPlanner(), std::nullopt);
}

void FittingPlan::tell(const Plan &plan) {
    if (plan.prediction && !plan.prediction->fits) {
        Q_EMIT finished(sentence("No plan fits. Add a device or memory, or choose a smaller batch or model."));
        return;
    }
    QList<Sentence> sentences{describe(plan)};
    if (m_fixed)
        sentences << sentence("Take \"micro_batch\": %1 out of the job.").arg(*m_fixed);
    if (const auto file = m_save(plan))
        sentences << sentence("Use it with \"hearth train JOB --plan %1\".").arg(*file);
    else
        sentences << file.error().toSentence();
    Q_EMIT finished(listed(sentences));
}

Sentence FittingPlan::describe(const Plan &plan) const {
    QList<Sentence> stages;
    for (const PlanStage &stage : plan.stages) {
        QList<Sentence> members;
        for (const Share &share : stage.shares) {
            members << (stage.shares.size() == 1
                            ? Sentence(nameOf(share.device))
                            : sentence("%1 (%2 {2|sample|samples})").arg(nameOf(share.device)).arg(share.samples));
        }
        stages << sentence("%1 [%2,%3)").arg(listed(members, " + ")).arg(stage.firstLayer).arg(stage.lastLayer);
    }
    const Sentence layers = listed(stages, ", ");
    if (plan.microBatch == m_failed.microBatch)
        return sentence("Another plan with micro-batches of %1 would fit: %2.").arg(plan.microBatch).arg(layers);
    return sentence("Micro-batches of %1 instead of %2 would fit: %3.")
        .arg(plan.microBatch)
        .arg(m_failed.microBatch)
        .arg(layers);
}

QString FittingPlan::nameOf(const QString &device) const {
    const auto known = std::ranges::find(m_devices, device, &DeviceInfo::id);
    return known == m_devices.end() || known->name.isEmpty() ? device.left(8) : known->name;
}

}  // namespace hearth
