// Plans and comparisons for people.
#pragma once

#include <QMap>
#include <QString>
#include <vector>

#include "core/plan/explain/schedule_comparison.h"
#include "core/plan/plan.h"
#include "core/run/whole_job.h"

namespace hearth {

/// All take plans with their predictions. `names` are of the devices by id, where they have others.
void printPlan(const Plan &plan, const QMap<QString, QString> &names);
void printSchedule(const Plan &plan);
void printWholeJob(const WholeJob &job, const QMap<QString, QString> &names);

struct FailedPlanner {
    QString name;
    Error error;
};
/// A table in the order given, then those that do not fit and those without a plan, with the reason.
void printComparison(const std::vector<Plan> &plans, const std::vector<FailedPlanner> &failed);
/// What schedules would make of this planner's stages.
void printSchedules(const std::vector<ScheduleRow> &rows, const QString &planner);

}  // namespace hearth
