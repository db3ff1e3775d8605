// `hearth sweep`: one job with other values, run after run, and the best of them.
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QLockFile>
#include <cmath>

#include "app/cli/command.h"
#include "app/cli/sweep_runner.h"
#include "app/cli/table.h"
#include "core/agent/programs.h"
#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/history/run_label.h"
#include "core/run/job_file.h"
#include "core/sweep/sweep_order.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

QString valueText(const Sweep &sweep, double value) {
    if (!std::isfinite(value))
        return QStringLiteral("–");
    return sweep.metric == Sweep::Metric::Accuracy ? formatPercent(value) : formatLoss(value);
}

QStringList rowOf(const Sweep &sweep, std::size_t index) {
    const SweepTrial &trial = sweep.trials[index];
    return {QString::number(index + 1),   trial.run,
            sweepStateName(trial.state),  trialText(trial.values),
            valueText(sweep, trial.best), trial.bestRound > 0 ? formatCount(trial.bestRound) : QString(),
            valueText(sweep, trial.last)};
}

void print(const Sweep &sweep) {
    QList<QStringList> rows{{QStringLiteral("NO"), QStringLiteral("RUN"), QStringLiteral("STATE"),
                             QStringLiteral("VALUES"), QStringLiteral("BEST"), QStringLiteral("AT ROUND"),
                             QStringLiteral("LAST")}};
    for (const std::size_t index : sweep.ranking())
        rows << rowOf(sweep, index);
    printTable(rows, 4);
}

QJsonObject resultOf(const Sweep &sweep) {
    QJsonObject json = sweep.toJson();
    json[QStringLiteral("format")] = QStringLiteral("hearth-sweep-result/1");
    if (const SweepTrial *best = sweep.best())
        json[QStringLiteral("best")] = best->toJson();
    return json;
}

Error usage(const Sentence &what, const Sentence &advice = {}) {
    return {QStringLiteral("usage.wrong"), what, {}, advice};
}

constexpr const char *jobOptions[] = {"job", "set", "by", "random", "seed", "stop-early"};

/// The value of an option that takes one of these; the first where it was not given.
Result<QString> listedWord(const CommandArguments &line, const QString &option, const QStringList &choices) {
    const QString given = line.get(option, choices.front());
    if (choices.contains(given))
        return given;
    return tl::unexpected(usage(sentence("The option --%1 does not take \"%2\".").arg(option, given.left(60)),
                                didYouMean(given, choices)));
}

Result<SweepOrder> orderOf(const CommandArguments &line) {
    const bool file = line.wordCount() > 0;
    for (const char *own : jobOptions) {
        if (file && line.isSet(QLatin1String(own))) {
            return tl::unexpected(usage(sentence("FILE and --%1 do not go together.").arg(QLatin1String(own)),
                                        sentence("Write it into the file, or leave the file out.")));
        }
    }
    auto order = file ? SweepOrder::load(line.word(0)) : SweepOrder();
    if (!order)
        return order;
    if (line.isSet(QStringLiteral("name")))
        order->name = line.get(QStringLiteral("name"));
    const auto devices = line.list(QStringLiteral("devices"));
    if (!devices)
        return tl::unexpected(devices.error());
    if (!devices->isEmpty())
        order->devices = *devices;
    if (file)
        return order;
    const auto random = line.integer(QStringLiteral("random"), 1, SweepSpace::mostTrials, 1);
    const auto seed = line.integer(QStringLiteral("seed"), 0, qint64(1) << 53, 1);
    if (!random || !seed)
        return tl::unexpected((random ? seed : random).error());
    order->set = line.all(QStringLiteral("set"));
    if (line.isSet(QStringLiteral("random")))
        order->random = static_cast<int>(*random);
    order->seed = static_cast<quint64>(*seed);
    const auto early = listedWord(line, QStringLiteral("stop-early"), sweepStoppings());
    const auto by = listedWord(line, QStringLiteral("by"),
                               {sweepMetricName(Sweep::Metric::Loss), sweepMetricName(Sweep::Metric::Accuracy)});
    if (!early || !by)
        return tl::unexpected((early ? by : early).error());
    order->stopping = static_cast<Sweep::Stopping>(sweepStoppings().indexOf(*early));
    if (line.isSet(QStringLiteral("job"))) {
        const auto job = readJobFile(line.get(QStringLiteral("job")));
        if (!job)
            return tl::unexpected(job.error());
        order->job = *job;
    }
    if (line.isSet(QStringLiteral("by")))
        order->job[QStringLiteral("best_by")] = *by;
    return order;
}

