// The state machine: its parts, and how what they tell becomes a turn of its state.
#include "core/run/coordinator.h"

#include <algorithm>
#include <utility>

#include "core/home/announcement.h"
#include "core/run/coordinator_private.h"

namespace hearth {

Coordinator::Coordinator(RunRequest request, RunInputs inputs, AgentLink &agent, WorkerConnector &connector,
                         RunDirectory &directory, RunDeadlines deadlines, QObject *parent)
    : QObject(parent),
      d(std::make_unique<Private>(this, std::move(request), std::move(inputs), agent, connector, directory, deadlines)),
      m_early(std::make_unique<KeptNotes>(agent)) {}

Coordinator::~Coordinator() = default;

void Coordinator::start() {
    QMetaObject::invokeMethod(
        this,
        [this] {
            d->beginning.begin();
            d->followAgent();
            std::exchange(m_early, nullptr)->release();
        },
        Qt::QueuedConnection);
}

RunState Coordinator::state() const {
    return d->state;
}

void Coordinator::command(const QCborMap &command) {
    d->takeCommand(command);
}

void Coordinator::ask(const QByteArray &samples, std::optional<qint64> row,
                      std::function<void(Result<std::vector<double>>)> answer) {
    if (d->request.kind != RunKind::Answer) {
        answer(fail(QStringLiteral("run.asks-nothing"), sentence("The run %1 answers no questions.").arg(d->request.id),
                    sentence("It was started for something else."), {}));
        return;
    }
    d->questions.ask(samples, row, std::move(answer));
    d->wake();
}

Coordinator::Private::Private(Coordinator *coordinator, RunRequest theRequest, RunInputs theInputs, AgentLink &agent,
                              WorkerConnector &connector, RunDirectory &directory, RunDeadlines theDeadlines)
    : q(coordinator),
      request(std::move(theRequest)),
      inputs(std::move(theInputs)),
      deadlines(theDeadlines),
      log(directory, agent,
          [this] {
              state = RunState::Failed;
              end(RunTurn::Failed);
          }),
      membership(request.id, request.devices, agent, connector, deadlines, log),
      folder({directory.path(),
              {request.id, request.job.toJson(), request.model, request.job.precision, request.job.state()},
              request.safety.checkpointsKept},
             log),
      total(request.makesNoRound() ? 0 : request.job.totalRounds(inputs.data->count(Split::Train))),
      run{request, inputs, agent, connector, directory, deadlines, log, membership, total},
      current(directory,
              [this](RunStateFile *file) {
                  file->problem = replanner.problem();
                  file->given = replanner.given();
                  file->codecs = guard.raises();
                  file->sentAway = membership.leaving().sentAway().values();
                  for (WorkerSession *session : membership.workers())
                      file->workers.push_back({session->id(), session->address()});
              }),
      replicas(request, total, membership, folder, log, deadlines),
      rounds(request, inputs.data, membership, log, deadlines),
      replanner(request, *inputs.data, total, membership, log, deadlines,
                [this] {
                    return RunStanding{current.plan(),
                                       rounds.completed(),
                                       rounds.hasBegun(),
                                       state == RunState::Training,
                                       reconfiguration.isUnderWay(),
                                       reconfiguration.isAwaitingDevices(),
                                       measuring.isUnderWay()};
                }),
      guard(run, current, replanner),
      evaluator(run, current),
      questions(run, current),
      best(run, evaluator),
      saver(run, current, rounds, replicas, folder, best),
      reconfiguration(run, current, rounds, replicas, folder, replanner, guard),
      beginning(run, current, replanner, folder, evaluator, best, guard, reconfiguration),
      measuring(run, current, rounds, replanner),
      links(run, current),
      advice(run, current, replanner),
      versions(log),
      wantsPause(request.kind == RunKind::Answer) {
    followStart();
    followMembers();
    followChanges();
    followRounds();
    connect(&advice, &FailureAdvice::begun, q, [this] { stopWork(); });
    connect(&advice, &FailureAdvice::found, q, [this](const Error &error) { failNow(error); });
}

void Coordinator::Private::followStart() {
    connect(&beginning, &RunStart::failed, q, [this](const Error &error) { fail(error); });
    connect(&beginning, &RunStart::lost, q,
            [this](const QString &device, const Error &error) { loseWorker(device, error); });
    connect(&beginning, &RunStart::awaited, q, [this] {
        wantsPause = wantsPause || beginning.isPaused();
        beginning.setPaused(wantsPause);
        turn(RunTurn::AllRest);
    });
    connect(&beginning, &RunStart::started, q, [this] {
        if (openTrace())
            turn(RunTurn::Started);
    });
    connect(&beginning, &RunStart::connected, q, [this] {
        turn(RunTurn::Connected);
        if (!versions.tell(membership.workers()))
            return;
        beginning.measure();
        std::vector<QString> gone = membership.draining();
        for (const WorkerSession *worker : membership.workers()) {
            if (membership.leaving().isSentAway(worker->id()))
                gone.push_back(worker->id());
        }
        for (const QString &device : gone)
            leave(device);
    });
    connect(&beginning, &RunStart::measured, q, [this] {
        if (request.kind == RunKind::Measure) {
            finish({});
            return;
        }
        turn(RunTurn::Measured);
        beginning.plan();
    });
    connect(&beginning, &RunStart::planned, q, [this](const Plan &plan) { takePlan(plan); });
    connect(&beginning, &RunStart::doubted, q, [this] {
        turn(RunTurn::Doubted);
        if (!isOver())
            beginning.measure();
    });
    connect(&beginning, &RunStart::takenUp, q, [this](const RunProgress &progress) {
        wantsPause = wantsPause || progress.isPaused;
        reconfiguration.begin(
            {.reason = QStringLiteral("replay"), .isDisturbed = true, .roundsBefore = progress.rounds});
        turn(RunTurn::TakenUp);
    });
    connect(&beginning, &RunStart::reconnected, q, [this] {
        if (!versions.tell(membership.workers()))
            return;
        reconfiguration.noteDetected();
        reconfiguration.halt();
    });
}

void Coordinator::Private::followAgent() {
    connect(&run.agent, &AgentLink::command, q, &Coordinator::command);
    connect(&run.agent, &AgentLink::deviceChanged, q, [this](const DeviceInfo &device) { deviceChanged(device); });
    connect(&run.agent, &AgentLink::placesSeen, &membership, &Membership::see);
    connect(&run.agent, &AgentLink::deviceRemoved, q, [this](const QString &device) {
        if (isEnding())
            return;
        // Nothing of it is waited for, and nothing of it is taken any more.
        membership.cutOff(device);
        const DeviceInfo *known = membership.device(device);
        const Error removed{QStringLiteral("run.device-removed"),
                            sentence("%1 was removed from the home.")
                                .arg(known ? known->name : device.left(Announcement::prefixDigits)),
                            sentence("It no longer takes part in any run."),
                            {}};
        if (beginning.isAwaiting()) {
            awaitWithout(device, removed);
        } else {
            loseWorker(device, removed);
            tellNobodyLeft();
        }
    });
    connect(&run.agent, &AgentLink::workerExited, q, [this](const QString &device, const Error &error) {
        // Before there is a session the connection tells it, too, but not as well.
        if (!membership.workerExited(device, error) && beginning.isConnecting())
            loseWorker(device, error);
    });
}

void Coordinator::Private::followMembers() {
    connect(&membership, &Membership::added, q, [this](WorkerSession *session) { watch(*session); });
    connect(&membership, &Membership::removed, q, [this] {
        measuring.memberLeft();
        replanner.measureNext();
    });
    connect(&membership, &Membership::returned, q, [this](const QString &device) { welcome(device); });
    // The plan in force was made to do without it.
    connect(&membership, &Membership::linkToTry, q, [this] { replanner.consider(QStringLiteral("full")); });
    connect(&membership, &Membership::silent, q, [this](const QString &device, double seconds) {
        const QString name = membership.session(device)->device().name;
        loseWorker(device,
                   {QStringLiteral("run.device-silent"), sentence("%1 is silent.").arg(name),
                    sentence("Nothing was heard of it for %1 s, and it did not answer when it was asked.")
                        .arg(Sentence::quantity(seconds, 1)),
                    sentence("Check its power and its network.")},
                   seconds);
    });
    connect(&links, &LinkLosses::lost, q,
            [this](const QString &from, const QString &to, const Error &error, qint64 term) {
                loseLink(from, to, error, term);
            });
}

void Coordinator::Private::watch(WorkerSession &session) {
    connect(&session, &WorkerSession::lost, q,
            [this, &session](const Error &error) { loseWorker(session.id(), error); });
    connect(&session, &WorkerSession::progressed, &rounds, &RoundLoop::noteAlive);
    connect(&session, &WorkerSession::computed, &rounds, &RoundLoop::noteAlive);
    connect(&session, &WorkerSession::roundDone, q, [this, &session](const RoundReport &report) {
        // Reports of a term that is over, or of a change under way, are of nothing any more.
        if (isEnding() || report.term != current.term() || !rounds.isFed())
            return;
        if (report.kept)
            replicas.kept(session.id(), report.version);
        rounds.take(session, report);
    });
    connect(&session, &WorkerSession::roundTraced, q, [this, &session](const RoundTrace &taken) {
        if (trace)
            trace->take(session, taken);
    });
    connect(&session, &WorkerSession::backupStored, q,
            [this, &session](const StoredBackup &stored) { replicas.stored(session.id(), stored); });
    links.watch(session);
}

void Coordinator::Private::followChanges() {
    connect(&replanner, &Replanner::found, q, [this] { advance(); });
    connect(&replanner, &Replanner::measured, q, [this] {
        if (reconfiguration.isAwaitingDevices())
            recover({}, 0);
        else
            replanner.consider(QStringLiteral("join"));
        replanner.measureNext();
    });
    connect(&reconfiguration, &Reconfiguration::disturbed, q, [this] {
        dropRound();
        turn(RunTurn::Lost);
    });
    connect(&reconfiguration, &Reconfiguration::refused, q, [this](const QString &device, const Error &error) {
        const auto forItsVersion = versions.shutOut(*membership.session(device), error);
        if (!forItsVersion || log.warn(*forItsVersion))
            loseWorker(device, forItsVersion.value_or(error));
    });
    connect(&reconfiguration, &Reconfiguration::failed, q, [this](const Error &error) { fail(error); });
    connect(&reconfiguration, &Reconfiguration::deploys, q, [this] {
        if (trace)
            trace->begin(current.deployment(), membership.membersOf(current.deployment()), current.takeSchedule());
    });
    connect(&reconfiguration, &Reconfiguration::deployed, q, [this](qint64 completed) { train(completed); });
    connect(&reconfiguration, &Reconfiguration::awaited, q, [this](bool allRest) {
        // Who was lost may be back soon; who rests is not.
        if (wantsStop && !membership.leaving().isEmpty())
            stopAwaiting();
        else if (allRest)
            turn(RunTurn::AllRest);
    });
}

void Coordinator::Private::followRounds() {
    connect(&rounds, &RoundLoop::done, q, [this](const event::Round &round) { roundDone(round); });
    connect(&rounds, &RoundLoop::failed, q, [this](const Error &error) { fail(error); });
    connect(&rounds, &RoundLoop::waiting, q, [this](const Error &error) { awaitData(error); });
    connect(&rounds, &RoundLoop::found, q, [this] { foundData(); });
    connect(&evaluator, &Evaluator::waiting, q, [this](const Error &error) { awaitData(error); });
    connect(&evaluator, &Evaluator::found, q, [this] { foundData(); });
    connect(&measuring, &MeasuringBreak::ended, q, [this] {
        if (state != RunState::Training)
            return;
        rounds.passOver();
        rounds.setPredicted(guard.predicted(rounds.completed() + 1));
        // The next coordinator plans on that, too.
        if (auto saved = current.save(); !saved)
            return fail(saved.error());
        replanner.measureNext();
        if (publish(state))
            advance();
    });
    connect(&rounds, &RoundLoop::checked, q,
            [this](const event::CodecCheck &check) { guard.take(check, rounds.limit()); });
    connect(&guard, &CodecGuard::changed, q, [this] { rounds.setPredicted(guard.predicted(rounds.completed() + 1)); });
    connect(&guard, &CodecGuard::told, q, [this] { advance(); });
    connect(&guard, &CodecGuard::failed, q, [this](const Error &error) {
        // The next deployment tells the workers: what is tried again is the round.
        if (!tryAgain(RecoveryTries::round(), error))
            fail(error);
    });
    connect(&rounds, &RoundLoop::stuck, q,
            [this](const Error &error, double seconds, const QString &from, const QString &to) {
                const bool isBroken = !from.isEmpty();
                if (isBroken)
                    membership.brokenLinks().add(from, to);
                if (!tryAgain(RecoveryTries::round(), error, seconds))
                    fail(error);
                else if (isBroken)
                    reconfiguration.needNewPlan();  // only one without this link helps
            });
    const QString evaluation = QStringLiteral("evaluation"), weights = QStringLiteral("weights");
    // A step that a run can do without is due no more.
    const auto goOnWithout = [this](const Error &error) {
        if (log.warn(error, sentence("The run goes on without it.")))
            recover({}, 0);
    };
    connect(&evaluator, &Evaluator::finished, q, [this, evaluation] {
        rounds.passOver();
        tries.succeeded(evaluation);
        turn(RunTurn::Evaluated);
        advance();
    });
    connect(&evaluator, &Evaluator::failed, q, [this, evaluation, goOnWithout](const Error &error) {
        if (request.kind == RunKind::Evaluate) {
            fail(error);
        } else if (!tryAgain(evaluation, error)) {
            evaluator.giveUp(rounds.completed());
            goOnWithout(error);
        }
    });
    connect(&questions, &RunQuestions::finished, q, [this] {
        rounds.passOver();
        tries.succeeded(QStringLiteral("question"));
        turn(RunTurn::Evaluated);
        advance();
    });
    connect(&questions, &RunQuestions::failed, q, [this, goOnWithout](const Error &error) {
        if (tryAgain(QStringLiteral("question"), error))
            return;
        questions.giveUp(error);
        goOnWithout(error);
    });
    connect(&questions, &RunQuestions::idle, q, [this] { end(RunTurn::Stopped); });
    connect(&saver, &WeightsSaver::notCollected, q, [this, weights, goOnWithout](const Error &error, bool isEnd) {
        if (tryAgain(weights, error))
            return;
        if (isEnd) {
            fail(error);
            return;
        }
        saver.giveUp();
        goOnWithout(error);
    });
    connect(&saver, &WeightsSaver::collected, q, [this, weights] {
        tries.succeeded(weights);
        turn(RunTurn::Collected);
        advance();
    });
    connect(&saver, &WeightsSaver::stored, q, [this] { wake(); });
    connect(&saver, &WeightsSaver::failed, q, [this](const Error &error) { fail(error); });
    connect(&saver, &WeightsSaver::ended, q, [this](const QByteArray &sha256) {
        if (rounds.completed() < total && !endsEarly())
            end(RunTurn::Stopped);
        else
            finish({rounds.completed(),
                    rounds.meanSeconds() > 0 ? request.job.roundSamples() / rounds.meanSeconds() : 0,
                    QString::fromLatin1(sha256)});
    });
}

void Coordinator::Private::turn(RunTurn what) {
    if (isOver())
        return;
    const auto next = nextState(state, what);
    Q_ASSERT_X(next, "turn", qPrintable(QStringLiteral("%1 in %2").arg(int(what)).arg(int(state))));
    if (!next)
        return;
    if (!publish(*next))
        return;
    state = *next;
    if (isOver())
        log.close();
    Q_EMIT q->stateChanged(state);
}

bool Coordinator::Private::publish(RunState next) {
    // A paused run wakes for an evaluation, a save or its end; nobody trains meanwhile. One that waits to begin does
    // not begin.
    const bool isAsleep = wantsPause && published == publicName(RunState::Paused) &&
                          (next == RunState::Training || next == RunState::Evaluating || next == RunState::Saving);
    const bool isHeld = wantsPause && beginning.isAwaiting() && next == RunState::Waiting;
    const RunState told = next == RunState::Training && measuring.isUnderWay() ? RunState::Profiling : next;
    const QString name = publicName(isAsleep || isHeld ? RunState::Paused : told);
    if (name == published)
        return true;
    published = name;
    return log.record(
        event::State{name, next == RunState::Finished && endsEarly() ? evaluator.best().why() : Sentence()});
}

void Coordinator::Private::end(RunTurn how) {
    if (trace)
        trace->close();  // first: whoever sees the end may open it
    turn(how);
    questions.end({QStringLiteral("run.ended"), sentence("The run has ended."), {}, {}});
    if (std::exchange(hasEnded, true))
        return;  // the last state could not be recorded: that was the end
    stopWork();
    advice.stop();
    Q_EMIT q->ended(state);
}

void Coordinator::Private::finish(const event::Finished &summary) {
    if (log.record(summary))
        end(RunTurn::Done);
}

void Coordinator::Private::fail(const Error &error) {
    if (isEnding())
        return;
    const auto workers = membership.workers();
    const auto shortOf = std::ranges::find_if(workers, [](const auto *each) { return each->shortage().has_value(); });
    if (isMemoryError(error) && shortOf != workers.end())
        advice.seekForMemory(**shortOf, error);
    else
        failNow(error);
}

void Coordinator::Private::failNow(const Error &error) {
    const Error last = error;
    questions.end(last);
    if (!isOver() && log.record(event::Failure{last}))
        end(RunTurn::Failed);
}

void Coordinator::Private::stopWork() {
    if (trace)
        trace->close();
    dropRound();
    folder.stop();
    saver.stop();
    beginning.stop();
    replanner.stop();
    trace.reset();
    membership.stopAll();
}

}  // namespace hearth
