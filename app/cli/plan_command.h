// `hearth plan`, and the hook by which `--job` reaches the home.
#pragma once

#include <QMap>
#include <QString>

#include "app/cli/job_words.h"
#include "core/plan/plan.h"
#include "core/run/whole_job.h"

namespace hearth {

/// What a plan for a job on the devices of this home is made from: profiles and links that only an agent has.
struct JobPlanRequest {
    QString job;          // path of the job's file
    QString planner;      // name, known to be valid
    QString stateDir;     // of the home; empty: the default one
    JobWords given = {};  // instead of the job's
};
struct JobPlan {
    Plan plan;                     // with its prediction; devices by id
    QMap<QString, QString> names;  // of the devices, by id, for people
    WholeJob whole;                // what the job takes under the plan
};
using JobPlanner = Result<JobPlan> (*)(const JobPlanRequest &request);

/// Called once, before main, by the file that can ask the agent. Without it `--job` says that it is not available.
struct JobPlannerRegistration {
    explicit JobPlannerRegistration(JobPlanner planner);
};

}  // namespace hearth
