#include "core/run/plan_run.h"

#include <QElapsedTimer>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/base/priority.h"
#include "core/base/sentence_list.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain/codec_gain.h"
#include "core/plan/explain/local_steps_gain.h"
#include "core/plan/held_states.h"
#include "core/plan/named_devices.h"
#include "core/plan/plan_memory.h"
#include "core/plan/planner.h"
#include "core/profile/declared_facts.h"
#include "core/run/fitting_plan.h"
#include "core/run/job_facts.h"

namespace hearth {
namespace {

const QString planSource = QStringLiteral("The given plan");
constexpr double planningSeconds = 5, provisionalSeconds = 0.5;
constexpr qint64 offerMs = 500, provisionalOfferMs = 200;

tl::unexpected<Error> misfit(const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("plan.misfit"), sentence("The given plan does not fit this run."), cause, advice);
}

/// All devices of the plan, by ids, are ready.
Result<void> checkReady(const Plan &plan, const std::vector<DeviceInfo> &devices) {
    for (const DeviceInfo &device : devices) {
        if (device.state == DeviceState::Lost && usesDevice(plan, device.id))
            return misfit(sentence("Its device \"%1\" cannot be reached now.")
                              .arg(device.name.isEmpty() ? device.id : device.name),
                          sentence("Switch it on, or choose a plan without it."));
    }
    return {};
}

Result<Plan> judged(const PlanningProblem &problem, Plan plan, bool withSchedule) {
    EvaluateOptions options;
    options.withSchedule = withSchedule;
    options.playTasks = playableTasks;
    auto prediction = plan.validateFor(problem, planSource).and_then([&] { return evaluate(problem, plan, options); });
    if (!prediction)
        return tl::unexpected(prediction.error());
    plan.prediction = std::move(*prediction);
    return plan;
}

Result<Plan> madeFor(const PlanningProblem &problem, const QString &planner, bool withSchedule,
                     const PlannerOptions &options) {
    auto plan = makePlan(planner, problem, options);
    // Several pipelines are refused later on, with a better word.
    if (!plan || !withSchedule || !plan->pipelines.empty())
        return plan;
    const auto again = judged(problem, *plan, true);
    if (!again)
        return again;
    plan->prediction->schedule = again->prediction->schedule;
    return plan;
}

bool isGood(const Result<Plan> &plan) {
    return plan && (!plan->prediction || plan->prediction->fits);
}

/// What a person may be offered. Somebody waits for the plan itself.
std::optional<double> gainOfCodecs(const PlanningProblem &problem, const Plan &plan, bool isGiven, qint64 mostMs,
                                   const std::atomic<bool> &cancelled) {
    QElapsedTimer timer;
    timer.start();
    WhatIfOptions options;
    options.planner = plan.planner;
    options.steps = isGiven ? 0 : 300'000;
    options.cancelled = [&] { return cancelled.load() || timer.elapsed() > mostMs; };
    return codecGain(CostModel(problem), plan, options);
}

std::optional<LocalStepsGain> gainOfLocalSteps(const PlanningProblem &problem, const Plan &plan,
                                               const std::atomic<bool> &cancelled) {
    PlannerOptions options;
    options.secondsLimit = 0.2;
    options.abandoned = [&cancelled] { return cancelled.load(); };
    return localStepsGain(CostModel(problem), plan, options);
}

}  // namespace

Result<Plan> readGivenPlan(const QJsonObject &json, const Job &job, const Model &model,
                           const std::vector<DeviceInfo> &devices) {
    auto plan = Plan::fromJson(json, planSource);
    if (!plan)
        return plan;
    const Sentence again = sentence("Make a new one with \"hearth plan --job JOB\".");
    if (!plan->pipelines.empty())
        return misfit(sentence("It has several pipelines side by side, and a run has one."), again);
    const auto layers = static_cast<int>(model.layers.size());
    if (plan->layerCount != layers) {
        return misfit(sentence("It is for a model of %1 {1|layer|layers}, and %2 has %3.")
                          .arg(plan->layerCount)
                          .arg(model.name)
                          .arg(layers),
                      again);
    }
    if (!plan->modelSha256.isEmpty() && plan->modelSha256 != QLatin1String(model.sha256()))
        return misfit(sentence("It was made for another model than %1 (the hash differs).").arg(model.name), again);
    if (plan->batch != job.roundSamples()) {
        return misfit(
            sentence("It is for batches of %1, and the job's batch is %2.").arg(plan->batch).arg(job.roundSamples()),
            again);
    }
    if (job.fixedMicroBatch() && plan->microBatch != *job.fixedMicroBatch()) {
        return misfit(sentence("Its micro-batch is %1, and the job fixes it to %2.")
                          .arg(plan->microBatch)
                          .arg(*job.fixedMicroBatch()),
                      again);
    }
    std::vector<NamedDevice> named;
    for (const DeviceInfo &device : devices)
        named.push_back({device.id, device.name});
    plan = withIds(*std::move(plan), named);
    if (!plan)
        return plan;
    if (auto ready = checkReady(*plan, devices); !ready)
        return tl::unexpected(ready.error());
    plan->modelName = model.name;
    plan->modelSha256 = QString::fromLatin1(model.sha256());
    // Two names may have meant one device.
    if (auto valid = plan->validate(planSource); !valid)
        return tl::unexpected(valid.error());
    return plan;
}

