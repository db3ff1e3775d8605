#include "core/run/failure_advice.h"

#include "core/run/measuring_pace.h"

namespace hearth {
namespace {

/// Of the run's folder; "hearth train --plan" takes it.
const QString fittingPlanFile = QStringLiteral("plan-that-fits.json");

}  // namespace

FailureAdvice::FailureAdvice(const RunContext &run, const PlanInForce &current, const Replanner &replanner,
                             QObject *parent)
    : QObject(parent), m_run(run), m_current(current), m_replanner(replanner) {}

void FailureAdvice::seek(const Error &error) {
    seekPlan(error, *m_replanner.problem());
}

void FailureAdvice::seekForMemory(const WorkerSession &worker, Error error) {
    const MemoryTrouble trouble = m_current.shortageOf(worker);
    error.cause = Sentence::joined({trouble.describe(worker.device().name), error.cause});
    if (!m_replanner.problem()) {
        error.advice =
            sentence(
                "Measuring takes batches of up to %1 samples: a smaller \"micro_batch\" in the job takes less. Or "
                "close other programs there, or train without this device.")
                .arg(profiledBatches(m_run.request.job).back());
        Q_EMIT found(error);
        return;
    }
    PlanningProblem known = *m_replanner.problem();
    if (const int index = known.indexOf(trouble.device); index >= 0)
        known.devices[static_cast<std::size_t>(index)].memoryBytes = trouble.usableBytes();
    seekPlan(error, known);
}

void FailureAdvice::seekPlan(const Error &error, const PlanningProblem &known) {
    m_error = error;
    Q_EMIT begun();
    const auto save = [this](const Plan &found) -> Result<QString> {
        return m_run.directory.saveJson(fittingPlanFile, found.toJson()).map([this] {
            return m_run.directory.file(fittingPlanFile);
        });
    };
    m_fitting.reset(new FittingPlan(known, m_current.plan(), m_run.membership.devices(), save));
    connect(m_fitting.get(), &FittingPlan::finished, this, [this](const Sentence &advice) {
        m_error->advice = advice;
        Q_EMIT found(*m_error);
    });
    m_fitting->start();
}

}  // namespace hearth
