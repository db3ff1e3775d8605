#include "core/run/run_progress.h"

#include <QFile>
#include <algorithm>

#include "core/base/files.h"
#include "core/run/files/state_words.h"
#include "core/run/plan_run.h"
#include "core/run/run_event.h"
#include "core/run/run_state.h"

namespace hearth {

RunProgress RunProgress::read(const QString &eventsFile, const Job &job, qint64 total) {
    RunProgress progress;
    progress.best = BestEvaluation(job, total);
    QFile file(eventsFile);
    if (!openPlainFile(file))
        return progress;
    for (QByteArray line = file.readLine(); line.endsWith('\n'); line = file.readLine()) {
        const auto event = RunEvent::fromLine(line);
        if (!event)
            continue;
        if (const auto *round = std::get_if<event::Round>(&event->body))
            progress.rounds = round->round;
        else if (const auto *run = std::get_if<event::Run>(&event->body))
            progress.take(*run);
        else if (const auto *evaluation = std::get_if<event::Evaluation>(&event->body))
            progress.take(*evaluation);
        else if (const auto *kept = std::get_if<event::Best>(&event->body))
            progress.kept = BestEvaluation::Scores{kept->round, kept->loss, kept->accuracy};
        else if (const auto *state = std::get_if<event::State>(&event->body))
            progress.take(*state);
        else if (const auto *plan = std::get_if<event::Plan>(&event->body))
            progress.take(*plan, job);
        else if (const auto *joined = std::get_if<event::Joined>(&event->body))
            progress.joined.insert(joined->id);
    }
    return progress;
}

void RunProgress::take(const event::Run &run) {
    trainingSamples = run.trainingSamples;
    evaluationSamples = run.evaluationSamples;
}

void RunProgress::take(const event::Evaluation &evaluation) {
    evaluated = evaluation.round;
    best.take(evaluation);
}

void RunProgress::take(const event::Plan &plan, const Job &job) {
    term = plan.term;
    if (!job.isSameAnywhere())
        goBackTo(plan.round - 1);
    if (const auto next = Plan::fromJson(plan.plan, QStringLiteral("the plan of an event")))
        joined.removeIf([&](const QString &device) { return usesDevice(*next, device); });
}

void RunProgress::goBackTo(qint64 round) {
    evaluated = std::min(evaluated, round);
    best.goBackTo(round, kept);
}

void RunProgress::take(const event::State &told) {
    const QString paused = publicName(RunState::Paused), waiting = publicName(RunState::Waiting);
    // It recovers, or waits for devices that rest, and is paused again after that. Where it was paused as it waited, to
    // wait again means that it was resumed.
    const bool staysPaused =
        told.state == publicName(RunState::Recovering) || (told.state == waiting && state != paused);
    isPaused = told.state == paused || (isPaused && staysPaused);
    state = told.state;
    // It is read because the run goes on, and whoever resumes it begins with all devices.
    if (!isUnderWay(state))
        joined.clear();
    if (told.state == publicName(RunState::Finished))
        best.beginAnew();
}

}  // namespace hearth