bool usesDevice(const Plan &plan, const QString &device) {
    return std::ranges::any_of(plan.stages, [&](const PlanStage &stage) {
        return std::ranges::any_of(stage.shares, [&](const Share &share) { return share.device == device; });
    });
}

bool servesApart(const LinkProfile &links, const QString &dataDevice) {
    return std::ranges::any_of(links.pairs, [&](const LinkProfile::Pair &pair) {
        return pair.from == dataDevice && pair.bytesPerSecond <= 0;
    });
}

Result<PlanningProblem> problemOf(const RunRequest &request, const Dataset &data,
                                  const std::vector<WorkerSession *> &workers, const ProfileWorkers &measured) {
    JobFacts facts = jobFactsOf(request.job);
    facts.inputBytes = data.sampleBytes();
    if (!request.job.augment.mixes())
        facts.labelBytes = data.label().bytes();
    for (const WorkerSession *worker : workers) {
        if (worker->id() == request.dataDevice && !servesApart(measured.links(), request.dataDevice))
            facts.dataDevice = request.dataDevice;
    }
    auto problem = makeProblem(measured.devices(), measured.profiles(), measured.links(), facts);
    if (problem) {
        addSecondMoments(problem->layers, request.model, dtypeOf(request.job.precision), request.job.optimizer.state());
        problem->modelName = request.model.name;
        problem->modelSha256 = QString::fromLatin1(request.model.sha256());
        problem->keptStates = KeptVersions::usualSnapshots(workers.size()) +
                              (request.job.asynchronous ? KeptVersions::whereRoundsOverlap : 0);
        if (request.safety.replication != ReplicationMode::Off)
            problem->keptCopies = KeptVersions::usualCopies(workers.size());
    }
    return problem;
}

PlanningProblem asJudged(PlanningProblem problem, const Plan &plan) {
    if (!plan.validateFor(problem))
        return problem;
    while (!fitsWholly(CostModel(problem), plan) && problem.keepLess()) {
    }
    return problem;
}

Result<void> checkFits(const Plan &plan, const std::vector<DeviceInfo> &devices) {
    if (!plan.pipelines.empty()) {
        return fail(QStringLiteral("run.pipelines"), sentence("This plan can be judged but not run."),
                    sentence("The planner \"%1\" lays %2 pipelines side by side, and a run has one.")
                        .arg(plan.planner)
                        .arg(plan.pipelines.size()),
                    sentence("Choose another planner."));
    }
    if (!plan.prediction || plan.prediction->fits)
        return {};
    QList<Sentence> parts;
    for (const Violation &violation : plan.prediction->violations) {
        QString name = violation.device.left(8);
        for (const DeviceInfo &device : devices) {
            if (device.id == violation.device && !device.name.isEmpty())
                name = device.name;
        }
        parts << sentence("%1 needs %2 and has %3")
                     .arg(name, countedBytes(violation.neededBytes), countedBytes(violation.availableBytes));
    }
    return fail(QStringLiteral("run.memory"), sentence("The plan does not fit the memory of the devices."),
                sentence("%1.").arg(listed(parts, "; ")),
                sentence("Take a smaller batch or micro-batch, more devices, or let the planner choose."));
}

void PlanTask::start(PlanningProblem problem, const QString &planner, const std::optional<Plan> &given,
                     bool withSchedule) {
    m_task.start<Plan>(
        this,
        [problem = std::move(problem), planner, given, withSchedule, manner = m_manner,
         cancelled = m_task.cancelled()] {
            if (manner == Manner::Background)
                lowerThreadPriority(backgroundNice);
            const bool isProvisional = manner == Manner::Provisional;
            PlannerOptions options;
            options.secondsLimit = isProvisional ? provisionalSeconds : planningSeconds;
            options.abandoned = [cancelled] { return cancelled->load(); };
            auto plan =
                given ? judged(problem, *given, withSchedule) : madeFor(problem, planner, withSchedule, options);
            if (manner != Manner::Background && isGood(plan) && plan->pipelines.empty() && plan->prediction) {
                plan->prediction->codecGain = gainOfCodecs(problem, *plan, given.has_value(),
                                                           isProvisional ? provisionalOfferMs : offerMs, *cancelled);
                if (!given)
                    plan->prediction->localStepsGain = gainOfLocalSteps(problem, *plan, *cancelled);
            }
            return plan;
        },
        [this](const Plan &plan) { Q_EMIT finished(plan); }, [this](const Error &error) { Q_EMIT failed(error); });
}

}  // namespace hearth
