// Devices that come to a run while it trains, or come back, and what is measured for them.
#pragma once

#include <QObject>
#include <QSet>

#include "core/data/dataset.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/run/membership.h"
#include "core/run/profile_workers.h"
#include "core/run/run_log.h"
#include "core/run/run_request.h"

namespace hearth {

/// Knows who has come since the first plan. Measures whoever is not measured yet beside the training, one at a time:
/// what the others can do is known, so only the newcomer computes and only its links are used. The coordinator's
/// thread; what it is given outlives it. Devices are named by their ids.
class Newcomers : public QObject {
    Q_OBJECT
  public:
    Newcomers(const RunRequest &request, const Dataset &data, Membership &membership, RunLog &log,
              const RunDeadlines &deadlines, QObject *parent = nullptr);

    /// It is one until a plan with it is in force: taken() says so.
    void add(const QString &device) { m_ids.insert(device); }
    void taken(const Plan &inForce);
    bool areIn(const Plan &plan) const;

    bool isMeasuring() const { return m_measuring != nullptr; }
    /// Whoever is here and not of that problem, or has links to others here that are not. Nothing is under way.
    void measureNext(const PlanningProblem &known);
    void stop() { m_measuring.reset(); }

  Q_SIGNALS:
    /// `all` is the problem of all who are here, for joinProblem().
    void measured(const QString &device, const hearth::PlanningProblem &all);

  private:
    void measure(const QString &device, const PlanningProblem &known);
    void take(const QString &device, bool isNew);
    void doWithout(const QString &device, bool isNew, const Error &error);

    const RunRequest &m_request;
    const Dataset &m_data;
    Membership &m_membership;
    RunLog &m_log;
    RunDeadlines m_deadlines;
    Measuring m_measuring;
    QSet<QString> m_ids;
};

}  // namespace hearth
