// Annealing's changes of several stages at once.
#include <algorithm>

#include "core/base/at.h"
#include "core/plan/search/annealing.h"
#include "core/plan/search/outline.h"

namespace hearth {
namespace {

constexpr int freeAtOnce = 4, rowsTried = 6;

}  // namespace

std::vector<int> Annealing::idleDevices() const {
    std::vector<int> result;
    for (int device = 0; device < m_model.deviceCount(); ++device) {
        if (m_stageOf[at(device)] == idle)
            result.push_back(device);
    }
    return result;
}

/// Takes out neighbours (the first stage follows on the last), or stages from anywhere, with some of the idle devices.
/// Writes the best way to put them back.
bool Annealing::reinsert(const State &state, State &next, double limit) {
    const quint64 begin = m_clock.steps();
    const int stages = state.row.stages();
    std::vector<int> idlers = idleDevices();
    shuffle(idlers);
    idlers.resize(std::min(idlers.size(), at(freeAtOnce / 2)));
    std::vector<char> taken(at(stages), 0);
    int free = static_cast<int>(idlers.size());
    const bool neighbours = below(2) == 0;
    const int first = below(stages);
    for (int tries = 0; tries < 2 * stages && free < freeAtOnce; ++tries) {
        const int s = neighbours ? (first + tries) % stages : below(stages);
        const int size = static_cast<int>(m_numbers.devices(state.row.groups[at(s)]).size());
        if (taken[at(s)] || free + size > freeAtOnce)
            continue;
        taken[at(s)] = 1;
        free += size;
    }
    bool found = false;
    State own;
    own.microBatch = state.microBatch;
    for (const StageRow &row :
         m_reinsertion.run(costs(state.microBatch), m_numbers, {state.row, taken, idlers}, limit, rowsTried)) {
        if (m_clock.phaseOver())
            break;
        own.row = row;
        if ((row.groups == state.row.groups && row.borders == state.row.borders) ||
            !accept(own, Change::Borders, limit))
            continue;
        found = true;
        limit = own.seconds;
        next = own;
    }
    m_reinsertionSteps += m_clock.steps() - begin;
    return found;
}

}  // namespace hearth
