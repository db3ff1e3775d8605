// The parts of a run with fake workers at the other ends, without a coordinator that decides between them.
#pragma once

#include <QJsonArray>
#include <QSignalSpy>
#include <optional>

#include "core/plan/evaluate.h"
#include "core/run/codec_guard.h"
#include "core/run/deploy.h"
#include "core/run/plan_in_force.h"
#include "core/run/plan_run.h"
#include "core/run/profile_workers.h"
#include "core/run/replanner.h"
#include "core/run/replica_keeper.h"
#include "core/run/round_loop.h"
#include "core/run/run_context.h"
#include "recovery_checks.h"

namespace hearth::fake {

class RunParts {
  public:
    /// `data`: other than a home's own. `clock`: other than the run's.
    explicit RunParts(int devices = 3, RunDeadlines limits = quick(), std::shared_ptr<const Dataset> data = {},
                      RunDirectory::Clock clock = {})
        : home(devices), deadlines(limits) {
        if (data)
            home.inputs.data = std::move(data);
        home.request.job.rounds = 1000;
        home.request.job.evaluateEvery = 0;
        home.directory = std::move(*RunDirectory::create(home.request.directory, std::move(clock)));
        log.emplace(*home.directory, home.agent, [] {});
        membership.emplace(home.request.id, home.request.devices, home.agent, home.connector, deadlines, *log);
        folder.emplace(
            CheckpointStore(home.directory->path(), {home.request.id, home.request.job.toJson(), home.request.model,
                                                     home.request.job.precision, home.request.job.optimizer.state()}),
            *log);
        current.emplace(*home.directory, [this](RunStateFile *file) { file->problem = replanner->problem(); });
        replicas.emplace(home.request, total, *membership, *folder, *log, deadlines);
        rounds.emplace(home.request, home.inputs.data, *membership, *log, deadlines);
        replanner.emplace(home.request, *home.inputs.data, total, *membership, *log, deadlines, [this] {
            return RunStanding{current->plan(), rounds->completed(), rounds->hasBegun(), isTraining, isChanging, false};
        });
        guard.emplace(context(), *current, *replanner);
        QObject::connect(&*membership, &Membership::added, &*rounds, [this](WorkerSession *session) {
            QObject::connect(session, &WorkerSession::roundDone, &*rounds, [this, session](const RoundReport &report) {
                if (report.term == current->term() && rounds->isFed())
                    rounds->take(*session, report);
            });
            QObject::connect(session, &WorkerSession::progressed, &*rounds, &RoundLoop::noteAlive);
            QObject::connect(session, &WorkerSession::computed, &*rounds, &RoundLoop::noteAlive);
        });
        for (int number = 1; number <= devices; ++number)
            join(number);
    }

    /// A worker of this device is here.
    void join(int number) {
        const WorkerAddress address{
            key(2, static_cast<quint8>(number)), QStringLiteral("127.0.0.1"), 1000, 100 + number, {}};
        auto [mine, theirs] = makeLoopbackPair(key(9, 9), address.fingerprint);
        home.workers.push_back(std::make_unique<Worker>(home, std::move(theirs), number));
        membership->markStarted(Home::id(number));
        auto session = std::make_unique<WorkerSession>(home.request.devices[static_cast<std::size_t>(number - 1)],
                                                       address, std::move(mine), deadlines.exitReason);
        session->setHello({{}, home.library, QStringLiteral("cpu"), 1, home.memoryBytes, 1000, 0});
        membership->add(std::move(session));
    }

    /// The devices are measured, and home.plan() is in force. False: that failed.
    bool plan(const ProfileScope &scope = {}) {
        ProfileWorkers measuring(home.request.job, home.request.model, home.request.profiles, deadlines);
        measuring.setScope(scope);
        QSignalSpy finished(&measuring, &ProfileWorkers::finished);
        measuring.start(membership->workers());
        if (!comes([&] { return !finished.isEmpty(); }))
            return false;
        measuring.end();
        auto problem = problemOf(home.request, *home.inputs.data, membership->workers(), measuring);
        auto given = readGivenPlan(home.plan(), home.request.job, home.request.model, membership->devices());
        if (!problem || !given)
            return false;
        replanner->setProblem(std::move(*problem));
        auto judged = evaluate(asJudged(*replanner->problem(), *given), *given);
        if (!judged)
            return false;
        given->prediction = std::move(*judged);
        current->setPlan(std::move(*given));
        return true;
    }

    /// The plan in force as a worker would get it, without anything that Reconfiguration adds.
    Deployment deployment() const {
        Deployment wanted = deploymentOf(current->plan(), membership->workers());
        wanted.run = home.request.id;
        wanted.term = current->term();
        wanted.coordinator = home.connector.fingerprint().toHex();
        wanted.model = home.request.model.toJson();
        wanted.training = home.request.job.training(total);
        wanted.input = home.inputs.input;
        return wanted;
    }

    WorkerSession &session(int number) { return *membership->session(Home::id(number)); }
    std::vector<WorkerSession *> members() const { return membership->membersOf(current->deployment()); }
    RunContext context() {
        return {home.request, home.inputs, home.agent,  home.connector, *home.directory,
                deadlines,    *log,        *membership, total};
    }

    static constexpr qint64 total = 1000;
    Home home;
    const RunDeadlines deadlines;
    std::optional<RunLog> log;
    std::optional<Membership> membership;
    std::optional<CheckpointFolder> folder;
    std::optional<PlanInForce> current;
    std::optional<ReplicaKeeper> replicas;
    std::optional<RoundLoop> rounds;
    std::optional<Replanner> replanner;
    std::optional<CodecGuard> guard;
    bool isTraining = true, isChanging = false;  // as the replanner is told
};

/// A round of the plan in force in which everybody takes so many times what was measured.
inline event::Round roundOf(const RunParts &run, double slower) {
    const CostModel model(*run.replanner->problem());
    const Plan &plan = run.current->plan();
    event::Round round;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            const LayerSeconds once =
                model.stageSeconds(model.indexOf(share.device), stage.firstLayer, stage.lastLayer, share.samples);
            round.devices[share.device].computeS = slower * plan.microBatches() * (once.forward + once.backward);
        }
    }
    return round;
}

/// Home::plan(), with these devices alone in its stages.
inline QJsonObject ofDevices(const Home &home, const QStringList &devices) {
    QJsonObject json = home.plan();
    QJsonArray stages = json[QStringLiteral("stages")].toArray();
    for (qsizetype i = 0; i < stages.size(); ++i) {
        QJsonObject stage = stages[i].toObject();
        stage[QStringLiteral("shares")] = QJsonObject{{devices[i], home.request.job.batch}};
        stages[i] = stage;
    }
    json[QStringLiteral("stages")] = stages;
    return json;
}

/// The run is planned while only the first devices are here, and rounds begin after so many.
inline bool trainsWithFirst(RunParts &run, int devices, qint64 completed = 0) {
    for (int number = devices + 1; number <= static_cast<int>(run.home.request.devices.size()); ++number)
        run.membership->remove(Home::id(number), Departure::Released);
    if (!run.plan())
        return false;
    const Deployment wanted = run.deployment();
    run.current->setDeployment(wanted);
    run.rounds->begin(wanted, FeedLayout::of(wanted, run.members()), completed, {});
    return true;
}

}  // namespace hearth::fake