/// One that goes on is as it was begun: what it would not look at is refused.
Result<void> checkResumed(const CommandArguments &line) {
    QString ignored = line.word(0);
    for (const char *option : jobOptions) {
        if (line.isSet(QLatin1String(option)))
            ignored = QStringLiteral("--") + QLatin1String(option);
    }
    if (line.isSet(QStringLiteral("name")))
        ignored = QStringLiteral("--name");
    if (ignored.isEmpty())
        return {};
    return fail(QStringLiteral("usage.wrong"), sentence("--resume and %1 do not go together.").arg(ignored),
                sentence("A sweep that goes on keeps its name, its job and its runs; only its devices may change."),
                sentence("Leave one of them out."));
}

/// A new one, in a folder of its own, or the one that is to go on.
Result<Sweep> sweepOf(const CommandArguments &line, const QString &stateDir, QString &folder) {
    const QString sweeps = sweepsFolder(stateDir);
    if (line.isSet(QStringLiteral("resume"))) {
        const auto devices = checkResumed(line).and_then([&] { return line.list(QStringLiteral("devices")); });
        if (!devices)
            return tl::unexpected(devices.error());
        const QString name = line.get(QStringLiteral("resume"));
        folder = sweeps + QLatin1Char('/') + name;
        if (!checkSweepName(name) || !QFileInfo(folder).isDir()) {
            return fail(QStringLiteral("sweep.unknown"), sentence("There is no sweep \"%1\".").arg(name.left(80)), {},
                        didYouMean(name, QDir(sweeps).entryList(QDir::Dirs | QDir::NoDotAndDotDot)));
        }
        auto sweep = Sweep::load(folder);
        if (sweep && !devices->isEmpty())
            sweep->devices = *devices;
        // As it was begun: where that folder is gone, what the job names in it is missed with its name.
        if (sweep && !sweep->workingFolder.isEmpty())
            QDir::setCurrent(sweep->workingFolder);
        return sweep;
    }
    const auto order = orderOf(line);
    if (!order)
        return tl::unexpected(order.error());
    auto sweep = order->begin();
    if (!sweep)
        return sweep;
    folder = sweeps + QLatin1Char('/') + sweep->name;
    if (QFileInfo::exists(folder)) {
        return fail(QStringLiteral("sweep.taken"), sentence("There is a sweep \"%1\" already.").arg(sweep->name), {},
                    sentence("Continue it with --resume %1, or choose another --name.").arg(sweep->name));
    }
    if (auto made = makePrivateFolder(folder); !made)
        return tl::unexpected(made.error());
    if (auto saved = sweep->save(folder); !saved)
        return tl::unexpected(saved.error());
    return sweep;
}

int finish(const Sweep &sweep, const QString &stateDir, bool json) {
    const SweepTrial *best = sweep.best();
    if (best != nullptr) {
        LabelChange star;
        star.starred = true;
        if (const auto starred = star.applyTo(stateDir + QStringLiteral("/runs/") + best->run); !starred)
            printNote(starred.error().toString());
    }
    if (json) {
        printJson(resultOf(sweep));
    } else {
        print(sweep);
        if (best != nullptr) {
            printLine(QStringLiteral("The best is %1 (%2): %3 %4 at round %5.")
                          .arg(best->run, trialText(best->values), sweepMetricName(sweep.metric),
                               valueText(sweep, best->best), formatCount(best->bestRound)));
        }
    }
    if (best == nullptr) {
        return printError({QStringLiteral("sweep.no-result"),
                           sentence("No run of the sweep was evaluated."),
                           {},
                           sentence("\"hearth runs --tag %1\" lists them.").arg(sweep.name)});
    }
    return Done;
}

void tellTrial(const Sweep &sweep, std::size_t index, bool json) {
    const SweepTrial &trial = sweep.trials[index];
    if (json) {
        QJsonObject told = trial.toJson();
        told[QStringLiteral("trial")] = static_cast<qint64>(index) + 1;
        printJson(told);
        return;
    }
    QString text = QStringLiteral("%1/%2  %3: ").arg(index + 1).arg(sweep.trials.size()).arg(trialText(trial.values));
    if (trial.state == SweepTrial::State::Failed)
        text += QStringLiteral("failed. ") + trial.cause;
    else
        text += QStringLiteral("%1, %2 %3")
                    .arg(sweepStateName(trial.state), sweepMetricName(sweep.metric), valueText(sweep, trial.best));
    printNote(text);
}

