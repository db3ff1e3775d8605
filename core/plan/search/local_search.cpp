#include "core/plan/search/local_search.h"

#include "core/base/at.h"
#include "core/plan/allocation.h"
#include "core/plan/in_flight.h"
#include "core/plan/search/word_hash.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr std::size_t mostRememberedOutlines = 100'000;
constexpr quint64 stepsPerClosedForm = 20;

int below(std::mt19937 &random, int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
}

}  // namespace

std::size_t LocalSearch::KeyHash::operator()(const std::vector<int> &key) const {
    return hashOfWords(key);
}

LocalSearch::LocalSearch(const CostModel &model, SearchClock &clock, LocalSearchOptions options)
    : m_model(model),
      m_clock(clock),
      m_options(std::move(options)),
      m_judge(model, m_options.freeLimits),
      m_microBatches(microBatchChoices(model.problem())) {}

const LocalSearch::Stage &LocalSearch::stage(const Outline &outline, int index) {
    const int first = outline.borders[at(index)], last = outline.borders[at(index + 1)];
    const int toEnd = outline.stages() - index;
    std::vector<int> devices = outline.groups[at(index)];
    std::sort(devices.begin(), devices.end(), [&](int a, int b) { return m_model.rank(a) < m_model.rank(b); });
    std::vector<int> key{first, last, toEnd, outline.microBatch};
    key.insert(key.end(), devices.begin(), devices.end());
    const auto known = m_stages.find(key);
    if (known != m_stages.end())
        return known->second;
    if (m_stages.size() > mostRememberedOutlines)
        m_stages.clear();
    StagePlacement own{first, last, {}, 1, false};
    const int microBatches = m_model.problem().batch / outline.microBatch;
    for (const bool recompute : {false, true}) {
        for (const InFlightRule rule : {InFlightRule::Early, InFlightRule::StagesToEnd}) {
            if (!own.group.empty() || (recompute && !m_options.mayRecompute))
                continue;
            own.inFlight = inFlightLimit(rule, toEnd, microBatches);
            own.recompute = recompute;
            auto group = allocate(
                m_model, {first, last, devices, outline.microBatch, own.inFlight, AllocationRule::Charged, recompute});
            if (group)
                own.group = std::move(*group);
        }
    }
    StepTimes step;
    if (!own.group.empty())
        step = m_model.execution(first, last, own.group, own.recompute);
    return m_stages.emplace(std::move(key), Stage{std::move(own), step}).first->second;
}

std::optional<Placement> LocalSearch::build(const Outline &outline) {
    Placement placement{outline.microBatch, Schedule::OneForwardOneBackward, {}};
    for (int s = 0; s < outline.stages(); ++s) {
        placement.stages.push_back(stage(outline, s).placement);
        if (placement.stages.back().group.empty())
            return std::nullopt;
    }
    return placement;
}

double LocalSearch::closedForm(const Outline &outline) {
    const int microBatches = m_model.problem().batch / outline.microBatch;
    m_clock.spend(stepsPerClosedForm * static_cast<quint64>(outline.stages()));
    SuffixLatency suffix;
    Group behind;
    for (int s = outline.stages(); s-- > 0;) {
        const auto &[own, step] = stage(outline, s);
        if (own.group.empty())
            return never;
        if (behind.empty()) {
            suffix = SuffixLatency::last(step, microBatches);
        } else {
            const StepTimes cut = m_model.transfer(own.lastLayer, own.group, behind, {}, own.recompute);
            suffix = suffix.prepended(cut, microBatches).prepended(step, microBatches);
        }
        behind = own.group;
    }
    return suffix.latency();
}

