// The state machine: its steps up to the first round.
#include "core/run/coordinator.h"

#include <QDateTime>
#include <algorithm>

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
        case RunState::Evaluating:
        case RunState::Saving:
            return QStringLiteral("training");
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
        for (const auto &session : d->sessions) {
            if (session->id() == device) {
                session->setLastWords(error);
                return;
            }
        }
        // Before there is a session the connection tells it, too, but not as well.
        if (d->connecting)
            d->loseWorker(device, error);
    });
    connect(&agent, &AgentLink::deviceChanged, this, [this](const DeviceInfo &device) {
        DeviceInfo *known = d->deviceOf(device.id);
        if (!known || d->isOver() || known->state == device.state)
            return;
        known->state = device.state;
        if (d->record(event::Device{device.id, device.name, toWord(device.state), device.address, device.agentPid}) &&
            device.state == DeviceState::Lost && std::ranges::find(d->started, device.id) != d->started.end()) {
            d->loseWorker(device.id, namedFor(device, {QStringLiteral("run.device-lost"),
                                                       QStringLiteral("The device %1 is gone.").arg(device.name),
                                                       device.lastError.isEmpty()
                                                           ? QStringLiteral("Its agent cannot be reached any more.")
                                                           : device.lastError,
                                                       QStringLiteral("Check its power and its network.")}));
        }
    });
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
      slowRounds(deadlines.slowRound) {
    total = request.evaluateOnly ? 0 : request.job.totalRounds(inputs.data->count(Split::Train));
    roundQuiet.setSingleShot(true);
    roundQuiet.setInterval(deadlines.roundQuiet);
    connect(&slowRounds, &SlowRounds::slow, q, [this](qint64 round) { warnOfSlowRound(round); });
    connect(&roundQuiet, &QTimer::timeout, q, [this] {
        fail({QStringLiteral("run.round-quiet"),
              QStringLiteral("Round %1 does not get on.").arg(tracker->completed() + 1),
              QStringLiteral("Nothing came for %1 seconds from %2.")
                  .arg(deadlines.roundQuiet.count() / 1000)
                  .arg(tracker->missing().join(QStringLiteral(", "))),
              QStringLiteral("Look at that device: it may be asleep, or busy with something else.")});
    });
}

void Coordinator::Private::begin() {
    if (state != RunState::Idle)
        return;
    const QString now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    if (!record(event::Run{request.id, now, request.job.toJson(), request.model.toJson()}))
        return;
    for (const auto &[name, json] : {std::pair{QStringLiteral("job.json"), request.job.toJson()},
                                     std::pair{QStringLiteral("model.json"), request.model.toJson()}}) {
        if (auto saved = directory.saveJson(name, json); !saved) {
            fail(saved.error());
            return;
        }
    }
    for (const DeviceInfo &device : request.devices) {
        if (!record(event::Device{device.id, device.name, toWord(device.state), device.address, device.agentPid}))
            return;
    }
    if (!openTrace())
        return;
    if (request.plan) {
        auto checked = readGivenPlan(*request.plan, request.job, request.model, request.devices);
        if (!checked) {
            fail(checked.error());
            return;
        }
        given = std::move(*checked);
    }
    connectWorkers();
}

bool Coordinator::Private::openTrace() {
    if (request.trace.isEmpty())
        return true;
    auto created = RunTrace::create(request.trace, directory.seconds());
    if (!created) {
        fail(created.error());
        return false;
    }
    trace.reset(created->release());
    connect(trace.get(), &RunTrace::ended, q, [this](const Error &why) {
        record(event::Warning{why.what, why.cause, why.advice});
    });
    return true;
}

void Coordinator::Private::connectWorkers() {
    enter(RunState::Connecting);
    std::vector<DeviceInfo> wanted;
    for (const DeviceInfo &device : request.devices) {
        const auto uses = [&device](const PlanStage &stage) {
            return std::ranges::any_of(stage.shares, [&](const Share &share) { return share.device == device.id; });
        };
        if (!given || std::ranges::any_of(given->stages, uses))
            wanted.push_back(device);
    }
    for (const DeviceInfo &device : wanted)
        started.push_back(device.id);
    connecting.reset(new ConnectWorkers(request.id, agent, connector, deadlines));
    connect(connecting.get(), &ConnectWorkers::workerStarted, q,
            [this](const QString &id, const WorkerAddress &address) {
                record(event::Worker{id, address.pid});
            });
    connect(connecting.get(), &ConnectWorkers::failed, q, [this](const Error &error) { fail(error); });
    connect(connecting.get(), &ConnectWorkers::lost, q,
            [this](const QString &device, const Error &error) { loseWorker(device, error); });
    connect(connecting.get(), &ConnectWorkers::finished, q, [this] {
        for (auto &session : connecting->takeSessions()) {
            watch(*session);
            sessions.emplace_back(session.release());
        }
        connecting.reset();
        profile();
    });
    connecting->start(wanted);
}

