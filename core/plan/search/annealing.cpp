#include "core/plan/search/annealing.h"

#include <cmath>
#include <numeric>

#include "core/base/at.h"
#include "core/plan/allocation.h"
#include "core/plan/search/device_sets.h"
#include "core/plan/search/outline.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr int band = 5;
/// Keep nineteen of twenty above.
constexpr double raised = 0.0005, lowered = 19 * raised;
constexpr std::size_t mostRememberedRows = 500'000;
/// Several stages at once: dear, and worth it where single changes find little any more. In long rows they find little
/// for what they cost.
constexpr double reinsertionPart = 0.8;  // of the steps of the cold end
constexpr int mostDrawnStages = 24;
constexpr double coldFrom = 0.8;  // part of a run

}  // namespace

Annealing::Annealing(const CostModel &model, const std::vector<int> &types, SearchClock &clock, std::mt19937 &random,
                     const SearchSettings &settings)
    : m_model(model),
      m_clock(clock),
      m_random(random),
      m_settings(settings),
      m_judge(model, settings.freeLimits),
      m_fit(model, clock),
      m_numbers(model),
      m_types(types),
      m_reinsertion(model, clock, types),
      m_microBatches(microBatchChoices(model.problem())) {}

GroupCosts &Annealing::costs(int microBatch) {
    const auto known = m_costs.find(microBatch);
    if (known != m_costs.end())
        return known->second;
    return m_costs
        .try_emplace(microBatch, m_model, m_numbers,
                     GroupCosts::Settings{microBatch, m_settings.mayRecompute, m_settings.freeLimits})
        .first->second;
}

Annealing::State Annealing::stateOf(const Found &found) {
    State state;
    state.microBatch = found.placement.microBatch;
    state.seconds = found.seconds;
    state.row.borders = {0};
    for (const StagePlacement &stage : found.placement.stages) {
        std::vector<int> devices;
        for (const MemberShare &member : stage.group)
            devices.push_back(member.device);
        state.row.groups.push_back(m_numbers.of(std::move(devices)));
        state.row.borders.push_back(stage.lastLayer);
    }
    return state;
}

void Annealing::forget(State &state) {
    std::size_t size = 0;
    for (const auto &[microBatch, costs] : m_costs)
        size += costs.size();
    if (size < mostRememberedRows)
        return;
    std::vector<std::vector<int>> groups;
    for (const int group : state.row.groups)
        groups.push_back(m_numbers.devices(group));
    m_numbers.clear();
    m_costs.clear();
    for (std::size_t s = 0; s < groups.size(); ++s)
        state.row.groups[s] = m_numbers.of(groups[s]);
}

void Annealing::locate(const State &state) {
    m_stageOf.assign(at(m_model.deviceCount()), idle);
    for (int s = 0; s < state.row.stages(); ++s) {
        for (const int device : m_numbers.devices(state.row.groups[at(s)]))
            m_stageOf[at(device)] = s;
    }
}

Annealing::Found Annealing::run(const Found &start, const Done &done, const Heat &heat, const Better &better) {
    Found best = start;
    State state = stateOf(start);
    locate(state);
    quint64 coldSteps = m_clock.steps();  // when it became cold
    m_reinsertionSteps = 0;
    double temperature = heat.first, part = 0;
    State next;
    bool look = true;  // whether much time may have passed
    for (unsigned round = 0; !m_clock.phaseOver(); ++round) {
        if (look || round % 64 == 0) {
            part = std::max(0.0, done());
            if (part >= 1)
                break;
            temperature = heat.first * std::pow(heat.last / heat.first, part);
            forget(state);
            if (part < coldFrom)
                coldSteps = m_clock.steps();
        }
        const double limit = state.seconds * (1 - temperature * std::log(unit()));
        const bool several = part >= coldFrom && state.row.stages() <= mostDrawnStages &&
                             static_cast<double>(m_reinsertionSteps) <
                                 reinsertionPart * static_cast<double>(m_clock.steps() - coldSteps);
        look = several;
        if (!(several ? reinsert(state, next, limit) : changeOne(state, next, limit)))
            continue;
        std::swap(state, next);
        locate(state);
        if (state.seconds < best.seconds) {
            best = {m_placement, state.seconds};
            better(best);
        }
    }
    return best;
}

