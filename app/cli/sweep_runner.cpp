#include "app/cli/sweep_runner.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/cli/command.h"
#include "app/run_order.h"
#include "core/base/json_reader.h"
#include "core/data/dataset.h"
#include "core/history/run_label.h"
#include "core/model/import/open_model.h"
#include "core/run/job_fit.h"
#include "core/sweep/sweep_space.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

/// A trial that is over for a reason of its own.
void failTrial(SweepTrial &trial, const QString &cause) {
    trial.state = SweepTrial::State::Failed;
    trial.cause = cause;
}

/// What every other trial would meet, too: Ctrl-C, devices that cannot be had, an agent that takes no run, a full disk.
bool isOfHome(const Error &error) {
    constexpr const char *families[] = {"app.", "agent.", "rpc.", "run.", "device.", "identity.", "program."};
    constexpr const char *codes[] = {"child.not-started", "file.unwritable", "file.unsynced", "file.no-folder",
                                     "file.not-private"};
    const auto isOneOf = [&](const char *code) { return error.code == QLatin1String(code); };
    const auto isIn = [&](const char *family) { return error.code.startsWith(QLatin1String(family)); };
    // The device that holds a trial's data is named by its job.
    return std::ranges::any_of(codes, isOneOf) ||
           (std::ranges::any_of(families, isIn) && error.code != QLatin1String("run.data-device"));
}

/// By the names of data that were read; nothing: this program cannot read them.
using DataShapes = std::map<QString, std::optional<DataShape>>;

/// Reads the data where they are not in `shapes`, and adds them: blocks.
const std::optional<DataShape> &shapeOf(const QString &data, DataShapes &shapes) {
    const auto known = shapes.find(data);
    if (known != shapes.end())
        return known->second;
    const auto read = loadDataset(data);
    return shapes.emplace(data, read ? std::optional(DataShape::of(**read)) : std::nullopt).first->second;
}

/// Of a network and data that this program can read; others are left to the run.
std::optional<Misfit> misfitOfTrial(const Job &job, DataShapes &shapes) {
    const auto model = openModel(job.model);
    // Of several, each device looks at its own when the run begins.
    if (!model || job.data.size() > 1)
        return std::nullopt;
    const auto &shape = shapeOf(job.data.front(), shapes);
    return shape ? misfitOf(job, model->model, *shape) : std::nullopt;
}

}  // namespace

SweepRunner::SweepRunner(AgentClient &client, StopSignals &stops, const QString &stateDir, const QString &folder,
                         Sweep &sweep)
    : m_client(client), m_stops(stops), m_stateDir(stateDir), m_folder(folder), m_sweep(sweep) {}

Result<void> SweepRunner::run(const Told &told) {
    if (std::ranges::all_of(m_sweep.trials,
                            [](const auto &trial) { return trial.state == SweepTrial::State::Waiting; }))
        tellMisfits();
    while (const auto next = m_sweep.next()) {
        SweepTrial &trial = m_sweep.trials[*next];
        dropCheckpoints();
        if (auto started = start(trial); !started)
            return started;
        if (!trial.isOver()) {
            if (auto followed = follow(*next); !followed)
                return followed;
        }
        m_progress.show({});
        if (auto saved = save(); !saved)
            return saved;
        told(*next);
    }
    dropCheckpoints();
    return save();
}

void SweepRunner::dropCheckpoints() {
    for (const QString &run : m_sweep.spentRuns()) {
        if (m_dropped.contains(run))
            continue;
        m_dropped << run;
        const QCborMap which{{QStringLiteral("id"), run}};
        const auto dropped = waitFor<QCborMap>([&](QObject *context, auto done) {
            m_client.call(QStringLiteral("run.drop-checkpoints"), which, Rpc::shortDeadline, context, done);
        });
        // One that somebody has deleted has none.
        if (!dropped && dropped.error().code != QLatin1String("run.unknown"))
            printNote(dropped.error().toString());
    }
}

void SweepRunner::tellMisfits() const {
    QStringList told;
    DataShapes shapes;
    for (const SweepTrial &trial : m_sweep.trials) {
        const auto job = jobWith(m_sweep.job, trial.values);
        const QString pair = job ? job->model + QLatin1Char('\n') + job->dataText() : QString();
        if (!job || told.contains(pair))
            continue;
        told << pair;
        if (const auto misfit = misfitOfTrial(*job, shapes))
            printError(misfit->error);
    }
}

Result<void> SweepRunner::start(SweepTrial &trial) {
    const auto began = begin(trial);
    if (began)
        return {};
    if (!m_client.isOpen())
        return began;
    // Somebody stopped it while its data were read.
    if (began.error().code == QLatin1String("run.stopped")) {
        trial.state = SweepTrial::State::Stopped;
        return {};
    }
    if (isOfHome(began.error()))
        return began;
    failTrial(trial, began.error().toString());
    return {};
}

