// The state machine: what rests on the disk.
#include <algorithm>

#include "core/plan/replay/layer_moves.h"
#include "core/plan/replay/survivors.h"
#include "core/run/coordinator_private.h"
#include "core/run/run_state_file.h"

namespace hearth {

bool Coordinator::Private::beginTerm() {
    ++term;
    return saveState();
}

bool Coordinator::Private::saveState() {
    RunStateFile file;
    file.term = term;
    file.evaluated = evaluated;
    file.problem = replanner.problem();
    if (!plan.stages.empty())
        file.plan = plan;
    file.given = replanner.given();
    for (WorkerSession *session : membership.workers())
        file.workers.push_back({session->id(), session->address()});
    auto saved = directory.saveJson(RunStateFile::name(), file.toJson());
    if (!saved)
        fail(saved.error());
    return saved.has_value();
}

/// States of the newest checkpoint are here from then on, or none: version 0.
void Coordinator::Private::readCheckpoint(const std::function<void()> &then) {
    folder.read([this, then](const LayerStates &found) {
        statesHere = found;
        statesHereVersion = folder.version();
        then();
    });
}

/// A run that is stopped can go on later: all that it has made rests on the disk.
void Coordinator::Private::saveBeforeEnd(const std::function<void()> &then) {
    const auto version = static_cast<quint64>(rounds.completed());
    if (version == 0 || version == folder.version()) {
        then();
        return;
    }
    const auto goOn = [this, then](const Error &error) {
        log.warn(error);
        then();
    };
    if (!beginTerm())
        return;
    rounds.stop();
    replicas.halt();
    halting.reset(new HaltWorkers(term, deadlines));
    connect(halting.get(), &HaltWorkers::refused, q,
            [this, goOn](const QString &, const Error &error) { goOn(error); });
    connect(halting.get(), &HaltWorkers::finished, q, [this, version, then, goOn] {
        const auto from = sourcesOf(replicas.layers(), version, halting->held(), request.dataDevice);
        if (!from) {
            then();
            return;
        }
        states.reset(new StateCollector(replicas.layers(), version, deadlines));
        connect(states.get(), &StateCollector::failed, q, goOn);
        connect(states.get(), &StateCollector::finished, q,
                [this, version, then] { folder.write(version, states->takeStates(), then); });
        states->start(membership.workers(), *from);
    });
    halting->start(membership.workers());
}

}  // namespace hearth
