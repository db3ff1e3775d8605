// After memory ran out: the plan that would have fitted, in words and as a file.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "core/home/device_info.h"
#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/protocol/memory_shortage.h"
#include "core/run/plan_run.h"

namespace hearth {

/// A worker refused a tensor, or the kernel ended it because memory ran out.
bool isMemoryError(const Error &error);

/// "536870912 bytes (512.0 MiB)".
Sentence countedBytes(qint64 count);

/// A device that ran out of memory, as far as that is known; amounts include the libraries, 0 = unknown.
struct MemoryTrouble {
    QString device;             // id
    qint64 limitBytes = 0;      // what its worker was allowed
    qint64 predictedBytes = 0;  // what the plan was expected to take there
    std::optional<MemoryShortage> shortage;

    /// "nano-1 needed … and has …."
    Sentence describe(const QString &name) const;
    /// What a planner may count on there: less than the plan that failed was expected to take, by the factor by which
    /// the expectation was wrong and a margin.
    qint64 usableBytes() const;
};

/// Looks for the best plan that fits, in a thread of its own. Lives in the coordinator's thread; one use.
class FittingPlan : public QObject {
    Q_OBJECT
  public:
    /// Writes the plan somewhere and returns the file's name.
    using Save = std::function<Result<QString>(const Plan &)>;

    /// `failed` is the plan that did not fit; `problem` what is known by now.
    FittingPlan(PlanningProblem problem, Plan failed, std::vector<DeviceInfo> devices, Save save,
                QObject *parent = nullptr);
    void start();

  Q_SIGNALS:
    /// Whole sentences: the plan and how to use it, or that there is none and what would help.
    void finished(const hearth::Sentence &advice);

  private:
    void tell(const Plan &plan);
    void tryWithout(const Error &error);
    Sentence describe(const Plan &plan) const;
    QString nameOf(const QString &device) const;

    PlanningProblem m_problem;
    Plan m_failed;
    std::vector<DeviceInfo> m_devices;
    Save m_save;
    PlanTask m_task;
    std::unique_ptr<PlanTask> m_second;
    std::optional<int> m_fixed;  // the micro-batch that the job fixes, while it is left out
};

}  // namespace hearth
