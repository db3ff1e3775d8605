// What a person tells a run under way: `hearth pause`, `stop`, `checkpoint`, `save`, `accept-plan`,
// `apply`, `leave`. The run answers with its events.
#include <QFileInfo>
#include <algorithm>
#include <functional>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "core/agent/programs.h"
#include "core/base/json_reader.h"
#include "core/plan/plan.h"
#include "core/run/files/run_folder.h"

namespace hearth {
namespace {

struct Order {
    QString word;
    QString done;  // said when the run was told
    QCborMap arguments = {};
    QString doneBefore = {};  // said instead where it has not begun, and waits or is paused
};

int sayDone(const CommandArguments &line, const QString &run, const Order &order) {
    if (line.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("run"), run}, {QStringLiteral("command"), order.word}});
    else
        printLine(order.done);
    return Done;
}

/// Whether it has not begun, and waits for devices or is paused.
Result<bool> waitsToBegin(AgentClient &client, const QString &run) {
    return waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { client.runs(context, done); })
        .map([&](const std::vector<RunInfo> &runs) {
            const auto own = std::ranges::find(runs, run, &RunInfo::id);
            return own != runs.end() && own->live && own->rounds == 0 &&
                   (own->state == QLatin1String("waiting") || own->state == QLatin1String("paused"));
        });
}

int sendOrder(AgentClient &client, const CommandArguments &line, const QString &run, Order order) {
    if (!order.doneBefore.isEmpty()) {
        const auto waits = waitsToBegin(client, run);
        if (!waits)
            return printError(waits.error());
        if (*waits)
            order.done = order.doneBefore;
    }
    const auto answer = commandRun(client, run, order.word, order.arguments);
    return answer ? sayDone(line, run, order) : printError(answer.error());
}

/// Declares the words that every order has, parses, and tells the run what `make` says.
int tellRun(CommandArguments &line, const QStringList &arguments, const std::function<Result<Order>()> &make) {
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const Result<Order> order = make();
    if (!order)
        return printError(order.error());
    const auto run = runToAsk(stateDirOf(line), line.word(0));
    if (!run)
        return printError(run.error());
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    return sendOrder(**client, line, *run, *order);
}

struct OrderArguments : CommandArguments {
    explicit OrderArguments(const QString &command) : CommandArguments(command) {
        positional(QStringLiteral("RUN"), QStringLiteral("as \"hearth runs\" lists it"));
    }
};

int simpleOrder(const QString &word, const QString &done, const QStringList &arguments) {
    OrderArguments line(word);
    return tellRun(line, arguments, [&]() -> Result<Order> { return Order{word, done}; });
}

int runPause(const QStringList &arguments) {
    OrderArguments line(QStringLiteral("pause"));
    line.flag(QStringLiteral("resume"), QStringLiteral("go on with a paused run"));
    return tellRun(line, arguments, [&]() -> Result<Order> {
        if (line.isSet(QStringLiteral("resume")))
            return Order{QStringLiteral("resume"), QStringLiteral("The run goes on.")};
        return Order{QStringLiteral("pause"),
                     QStringLiteral("The run pauses at the end of this round."),
                     {},
                     QStringLiteral("The run does not begin until it is resumed: hearth pause %1 --resume%2")
                         .arg(line.word(0), stateOption(stateDirOf(line)))};
    });
}

int runStop(const QStringList &arguments) {
    return simpleOrder(QStringLiteral("stop"), QStringLiteral("The run stops at the end of this round and saves."),
                       arguments);
}

int runCheckpoint(const QStringList &arguments) {
    return simpleOrder(QStringLiteral("checkpoint"), QStringLiteral("The run writes a checkpoint soon."), arguments);
}

int runAcceptPlan(const QStringList &arguments) {
    return simpleOrder(QStringLiteral("accept-plan"), QStringLiteral("Accepts the offered plan."), arguments);
}

