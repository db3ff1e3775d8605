#include "core/agent/run_service.h"

#include <QCborArray>
#include <QDir>
#include <QPointer>
#include <algorithm>
#include <utility>

#include "core/agent/answer.h"
#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/home/device_choice.h"
#include "core/run/files/run_folder.h"
#include "core/run/files/state_words.h"

namespace hearth {
namespace {

Error isOver(const QString &run) {
    return {QStringLiteral("run.not-live"), sentence("The run %1 is over.").arg(run), QString(),
            sentence("Check it with \"hearth attach %1\", or start a new one.").arg(run)};
}

Error runsAlready(const QString &run) {
    return {QStringLiteral("run.live"), sentence("The run %1 is under way already.").arg(run), QString(),
            sentence("Follow it with \"hearth attach %1\".").arg(run)};
}

/// What was measured lies in the profiles, and what was answered or planned is told; of how it went only the newest run
/// is kept.
bool isOfNoInterestLater(const QCborMap &request) {
    const QString only = onlyOf(request);
    return only == QLatin1String("measure") || only == QLatin1String("answer") || only == QLatin1String("plan");
}

/// Rounds are what most orders are about.
bool isOrderOf(const QString &word, const RunInfo &run) {
    const bool evaluates =
        run.only == QLatin1String("evaluate") && (word == QLatin1String("evaluate") || word == QLatin1String("save"));
    return run.only.isEmpty() || evaluates || word == QLatin1String("stop") || word == QLatin1String("leave");
}

/// A run that has told something stays, whatever became of its start.
bool hasTold(const QString &folder) {
    return QFileInfo(eventsPath(folder)).size() > 0;
}

}  // namespace

RunService::RunService(const QString &stateDir, DeviceBook &devices, HomeLinks &links, WorkerHost &workers,
                       DataHost &holders, LimitsService &limits)
    : m_folder(stateDir + QStringLiteral("/runs")),
      m_devices(devices),
      m_links(links),
      m_workers(workers),
      m_holders(holders),
      m_limits(limits),
      m_ofRuns(devices, links, workers, holders, limits),
      m_pastRuns(m_folder) {
    // Coordinators end with their agent. If it was killed, their keys are still there, and of no use but misuse.
    QStringList kept;
    for (const QString &id : listRuns(m_folder)) {
        QFile::remove(folder(id) + QStringLiteral("/coordinator.pem"));
        m_spent.removeRest(folder(id));
        if (QFileInfo(checkpointsPath(folder(id))).isDir())
            kept << id;
    }
    // Of runs that ended when no agent was there to remove them, too.
    m_pastRuns.know(kept, this, [this, kept] {
        for (const QString &id : kept) {
            if (const RunInfo *info = m_pastRuns.find(id))
                m_spent.remove(folder(id), *info);
        }
    });
}

RunService::~RunService() = default;

void RunService::serve(Rpc &rpc) {
    rpc.handle(QStringLiteral("runs"), [this, context = &rpc](const QCborMap &, const Reply &reply) {
        read(context, [reply](const std::vector<RunInfo> &runs) {
            QCborArray list;
            for (const RunInfo &run : runs)
                list.append(run.toCbor());
            reply.ok({{QStringLiteral("runs"), list}});
        });
    });
    rpc.handle(QStringLiteral("run.start"), [this, asker = QPointer(&rpc)](const QCborMap &args, const Reply &reply) {
        // It is the coordinator that reads, and the agent that notices when that says nothing any more.
        reply.tellWorking();
        // In the agent's context: the run starts also when the app that asked for it is gone.
        start(args, this, [this, asker, reply, only = onlyOf(args)](const Result<QCborMap> &result) {
            result ? reply.ok(*result) : reply.fail(result.error());
            if (result && only == QLatin1String("answer"))
                endWith(asker, (*result)[QStringLiteral("id")].toString());
        });
    });
    rpc.handle(QStringLiteral("run.command"), [this](const QCborMap &args, const Reply &reply) {
        answer(reply, command(args[QStringLiteral("id")].toString(), args));
    });
    rpc.handle(QStringLiteral("run.drop-checkpoints"), [this](const QCborMap &args, const Reply &reply) {
        answer(reply, dropCheckpoints(args[QStringLiteral("id")].toString()));
    });
    rpc.handle(QStringLiteral("run.ask"), [this](const QCborMap &args, const Reply &reply) {
        const QString id = args[QStringLiteral("id")].toString();
        const auto run = liveRun(id);
        if (!run)
            reply.fail(run.error());
        else if (isFinalState((*run)->info().state))
            reply.fail(isOver(id));  // its coordinator is about to end
        else
            (*run)->ask(args, reply);
    });
}

void RunService::endWith(QObject *asker, const QString &id) {
    const auto end = [this, id] {
        if (m_runs.contains(id))
            (void)command(id, {{QStringLiteral("command"), QStringLiteral("stop")}});
    };
    if (asker)
        connect(asker, &QObject::destroyed, this, end);
    else
        end();
}

void RunService::beginEnd() {
    m_ending = true;
    for (const auto &[id, run] : m_runs) {
        run->setInterrupting();
        run->stop();
    }
    m_workers.stopAll();
    m_holders.stopAll();
}

void RunService::waitForEnd(const QDeadlineTimer &deadline) {
    const auto left = [&deadline] {
        return std::max(std::chrono::milliseconds(1), std::chrono::milliseconds(deadline.remainingTime()));
    };
    for (const auto &[id, run] : m_runs)
        run->waitForEnd(left());
    m_workers.waitForEnd(left());
    m_holders.waitForEnd(left());
    m_runs.clear();  // kills what is left
    for (const QString &id : std::exchange(m_starting, {})) {
        if (!hasTold(folder(id)))
            QDir(folder(id)).removeRecursively();
    }
}

std::vector<RunInfo> RunService::list() const {
    std::vector<RunInfo> list;
    for (const QString &id : listRuns(m_folder)) {
        if (const auto live = m_runs.find(id); live != m_runs.end())
            list.push_back(live->second->info());
        else if (const RunInfo *past = m_pastRuns.find(id))
            list.push_back(*past);
    }
    return list;
}

QStringList RunService::pastRuns() const {
    QStringList past = listRuns(m_folder);
    past.removeIf([this](const QString &id) { return m_runs.contains(id) || m_starting.contains(id); });
    return past;
}

void RunService::read(QObject *context, std::function<void(std::vector<RunInfo>)> answer) {
    m_pastRuns.know(pastRuns(), context, [this, answer = std::move(answer)] { answer(list()); });
}

quint64 RunService::lastSeqOf(const QString &run) const {
    if (const auto live = m_runs.find(run); live != m_runs.end())
        return live->second->info().lastSeq;
    const RunInfo *past = m_pastRuns.find(run);
    return past ? past->lastSeq : hearth::lastSeqOf(folder(run));
}

Result<void> RunService::require(const QString &id) const {
    const QStringList known = listRuns(m_folder);
    if (known.contains(id))
        return {};
    return fail(QStringLiteral("run.unknown"), sentence("There is no run \"%1\" in this home.").arg(id.left(80)),
                QString(),
                known.isEmpty() ? sentence("Start one with \"hearth train\".") : didYouMean(id, known.mid(0, 10)));
}

bool RunService::leads() const {
    return std::ranges::any_of(m_runs, [](const auto &run) {
        // One that goes on has its former state until then.
        const QString &state = run.second->info().state;
        return !run.second->isAccepted() || (!isFinalState(state) && state != QLatin1String("paused"));
    });
}

Result<RunHost *> RunService::liveRun(const QString &id) const {
    if (auto known = require(id); !known)
        return tl::unexpected(known.error());
    if (const auto run = m_runs.find(id); run != m_runs.end())
        return run->second.get();
    return tl::unexpected(isOver(id));
}

Result<void> RunService::command(const QString &id, const QCborMap &command) {
    static const QStringList words{
        QStringLiteral("pause"),       QStringLiteral("resume"), QStringLiteral("stop"),
        QStringLiteral("evaluate"),    QStringLiteral("save"),   QStringLiteral("checkpoint"),
        QStringLiteral("accept-plan"), QStringLiteral("leave"),  QStringLiteral("plan")};
    const QString word = command[QStringLiteral("command")].toString();
    if (!words.contains(word)) {
        return fail(QStringLiteral("run.bad-command"), sentence("A run knows no command \"%1\".").arg(word.left(40)),
                    QString(), didYouMean(word, words));
    }
    const auto run = liveRun(id);
    if (!run)
        return tl::unexpected(run.error());
    if (word == QLatin1String("checkpoint") && (*run)->info().state == QLatin1String("paused")) {
        return fail(QStringLiteral("run.paused"), sentence("The run %1 writes no checkpoint now.").arg(id),
                    sentence("It is paused, and a checkpoint is made between rounds."),
                    sentence("Go on with \"hearth pause %1 --resume\" first, or save its weights with "
                             "\"hearth save %1 FILE\".")
                        .arg(id));
    }
    if (!isOrderOf(word, (*run)->info())) {
        return fail(QStringLiteral("run.no-rounds"), sentence("The run %1 does not do that.").arg(id),
                    sentence("It makes no rounds: it was started only to %1.").arg((*run)->info().only),
                    sentence("It can be stopped: hearth stop %1").arg(id));
    }
    if (word == QLatin1String("stop") && !(*run)->isAccepted()) {
        (*run)->stop();
        return {};
    }
    if (word == QLatin1String("save")) {
        // It is written at the end of a round, when whoever asked may look no more.
        const QString path = command[QStringLiteral("path")].toString();
        auto writable = mustBeWritable(path, QStringLiteral("run.save-path"),
                                       sentence("The weights could not be saved as %1.").arg(path),
                                       sentence("Name a file in a folder of your own."));
        if (!writable)
            return writable;
    }
    QCborMap told = command;
    if (word == QLatin1String("leave")) {
        const auto device = deviceNamed(m_devices.all(), command[QStringLiteral("device")].toString());
        if (!device)
            return tl::unexpected(device.error());
        told[QStringLiteral("device")] = device->id;
    }
    (*run)->command(told);
    return {};
}

Result<void> RunService::dropCheckpoints(const QString &id) {
    if (auto known = require(id); !known)
        return known;
    if (isLive(id))
        return tl::unexpected(runsAlready(id));
    if (auto dropped = m_spent.drop(folder(id)); !dropped)
        return dropped;
    if (const RunInfo *known = m_pastRuns.find(id)) {
        RunInfo info = *known;
        info.resumable = false;
        m_pastRuns.put(info);
    }
    return {};
}

Result<void> RunService::mustMeasureAlone(const QCborMap &request) {
    const bool measures = onlyOf(request) == QLatin1String("measure") ||
                          request[QStringLiteral("options")].toMap()[QStringLiteral("measure_again")].toBool();
    const auto live = std::find_if(m_runs.begin(), m_runs.end(),
                                   [](const auto &run) { return !isFinalState(run.second->info().state); });
    if (!measures || live == m_runs.end())
        return {};
    return fail(
        QStringLiteral("measure.busy"), sentence("Nothing was measured."),
        sentence("The run %1 is under way, and beside it devices would look slower than they are.").arg(live->first),
        sentence("Measure when it is over, or stop it."));
}

void RunService::dropPast(const QString &only) {
    for (const QString &id : pastRuns()) {
        const RunInfo *info = m_pastRuns.find(id);
        if (!info || info->only != only)
            continue;
        QDir(folder(id)).removeRecursively();
        m_pastRuns.forget(id);
    }
}

Result<QString> RunService::folderForRun(const QCborMap &request) {
    if (auto alone = mustMeasureAlone(request); !alone)
        return tl::unexpected(alone.error());
    if (request.contains(QStringLiteral("resume")))
        return runToResume(request);
    if (isOfNoInterestLater(request))
        dropPast(onlyOf(request));
    QString id = newRunId();
    while (QFileInfo::exists(folder(id)))
        id = newRunId();
    if (auto made = makePrivateFolder(folder(id)); !made)
        return tl::unexpected(made.error());
    return id;
}

Result<QString> RunService::runToResume(const QCborMap &request) {
    const QString id = request[QStringLiteral("resume")].toString();
    if (auto known = require(id); !known)
        return tl::unexpected(known.error());
    if (isLive(id))
        return tl::unexpected(runsAlready(id));
    for (const QString &own : {QStringLiteral("job"), QStringLiteral("model"), QStringLiteral("weights")}) {
        if (request.contains(own)) {
            return fail(QStringLiteral("run.resume-keeps-job"),
                        sentence("A run that goes on keeps its job, its model and its weights."),
                        sentence("The order names another %1.").arg(own),
                        sentence("Leave it out, or start a new run."));
        }
    }
    RunInfo info;
    info.id = id;
    if (const RunInfo *known = m_pastRuns.find(id))
        info = *known;
    if (auto resumable = mustBeResumable(folder(id), info); !resumable)
        return tl::unexpected(resumable.error());
    return id;
}

void RunService::start(const QCborMap &request, QObject *context, std::function<void(Result<QCborMap>)> answer) {
    // What is decided by the folders of past runs waits until they are read.
    QStringList needed;
    if (request.contains(QStringLiteral("resume")))
        needed << request[QStringLiteral("resume")].toString();
    else if (isOfNoInterestLater(request))
        needed = pastRuns();
    needed.removeIf([](const QString &id) { return !isRunId(id); });
    m_pastRuns.know(needed, context, [this, request, context, answer = std::move(answer)] {
        startIn(m_limits.mustStay().and_then([&] { return folderForRun(request); }), request, context, answer);
    });
}

void RunService::startIn(const Result<QString> &id, const QCborMap &request, QObject *context,
                         std::function<void(Result<QCborMap>)> answer) {
    if (!id) {
        answer(tl::unexpected(id.error()));
        return;
    }
    auto run = std::make_unique<RunHost>(*id, folder(*id), [this] { return m_devices.all(); });
    RunHost *host = run.get();
    host->setRestartWindow(m_restartWindow);
    m_runs[*id] = std::move(run);
    connectRun(host);
    RunStart start;
    start.request = request;
    if (request.contains(QStringLiteral("resume"))) {
        const RunInfo *before = m_pastRuns.find(*id);
        start.resumed = before ? *before : host->info();
    } else {
        m_starting << *id;
    }
    m_pastRuns.forget(*id);
    host->start(start, context, [this, id = *id, answer](const Result<QCborMap> &result) {
        if (!result) {
            forgetRun(id);
            answer(tl::unexpected(result.error()));
            return;
        }
        m_starting.removeAll(id);
        QCborMap reply;
        reply[QStringLiteral("id")] = id;
        answer(reply);
        Q_EMIT changed(id, m_runs.contains(id) ? m_runs[id]->info().state : QString());
    });
    Q_EMIT beginning();
}

void RunService::forgetRun(const QString &id) {
    // waitForEnd() goes through them.
    const auto failed = m_ending ? m_runs.end() : m_runs.find(id);
    if (failed == m_runs.end()) {
        Q_EMIT ended(id);
        return;
    }
    failed->second->disconnect(this);
    failed->second->stop();
    // Its process ends with it, and may write until then.
    connect(failed->second.get(), &QObject::destroyed, this, [this, id] { removeStart(id); });
    failed->second.release()->deleteLater();
    m_runs.erase(failed);
    m_ofRuns.stopAll(id);
}

void RunService::removeStart(const QString &id) {
    const auto end = [this, id] {
        m_starting.removeAll(id);
        Q_EMIT ended(id);
    };
    if (m_starting.contains(id) && !hasTold(folder(id)))
        m_spent.removeFolder(folder(id), end);
    else
        end();
}

void RunService::connectRun(RunHost *run) {
    const QString id = run->id();
    connect(run, &RunHost::workerWanted, this,
            [this, run](const QString &device, const Reply &reply) { m_ofRuns.startWorker(*run, device, reply); });
    connect(run, &RunHost::workerUnwanted, this,
            [this, id](const QString &device) { m_ofRuns.stopWorker(id, device); });
    connect(run, &RunHost::holderWanted, this,
            [this, run](const QString &device, const Reply &reply) { m_ofRuns.startHolder(*run, device, reply); });
    connect(run, &RunHost::holderUnwanted, this,
            [this, id](const QString &device) { m_ofRuns.stopHolder(id, device); });
    connect(run, &RunHost::grew, this, [this, id] { Q_EMIT grew(id); });
    connect(run, &RunHost::stateChanged, this, [this, id](const QString &state) { Q_EMIT changed(id, state); });
    connect(run, &RunHost::ended, this, [this, id] { runIsOver(id); });
}

void RunService::runIsOver(const QString &id) {
    const auto run = m_runs.find(id);
    if (run == m_runs.end() || m_ending)
        return;
    RunInfo info = run->second->info();
    info.resumable = mustBeResumable(folder(id), info).has_value();
    m_pastRuns.put(info);
    m_spent.remove(folder(id), info);
    run->second.release()->deleteLater();  // we are inside its signal
    m_runs.erase(run);
    // Whatever the coordinator managed to ask for, nobody needs the workers and the data any more.
    m_ofRuns.stopAll(id);
    Q_EMIT ended(id);
}

}  // namespace hearth