void Coordinator::Private::watch(WorkerSession &session) {
    connect(&session, &WorkerSession::lost, q,
            [this, &session](const Error &error) { loseWorker(session.id(), error); });
    connect(&session, &WorkerSession::progressed, q, [this] {
        if (roundQuiet.isActive())
            roundQuiet.start();
    });
    connect(&session, &WorkerSession::roundDone, q,
            [this, &session](const RoundReport &report) { takeReport(session, report); });
    connect(&session, &WorkerSession::roundTraced, q, [this, &session](const RoundTrace &taken) {
        if (trace)
            trace->take(session, taken);
    });
    connect(&session, &WorkerSession::fabricFailed, q,
            [this, &session](const Error &error) { loseFabric(session, error); });
    connect(&session, &WorkerSession::peerLost, q,
            [this, id = session.id()](const QString &fingerprint, const Error &error) {
                // A worker that ended takes its connections along, and whoever saw it end says more about it.
                QTimer::singleShot(deadlines.lastWords, q,
                                   [this, id, fingerprint, error] { loseLink(id, fingerprint, error); });
            });
}

void Coordinator::Private::profile() {
    enter(RunState::Profiling);
    profiling.reset(new ProfileWorkers(request.job, request.model, request.profiles, deadlines));
    connect(profiling.get(), &ProfileWorkers::progress, q, [this](const QString &id, int done, int all) {
        record(event::Profile{id, done, all});
    });
    connect(profiling.get(), &ProfileWorkers::warning, q, [this](const Error &warning) {
        record(event::Warning{warning.what, warning.cause, warning.advice});
    });
    connect(profiling.get(), &ProfileWorkers::failed, q, [this](const Error &error) { fail(error); });
    connect(profiling.get(), &ProfileWorkers::finished, q, [this] { makePlan(); });
    profiling->start(workers());
}

void Coordinator::Private::makePlan() {
    enter(RunState::Planning);
    auto measured =
        problemOf(request.job, request.model, inputs.data->sampleBytes(), request.dataDevice, workers(), *profiling);
    profiling.reset();
    if (!measured) {
        fail(measured.error());
        return;
    }
    problem = std::move(*measured);
    if (auto saved = directory.saveJson(QStringLiteral("problem-%1.json").arg(term), problem->toJson()); !saved) {
        fail(saved.error());
        return;
    }
    planning.reset(new PlanTask);
    connect(planning.get(), &PlanTask::finished, q, [this](const Plan &made) { takePlan(made); });
    connect(planning.get(), &PlanTask::failed, q, [this](const Error &error) { fail(error); });
    planning->start(*problem, request.planner, given, trace != nullptr);
}

void Coordinator::Private::takePlan(const Plan &made) {
    plan = made;
    planning.reset();
    schedule.clear();
    if (plan.prediction)  // for the trace alone: events and files stay small
        schedule = std::exchange(plan.prediction->schedule, {});
    const QJsonObject json = plan.toJson();
    if (auto saved = directory.saveJson(QStringLiteral("plan-%1.json").arg(term), json); !saved) {
        fail(saved.error());
        return;
    }
    if (!record(event::Plan{term, 1, json, given ? QStringLiteral("user") : QStringLiteral("first")}))
        return;
    if (request.planOnly) {
        finish({});
        return;
    }
    if (auto fits = checkFits(plan, request.devices); !fits) {
        if (fits.error().code == QLatin1String("run.memory"))
            failWithFittingPlan(fits.error(), *problem);
        else
            fail(fits.error());
        return;
    }
    dismissUnused();
    deploy();
}

void Coordinator::Private::dismissUnused() {
    std::erase_if(sessions, [this](const Step<WorkerSession> &session) {
        for (const PlanStage &stage : plan.stages) {
            if (std::ranges::any_of(stage.shares, [&](const Share &share) { return share.device == session->id(); }))
                return false;
        }
        agent.stopWorker(session->id());
        std::erase(started, session->id());
        return true;
    });
}

void Coordinator::Private::deploy() {
    enter(RunState::Deploying);
    deployment = deploymentOf(plan, workers());
    deployment.run = request.id;
    deployment.term = term;
    deployment.firstRound = 1;
    deployment.coordinator = connector.fingerprint().toHex();
    deployment.model = request.model.toJson();
    deployment.training = {request.job.optimizer, request.job.precision, request.job.seed, request.job.loss};
    deployment.input = inputs.input;
    deployment.trace = trace != nullptr;
    deployment.weightsStreamed = !inputs.weights.empty();
    deployment.fabricDeadlineMs = static_cast<int>(deadlines.fabric.count());
    for (const Error &warning : chooseFabrics(deployment, request.fabric)) {
        if (!record(event::Warning{warning.what, warning.cause, warning.advice}))
            return;
    }
    if (auto valid = deployment.validate(); !valid) {
        fail(valid.error());
        return;
    }
    if (trace)
        trace->begin(deployment, workers(), std::move(schedule));
    deploying.reset(new Deploy(deployment, deadlines));
    connect(deploying.get(), &Deploy::failed, q, [this](const Error &error) { fail(error); });
    connect(deploying.get(), &Deploy::finished, q, [this] {
        deploying.reset();
        inputs.weights.clear();  // the workers have them; a replay takes replicas
        train();
    });
    deploying->start(workers(), inputs.weights);
}

std::vector<WorkerSession *> Coordinator::Private::workers() const {
    std::vector<WorkerSession *> list;
    for (const auto &session : sessions)
        list.push_back(session.get());
    return list;
}

DeviceInfo *Coordinator::Private::deviceOf(const QString &id) {
    const auto at = std::ranges::find(request.devices, id, &DeviceInfo::id);
    return at == request.devices.end() ? nullptr : &*at;
}

}  // namespace hearth
