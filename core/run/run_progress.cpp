#include "core/run/run_progress.h"

#include <QFile>

#include "core/base/files.h"
#include "core/run/run_event.h"
#include "core/run/run_state.h"

namespace hearth {

RunProgress RunProgress::read(const QString &eventsFile) {
    RunProgress progress;
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
            progress.isPaused = state->state == publicName(RunState::Paused) ||
                                (progress.isPaused && state->state == publicName(RunState::Recovering));
    }
    return progress;
}

}  // namespace hearth
