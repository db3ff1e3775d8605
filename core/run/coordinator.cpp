// The state machine: its steps up to the first round.
#include "core/run/coordinator.h"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>

#include "core/plan/explain/resting.h"
#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"

namespace hearth {
QString publicName(RunState state) {
    switch (state) {
        case RunState::Idle:
            return {};
        case RunState::Connecting:
        case RunState::Profiling:
            return QStringLiteral("profiling");
        case RunState::Planning:
        case RunState::Deploying:
            return QStringLiteral("planning");
        case RunState::Training:
        case RunState::Switching:
        case RunState::Evaluating:
        case RunState::Saving:
            return QStringLiteral("training");
        case RunState::Recovering:
            return QStringLiteral("recovering");
        case RunState::Paused:
            return QStringLiteral("paused");
        case RunState::Finished:
            return QStringLiteral("finished");
        case RunState::Stopped:
            return QStringLiteral("stopped");
        case RunState::Failed:
            return QStringLiteral("failed");
    }
    return {};
}

Coordinator::Coordinator(RunRequest request, RunInputs inputs, AgentLink &agent, WorkerConnector &connector,
                         RunDirectory &directory, RunDeadlines deadlines, QObject *parent)
    : QObject(parent),
      d(std::make_unique<Private>(this, std::move(request), std::move(inputs), agent, connector, directory,
                                  deadlines)) {
    connect(&agent, &AgentLink::command, this, &Coordinator::command);
    connect(&agent, &AgentLink::workerExited, this, [this](const QString &device, const Error &error) {
        if (d->membership.workerExited(device, error))
            return;
        // Before there is a session the connection tells it, too, but not as well.
        if (d->connecting)
            d->loseWorker(device, error);
    });
    connect(&agent, &AgentLink::deviceRemoved, this, [this](const QString &device) { d->expel(device); });
    connect(&agent, &AgentLink::deviceChanged, this, [this](const DeviceInfo &device) { d->deviceChanged(device); });
}

Coordinator::~Coordinator() = default;

void Coordinator::start() {
    QMetaObject::invokeMethod(
        this, [this] { d->begin(); }, Qt::QueuedConnection);
}

RunState Coordinator::state() const {
    return d->state;
}

void Coordinator::command(const QCborMap &command) {
    d->takeCommand(command);
}

Coordinator::Private::Private(Coordinator *coordinator, RunRequest theRequest, RunInputs theInputs, AgentLink &theAgent,
                              WorkerConnector &theConnector, RunDirectory &theDirectory, RunDeadlines theDeadlines)
    : q(coordinator),
      request(std::move(theRequest)),
      inputs(std::move(theInputs)),
      agent(theAgent),
      connector(theConnector),
      directory(theDirectory),
      deadlines(theDeadlines),
      log(directory, agent,
          [this] {
              state = RunState::Failed;
              end(RunState::Failed);
          }),
      membership(request.id, request.devices, agent, connector, deadlines, log),
      folder({directory.path(),
              {request.id, request.job.toJson(), request.model, request.job.precision,
               request.job.optimizer.stateFactor()},
              request.safety.checkpointsKept},
             log),
      total(request.evaluateOnly ? 0 : request.job.totalRounds(inputs.data->count(Split::Train))),
      replicas(request, total, membership, folder, log, deadlines),
      rounds(request, inputs.data, membership, log, deadlines),
      replanner(request, *inputs.data, total, membership, log, deadlines, [this] { return standing(); }) {
    connect(&replanner, &Replanner::found, q, [this] { advance(); });
    connect(&replanner, &Replanner::measured, q, [this] {
        if (std::exchange(waiting, false))
            recover({}, 0);
        else
            replanner.consider(QStringLiteral("join"));
        replanner.measureNext();
    });
    connect(&rounds, &RoundLoop::done, q, [this](const event::Round &round) { roundDone(round); });
    connect(&rounds, &RoundLoop::failed, q, [this](const Error &error) { fail(error); });
    connect(&rounds, &RoundLoop::stuck, q,
            [this](const Error &error, double seconds, const QString &from, const QString &to) {
                repeatRound(error, seconds, from, to);
            });
    statesAwaited.setSingleShot(true);
    connect(&statesAwaited, &QTimer::timeout, q, [this] { goOnFromDisk(); });
    connect(&folder, &CheckpointFolder::written, q, [this] {
        weightsDropped |= !inputs.weights.empty();
        inputs.weights.clear();  // version 0 is of no use any more
    });
    connect(&membership, &Membership::added, q, [this](WorkerSession *session) { watch(*session); });
    connect(&membership, &Membership::removed, q, [this] { replanner.measureNext(); });
    connect(&membership, &Membership::returned, q,
            [this](const QString &device) { welcome(membership.takeReturned(device)); });
    connect(&membership, &Membership::statesGone, q, [this] {
        if (statesAwaited.isActive() && !membership.awaitsStates())
            goOnFromDisk();
    });
    connect(&membership, &Membership::silent, q, [this](const QString &device, double seconds) {
        const QString name = membership.session(device)->device().name;
        loseWorker(device,
                   {QStringLiteral("run.device-silent"), sentence("%1 is silent.").arg(name),
                    sentence("Nothing was heard of it for %1 s, nor an answer to three questions.")
                        .arg(Sentence::quantity(seconds, 1)),
                    sentence("Check its power and its network.")},
                   seconds);
    });
}

void Coordinator::Private::begin() {
    if (state != RunState::Idle)
        return;
    if (request.again)
        takeUp();
    else if (request.resume)
        resume();
    else
        beginAnew();
}

void Coordinator::Private::beginAnew() {
    const QString now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    if (!log.record(event::Run{request.id, now, request.job.toJson(), request.model.toJson(), request.only()}))
        return;
    for (const auto &[name, json] : {std::pair{QStringLiteral("job.json"), request.job.toJson()},
                                     std::pair{QStringLiteral("model.json"), request.model.toJson()}}) {
        if (auto saved = directory.saveJson(name, json); !saved) {
            fail(saved.error());
            return;
        }
    }
    if (inputs.match &&
        !log.record(event::Warning{
            sentence("The run begins with a part of its weights from %1.").arg(QFileInfo(request.weights).fileName()),
            inputs.match->toSentence(),
            {}}))
        return;
    beginWithDevices();
}

void Coordinator::Private::beginWithDevices() {
    for (const DeviceInfo &device : membership.devices()) {
        if (!log.record(event::Device{device.id, device.name, toWord(device.state), device.address, device.agentPid}))
            return;
    }
    if (!openTrace())
        return;
    if (request.plan) {
        auto checked = readGivenPlan(*request.plan, request.job, request.model, membership.devices());
        if (!checked) {
            fail(checked.error());
            return;
        }
        replanner.setGiven(std::move(*checked));
    }
    connectWorkers();
}

bool Coordinator::Private::openTrace() {
    if (request.trace.isEmpty())
        return true;
    auto created = RunTrace::create(request.trace, log.seconds());
    if (!created) {
        fail(created.error());
        return false;
    }
    trace.reset(created->release());
    connect(trace.get(), &RunTrace::ended, q, [this](const Error &why) { log.warn(why); });
    return true;
}

void Coordinator::Private::connectWorkers() {
    enter(RunState::Connecting);
    std::vector<DeviceInfo> wanted;
    for (const DeviceInfo &device : membership.devices()) {
        const auto uses = [&device](const PlanStage &stage) {
            return std::ranges::any_of(stage.shares, [&](const Share &share) { return share.device == device.id; });
        };
        if (!replanner.given() || std::ranges::any_of(replanner.given()->stages, uses))
            wanted.push_back(device);
    }
    for (const DeviceInfo &device : wanted)
        membership.markStarted(device.id);
    connecting.reset(new ConnectWorkers(request.id, agent, connector, deadlines));
    connect(connecting.get(), &ConnectWorkers::workerStarted, q,
            [this](const QString &id, const WorkerAddress &address) {
                log.record(event::Worker{id, address.pid});
            });
    connect(connecting.get(), &ConnectWorkers::failed, q, [this](const Error &error) { fail(error); });
    connect(connecting.get(), &ConnectWorkers::lost, q,
            [this](const QString &device, const Error &error) { loseWorker(device, error); });
    connect(connecting.get(), &ConnectWorkers::finished, q, [this] {
        for (auto &session : connecting->takeSessions())
            membership.add(std::move(session));
        connecting.reset();
        profile();
        for (const QString &device : membership.draining())
            leave(device);
    });
    connecting->start(wanted);
}

void Coordinator::Private::watch(WorkerSession &session) {
    connect(&session, &WorkerSession::lost, q,
            [this, &session](const Error &error) { loseWorker(session.id(), error); });
    connect(&session, &WorkerSession::progressed, &rounds, &RoundLoop::noteMoved);
    connect(&session, &WorkerSession::roundDone, q,
            [this, &session](const RoundReport &report) { takeReport(session, report); });
    connect(&session, &WorkerSession::roundTraced, q, [this, &session](const RoundTrace &taken) {
        if (trace)
            trace->take(session, taken);
    });
    connect(&session, &WorkerSession::fabricFailed, q,
            [this, &session](const Error &error) { loseFabric(session, error); });
    connect(&session, &WorkerSession::backupStored, q,
            [this, &session](const StoredBackup &stored) { replicas.stored(session.id(), stored); });
    connect(&session, &WorkerSession::peerLost, q,
            [this, id = session.id()](const QString &fingerprint, const Error &error) {
                // A worker that ended takes its connections along, and whoever saw it end says more about it.
                QTimer::singleShot(deadlines.exitReason, q, [this, id, fingerprint, error, heard = term] {
                    loseLink(id, fingerprint, error, heard);
                });
            });
}

void Coordinator::Private::profile() {
    enter(RunState::Profiling);
    profiling.reset(new ProfileWorkers(request.job, request.model, request.profiles, deadlines));
    ProfileScope scope;
    if (request.measureOnly)
        scope.layersOf = scope.linksOf = request.measured;
    if (request.measureAgain) {
        scope.again = request.measured;
        for (WorkerSession *session : membership.workers()) {
            if (request.measured.isEmpty())
                scope.again << session->id();
        }
    }
    profiling->setScope(scope);
    connect(profiling.get(), &ProfileWorkers::progress, q, [this](const QString &id, int done, int all) {
        log.record(event::Profile{id, done, all});
    });
    connect(profiling.get(), &ProfileWorkers::warning, q, [this](const Error &warning) { log.warn(warning); });
    connect(profiling.get(), &ProfileWorkers::failed, q, [this](const Error &error) { fail(error); });
    connect(profiling.get(), &ProfileWorkers::finished, q, [this] {
        if (request.measureOnly)
            finish({});
        else
            makePlan();
    });
    profiling->start(membership.workers());
}

void Coordinator::Private::makePlan() {
    enter(RunState::Planning);
    auto measured =
        problemOf(request.job, request.model, *inputs.data, request.dataDevice, membership.workers(), *profiling);
    profiling.reset();
    if (!measured) {
        fail(measured.error());
        return;
    }
    replanner.setProblem(std::move(*measured));
    if (auto saved = directory.saveJson(QStringLiteral("problem-%1.json").arg(term), replanner.problem()->toJson());
        !saved) {
        fail(saved.error());
        return;
    }
    startPlanning();
}

void Coordinator::Private::startPlanning() {
    planning.reset(new PlanTask);
    connect(planning.get(), &PlanTask::finished, q, [this](const Plan &made) { takePlan(made); });
    connect(planning.get(), &PlanTask::failed, q, [this](const Error &error) { fail(error); });
    planning->start(*replanner.problem(), request.planner, replanner.given(), trace != nullptr);
}

void Coordinator::Private::takePlan(const Plan &made) {
    plan = made;
    planning.reset();
    schedule.clear();
    if (plan.prediction)  // for the trace alone: events and files stay small
        schedule = std::exchange(plan.prediction->schedule, {});
    change.emplace();
    change->reason = replanner.given() ? QStringLiteral("user") : QStringLiteral("first");
    change->disturbed = false;
    change->from = {folder.version(), true};
    change->since = change->planned = log.seconds();
    if (!announcePlan())
        return;
    if (request.planOnly) {
        finish({});
        return;
    }
    if (auto fits = checkFits(plan, membership.devices()); !fits) {
        if (fits.error().code == QLatin1String("run.memory"))
            failWithFittingPlan(fits.error(), *replanner.problem());
        else
            fail(fits.error());
        return;
    }
    enter(RunState::Deploying);
    deployChange();
}

bool Coordinator::Private::announcePlan() {
    // What it is judged by, with the drift and the newcomers that are known by now; after a loss nobody waits for that.
    if (!change->disturbed) {
        const QString name = QStringLiteral("problem-%1.json").arg(term);
        if (auto saved = directory.saveJson(name, asJudged(replanner.atPresent(), plan).toJson()); !saved) {
            fail(saved.error());
            return false;
        }
    }
    const QJsonObject json = plan.toJson();
    if (auto saved = directory.saveJson(QStringLiteral("plan-%1.json").arg(term), json); !saved) {
        fail(saved.error());
        return false;
    }
    announced = term;
    event::Plan told{term, static_cast<qint64>(change->from.version) + 1, json, change->reason, change->why};
    // After a loss nobody waits for that either.
    if (!change->disturbed || term == 1) {
        const PlanningProblem present = replanner.ofPresent();
        told.resting = costOfWork(CostModel(present), plan);
    }
    return log.record(told);
}

RunStanding Coordinator::Private::standing() const {
    return {plan, rounds.completed(), rounds.hasBegun(), state == RunState::Training, change.has_value(), waiting};
}

Deployment Coordinator::Private::describe(const Plan &of, quint64 version) const {
    Deployment wanted = deploymentOf(of, membership.workers());
    wanted.run = request.id;
    wanted.term = term;
    wanted.firstRound = static_cast<quint32>(version) + 1;
    wanted.coordinator = connector.fingerprint().toHex();
    wanted.model = request.model.toJson();
    wanted.training = request.job.training(std::max<qint64>(total, 1));
    wanted.input = inputs.input;
    wanted.sampleTypes = inputs.sampleTypes;
    wanted.trace = trace != nullptr;
    wanted.weightsStreamed = !inputs.weights.empty();
    wanted.frozenGiven = !inputs.frozen.empty();
    wanted.fabricDeadlineMs = static_cast<int>(deadlines.fabric.count());
    return wanted;
}

}  // namespace hearth
