// The state machine: a run that goes on, after its coordinator died or after it had ended.
#include <QFile>
#include <algorithm>

#include "core/base/files.h"
#include "core/run/coordinator_private.h"

namespace hearth {
namespace {

/// What the events tell of how far the run was.
struct Progress {
    qint64 rounds = 0;
    quint32 term = 0;
    qint64 evaluated = -1;
    bool paused = false;
};

Progress progressOf(const QString &eventsFile) {
    Progress progress;
    QFile file(eventsFile);
    if (!openPlainFile(file))
        return progress;
    for (QByteArray line = file.readLine(); line.endsWith('\n'); line = file.readLine()) {
        const auto event = RunEvent::fromLine(line);
        if (!event)
            continue;
        if (const auto *round = std::get_if<event::Round>(&event->body))
            progress.rounds = round->round;
        else if (const auto *plan = std::get_if<event::Plan>(&event->body))
            progress.term = plan->term;
        else if (const auto *evaluation = std::get_if<event::Evaluation>(&event->body))
            progress.evaluated = evaluation->round;
        else if (const auto *state = std::get_if<event::State>(&event->body))
            progress.paused = state->state == publicName(RunState::Paused) ||
                              (progress.paused && state->state == publicName(RunState::Recovering));
    }
    return progress;
}

}  // namespace

void Coordinator::Private::resume() {
    const Progress progress = progressOf(directory.file(QStringLiteral("events.jsonl")));
    const auto known = RunStateFile::load(directory.file(RunStateFile::name()));
    term = std::max(progress.term, known ? known->term : 0) + 1;
    readCheckpoint([this, progress] {
        if (folder.version() == 0) {
            fail({QStringLiteral("run.no-checkpoint"), sentence("The run cannot go on."),
                  sentence("None of its checkpoints is whole."), sentence("Start it anew.")});
            return;
        }
        evaluated = std::min(progress.evaluated, static_cast<qint64>(folder.version()));
        beginWithDevices();
    });
}

void Coordinator::Private::takeUp() {
    const auto known = RunStateFile::load(directory.file(RunStateFile::name()));
    if (!known || !known->problem || !known->plan) {
        // It died before the first plan: nothing was trained.
        term = known ? known->term + 1 : 1;
        beginWithDevices();
        return;
    }
    const Progress progress = progressOf(directory.file(QStringLiteral("events.jsonl")));
    term = std::max(progress.term, known->term);
    evaluated = progress.evaluated;
    wantsPause = progress.paused;
    replanner.setGiven(known->given);
    if (!known->given && request.plan) {
        // Kept until a loss, as before; a device that it needs may be gone by now.
        if (auto read = readGivenPlan(*request.plan, request.job, request.model, membership.devices()))
            replanner.setGiven(std::move(*read));
    }
    replanner.setProblem(*known->problem);
    plan = *known->plan;
    PlanChange begun;
    begun.reason = QStringLiteral("replay");
    begun.since = log.seconds();
    begun.roundsBefore = progress.rounds;
    change = std::move(begun);
    enter(RunState::Recovering);
    folder.lookUp();
    reconnect(known->workers);
}

void Coordinator::Private::reconnect(const std::vector<RunStateFile::Worker> &workersBefore) {
    connecting.reset(new ConnectWorkers(request.id, agent, connector, deadlines));
    connect(connecting.get(), &ConnectWorkers::finished, q, [this, workersBefore] {
        for (auto &session : connecting->takeSessions())
            membership.add(std::move(session));
        connecting.reset();
        for (const RunStateFile::Worker &worker : workersBefore) {
            membership.markStarted(worker.device);
            if (membership.session(worker.device))
                continue;
            if (!log.record(event::Lost{worker.device, change->roundsBefore + 1,
                                        sentence("Its worker was gone when the coordinator came back.")}))
                return;
            membership.expect(worker.device);
        }
        for (const QString &device : membership.draining())
            membership.beginLeaving(device);
        change->detectS = log.seconds() - change->since;
        beginChange(RunState::Recovering);
    });
    std::vector<std::pair<DeviceInfo, WorkerAddress>> known;
    for (const RunStateFile::Worker &worker : workersBefore) {
        if (const DeviceInfo *device = membership.device(worker.device))
            known.emplace_back(*device, worker.address);
    }
    connecting->reconnect(known);
}

}  // namespace hearth
