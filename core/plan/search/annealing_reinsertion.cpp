// Annealing's changes of several stages at once.
#include <algorithm>

#include "core/base/at.h"
#include "core/plan/search/annealing.h"

namespace hearth {
namespace {

constexpr int idle = -1;
constexpr int freeDevices[2] = {4, 5};  // the second where whole rows can be rebuilt
constexpr int rowsTried = 6, rowsRebuilt = 200;
constexpr Reinsertion::Search usual{1.05, 0.02};
/// A rebuilt row that is not much longer is worth annealing from.
constexpr double nearby = 1.03;

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
    const int stages = state.row.stages(), most = freeDevices[mayRebuild() ? 1 : 0];
    std::vector<int> idlers = idleDevices();
    for (int i = static_cast<int>(idlers.size()); i > 1; --i)
        std::swap(idlers[at(i - 1)], idlers[at(below(i))]);
    idlers.resize(std::min(idlers.size(), at(most / 2)));
    std::vector<char> taken(at(stages), 0);
    int free = static_cast<int>(idlers.size());
    const bool neighbours = below(2) == 0;
    const int first = below(stages);
    for (int tries = 0; tries < 2 * stages && free < most; ++tries) {
        const int s = neighbours ? (first + tries) % stages : below(stages);
        const int size = static_cast<int>(m_numbers.devices(state.row.groups[at(s)]).size());
        if (taken[at(s)] || free + size > most)
            continue;
        taken[at(s)] = 1;
        free += size;
    }
    bool found = false;
    State own;
    own.microBatch = state.microBatch;
    for (const StageRow &row :
         m_reinsertion.run(costs(state.microBatch), m_numbers, {state.row, taken, idlers}, limit, rowsTried, usual)) {
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

Annealing::Found Annealing::rebuild(const Found &start, const Better &better) {
    State state = stateOf(start);
    locate(state);
    forget(state);
    const int place = static_cast<int>(std::find(m_microBatches.begin(), m_microBatches.end(), state.microBatch) -
                                       m_microBatches.begin());
    constexpr int way[] = {0, 1, 0, -1};
    const int other = place + way[m_rebuilds++ % 4];
    if (other >= 0 && other < static_cast<int>(m_microBatches.size()))
        state.microBatch = m_microBatches[at(other)];
    // How well devices will suit their layers is a guess: every time another one.
    const double gain = 1 + 0.2 * unit(), tolerance = 0.01 + 0.03 * unit();
    Found found, best = start;
    State own;
    own.microBatch = state.microBatch;
    const std::vector<char> all(at(state.row.stages()), 1);
    for (const StageRow &row : m_reinsertion.run(costs(state.microBatch), m_numbers, {state.row, all, idleDevices()},
                                                 start.seconds, rowsRebuilt, {gain, tolerance})) {
        if (m_clock.phaseOver())
            break;
        own.row = row;
        if (!accept(own, Change::Borders, std::min(found.seconds, start.seconds * nearby)))
            continue;
        found = {m_placement, own.seconds};
        if (found.seconds < best.seconds) {
            best = found;
            better(best);
        }
    }
    return found.placement.stages.empty() ? start : found;
}

}  // namespace hearth
