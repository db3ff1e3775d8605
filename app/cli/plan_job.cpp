// `hearth plan --job`: a run that ends once there is a plan, made by the home's own agent.
#include <QEventLoop>
#include <QTimer>

#include "app/cli/agent_session.h"
#include "app/cli/job_words.h"
#include "app/cli/plan_command.h"
#include "app/cli/progress_line.h"
#include "app/run_order.h"
#include "core/home/announcement.h"
#include "core/run/run_event.h"
#include "core/run/run_problem.h"

namespace hearth {
namespace {

// The agent's answer to the last word of somebody who leaves.
constexpr std::chrono::milliseconds stopPatience{500};

/// What the events of a run that only plans say.
class PlanEvents {
  public:
    PlanEvents(Job job, std::vector<DeviceInfo> devices) : m_job(std::move(job)), m_devices{std::move(devices)} {}

    void take(const QByteArray &line) {
        const auto read = RunEvent::fromLine(line);
        if (!read)
            return;
        if (const auto *run = std::get_if<event::Run>(&read->body)) {
            m_samples = {run->trainingSamples, run->evaluationSamples};
        } else if (const auto *device = std::get_if<event::Device>(&read->body)) {
            m_result.names[device->id] = device->name;
        } else if (const auto *profile = std::get_if<event::Profile>(&read->body)) {
            m_progress.show(QStringLiteral("Profiling %1: %2 of %3")
                                .arg(m_result.names.value(profile->id, profile->id.left(Announcement::prefixDigits)))
                                .arg(profile->done)
                                .arg(profile->total));
        } else if (const auto *state = std::get_if<event::State>(&read->body)) {
            if (state->state == QLatin1String("planning"))
                m_progress.show(QStringLiteral("Planning …"));
        } else if (const auto *plan = std::get_if<event::Plan>(&read->body)) {
            m_plan = plan->plan;
        } else if (const auto *failure = std::get_if<event::Failure>(&read->body)) {
            m_failure = failure->error;
        }
    }

    /// `folder` is the run's. Other users cannot read that of a system's agent: then no limit of memory is known.
    Result<JobPlan> result(const QString &folder) {
        if (m_failure)
            return tl::unexpected(*m_failure);
        if (!m_plan) {
            return fail(QStringLiteral("plan.none"), sentence("The run ended before there was a plan."),
                        sentence("It was stopped."), sentence("Try again."));
        }
        auto plan = Plan::fromJson(*m_plan, QStringLiteral("the plan of the run"));
        if (!plan)
            return tl::unexpected(plan.error());
        if (!plan->prediction)
            return fail(QStringLiteral("plan.none"), sentence("The plan came without a prediction."));
        m_result.plan = std::move(*plan);
        if (const auto problem = newestProblem(folder))
            m_devices.setMemory(*problem);
        m_result.whole = WholeJob::of(JobLength::of(m_job, m_samples), m_result.plan, m_devices);
        return m_result;
    }

  private:
    const Job m_job;
    JobDevices m_devices;
    CountedSamples m_samples;
    ProgressLine m_progress;
    JobPlan m_result;
    std::optional<QJsonObject> m_plan;
    std::optional<Error> m_failure;
};

Result<void> follow(AgentClient &client, const QString &run, PlanEvents &events, StopSignals &stops) {
    QEventLoop loop;
    std::optional<Error> left;
    const auto leave = [&](const Error &reason) {
        left = reason;
        loop.quit();
    };
    QObject::connect(&client, &AgentClient::runEvent, &loop, [&](const QString &id, const QByteArray &line) {
        if (id == run)
            events.take(line);
    });
    QObject::connect(&client, &AgentClient::runEnded, &loop, [&](const QString &id) {
        if (id == run)
            loop.quit();
    });
    QObject::connect(&client, &AgentClient::closed, &loop, leave);
    QObject::connect(&stops, &StopSignals::received, &loop, [&](int, int count) {
        const Error interrupted{interruptedCode(), sentence("Interrupted."), {}, {}};
        if (count > 1)
            return leave(interrupted);
        // Nobody waits for this plan any more.
        QTimer::singleShot(stopPatience, &loop, [=] { leave(interrupted); });
        client.command(run, QStringLiteral("stop"), {}, &loop, [=](const Result<QCborMap> &) { leave(interrupted); });
    });
    client.attach(run, 1, &loop, [&](const Result<QCborMap> &answer) {
        if (!answer)
            leave(answer.error());
    });
    loop.exec();
    client.disconnect(&loop);
    if (left)
        return tl::unexpected(*left);
    return {};
}

Result<JobPlan> planJob(const JobPlanRequest &request) {
    const auto job = readJob(request.job).and_then([&](const Job &read) { return withWords(read, request.given); });
    if (!job)
        return tl::unexpected(job.error());
    auto order = makeOrder(*job);
    if (!order)
        return tl::unexpected(order.error());
    order->options = {{QStringLiteral("only"), QStringLiteral("plan")}, {QStringLiteral("planner"), request.planner}};
    StopSignals stops;
    const QString stateDir = request.stateDir.isEmpty() ? defaultStateDir() : request.stateDir;
    const auto client = connectToAgent(stateDir, &stops);
    if (!client)
        return tl::unexpected(client.error());
    const auto devices = waitFor<std::vector<DeviceInfo>>(
        [&](QObject *context, auto done) { (*client)->devices(context, done); }, &stops);
    if (!devices)
        return tl::unexpected(devices.error());
    const auto run = beginRun(**client, *order, stateDir, stops);
    if (!run)
        return tl::unexpected(run.error());
    PlanEvents events(*job, *devices);
    if (const auto ended = follow(**client, *run, events, stops); !ended)
        return tl::unexpected(ended.error());
    return events.result(stateDir + QStringLiteral("/runs/") + *run);
}

const JobPlannerRegistration registration(planJob);

}  // namespace
}  // namespace hearth
