// `hearth plan`: who computes what, for a problem from a file, a home of the papers, or a job on this home.
#include "app/cli/plan_command.h"

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/job_words.h"
#include "app/cli/plan_printer.h"
#include "app/cli/plan_search.h"
#include "app/cli/plan_source.h"
#include "core/base/json_reader.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain/codec_gain.h"
#include "core/plan/explain/explain.h"
#include "core/plan/explain/local_steps_gain.h"
#include "core/plan/explain/schedule_comparison.h"

namespace hearth {
namespace {

/// Of the search for what compressing cuts would give: well under a second.
constexpr quint64 offerSteps = 1'000'000;

JobPlanner &jobPlanner() {
    static JobPlanner planner = nullptr;
    return planner;
}

/// Prints and returns the exit status; the plan has its prediction.
int show(const CostModel &model, const Plan &plan, const CommandArguments &words) {
    const bool json = words.isSet(word("json"));
    if (json) {
        printJson(plan.toJson());
    } else {
        printPlan(plan, {});
        if (model.problem().localSteps.any())
            printLine(QStringLiteral("A round is %1 batches of %2: then the devices average their weights.")
                          .arg(plan.microBatches())
                          .arg(plan.microBatch));
        printSchedule(plan);
    }
    if (words.isSet(word("explain"))) {
        for (const QString &line : explain(model, plan))
            json ? printNote(line) : printLine(line);
    }
    return Done;
}

/// Likewise, with the whole job.
int show(const JobPlan &made, const CommandArguments &words) {
    if (words.isSet(word("json"))) {
        QJsonObject object = made.plan.toJson();
        object[QStringLiteral("whole_job")] = made.whole.toJson();
        printJson(object);
    } else {
        printPlan(made.plan, made.names);
        printWholeJob(made.whole, made.names);
    }
    return Done;
}

int compare(const CostModel &model, const CommandArguments &words, PlanSearch &search) {
    const bool json = words.isSet(word("json"));
    std::vector<Plan> plans;
    std::vector<FailedPlanner> failed;
    for (const auto &planner : planners()) {
        auto plan = makePlan(planner->name(), model.problem(), search.options(planner->name()));
        if (plan)
            plans.push_back(std::move(*plan));
        else
            failed.push_back({planner->name(), plan.error()});
    }
    const auto own = std::ranges::find(plans, defaultPlanner(), &Plan::planner);
    const std::vector<ScheduleRow> schedules = own == plans.end()
                                                   ? std::vector<ScheduleRow>()
                                                   : compareSchedules(model, *own, search.options(defaultPlanner()));
    search.finished();
    sortByRoundTime(plans);
    if (json) {
        for (const FailedPlanner &each : failed)
            printNote(QStringLiteral("%1: %2").arg(each.name, each.error.toString()));
        QJsonObject object = comparisonToJson(plans);
        object[QStringLiteral("schedules")] = schedulesToJson(schedules);
        printJson(object);
    } else {
        printComparison(plans, failed);
        if (!schedules.empty())
            printSchedules(schedules, defaultPlanner());
    }
    return plans.empty() ? Failed : Done;
}

Result<Plan> evaluateGiven(const CostModel &model, const CommandArguments &words) {
    const QString path = words.get(word("evaluate"));
    const auto object = readJsonFile(path);
    if (!object)
        return tl::unexpected(object.error());
    auto plan = Plan::fromJson(*object, path);
    if (!plan)
        return plan;
    if (auto ok = plan->validateFor(model.problem(), path); !ok)
        return tl::unexpected(ok.error());
    auto prediction =
        evaluate(model, *plan, {.withSchedule = words.isSet(word("schedule")), .playTasks = playableTasks});
    if (!prediction)
        return tl::unexpected(prediction.error());
    plan->prediction = std::move(*prediction);
    return plan;
}

int planJob(const CommandArguments &words, const QString &planner) {
    if (!jobPlanner()) {
        return printError({QStringLiteral("plan.no-home"), sentence("This program cannot ask a home for a plan."),
                           QString(), sentence("Give a problem file or an environment instead.")});
    }
    const auto made = jobPlanner()(
        {words.get(word("job")), planner, words.get(word("state")), jobWordsOf(words).value_or(JobWords())});
    if (!made)
        return endedBy(made.error());
    return show(*made, words);
}

void declare(CommandArguments &words) {
    declarePlanSource(words);
    words.value(word("planner"), QStringLiteral("NAME"),
                QStringLiteral("%1 (%2)").arg(plannerNames().join(QStringLiteral(", ")), defaultPlanner()));
    declareJobWords(words);
    declareSearch(words);
    words.flag(word("compare"), QStringLiteral("all planners and schedules, fastest first"));
    words.flag(word("explain"), QStringLiteral("say what limits the plan and what would help"));
    words.flag(word("schedule"), QStringLiteral("with the simulated schedule of one round"));
    words.value(word("evaluate"), QStringLiteral("PLAN"), QStringLiteral("judge this hearth-plan/1 file instead"));
    words.flag(word("json"), QStringLiteral("print one JSON object"));
}

/// Options that would be ignored are refused.
Result<void> checkTogether(const CommandArguments &words) {
    const std::pair<const char *, std::vector<const char *>> exclusive[] = {
        {"job", {"compare", "evaluate", "explain", "schedule", "time", "steps", "problem-out"}},
        {"compare", {"planner", "evaluate", "explain", "schedule"}},
        {"evaluate", {"planner", "time", "steps"}},
        {"local-steps", {"codec"}}};
    for (const auto &[one, others] : exclusive) {
        for (const char *other : others) {
            if (words.isSet(word(one)) && words.isSet(word(other))) {
                return fail(QStringLiteral("usage.wrong"),
                            sentence("--%1 does not go with --%2.").arg(word(other), word(one)));
            }
        }
    }
    if (words.isSet(word("precision")) && !words.isSet(word("job"))) {
        return fail(QStringLiteral("usage.wrong"), sentence("--precision goes with --job alone."),
                    sentence("A problem or an environment brings its own times, whatever the precision."));
    }
    return {};
}

Result<Plan> planGiven(const CostModel &model, const QString &planner, const CommandArguments &words,
                       PlanSearch &search) {
    auto plan = words.isSet(word("evaluate")) ? evaluateGiven(model, words)
                                              : makePlan(planner, model.problem(), search.options(planner));
    search.finished();
    if (plan && plan->pipelines.empty() && !words.isSet(word("codec")))
        plan->prediction->codecGain =
            codecGain(model, *plan, {planner, words.isSet(word("evaluate")) ? 0 : offerSteps, {}});
    if (plan && !words.isSet(word("evaluate")) && planner == defaultPlanner()) {
        PlannerOptions offer;
        offer.stepLimit = offerSteps;
        plan->prediction->localStepsGain = localStepsGain(model, *plan, offer);
    }
    if (plan && words.isSet(word("schedule")) && plan->prediction->schedule.empty()) {
        if (const auto drawn = evaluate(model, *plan, {true}))
            plan->prediction->schedule = drawn->schedule;
    }
    return plan;
}

int runPlan(const QStringList &arguments) {
    CommandArguments words(QStringLiteral("plan"));
    declare(words);
    if (const auto status = words.parse(arguments))
        return *status;
    const QString planner = words.get(word("planner"), defaultPlanner());
    PlanSearch search;
    const auto given = jobWordsOf(words);
    for (const Result<void> &usable :
         {checkPlanSource(words), checkTogether(words), search.read(words), given.transform([](const auto &) {}),
          findPlanner(planner).transform([](const Planner *) {})}) {
        if (!usable)
            return words.wrongUsage(usable.error());
    }
    if (words.isSet(word("job")))
        return planJob(words, planner);

    auto problem = readPlanSource(words);
    if (!problem) {
        const bool isWrongUsage = problem.error().code == QLatin1String("environment.unknown");
        return isWrongUsage ? words.wrongUsage(problem.error()) : printError(problem.error());
    }
    if (given->codec)
        problem->levels = levelsOf(*given->codec);
    problem->gradientCodec = given->gradientCodec.value_or(problem->gradientCodec);
    if (given->localSteps) {
        if (problem->asynchronous) {
            return words.wrongUsage({QStringLiteral("usage.wrong"),
                                     sentence("--local-steps does not go with a problem of asynchronous training."),
                                     QString(), sentence("Leave \"asynchronous\" out of the problem.")});
        }
        auto changed = withLocalSteps(*problem, *given->localSteps);
        if (!changed)
            return printError(changed.error());
        problem = std::move(*changed);
    }
    const CostModel model(*problem);
    if (words.isSet(word("compare")))
        return compare(model, words, search);
    const auto plan = planGiven(model, planner, words, search);
    return plan ? show(model, *plan, words) : printError(plan.error());
}

const CommandRegistration planRegistration({QStringLiteral("plan"),
                                            QStringLiteral("PROBLEM | --job JOB | --environment A..D [OPTIONS]"),
                                            QStringLiteral("compute who computes what, and what it costs"), runPlan});

}  // namespace

JobPlannerRegistration::JobPlannerRegistration(JobPlanner planner) {
    jobPlanner() = planner;
}

}  // namespace hearth
