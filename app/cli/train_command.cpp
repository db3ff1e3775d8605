// `hearth train` and `hearth profile`: a run on the devices of this home, started through the laptop's own agent.
#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_follower.h"
#include "app/cli/trusted_fabric.h"
#include "app/run_order.h"

namespace hearth {
namespace {

QStringList deviceList(const QString &text) {
    QStringList names;
    for (const QString &name : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        names << name.trimmed();
    return names;
}

int startAndFollow(const CommandArguments &line, const RunOrder &order) {
    StopSignals stops;
    const auto client = connectToAgent(stateDirOf(line), &stops);
    if (!client)
        return endedBy(client.error());
    const auto run =
        waitFor<QString>([&](QObject *context, auto done) { (*client)->startRun(order, context, done); }, &stops);
    if (!run)
        return endedBy(run.error());
    return followRun(**client, *run, 1, line.isSet(QStringLiteral("json")), OnInterrupt::Leave, stops);
}

int runTrain(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("train"));
    line.positional(QStringLiteral("JOB"), QStringLiteral("a hearth-job/1 file; default: fashion-cnn on fashion-mnist"),
                    false);
    line.value(QStringLiteral("plan"), QStringLiteral("PLAN"), QStringLiteral("train by this hearth-plan/1 file"));
    line.value(QStringLiteral("weights"), QStringLiteral("FILE"),
               QStringLiteral("start from these weights (safetensors)"));
    line.value(QStringLiteral("save"), QStringLiteral("FILE"), QStringLiteral("save the trained weights there, too"));
    line.value(QStringLiteral("trace"), QStringLiteral("FILE"),
               QStringLiteral("write what every device did when there, for ui.perfetto.dev"));
    line.value(QStringLiteral("devices"), QStringLiteral("a,b"), QStringLiteral("only these devices, by name or id"));
    declareTrustedFabric(line);
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto fabric = trustedFabricOf(line);
    if (!fabric)
        return line.wrongUsage(fabric.error());
    const auto job = readJob(line.word(0));
    if (!job)
        return printError(job.error());
    auto order = makeOrder(*job, {line.get(QStringLiteral("plan")), line.get(QStringLiteral("weights")),
                                  line.get(QStringLiteral("save")), line.get(QStringLiteral("trace")), *fabric});
    if (!order)
        return printError(order.error());
    order->devices = deviceList(line.get(QStringLiteral("devices")));
    return startAndFollow(line, *order);
}

int runProfile(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("profile"));
    line.positional(QStringLiteral("JOB"), QStringLiteral("whose model to measure; default: fashion-cnn"), false);
    line.value(QStringLiteral("model"), QStringLiteral("M"), QStringLiteral("measure this model"));
    line.value(QStringLiteral("devices"), QStringLiteral("a,b"), QStringLiteral("only these devices, by name or id"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    auto job = readJob(line.word(0));
    if (!job)
        return printError(job.error());
    if (line.isSet(QStringLiteral("model")))
        job->model = line.get(QStringLiteral("model"));
    auto order = makeOrder(*job);
    if (!order)
        return printError(order.error());
    order->devices = deviceList(line.get(QStringLiteral("devices")));
    order->options[QStringLiteral("plan_only")] = true;
    return startAndFollow(line, *order);
}

const CommandRegistration train({QStringLiteral("train"), QStringLiteral("[JOB] [OPTIONS]"),
                                 QStringLiteral("train on all ready devices of this home"), runTrain});
const CommandRegistration profile({QStringLiteral("profile"), QStringLiteral("[JOB] [OPTIONS]"),
                                   QStringLiteral("measure the devices and links of this home, and plan"), runProfile});

}  // namespace
}  // namespace hearth