int runSave(const QStringList &arguments) {
    OrderArguments line(QStringLiteral("save"));
    line.positional(QStringLiteral("FILE"), QStringLiteral("where the weights go (safetensors)"));
    line.flag(QStringLiteral("best"), QStringLiteral("those of its best evaluation, not the last ones"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto run = runToAsk(stateDirOf(line), line.word(0));
    if (!run)
        return printError(run.error());
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto underWay = isUnderWay(**client, *run);
    if (!underWay)
        return printError(underWay.error());
    const auto folder = folderOfRun(stateDirOf(line), *run);
    const RunWeights which = line.isSet(QStringLiteral("best")) ? RunWeights::Best : RunWeights::Last;
    const QString path = QFileInfo(line.word(1)).absoluteFilePath(), word = QStringLiteral("save");
    // The best are whole whenever they are there, also while rounds go on.
    if (which == RunWeights::Best || !*underWay) {
        const auto copied = folder.and_then([&](const QString &of) { return copyWeights(of, which, path); });
        return copied ? sayDone(line, *run, {word, QStringLiteral("The weights are in %1.").arg(path)})
                      : printError(copied.error());
    }
    // The coordinator has a working folder of its own.
    return sendOrder(**client, line, *run,
                     {word,
                      QStringLiteral("The weights go to %1 at the end of this round.").arg(path),
                      {{QStringLiteral("path"), path}}});
}

int runApply(const QStringList &arguments) {
    OrderArguments line(QStringLiteral("apply"));
    line.positional(QStringLiteral("PLAN"), QStringLiteral("a plan, for instance one that \"hearth plan\" printed"));
    return tellRun(line, arguments, [&]() -> Result<Order> {
        const auto object = readJsonFile(line.word(1));
        if (!object)
            return tl::unexpected(object.error());
        const auto plan = Plan::fromJson(*object, line.word(1));
        if (!plan)
            return tl::unexpected(plan.error());
        return Order{QStringLiteral("plan"),
                     QStringLiteral("The run takes this plan at its next round, or says why it cannot."),
                     {{QStringLiteral("plan"), QCborMap::fromJsonObject(plan->toJson())}}};
    });
}

int runLeave(const QStringList &arguments) {
    OrderArguments line(QStringLiteral("leave"));
    line.positional(QStringLiteral("DEVICE"), QStringLiteral("by name or id; its layers go to others first"));
    return tellRun(line, arguments, [&]() -> Result<Order> {
        return Order{QStringLiteral("leave"),
                     QStringLiteral("%1 leaves the run at the end of this round.").arg(line.word(1)),
                     {{QStringLiteral("device"), line.word(1)}}};
    });
}

const CommandRegistration pauseRegistration({QStringLiteral("pause"), QStringLiteral("RUN [--resume]"),
                                             QStringLiteral("pause a run, or go on with it"), runPause});
const CommandRegistration stopRegistration({QStringLiteral("stop"), QStringLiteral("RUN"),
                                            QStringLiteral("stop a run and save its weights"), runStop});
const CommandRegistration checkpointRegistration({QStringLiteral("checkpoint"), QStringLiteral("RUN"),
                                                  QStringLiteral("write a run's states to the disk now"),
                                                  runCheckpoint});
const CommandRegistration saveRegistration({QStringLiteral("save"), QStringLiteral("RUN FILE [--best]"),
                                            QStringLiteral("save a run's weights as they are now"), runSave});
const CommandRegistration acceptPlanRegistration({QStringLiteral("accept-plan"), QStringLiteral("RUN"),
                                                  QStringLiteral("accept the plan that a run offers"), runAcceptPlan});
const CommandRegistration applyRegistration({QStringLiteral("apply"), QStringLiteral("RUN PLAN"),
                                             QStringLiteral("give a run another plan"), runApply});
const CommandRegistration leaveRegistration({QStringLiteral("leave"), QStringLiteral("RUN DEVICE"),
                                             QStringLiteral("take a device out of a run without losing a round"),
                                             runLeave});

}  // namespace
}  // namespace hearth
