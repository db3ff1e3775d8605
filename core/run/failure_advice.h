// What would have helped a run that has failed for want of memory.
#pragma once

#include <QObject>
#include <optional>

#include "core/run/fitting_plan.h"
#include "core/run/operation.h"
#include "core/run/plan_in_force.h"
#include "core/run/replanner.h"
#include "core/run/run_context.h"

namespace hearth {

/// Looks for a plan that fits what is known by then, and says how to use it; writes it into the run's folder. The
/// coordinator's thread; what it is given outlives it. One use.
class FailureAdvice : public QObject {
    Q_OBJECT
  public:
    FailureAdvice(const RunContext &run, const PlanInForce &current, const Replanner &replanner,
                  QObject *parent = nullptr);

    /// The run has failed; only the advice is missing.
    bool isSought() const { return m_error.has_value(); }
    const Error &error() const { return *m_error; }
    /// A plan does not fit.
    void seek(const Error &error);
    /// This worker ran out of memory. Before anything was measured the advice is known at once.
    void seekForMemory(const WorkerSession &worker, Error error);
    void stop() { m_fitting.reset(); }

  Q_SIGNALS:
    /// It takes a while: the run's work may end.
    void begun();
    void found(const hearth::Error &error);

  private:
    void seekPlan(const Error &error, const PlanningProblem &known);

    RunContext m_run;
    const PlanInForce &m_current;
    const Replanner &m_replanner;
    std::optional<Error> m_error;
    Operation<FittingPlan> m_fitting;
};

}  // namespace hearth