void LocalSearch::balance(Outline &outline) {
    double best = closedForm(outline);
    for (int by = std::max(1, (m_model.layerCount() / outline.stages() + 1) / 2); by > 0; by /= 2) {
        for (int b = 1; b < outline.stages(); ++b) {
            for (const int direction : {-by, by}) {
                for (;;) {
                    const int layer = outline.borders[at(b)] + direction;
                    if (layer <= outline.borders[at(b - 1)] || layer >= outline.borders[at(b + 1)] ||
                        m_clock.phaseOver())
                        break;
                    Outline next = outline;
                    next.borders[at(b)] = layer;
                    if (m_options.allowed && !m_options.allowed(next))
                        break;
                    const double seconds = closedForm(next);
                    if (!(seconds < best * worthwhile))
                        break;
                    best = seconds;
                    outline = std::move(next);
                }
            }
        }
    }
}

bool LocalSearch::consider(Outline outline, bool structural, Found &best) {
    if (m_clock.phaseOver() || (m_options.allowed && !m_options.allowed(outline)))
        return false;
    if (structural)
        balance(outline);
    auto placement = build(outline);
    if (!placement)
        return false;
    m_clock.spendOnPlan(outline.stages(), m_model.problem().batch / outline.microBatch);
    const double seconds = m_judge.judge(*placement, best.seconds * worthwhile);
    if (!(seconds < best.seconds))
        return false;
    best = {std::move(*placement), seconds};
    return true;
}

void LocalSearch::climb(Found &best) {
    const int devices = m_model.deviceCount();
    bool better = true;
    while (better && !m_clock.phaseOver()) {
        const Outline outline = outlineOf(best.placement);
        const auto attempt = [&](Outline next, bool structural) {
            return m_clock.phaseOver() ||
                   consider(std::move(next), structural, best);  // true ends the round of changes
        };
        const Consider small = [&](Outline next) { return attempt(std::move(next), false); };
        const Consider large = [&](Outline next) { return attempt(std::move(next), true); };
        better = shiftBorders(outline, small) || moveDevices(outline, devices, large) ||
                 mergeAndSplitStages(outline, large) || addStages(outline, devices, large) ||
                 swapDevices(outline, devices, large);
        for (const int microBatch : m_microBatches) {
            if (better || !m_options.mayChangeMicroBatch)
                break;
            Outline next = outline;
            next.microBatch = microBatch;
            better = microBatch != outline.microBatch && large(std::move(next));
        }
    }
}

std::optional<LocalSearch::Found> LocalSearch::improve(const Outline &start) {
    Outline outline = start;
    balance(outline);
    std::optional<Placement> placement = build(outline);
    if (!placement && !(placement = build(start)))
        return std::nullopt;
    const double seconds = m_judge.judge(*placement);
    return improve(Found{std::move(*placement), seconds});
}

std::optional<LocalSearch::Found> LocalSearch::improve(const Found &start) {
    Found best = start;
    climb(best);
    return best;
}

Outline LocalSearch::kicked(const Outline &outline, std::mt19937 &random) const {
    Outline next = outline;
    const int devices = m_model.deviceCount();
    for (int change = 0; change < 3; ++change) {
        const int a = below(random, devices), b = below(random, devices);
        for (auto &group : next.groups) {
            for (auto it = group.begin(); it != group.end(); ++it) {
                if (*it == a || *it == b)
                    *it = *it == a ? b : a;
            }
        }
        if (next.stages() > 1 && below(random, 2) == 0) {
            const int border = 1 + below(random, next.stages() - 1);
            const int first = next.borders[at(border - 1)] + 1, last = next.borders[at(border + 1)];
            next.borders[at(border)] = first + below(random, last - first);
        }
    }
    return next;
}

LocalSearch::Found LocalSearch::improveRepeatedly(Found best, int kicks, std::mt19937 &random) {
    for (int kick = 0; kick < kicks && !m_clock.phaseOver(); ++kick) {
        Outline outline = kicked(outlineOf(best.placement), random);
        if (m_options.allowed && !m_options.allowed(outline))
            continue;
        const auto found = improve(outline);
        if (found && found->seconds < best.seconds * worthwhile)
            best = *found;
    }
    return best;
}

}  // namespace hearth
