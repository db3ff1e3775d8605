// `hearth plan`: who computes what, for a problem from a file, a home of the papers, or a job on this home.
#include "app/cli/plan_command.h"

#include <QLocale>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "core/base/json_reader.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/plan/planner.h"
#include "core/plan/presets.h"

namespace hearth {
namespace {

JobPlanner &jobPlanner() {
    static JobPlanner planner = nullptr;
    return planner;
}

QString word(const char *text) {
    return QString::fromLatin1(text);
}

Error wrong(const QString &what, const QString &advice = {}) {
    return {QStringLiteral("usage.wrong"), what, QString(), advice};
}

void printPlan(const Plan &plan, const QMap<QString, QString> &names) {
    const QLocale locale;
    const Prediction &prediction = *plan.prediction;
    printLine(QStringLiteral("Planner %1: %2 stages, %3 micro-batches of %4 samples, %5.")
                  .arg(plan.planner.isEmpty() ? QStringLiteral("unknown") : plan.planner)
                  .arg(plan.stages.size())
                  .arg(plan.microBatches())
                  .arg(plan.microBatch)
                  .arg(scheduleName(plan.schedule)));
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
        const PlanStage &stage = plan.stages[s];
        QStringList shares;
        for (const Share &share : stage.shares)
            shares << QStringLiteral("%1 (%2 samples, %3)")
                          .arg(names.value(share.device, share.device))
                          .arg(share.samples)
                          .arg(locale.formattedDataSize(prediction.memoryBytes.value(share.device), 1));
        printLine(QStringLiteral("  stage %1  layers %2 to %3  in flight %4  %5")
                      .arg(s + 1)
                      .arg(stage.firstLayer)
                      .arg(stage.lastLayer - 1)
                      .arg(stage.inFlight)
                      .arg(shares.join(QStringLiteral(", "))));
    }
    printLine(QStringLiteral("Predicted: %1 s per round, %2 samples/s (closed form %3 s).")
                  .arg(prediction.roundSeconds, 0, 'g', 4)
                  .arg(prediction.samplesPerSecond, 0, 'f', 1)
                  .arg(prediction.modelRoundSeconds, 0, 'g', 4));
    for (const Violation &violation : prediction.violations)
        printLine(QStringLiteral("Does not fit: %1 needs %2 (%3 bytes) and has %4 (%5 bytes).")
                      .arg(names.value(violation.device, violation.device),
                           locale.formattedDataSize(violation.neededBytes, 1))
                      .arg(violation.neededBytes)
                      .arg(locale.formattedDataSize(violation.availableBytes, 1))
                      .arg(violation.availableBytes));
}

void printComparison(const std::vector<Plan> &plans) {
    printLine(QStringLiteral("planner      samples/s   round s  stages  devices  micro-batch  fits"));
    for (const Plan &plan : plans) {
        std::size_t devices = 0;
        for (const PlanStage &stage : plan.stages)
            devices += stage.shares.size();
        printLine(QStringLiteral("%1 %2 %3 %4 %5 %6  %7")
                      .arg(plan.planner.leftJustified(11))
                      .arg(plan.prediction->samplesPerSecond, 10, 'f', 1)
                      .arg(plan.prediction->roundSeconds, 9, 'g', 4)
                      .arg(plan.stages.size(), 7)
                      .arg(devices, 8)
                      .arg(plan.microBatch, 12)
                      .arg(plan.prediction->fits ? QStringLiteral("yes") : QStringLiteral("no")));
    }
}

/// Prints and returns the exit status; the plan has its prediction.
int show(const CostModel *model, const Plan &plan, const CommandArguments &words,
         const QMap<QString, QString> &names = {}) {
    if (words.isSet(word("json"))) {
        printJson(plan.toJson());
    } else {
        printPlan(plan, names);
        for (const ScheduledTask &task : plan.prediction->schedule) {
            if (task.kind == ScheduledTask::Kind::Update)
                continue;
            printLine(QStringLiteral("  %1 %2 s  %3 %4  stage %5  micro-batch %6")
                          .arg(task.startSeconds, 10, 'f', 4)
                          .arg(task.endSeconds, 10, 'f', 4)
                          .arg(task.lane.leftJustified(16), taskKindName(task.kind).leftJustified(9))
                          .arg(task.stage + 1)
                          .arg(task.microBatch + 1));
        }
    }
    if (words.isSet(word("explain")) && model) {
        for (const QString &line : explain(*model, plan))
            words.isSet(word("json")) ? printNote(line) : printLine(line);
    }
    return Done;
}

int compare(const CostModel &model, const CommandArguments &words) {
    std::vector<Plan> plans;
    const MeasuredCosts costs(model.problem().times);
    for (const auto &planner : planners()) {
        auto plan = makePlan(planner->name(), model.problem(), costs);
        if (plan)
            plans.push_back(std::move(*plan));
        else
            printNote(QStringLiteral("%1: %2").arg(planner->name(), plan.error().toString()));
    }
    if (plans.empty())
        return Failed;
    sortByRoundTime(plans);
    if (words.isSet(word("json")))
        printJson(comparisonToJson(plans));
    else
        printComparison(plans);
    return Done;
}

Result<PlanningProblem> readProblem(const CommandArguments &words, qint64 batch) {
    if (!words.isSet(word("environment"))) {
        const auto object = readJsonFile(words.word(0));
        if (!object)
            return tl::unexpected(object.error());
        return PlanningProblem::fromJson(*object, words.word(0));
    }
    const auto workload = loadWorkload(words.get(word("model"), QStringLiteral("mobilenetv2-cifar")));
    if (!workload)
        return tl::unexpected(workload.error());
    EnvironmentOptions options;
    options.linkMbitPerSecond = words.get(word("link"), QStringLiteral("100")).toDouble();
    options.batch = static_cast<int>(batch);
    return environmentProblem(words.get(word("environment")), *workload, options);
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
    auto prediction = evaluate(model, *plan, {words.isSet(word("schedule"))});
    if (!prediction)
        return tl::unexpected(prediction.error());
    plan->prediction = std::move(*prediction);
    return plan;
}

int planJob(const CommandArguments &words, const QString &planner) {
    for (const char *option : {"compare", "evaluate", "explain", "schedule", "link", "model"}) {
        if (words.isSet(word(option)))
            return words.wrongUsage(wrong(QStringLiteral("--%1 does not go with --job.").arg(word(option))));
    }
    if (!jobPlanner()) {
        return printError({QStringLiteral("plan.no-home"), QStringLiteral("This program cannot ask a home for a plan."),
                           QString(), QStringLiteral("Give a problem file or an environment instead.")});
    }
    const auto made = jobPlanner()({words.get(word("job")), planner, words.get(word("state"))});
    if (!made)
        return endedBy(made.error());
    return show(nullptr, made->plan, words, made->names);
}

void declare(CommandArguments &words) {
    words.positional(QStringLiteral("PROBLEM"), QStringLiteral("a hearth-problem/1 file"), false);
    words.value(word("job"), QStringLiteral("JOB"), QStringLiteral("plan this job for the devices of the home"));
    words.value(word("environment"), QStringLiteral("A..D"), QStringLiteral("a home of the papers instead"));
    words.value(word("link"), QStringLiteral("MBIT"), QStringLiteral("its links in Mbit/s (100)"));
    words.value(word("model"), QStringLiteral("MODEL"), QStringLiteral("its model (mobilenetv2-cifar)"));
    words.value(word("batch"), QStringLiteral("N"), QStringLiteral("its mini-batch (the network's own)"));
    words.value(word("planner"), QStringLiteral("NAME"), plannerNames().join(QStringLiteral(", ")));
    words.flag(word("compare"), QStringLiteral("all planners, fastest first"));
    words.flag(word("explain"), QStringLiteral("say what limits the plan and what would help"));
    words.flag(word("schedule"), QStringLiteral("with the simulated schedule of one round"));
    words.value(word("evaluate"), QStringLiteral("PLAN"), QStringLiteral("judge this hearth-plan/1 file instead"));
    words.value(word("state"), QStringLiteral("DIR"), QStringLiteral("the home's folder, with --job"));
    words.flag(word("json"), QStringLiteral("print one JSON object"));
}

int runPlan(const QStringList &arguments) {
    CommandArguments words(QStringLiteral("plan"));
    declare(words);
    if (const auto status = words.parse(arguments))
        return *status;
    const int sources =
        words.wordCount() + (words.isSet(word("job")) ? 1 : 0) + (words.isSet(word("environment")) ? 1 : 0);
    if (sources != 1)
        return words.wrongUsage(wrong(QStringLiteral("Give one of PROBLEM, --job and --environment.")));
    for (const char *option : {"link", "model", "batch"}) {
        if (words.isSet(word(option)) && !words.isSet(word("environment")))
            return words.wrongUsage(wrong(QStringLiteral("--%1 goes with --environment only.").arg(word(option))));
    }
    bool number = true;
    const double link = words.get(word("link"), QStringLiteral("100")).toDouble(&number);
    if (!number || !(link > 0 && link <= 1e6))
        return words.wrongUsage(wrong(QStringLiteral("--link takes Mbit/s, for instance 100.")));
    const auto batch = words.integer(word("batch"), 1, 1 << 16, 0);
    if (!batch)
        return words.wrongUsage(batch.error());
    const QString planner = words.get(word("planner"), defaultPlanner());
    if (const auto found = findPlanner(planner); !found)
        return words.wrongUsage(found.error());
    if (words.isSet(word("job")))
        return planJob(words, planner);

    const auto problem = readProblem(words, *batch);
    if (!problem)
        return printError(problem.error());
    const MeasuredCosts costs(problem->times);
    const CostModel model(*problem, costs);
    if (words.isSet(word("compare")))
        return compare(model, words);
    auto plan = words.isSet(word("evaluate")) ? evaluateGiven(model, words) : makePlan(planner, *problem, costs);
    if (!plan)
        return printError(plan.error());
    if (words.isSet(word("schedule")) && plan->prediction->schedule.empty()) {
        if (const auto drawn = evaluate(model, *plan, {true}))
            plan->prediction->schedule = drawn->schedule;
    }
    return show(&model, *plan, words);
}

const CommandRegistration registration({QStringLiteral("plan"),
                                        QStringLiteral("PROBLEM | --job JOB | --environment A..D [OPTIONS]"),
                                        QStringLiteral("compute who computes what, and what it costs"), runPlan});

}  // namespace

JobPlannerRegistration::JobPlannerRegistration(JobPlanner planner) {
    jobPlanner() = planner;
}

}  // namespace hearth