std::optional<Annealing::Found> Annealing::inSingleFile(int microBatch) {
    std::vector<int> order(at(m_model.deviceCount()));
    std::iota(order.begin(), order.end(), 0);
    shuffle(order);
    order.resize(at(std::min(m_model.deviceCount(), m_model.layerCount())));
    State state;
    state.microBatch = microBatch;
    for (const int device : order)
        state.row.groups.push_back(m_numbers.of({device}));
    if (!accept(state, Change::Groups, never))
        return std::nullopt;
    return Found{m_placement, state.seconds};
}

/// std::shuffle differs between libraries.
void Annealing::shuffle(std::vector<int> &devices) {
    for (int i = static_cast<int>(devices.size()); i > 1; --i)
        std::swap(devices[at(i - 1)], devices[at(below(i))]);
}

bool Annealing::changeOne(const State &state, State &next, double limit) {
    next.microBatch = state.microBatch;
    next.row = state.row;
    m_clock.spend(2);
    const Change kind = change(next);
    return kind != Change::None && accept(next, kind, limit);
}

bool Annealing::accept(State &next, Change change, double limit) {
    GroupCosts &costs = this->costs(next.microBatch);
    const double bound = change == Change::Borders ? m_fit.bound(costs, next.row) : fit(costs, next.row, limit);
    if (!(bound < limit))
        return false;
    Placement placement = placementOf(costs, next.row);
    m_clock.spendOnPlan(next.row.stages(), costs.microBatches());
    next.seconds = m_judge.judge(placement, limit);
    if (!(next.seconds < limit))
        return false;
    m_placement = std::move(placement);
    return true;
}

/// Most rows are turned down by the estimate, which is held against what the bound was of others.
double Annealing::fit(GroupCosts &costs, StageRow &row, double limit) {
    const bool alone = std::all_of(row.groups.begin(), row.groups.end(), [&](int group) { return costs.alone(group); });
    double &usual = m_boundOverEstimate[alone ? 1 : 0];
    const double estimate = m_fit.spread(costs, row, limit / usual);
    if (estimate == never)
        return never;
    const double bound = m_fit.fit(costs, row, band, limit);
    if (bound < limit)
        usual += bound < usual * estimate ? -lowered : raised;
    return bound;
}

Annealing::Change Annealing::change(State &next) {
    const int choice = below(100);
    if (choice < 25)
        return shiftBorder(next) ? Change::Borders : Change::None;
    bool changed = false;
    if (choice < 55)
        changed = swapDevices(next);
    else if (choice < 75)
        changed = moveStage(next);
    else if (choice < 85)
        changed = moveDevice(next);
    else if (choice < 91)
        changed = addStage(next);
    else if (choice < 94)
        changed = mergeStages(next);
    else if (choice < 97)
        changed = splitStage(next);
    else
        changed = changeMicroBatch(next);
    return changed ? Change::Groups : Change::None;
}

bool Annealing::shiftBorder(State &next) {
    const int stages = next.row.stages();
    if (stages < 2)
        return false;
    const int border = 1 + below(stages - 1), by = 1 + (below(2) == 0 ? 0 : below(4));
    int &layer = next.row.borders[at(border)];
    layer += below(2) == 0 ? by : -by;
    return layer > next.row.borders[at(border) - 1] && layer < next.row.borders[at(border) + 1];
}

void Annealing::replace(State &state, int stage, int device, int other) {
    std::vector<int> devices = m_numbers.devices(state.row.groups[at(stage)]);
    *std::find(devices.begin(), devices.end(), device) = other;
    state.row.groups[at(stage)] = m_numbers.of(std::move(devices));
}

