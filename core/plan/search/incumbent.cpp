#include "core/plan/search/incumbent.h"

#include <cmath>

#include "core/plan/search/polish.h"

namespace hearth {
namespace {

/// Below that part of a round two plans count as equally long.
constexpr double equal = 1e-9;
/// Time may be up at any moment: plans are polished as they are found, in that part of it.
constexpr quint64 polishedPart = 50;

}  // namespace

Incumbent::Incumbent(const CostModel &model, const PlannerOptions &options, const SearchSettings &settings,
                     SearchClock &clock)
    : m_model(model), m_options(options), m_settings(settings), m_clock(clock), m_judge(model, settings.freeLimits) {
    for (const int microBatch : microBatchChoices(model.problem())) {
        const WorkBound &work = m_work.try_emplace(microBatch, model, microBatch).first->second;
        m_spaces.push_back({microBatch, work.leastRoundSeconds(model), false});
    }
    // Pipelines like some ten to twenty micro-batches best; what is good early prunes the rest.
    const auto unusual = [&](const SearchSpace &space) {
        return std::abs(std::log2(model.problem().batch / (16.0 * space.microBatch)));
    };
    std::stable_sort(m_spaces.begin(), m_spaces.end(),
                     [&](const SearchSpace &a, const SearchSpace &b) { return unusual(a) < unusual(b); });
}

double Incumbent::limit() const {
    return m_seconds * (1 - equal);
}

bool Incumbent::proved() const {
    return std::all_of(m_spaces.begin(), m_spaces.end(),
                       [&](const SearchSpace &space) { return space.done || space.lowerBound >= limit(); });
}

double Incumbent::lowerBound() const {
    double least = m_seconds;
    for (const SearchSpace &space : m_spaces)
        least = std::min(least, space.done ? m_seconds : space.lowerBound);
    return least;
}

double Incumbent::offer(Placement placement) {
    const double seconds = m_judge.judge(placement, limit());
    take(placement, seconds);
    return limit();
}

void Incumbent::take(const Placement &placement, double seconds) {
    if (!(seconds < limit()) || !mayHold(placement))
        return;
    m_best = placement;
    m_seconds = seconds;
    report();
    if (m_polishSteps < m_clock.steps() / polishedPart)
        polishBest();
}

void Incumbent::polishBest() {
    if (!m_settings.polish || !any() || m_polishedFrom == m_seconds || m_clock.over())
        return;
    m_polishedFrom = m_seconds;
    Placement placement = m_best;
    const quint64 before = m_clock.steps();
    const double polished = polish(m_model, m_clock, placement, m_seconds);
    m_polishSteps += m_clock.steps() - before;
    if (polished < m_polishedSeconds) {
        m_polished = std::move(placement);
        m_polishedSeconds = polished;
    }
}

void Incumbent::report() const {
    if (m_options.progress && any())
        m_options.progress({m_seconds, m_seconds > 0 ? 1 - lowerBound() / m_seconds : 0});
}

/// Plans that were squeezed in by other in-flight limits count only where limits are free.
bool Incumbent::mayHold(const Placement &placement) const {
    if (m_settings.freeLimits)
        return true;
    const int count = static_cast<int>(placement.stages.size());
    const int microBatches = m_model.problem().batch / placement.microBatch;
    for (int s = 0; s < count; ++s) {
        if (placement.stages[static_cast<std::size_t>(s)].inFlight !=
            inFlightLimit(InFlightRule::Early, count - s, microBatches))
            return false;
    }
    return true;
}

BestFirstResult Incumbent::exhaust(const DeviceSets &sets, const std::vector<int> &cuts, int microBatch,
                                   InFlightRule rule, OptionMemory *memory, bool *memoryBinds) {
    StageOptions stages(m_model, sets, cuts, microBatch, rule, m_settings.mayRecompute, memory);
    BestFirstResult result;
    const SuffixTable table(stages, m_work.at(microBatch), limit(), mostStages(stages.parts()), m_clock);
    if (table.complete()) {
        result = enumerateBestFirst(stages, table, limit(), m_clock,
                                    [this](Placement placement) { return offer(std::move(placement)); });
    } else {
        result.lowerBound = 0;
    }
    if (memoryBinds)
        *memoryBinds = stages.memoryBinds();
    return result;
}

}  // namespace hearth
