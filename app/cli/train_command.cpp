// `hearth train` and `hearth profile`: a run on the devices of this home, started through the laptop's own agent.
#include <functional>
#include <optional>
#include <vector>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/job_words.h"
#include "app/cli/order_words.h"
#include "app/cli/run_folder.h"
#include "app/cli/run_follower.h"
#include "app/cli/safety_words.h"
#include "app/cli/shared_links.h"
#include "app/cli/trusted_fabric.h"

namespace hearth {
namespace {

int startAndFollow(const CommandArguments &line, const RunOrder &order,
                   const std::function<void(AgentClient &)> &whenDone = {}) {
    StopSignals stops;
    const auto client = connectToAgent(stateDirOf(line), &stops);
    if (!client)
        return endedBy(client.error());
    FollowOptions options;
    options.json = line.isSet(QStringLiteral("json"));
    options.stateDir = stateDirOf(line);
    if (!order.resume.isEmpty()) {
        const auto runs =
            waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { (*client)->runs(context, done); }, &stops);
        if (!runs)
            return endedBy(runs.error());
        // What was shown when it ran the first time is not shown again.
        for (const RunInfo &each : *runs)
            options.showFrom = each.id == order.resume ? each.lastSeq + 1 : options.showFrom;
    }
    const auto run = beginRun(**client, order, options.stateDir, stops);
    if (!run)
        return endedBy(run.error());
    const int status = followRun(**client, *run, options, stops);
    if (status == Done && whenDone && !options.json)
        whenDone(**client);
    return status;
}

/// A run that goes on keeps its job and begins with the weights of its checkpoint.
std::optional<Error> contradictsResume(const CommandArguments &line) {
    if (!line.isSet(QStringLiteral("resume")))
        return std::nullopt;
    const QString tooMuch = line.wordCount() > 0                    ? QStringLiteral("the job %1").arg(line.word(0))
                            : line.isSet(QStringLiteral("weights")) ? QStringLiteral("--weights")
                            : line.isSet(QStringLiteral("codec"))   ? QStringLiteral("--codec")
                            : line.isSet(QStringLiteral("gradient-codec")) ? QStringLiteral("--gradient-codec")
                            : line.isSet(QStringLiteral("local-steps"))    ? QStringLiteral("--local-steps")
                            : line.isSet(QStringLiteral("precision"))      ? QStringLiteral("--precision")
                            : line.isSet(QStringLiteral("patience"))       ? QStringLiteral("--patience")
                                                                           : QString();
    if (!tooMuch.isEmpty()) {
        return Error{QStringLiteral("usage.wrong"), sentence("--resume and %1 do not go together.").arg(tooMuch),
                     sentence("A run that goes on keeps its job, its model and its weights."),
                     sentence("Leave one of them out.")};
    }
    return std::nullopt;
}

Result<RunOrder> orderOf(const CommandArguments &line, const OrderFiles &files) {
    if (line.isSet(QStringLiteral("resume"))) {
        return runToAsk(stateDirOf(line), line.get(QStringLiteral("resume"))).and_then([&](const QString &run) {
            return makeResumeOrder(run, files);
        });
    }
    const JobWords given = trainingWordsOf(line).value_or(JobWords());
    return readJob(line.word(0))
        .and_then([&](const Job &job) { return withWords(job, given); })
        .and_then([&](const Job &job) { return makeOrder(job, files); });
}

int runTrain(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("train"));
    line.positional(QStringLiteral("JOB"), QStringLiteral("a hearth-job/1 file; default: fashion-cnn on fashion-mnist"),
                    false);
    declareOrderFiles(line, QStringLiteral("save the trained weights there, too"));
    line.value(QStringLiteral("devices"), QStringLiteral("a,b"), QStringLiteral("only these devices, by name or id"));
    line.value(
        QStringLiteral("resume"), QStringLiteral("RUN"),
        QStringLiteral("instead of a JOB: a run that was interrupted or stopped, or has failed, goes on from its "
                       "newest checkpoint"));
    declareTrainingWords(line);
    declareTrustedFabric(line);
    declareSafety(line);
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    if (const auto given = trainingWordsOf(line); !given)
        return line.wrongUsage(given.error());
    const auto files = orderFilesOf(line);
    if (!files)
        return line.wrongUsage(files.error());
    if (const auto wrong = contradictsResume(line))
        return line.wrongUsage(*wrong);
    const auto devices = line.list(QStringLiteral("devices"));
    if (!devices)
        return line.wrongUsage(devices.error());
    auto order = orderOf(line, *files);
    if (!order)
        return printError(order.error());
    order->devices = *devices;
    return startAndFollow(line, *order);
}

int runProfile(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("profile"));
    line.positional(QStringLiteral("JOB"), QStringLiteral("whose model to measure; default: fashion-cnn"), false);
    line.value(QStringLiteral("model"), QStringLiteral("M"), QStringLiteral("measure this model"));
    line.value(QStringLiteral("devices"), QStringLiteral("a,b"), QStringLiteral("only these devices, by name or id"));
    line.flag(QStringLiteral("again"), QStringLiteral("measure also what was measured before"));
    line.flag(QStringLiteral("all"),
              QStringLiteral("measure every layer at every size, also where times can be predicted"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto devices = line.list(QStringLiteral("devices"));
    if (!devices)
        return line.wrongUsage(devices.error());
    auto job = readJob(line.word(0));
    if (!job)
        return printError(job.error());
    if (line.isSet(QStringLiteral("model")))
        job->model = line.get(QStringLiteral("model"));
    auto order = makeOrder(*job);
    if (!order)
        return printError(order.error());
    order->devices = *devices;
    order->options[QStringLiteral("only")] = QStringLiteral("plan");
    if (line.isSet(QStringLiteral("again")))
        order->options[QStringLiteral("measure_again")] = true;
    if (line.isSet(QStringLiteral("all")))
        order->options[QStringLiteral("measure_all")] = true;
    return startAndFollow(line, *order, [&line](AgentClient &client) {
        const auto known =
            waitFor<std::vector<DeviceInfo>>([&](QObject *context, auto done) { client.devices(context, done); });
        if (known)
            printSharedLinks(*known, stateDirOf(line));
    });
}

const CommandRegistration train({QStringLiteral("train"), QStringLiteral("[JOB] [OPTIONS]"),
                                 QStringLiteral("train on all ready devices of this home"), runTrain});
const CommandRegistration profile({QStringLiteral("profile"), QStringLiteral("[JOB] [OPTIONS]"),
                                   QStringLiteral("measure the devices and links of this home, and plan"), runProfile});

}  // namespace
}  // namespace hearth