/// False where it stood there alone: then the stage is gone.
bool Annealing::without(State &state, int stage, int device) {
    std::vector<int> devices = m_numbers.devices(state.row.groups[at(stage)]);
    if (devices.size() == 1) {
        state.row.groups.erase(state.row.groups.begin() + stage);
        return false;
    }
    std::erase(devices, device);
    state.row.groups[at(stage)] = m_numbers.of(std::move(devices));
    return true;
}

bool Annealing::swapDevices(State &next) {
    const int a = below(m_model.deviceCount()), b = below(m_model.deviceCount());
    const int stageA = m_stageOf[at(a)], stageB = m_stageOf[at(b)];
    if (stageA == stageB || m_types[at(a)] == m_types[at(b)])
        return false;
    if (stageA != idle)
        replace(next, stageA, a, b);
    if (stageB != idle)
        replace(next, stageB, b, a);
    return true;
}

bool Annealing::moveStage(State &next) {
    const int stages = next.row.stages();
    const int from = below(stages), to = below(stages);
    if (from == to)
        return false;
    const auto begin = next.row.groups.begin();
    if (from < to)
        std::rotate(begin + from, begin + from + 1, begin + to + 1);
    else
        std::rotate(begin + to, begin + from, begin + from + 1);
    return true;
}

bool Annealing::moveDevice(State &next) {
    const int device = below(m_model.deviceCount()), from = m_stageOf[at(device)];
    int to = below(next.row.stages() + 1) - 1;
    if (to == from || (to == idle && next.row.stages() == 1))
        return false;
    if (to != idle) {
        std::vector<int> devices = m_numbers.devices(next.row.groups[at(to)]);
        devices.push_back(device);
        next.row.groups[at(to)] = m_numbers.of(std::move(devices));
    }
    if (from != idle)
        without(next, from, device);
    return true;
}

bool Annealing::addStage(State &next) {
    const int device = below(m_model.deviceCount()), from = m_stageOf[at(device)];
    if (from != idle && m_numbers.devices(next.row.groups[at(from)]).size() == 1)
        return false;
    if (from != idle)
        without(next, from, device);
    next.row.groups.insert(next.row.groups.begin() + below(next.row.stages() + 1), m_numbers.of({device}));
    return true;
}

bool Annealing::mergeStages(State &next) {
    if (next.row.stages() < 2)
        return false;
    const int stage = below(next.row.stages() - 1);
    std::vector<int> devices = m_numbers.devices(next.row.groups[at(stage)]);
    const std::vector<int> &other = m_numbers.devices(next.row.groups[at(stage) + 1]);
    devices.insert(devices.end(), other.begin(), other.end());
    next.row.groups[at(stage)] = m_numbers.of(std::move(devices));
    next.row.groups.erase(next.row.groups.begin() + stage + 1);
    return true;
}

bool Annealing::splitStage(State &next) {
    const int stage = m_stageOf[at(below(m_model.deviceCount()))];
    if (stage == idle)
        return false;
    std::vector<int> devices = m_numbers.devices(next.row.groups[at(stage)]), other;
    if (devices.size() < 2)
        return false;
    const int count = static_cast<int>(devices.size());
    shuffle(devices);
    const int taken = 1 + below(count - 1);
    other.assign(devices.begin() + taken, devices.end());
    devices.resize(at(taken));
    next.row.groups[at(stage)] = m_numbers.of(std::move(devices));
    next.row.groups.insert(next.row.groups.begin() + stage, m_numbers.of(std::move(other)));
    return true;
}

bool Annealing::changeMicroBatch(State &next) {
    const int count = static_cast<int>(m_microBatches.size());
    const int own = static_cast<int>(std::find(m_microBatches.begin(), m_microBatches.end(), next.microBatch) -
                                     m_microBatches.begin());
    const int other = own + (below(2) == 0 ? 1 : -1);
    if (other < 0 || other >= count)
        return false;
    next.microBatch = m_microBatches[at(other)];
    return true;
}

}  // namespace hearth