Result<void> SweepRunner::begin(SweepTrial &trial) {
    const auto job = jobWith(m_sweep.job, trial.values);
    auto order = job ? makeOrder(*job) : tl::unexpected(job.error());
    if (!order)
        return tl::unexpected(order.error());
    order->devices = m_sweep.devices;
    const auto known = knownRunOf(trial, *order);
    if (!known)
        return tl::unexpected(known.error());
    trial.state = SweepTrial::State::Running;
    if (*known) {
        trial.run = **known;
    } else {
        // Written before it starts: whoever goes on after a kill right now looks for a run of this job since then.
        trial.run.clear();
        trial.begun = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
        if (auto saved = save(); !saved)
            return saved;
        const auto run = beginRun(m_client, *order, m_stateDir, m_stops);
        if (!run)
            return tl::unexpected(run.error());
        trial.run = *run;
    }
    trial.forgetResults();
    LabelChange label;
    label.name = trialText(trial.values);
    label.tags = QStringList{m_sweep.name};
    if (const auto labelled = label.applyTo(m_stateDir + QStringLiteral("/runs/") + trial.run); !labelled)
        printNote(labelled.error().toString());
    return save();
}

/// A run of before that is this trial's: it goes on, or is only to be read.
Result<std::optional<QString>> SweepRunner::knownRunOf(const SweepTrial &trial, const RunOrder &order) {
    if (trial.state == SweepTrial::State::Waiting)
        return std::nullopt;
    const auto runs =
        waitFor<std::vector<RunInfo>>([&](QObject *context, auto done) { m_client.runs(context, done); }, &m_stops);
    if (!runs)
        return tl::unexpected(runs.error());
    const auto isOurs = [&](const RunInfo &run) {
        if (!trial.run.isEmpty())
            return run.id == trial.run;
        // A kill came before its id was written down: it is of this job, asked for since then, and no other trial's.
        if (trial.begun.isEmpty() || run.started < trial.begun)
            return false;
        const auto job = readJsonFile(m_stateDir + QStringLiteral("/runs/%1/job.json").arg(run.id));
        return job && *job == order.job &&
               std::ranges::none_of(m_sweep.trials, [&](const SweepTrial &other) { return other.run == run.id; });
    };
    const auto found = std::ranges::find_if(*runs, isOurs);
    if (found == runs->end())
        return std::nullopt;
    const bool isOver = found->state == QLatin1String("finished") || found->state == QLatin1String("stopped");
    if (found->live || (isOver && trial.state == SweepTrial::State::Running))
        return found->id;
    if (!found->resumable)
        return std::nullopt;
    auto again = makeResumeOrder(found->id);
    if (!again)
        return tl::unexpected(again.error());
    again->devices = m_sweep.devices;
    return beginRun(m_client, *again, m_stateDir, m_stops).transform([](const QString &id) {
        return std::optional(id);
    });
}

void SweepRunner::showProgress(std::size_t index) {
    const SweepTrial &trial = m_sweep.trials[index];
    QString text = QStringLiteral("%1/%2  %3  round %4")
                       .arg(index + 1)
                       .arg(m_sweep.trials.size())
                       .arg(trialText(trial.values), formatCount(m_round));
    if (std::isfinite(trial.last))
        text += QStringLiteral("  %1 %2").arg(sweepMetricName(m_sweep.metric)).arg(trial.last, 0, 'g', 4);
    m_progress.show(text);
}

Result<void> SweepRunner::follow(std::size_t index) {
    SweepTrial &trial = m_sweep.trials[index];
    QString state, failure;
    std::optional<Error> unsaved;
    m_round = 0;
    const auto take = [&](const QByteArray &line) {
        const auto event = RunEvent::fromLine(line);
        if (!event)
            return;
        if (const auto *told = std::get_if<event::State>(&event->body))
            state = told->state;
        else if (const auto *wrong = std::get_if<event::Failure>(&event->body))
            failure = wrong->error.toString();
        else if (const auto *round = std::get_if<event::Round>(&event->body))
            m_round = round->round;
        const auto *evaluation = std::get_if<event::Evaluation>(&event->body);
        if (evaluation != nullptr && m_sweep.take(index, *evaluation))
            m_client.command(trial.run, QStringLiteral("stop"), {}, &m_client, [](const Result<QCborMap> &) {});
        if (const auto saved = evaluation != nullptr ? save() : Result<void>(); !saved)
            unsaved = saved.error();
        showProgress(index);
    };
    const auto ended = waitFor<bool>(
        [&](QObject *context, const std::function<void(Result<bool>)> &done) {
            QObject::connect(&m_client, &AgentClient::runEvent, context,
                             [&, done](const QString &id, const QByteArray &line) {
                                 if (id != trial.run)
                                     return;
                                 take(line);
                                 if (unsaved)
                                     done(tl::unexpected(*unsaved));
                             });
            QObject::connect(&m_client, &AgentClient::runEnded, context, [&, done](const QString &id) {
                if (id == trial.run)
                    done(true);
            });
            QObject::connect(&m_client, &AgentClient::closed, context,
                             [done](const Error &reason) { done(tl::unexpected(reason)); });
            m_client.attach(trial.run, 1, context, [done](const Result<QCborMap> &attached) {
                if (!attached)
                    done(tl::unexpected(attached.error()));
            });
        },
        &m_stops);
    if (!ended)
        return tl::unexpected(ended.error());
    if (state == QLatin1String("finished"))
        trial.state = SweepTrial::State::Finished;
    else if (state == QLatin1String("stopped"))
        trial.state = trial.isAtRung() ? SweepTrial::State::Paused : SweepTrial::State::Stopped;
    else
        failTrial(trial, failure.isEmpty() ? QStringLiteral("The run was interrupted.") : failure);
    return {};
}

}  // namespace hearth