int runSweep(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("sweep"));
    line.positional(QStringLiteral("FILE"), QStringLiteral("a hearth-sweep/1 file, in place of --job, --set and so on"),
                    false);
    line.value(QStringLiteral("job"), QStringLiteral("JOB"),
               QStringLiteral("the job to change; default: fashion-cnn on fashion-mnist"));
    line.value(QStringLiteral("set"), QStringLiteral("KEY=VALUES"),
               QStringLiteral("what to try, several times: batch=32,64, or with --random a range: lr=1e-4..1e-1:log"));
    line.value(QStringLiteral("by"), QStringLiteral("loss|accuracy"),
               QStringLiteral("what makes a run better; default: the job's best_by"));
    line.value(QStringLiteral("random"), QStringLiteral("N"), QStringLiteral("draw N combinations instead of all"));
    line.value(QStringLiteral("seed"), QStringLiteral("S"), QStringLiteral("of the draws (1)"));
    line.value(
        QStringLiteral("stop-early"), QStringLiteral("none|halving|hyperband"),
        QStringLiteral("halving: stop runs that are not among the best third at their 1st, 3rd, 9th … evaluation; "
                       "hyperband: draw as many as its brackets need, and go on with the best third of each"));
    line.value(QStringLiteral("name"), QStringLiteral("NAME"), QStringLiteral("a tag of all its runs"));
    line.value(QStringLiteral("devices"), QStringLiteral("a,b"), QStringLiteral("only these devices, by name or id"));
    line.value(QStringLiteral("resume"), QStringLiteral("SWEEP"),
               QStringLiteral("go on with a sweep that was left or killed; with --devices on these from now on"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    QString folder;
    // The current folder may change.
    const QString stateDir = QDir(stateDirOf(line)).absolutePath();
    auto sweep = sweepOf(line, stateDir, folder);
    if (!sweep) {
        // A file that says the same is wrong itself.
        QStringList wrong{QStringLiteral("usage.wrong")};
        if (line.wordCount() == 0)
            wrong << QStringLiteral("sweep.nothing") << QStringLiteral("sweep.bad-set")
                  << QStringLiteral("sweep.bad-name");
        return wrong.contains(sweep.error().code) ? line.wrongUsage(sweep.error()) : printError(sweep.error());
    }
    QLockFile lock(folder + QStringLiteral("/lock"));
    lock.setStaleLockTime(0);
    if (!lock.tryLock()) {
        return printError({QStringLiteral("sweep.busy"),
                           sentence("The sweep %1 is under way already.").arg(sweep->name),
                           {},
                           sentence("End the other \"hearth sweep\" first.")});
    }
    const bool json = line.isSet(QStringLiteral("json"));
    StopSignals stops;
    const auto client = connectToAgent(stateDir, &stops);
    if (!client)
        return endedBy(client.error());
    if (!json)
        printNote(Sentence::filled(QStringLiteral("Sweep %1: %2 {2|run|runs}."),
                                   {sweep->name, QString::number(sweep->trials.size())}));
    SweepRunner runner(**client, stops, stateDir, folder, *sweep);
    const auto done = runner.run([&](std::size_t index) { tellTrial(*sweep, index, json); });
    if (!done) {
        const int status = endedBy(done.error());
        printNote(QStringLiteral("A run under way goes on. Go on with the sweep: hearth sweep --resume %1%2")
                      .arg(sweep->name, stateOption(stateDir)));
        if (!sweep->devices.isEmpty()) {
            printNote(QStringLiteral("It trains on %1; with --devices a,b it goes on with others.")
                          .arg(sweep->devices.join(QStringLiteral(", "))));
        }
        return status;
    }
    return finish(*sweep, stateDir, json);
}

const CommandRegistration sweepRegistration(
    {QStringLiteral("sweep"),
     QStringLiteral(
         "[FILE | --job JOB --set KEY=VALUES …] [--by loss|accuracy] [--random N] [--stop-early halving|hyperband] | --resume SWEEP [--devices a,b]"),
     QStringLiteral("train a job with several values, and tell the best"), runSweep});

}  // namespace
}  // namespace hearth
